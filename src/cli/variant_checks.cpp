#include "variant_checks.hpp"

#include "sdk_options.hpp"

#include "kbuild/abi/manylinux.hpp"
#include "kbuild/config/load.hpp"
#include "kbuild/layout/variant_dir.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::Result;

Result<toolchain::FoundSdks> find_sdks() {
    KB_TRY_ASSIGN(options, SelectionOptions().find_options());
    return toolchain::find_sdks(options);
}

/// The first entry with that major.minor version.
template <typename Sdk>
const Sdk* find_version(const std::vector<Sdk>& sdks, const model::Version& version) {
    const auto found = std::find_if(sdks.begin(), sdks.end(), [&version](const Sdk& sdk) {
        return sdk.short_version() == version;
    });
    return found == sdks.end() ? nullptr : &*found;
}

} // namespace

toolchain::FoundSdks sdks_at_hand(const Context& context) {
    auto found = find_sdks();
    if (found)
        return std::move(*found);
    context.say(fmt::format("note: no SDKs are used: {}", found.error().message));
    return {};
}

void declare_policy(Options& app, std::string& policy) {
    auto names = abi::manylinux_policies();
    names.emplace_back("none");
    app.value(policy,
              {.names = "--policy",
               .help = "how old a system it must load on; `none` does not check (default: "
                       "`[build] policy` of the project, else manylinux_2_28)",
               .type = "POLICY",
               .choices = std::move(names)});
}

std::string policy_for(const std::string& asked, const fs::path& dir) {
    if (!asked.empty())
        return asked;
    const auto root = config::find_project(fs::absolute(dir));
    if (!root)
        return config::Settings().policy;
    // What is wrong with kbuild.toml is for `check` and `build` to say.
    diag::Collector ignored;
    const auto settings = config::load_settings(*root, ignored);
    return settings && *settings ? (*settings)->policy : config::Settings().policy;
}

verify::Expectations expectations_of(const fs::path& folder,
                                     const toolchain::FoundSdks& sdks,
                                     const std::string& policy) {
    verify::Expectations expectations;
    expectations.policy = policy;
    const auto variant = model::Variant::parse(layout::folder_name(folder));
    if (!variant)
        return expectations;
    if (const auto* const torch = find_version(sdks.torch, variant->framework_version))
        expectations.torch_symbols = torch->symbols_dir;
    const auto* const rocm = find_version(sdks.rocm, variant->backend_version);
    if (rocm != nullptr && variant->backend == model::Backend::rocm)
        expectations.hip_soname = rocm->hip_soname;
    return expectations;
}

} // namespace kbuild::cli
