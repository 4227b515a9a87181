#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/verify/verify.hpp"

#include <filesystem>

namespace kbuild::cli {

/// The SDKs of this machine, or none with a note why: they only make more checks possible.
toolchain::FoundSdks sdks_at_hand(const Context& context);

/// What a variant folder is checked against, by its name.
verify::Expectations expectations_of(const std::filesystem::path& folder,
                                     const toolchain::FoundSdks& sdks);

} // namespace kbuild::cli
