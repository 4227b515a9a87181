#include "kbuild/generate/writable.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::generate {
namespace {

/// Empty for a name that a source may have.
std::string_view why_not_source(const std::string& name) {
    constexpr std::size_t kLongest = 255 - std::string_view(".o.d").size();
    if (!is_path_for_cmake(name))
        return "holds a backslash, `|`, `$` or a line break";
    if (name.find(';') != std::string::npos)
        return "holds a `;`, which CMake takes apart in the name of the object";
    if (std::filesystem::path(name).filename().string().size() > kLongest)
        return "with `.o.d` behind it, it is longer than file systems allow";
    return {};
}

void check_names(const config::Strings& files, diag::Sink& sink) {
    for (const auto& file : files) {
        const auto reason = why_not_source(file.value);
        if (reason.empty())
            continue;
        auto problem = diag::mistake("K0151",
                                     "CMake and Ninja cannot write the name of this file",
                                     file.span,
                                     std::string(reason));
        problem.help = {"rename the file"};
        sink.report(std::move(problem));
    }
}

void check_flags(const config::Strings& flags, diag::Sink& sink) {
    for (const auto& flag : flags) {
        if (flag.value.find_first_of("\n\r") == std::string::npos)
            continue;
        auto problem = diag::mistake(
            "K0152", "a flag with a line break", flag.span, "Ninja has no way to write it");
        problem.help = {"write the flag on one line"};
        sink.report(std::move(problem));
    }
}

} // namespace

bool is_path_for_cmake(std::string_view path) {
    return path.find_first_of("\\|$\n\r") == std::string_view::npos;
}

bool is_misread_by_ninja(std::string_view path) {
    return path.find_first_of("'\"&*;<>?^`|\t") != std::string_view::npos; // tried out one by one
}

void check_writable(const config::BuildConfig& config, diag::Sink& sink) {
    check_names(config.framework.src, sink);
    check_flags(config.framework.cxx_flags, sink);
    for (const auto& kernel : config.kernels) {
        check_names(kernel.src, sink);
        check_flags(kernel.cxx_flags, sink);
        check_flags(kernel.hip_flags, sink);
    }
}

support::Result<void> check_project_folder(const std::filesystem::path& folder) {
    // CMake's own checks of compilers write it into a CMakeLists.txt without escaping quotes.
    // Nor does a list of CMake end inside of an open bracket.
    const auto text = folder.string();
    if (is_path_for_cmake(text) && text.find_first_of(";\"") == std::string::npos &&
        std::count(text.begin(), text.end(), '[') == std::count(text.begin(), text.end(), ']'))
        return {};
    return support::fail(support::ErrorKind::usage,
                         fmt::format("CMake cannot work in `{}`", support::display_path(folder)),
                         "move the project to a folder without `;`, `|`, `$`, quotation marks, "
                         "backslashes, single brackets and line breaks in its path");
}

} // namespace kbuild::generate
