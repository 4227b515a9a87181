#include "kbuild/generate/writable.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::generate {
namespace {

void check_names(const config::Strings& files, diag::Sink& sink) {
    for (const auto& file : files) {
        if (is_path_for_cmake(file.value))
            continue;
        auto problem = diag::mistake("K0151",
                                     "CMake and Ninja cannot write the name of this file",
                                     file.span,
                                     "holds a backslash, `|`, `$` or a line break");
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
    if (is_path_for_cmake(folder.string()) && folder.string().find(';') == std::string::npos)
        return {};
    return support::fail(support::ErrorKind::usage,
                         fmt::format("CMake cannot work in `{}`", support::display_path(folder)),
                         "move the project to a folder without `;`, `|`, `$`, backslashes and line "
                         "breaks in its path");
}

} // namespace kbuild::generate
