#include "torch_version.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::toolchain {
namespace {

using model::TorchBuild;
using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

/// The text that `NAME = '…'` or `NAME: type = '…'` assigns at the start of a line; none for None.
std::optional<std::string> assigned(std::string_view text, std::string_view name) {
    for (const auto& line : support::split(text, '\n')) {
        std::string_view rest = line;
        if (!rest.starts_with(name))
            continue;
        rest.remove_prefix(name.size());
        const auto equals = rest.find('=');
        const auto between = support::trim(rest.substr(0, equals));
        if (equals == std::string_view::npos || (!between.empty() && between.front() != ':'))
            continue;
        rest = support::trim(rest.substr(equals + 1));
        if (rest.size() < 2 || (rest.front() != '\'' && rest.front() != '"'))
            continue;
        const auto end = rest.find(rest.front(), 1);
        if (end != std::string_view::npos && end > 1)
            return std::string(rest.substr(1, end - 1));
    }
    return std::nullopt;
}

std::optional<model::Version> major_minor_of(std::string_view text) {
    const auto release = release_of(text);
    return release ? std::optional(release->major_minor()) : std::nullopt;
}

Result<TorchVersion> version_of(const std::string& full, std::string_view source) {
    const auto release = release_of(full);
    if (!release)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("`{}` names no version of torch", source));
    TorchVersion version;
    version.full = full;
    version.version = *release;
    return version;
}

/// A libtorch folder has no version.py: which libraries are there tells what it was built for.
Result<TorchVersion> read_libtorch_version(const fs::path& folder) {
    const auto file = folder / "build-version";
    KB_TRY_ASSIGN(text, support::read_file(file, 4096));
    KB_TRY_ASSIGN(version, version_of(std::string(support::trim(text)), file.string()));
    if (support::is_file(folder / "lib/libtorch_hip.so")) {
        version.build = TorchBuild::rocm;
        const auto at = version.full.find("+rocm");
        if (at != std::string::npos)
            version.rocm = major_minor_of(std::string_view(version.full).substr(at + 5));
    } else if (support::is_file(folder / "lib/libtorch_cuda.so")) {
        version.build = TorchBuild::cuda;
    }
    return version;
}

} // namespace

std::optional<model::Version> release_of(std::string_view text) {
    auto release = text.substr(0, text.find_first_not_of("0123456789."));
    while (release.ends_with('.'))
        release.remove_suffix(1);
    return model::Version::parse(release);
}

Result<TorchVersion> parse_version_file(std::string_view text) {
    KB_TRY_ASSIGN(version, version_of(assigned(text, "__version__").value_or(""), "version.py"));
    const auto hip = assigned(text, "hip");
    const auto rocm = assigned(text, "rocm");
    if (hip || rocm) {
        version.build = TorchBuild::rocm;
        version.rocm = major_minor_of(rocm ? *rocm : *hip);
    } else if (assigned(text, "cuda")) {
        version.build = TorchBuild::cuda;
    }
    return version;
}

Result<TorchVersion> read_torch_version(const fs::path& folder) {
    if (!support::is_file(folder / "version.py"))
        return read_libtorch_version(folder);
    KB_TRY_ASSIGN(text, support::read_file(folder / "version.py", 1U << 20U));
    return parse_version_file(text);
}

} // namespace kbuild::toolchain
