#include "pip_rocm.hpp"

#include "probe_rocm.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/toolchain/find.hpp"

#include <fmt/format.h>

namespace kbuild::toolchain {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

std::vector<fs::path> site_packages(const fs::path& environment) {
    std::vector<fs::path> folders;
    const auto names = support::list_names(environment / "lib");
    for (const auto& name : names.value_or(std::vector<std::string>()))
        if (name.starts_with("python3") &&
            support::is_folder(environment / "lib" / name / "site-packages"))
            folders.push_back(environment / "lib" / name / "site-packages");
    return folders;
}

std::optional<Result<model::RocmSdk>> probe_pip_rocm(const fs::path& site) {
    const auto refuse = [&](std::string_view what, std::string_view command) {
        return Result<model::RocmSdk>(support::fail(
            ErrorKind::toolchain,
            fmt::format("pip's ROCm in `{}` {}: `{}`", site.string(), what, command)));
    };
    if (support::is_folder(site / "_rocm_sdk_devel/include")) {
        auto sdk = probe_rocm(site / "_rocm_sdk_devel");
        if (sdk)
            sdk->provider = "pip";
        return sdk;
    }
    if (support::is_folder(site / "rocm_sdk_devel"))
        return refuse("has a devel half that is not unpacked", "rocm-sdk init");
    if (support::is_folder(site / "_rocm_sdk_core"))
        return refuse("is the core half alone, without headers and CMake files",
                      "pip install \"rocm[devel]\"");
    if (support::is_folder(site / "rocm_sdk"))
        return refuse("is the selector alone, without a compiler",
                      "pip install \"rocm[libraries,devel]\"");
    return std::nullopt;
}

} // namespace kbuild::toolchain
