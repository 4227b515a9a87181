#pragma once

#include "kbuild/generate/tree.hpp"
#include "kbuild/support/result.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace kbuild::build {

/// The step that joins device code in what clang prints for `-###`; none if there is no such step.
std::optional<generate::Bundler> bundler_in(std::string_view printed);

/// How the clang of a ROCm tree joins device code, asked of it: the name of the host differs
/// between versions. By kbuild-bundle if that is there and joins as the SDK's bundler does
/// (decision 0101). What the SDK's programs said is remembered for all projects, with the
/// configures.
support::Result<std::optional<generate::Bundler>> find_bundler(const generate::Tree& tree);

/// Code objects that bundlers join on trial, behind an empty one for the host: target and bytes.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kTrialInputs{
    {{"hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "one"},
     {"hipv4-amdgcn-amd-amdhsa--gfx942", "another"}}};

/// With kbuild-bundle in its place, where `trial` (what `bundler` made of kTrialInputs) is what
/// that would make; `bundler` itself otherwise. Versions of LLVM complete the host's name in their
/// own ways.
generate::Bundler with_our_program(generate::Bundler bundler, std::string_view trial);

} // namespace kbuild::build
