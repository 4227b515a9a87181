#include "readable.hpp"
#include "subject.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace kbuild::verify {
namespace {

using diag::Severity;

/// Read piece by piece: a library may have hundreds of megabytes of GPU code.
constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr std::size_t kLongestPath = 4096;

bool is_text(char c) {
    return c >= ' ' && c <= '~';
}

/// Names of sources and objects; other paths in a program may be meant (`/proc/self/maps`).
bool names_a_source(std::string_view path) {
    constexpr std::array<std::string_view, 12> kEndings = {
        ".c", ".cc", ".cpp", ".cu", ".cuh", ".cxx", ".h", ".hip", ".hpp", ".inc", ".inl", ".o"};
    return std::any_of(kEndings.begin(), kEndings.end(), [path](std::string_view ending) {
        return path.ends_with(ending);
    });
}

/// What prefix maps leave (`/torch-2.13/include/…`, `/rocm/…`) and where systems install headers
/// says nothing about the machine.
bool is_neutral(std::string_view path) {
    return support::starts_with_any(path, {"/usr/", "/opt/rocm", "/rocm", "/torch-", "/pytorch/"});
}

struct FoundPaths {
    std::set<std::string> of_build;  ///< below a folder that was named to us
    std::set<std::string> of_source; ///< absolute paths of sources
};

void look_at_text(std::string_view text,
                  const std::vector<std::string>& folders,
                  FoundPaths& found) {
    for (const auto& folder : folders)
        if (support::contains(text, folder))
            found.of_build.insert(std::string(text.substr(0, kLongestPath)));
    if (text.starts_with('/') && names_a_source(text) && !is_neutral(text) &&
        std::count(text.begin(), text.end(), '/') > 2)
        found.of_source.insert(std::string(text));
}

/// Looks at each run of printable characters in a piece of the file.
void look_at_piece(std::string_view piece,
                   const std::vector<std::string>& folders,
                   FoundPaths& found) {
    constexpr std::size_t kShortest = 8;
    std::size_t begin = 0;
    while (begin < piece.size()) {
        if (!is_text(piece[begin])) {
            ++begin;
            continue;
        }
        auto end = begin;
        while (end < piece.size() && is_text(piece[end]))
            ++end;
        const auto text = piece.substr(begin, end - begin);
        if (text.size() >= kShortest && support::contains(text, "/"))
            look_at_text(text, folders, found);
        begin = end;
    }
}

/// Pieces overlap by the longest path, so that none is cut in both.
FoundPaths look_at_file(const std::filesystem::path& library,
                        const std::vector<std::string>& folders) {
    FoundPaths found;
    std::ifstream file(library, std::ios::binary);
    std::string bytes;
    std::string buffer(kPiece, '\0');
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) ||
           file.gcount() > 0) {
        bytes.append(buffer, 0, static_cast<std::size_t>(file.gcount()));
        look_at_piece(bytes, folders, found);
        bytes.erase(0, bytes.size() - std::min(bytes.size(), kLongestPath));
    }
    return found;
}

std::vector<std::string> quoted(const std::set<std::string>& paths) {
    std::vector<std::string> lines;
    for (const auto& path : paths)
        lines.push_back(fmt::format("`{}`", path));
    return lines;
}

} // namespace

void check_paths(const Subject& subject, const Expectations& expectations, diag::Sink& sink) {
    std::vector<std::string> folders;
    for (const auto& folder : expectations.build_folders)
        folders.push_back(folder.string() + "/");
    const auto place = subject.place(*subject.library);
    const auto found = look_at_file(*subject.library, folders);
    if (!found.of_build.empty())
        report(sink,
               Severity::error,
               "K0626",
               fmt::format("`{}` names folders of the build machine", place),
               first_few(quoted(found.of_build), 5),
               {"other machines would get other bytes from the same sources; do not put absolute "
                "paths "
                "into macros or flags"});
    else if (!found.of_source.empty())
        report(sink,
               Severity::warning,
               "K0626",
               fmt::format("`{}` names source files of the machine that it was built on", place),
               first_few(quoted(found.of_source), 5),
               {"compile with `-ffile-prefix-map`, as kbuild does"});
}

} // namespace kbuild::verify
