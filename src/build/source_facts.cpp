#include "kbuild/build/source_facts.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using support::contains;

constexpr std::array kTorchPrefixes = {"torch/", "ATen/", "c10/", "caffe2/"};
constexpr std::array kHipPrefixes = {"hip/",
                                     "hipblas",
                                     "hipcub",
                                     "hipfft",
                                     "hipsolver",
                                     "hipsparse",
                                     "hiprand",
                                     "rocblas",
                                     "rocprim",
                                     "rocthrust",
                                     "rocwmma",
                                     "thrust/",
                                     "hsa/",
                                     "ck/"};

template <std::size_t N>
bool has_prefix(std::string_view name, const std::array<const char*, N>& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [name](const char* prefix) {
        return name.starts_with(prefix);
    });
}

/// The header name of an `#include` line; none if the line is something else.
std::optional<std::string> included_name(std::string_view line) {
    line = support::trim(line);
    if (!line.starts_with('#'))
        return std::nullopt;
    line = support::trim(line.substr(1));
    if (!line.starts_with("include"))
        return std::nullopt;
    line = support::trim(line.substr(7));
    if (line.size() < 3 || (line[0] != '"' && line[0] != '<'))
        return std::nullopt;
    const auto end = line.find(line[0] == '"' ? '"' : '>', 1);
    if (end == std::string_view::npos)
        return std::nullopt;
    return std::string(line.substr(1, end - 1));
}

class Scanner {
  public:
    Scanner(const fs::path& root, const std::vector<fs::path>& include_dirs)
        : root_(root), include_dirs_(include_dirs) {}

    void scan(const fs::path& file) {
        if (!seen_.insert(file).second)
            return;
        const auto text = support::read_file(file);
        if (!text)
            return; // a missing file is reported by the check of build.toml, with its place there
        facts_.extension_name |= contains(*text, "TORCH_EXTENSION_NAME");
        for (const auto& line : support::split(*text, '\n'))
            if (const auto name = included_name(line))
                follow(file, *name);
    }

    const SourceFacts& facts() const { return facts_; }

  private:
    void follow(const fs::path& file, const std::string& name) {
        if (const auto path = resolve(file, name))
            return scan(*path);
        facts_.torch |= has_prefix(name, kTorchPrefixes);
        facts_.hip |= has_prefix(name, kHipPrefixes);
        facts_.python |= name == "Python.h" || name == "registration.h";
    }

    /// The project's file that the name means; none for a header from elsewhere.
    std::optional<fs::path> resolve(const fs::path& file, const std::string& name) const {
        std::vector<fs::path> folders{file.parent_path()};
        folders.insert(folders.end(), include_dirs_.begin(), include_dirs_.end());
        for (const auto& folder : folders) {
            const auto path = (folder / name).lexically_normal();
            if (support::is_file(path) && path.string().starts_with(root_.string()))
                return path;
        }
        return std::nullopt;
    }

    const fs::path& root_;
    const std::vector<fs::path>& include_dirs_;
    std::set<fs::path> seen_;
    SourceFacts facts_;
};

} // namespace

SourceKind source_kind(std::string_view path) {
    const auto extension = support::to_lower(fs::path(path).extension().string());
    if (extension == ".hip" || extension == ".cu")
        return SourceKind::device;
    if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".c")
        return SourceKind::host;
    if (extension == ".h" || extension == ".hpp" || extension == ".hh" || extension == ".cuh" ||
        extension == ".hxx" || extension == ".inl" || extension == ".inc")
        return SourceKind::header;
    return SourceKind::other;
}

SourceFacts scan_source(const fs::path& root,
                        const fs::path& source,
                        const std::vector<fs::path>& include_dirs) {
    Scanner scanner(root, include_dirs);
    scanner.scan(source.lexically_normal());
    return scanner.facts();
}

} // namespace kbuild::build
