#pragma once

#include "kbuild/build/conversion.hpp"
#include "kbuild/config/build_config.hpp"
#include "kbuild/sources/leading_headers.hpp"
#include "kbuild/sources/source_facts.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::build {

/// A section of build.toml that brings sources: `[torch]` or one `[kernel.<name>]`.
struct Component {
    std::string name; ///< usable in a target name
    config::Strings src;
    std::vector<std::string> includes; ///< absolute folders
    std::vector<std::string> cxx_flags;
    std::vector<std::string> hip_flags;
    const config::KernelComponent* kernel = nullptr; ///< null for `[torch]`
};

/// What a unit's object depends on, which decides how often it is compiled.
enum class UnitScope {
    backend,   ///< host compiler, no torch: once per backend
    torch,     ///< host compiler, torch headers: once per torch and backend
    rocm,      ///< ROCm SDK's compiler, no torch: once per ROCm
    rocm_torch ///< ROCm SDK's compiler, torch headers: once per pair
};

struct Unit {
    std::string relative; ///< as listed in build.toml
    std::filesystem::path path;
    sources::SourceKind kind = sources::SourceKind::host;
    sources::SourceFacts facts;
    UnitScope scope = UnitScope::backend;
    sources::LeadingHeaders leading;
};

/// The sections that make up a variant of `backend`: the binding first, then its kernels in the
/// file's order.
std::vector<Component> components_of(const config::BuildConfig& config,
                                     model::Backend backend,
                                     const std::filesystem::path& root);

/// The folders below `root` where headers of a component's sources are looked for, as names of the
/// source tree.
std::vector<std::string> include_folders(const Component& component,
                                         const std::filesystem::path& root);

/// The compile units of a component (headers are not units), each with its scope. Those that
/// `conversions` converted for `torch` are compiled from there.
std::vector<Unit> units_of(const Component& component,
                           const std::filesystem::path& root,
                           const Conversions& conversions = {},
                           const model::TorchSdk* torch = nullptr);

/// `component` with the folders of converted headers before its own.
Component with_converted_headers(Component component,
                                 const std::filesystem::path& root,
                                 const Conversion& conversion);

} // namespace kbuild::build
