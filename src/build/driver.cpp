#include "kbuild/build/driver.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using config::Driver;
using support::ErrorKind;
using support::Result;

/// hipcc hands its compiler's path to a shell without quotes; probing leaves it out of an SDK
/// below such a path.
bool has_unusable_hipcc(const model::RocmSdk& sdk) {
    return !sdk.hipcc && support::is_file(sdk.root / "bin/hipcc");
}

Result<fs::path>
named(const std::optional<fs::path>& program, std::string_view name, const model::RocmSdk& sdk) {
    if (program)
        return *program;
    const bool blank = name == "hipcc" && has_unusable_hipcc(sdk);
    return support::fail(
        ErrorKind::toolchain,
        blank ? fmt::format("hipcc of {} cannot run in `{}`: it splits its own path at blanks",
                            sdk.name,
                            support::display_path(sdk.root))
              : fmt::format("{} has no {}", sdk.name, name),
        blank ? "keep SDKs below a path without blanks (XDG_DATA_HOME), or build with "
                "`--driver clang++`: the objects are the same"
              : "build with `--driver auto`");
}

} // namespace

Result<fs::path> choose_driver(Driver wanted, const model::RocmSdk& sdk) {
    switch (wanted) {
    case Driver::hipcc:
        return named(sdk.hipcc, "hipcc", sdk);
    case Driver::amdclang:
        return named(sdk.amdclang, "amdclang++", sdk);
    case Driver::clang:
        return sdk.clang;
    case Driver::automatic:
        break;
    }
    return sdk.hipcc ? *sdk.hipcc : sdk.amdclang ? *sdk.amdclang : sdk.clang;
}

std::string passed_over_hipcc(Driver wanted, const model::RocmSdk& sdk) {
    if (wanted != Driver::automatic || !has_unusable_hipcc(sdk))
        return {};
    return fmt::format("{}: {} compiles, since hipcc cannot run below a path with blanks",
                       sdk.name,
                       sdk.amdclang ? "amdclang++" : "clang++");
}

} // namespace kbuild::build
