#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/verify/verify.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::cli {

/// The SDKs of this machine, or none with a note why: they only make more checks possible.
toolchain::FoundSdks sdks_at_hand(const Context& context);

/// `--policy`; `policy` stays empty without it.
void declare_policy(Options& app, std::string& policy);

/// How old a system the variants in `dir` are to load on: what `asked` (the option) says; if that
/// is empty `[build] policy` of the project that `dir` is in; outside of one manylinux_2_28.
std::string policy_for(const std::string& asked, const std::filesystem::path& dir);

/// What a variant folder is checked against, by its name.
verify::Expectations expectations_of(const std::filesystem::path& folder,
                                     const toolchain::FoundSdks& sdks,
                                     const std::string& policy);

} // namespace kbuild::cli
