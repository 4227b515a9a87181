#pragma once

#include "kbuild/build/compiler_cache.hpp"
#include "kbuild/build/conversion.hpp"
#include "kbuild/config/build_config.hpp"
#include "kbuild/config/settings.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/generate/tree.hpp"
#include "kbuild/matrix/select.hpp"
#include "kbuild/model/gfx_arch.hpp"
#include "kbuild/portable/baseline.hpp"
#include "kbuild/sources/leading_headers.hpp"
#include "kbuild/toolchain/host.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kbuild::build {

/// What the plan is made from, besides the selection.
struct PlanInputs {
    std::filesystem::path root;    ///< the project, absolute
    std::filesystem::path work;    ///< `.kbuild/work`, absolute: one build folder per tree
    std::filesystem::path headers; ///< `.kbuild/include`, holds registration.h
    config::Driver driver = config::Driver::automatic;
    std::vector<model::GfxArch> only_archs; ///< `--arch`; empty does not limit
    std::string unique_id;
    Conversions conversions; ///< CUDA sources, converted
    toolchain::HostTools tools;
    CompilerCache cache;
    std::string link_launcher; ///< what stands before each link, one word; empty: nothing
    /// What everything is linked with; none where this machine's own libraries are (policy `none`).
    std::optional<portable::Baseline> baseline;
};

/// How many translation units each class has, over the whole matrix. A unit is one (source,
/// toolchain).
struct CompileCounts {
    std::size_t device = 0;       ///< torch-free, compiled by a ROCm SDK: once per ROCm
    std::size_t device_torch = 0; ///< with torch headers, compiled by a ROCm SDK: once per pair
    std::size_t binding = 0; ///< host code of ROCm variants without HIP headers: once per torch
    std::size_t cpu = 0;     ///< units of CPU variants
    std::size_t total() const { return device + device_torch + binding + cpu; }
};

/// One variant of the plan and where its library will be.
struct PlannedVariant {
    matrix::Selected selected;
    std::string ops_id;
    std::string target;            ///< Ninja's name of the library, relative to the work folder;
                                   ///< empty for noarch
    std::filesystem::path library; ///< absolute; empty for noarch
    std::vector<model::GfxArch> archs; ///< what its bundles must hold; string-sorted; empty for cpu
    /// Its device code, without what needs torch; absolute.
    std::vector<std::filesystem::path> device_archives;
};

/// Everything that is going to happen, as a value.
struct Plan {
    std::vector<generate::Tree> trees;    ///< host first, then one per ROCm
    std::vector<PlannedVariant> variants; ///< sorted by name
    CompileCounts compiles;
    /// What each unit reads first, by its library and source.
    std::map<std::pair<std::string, std::string>, sources::LeadingHeaders> leading;
    std::vector<std::string> notes; ///< what was left out or changed, one line each
};

/// Pure but for reading the project's sources. Mistakes (an arch the SDK's compiler does not have,
/// device code for the cpu backend) are reported to `sink` (codes K04xx).
Plan make_plan(const config::BuildConfig& config,
               const matrix::BuildSet& set,
               const PlanInputs& inputs,
               diag::Sink& sink);

/// The plan as text for `--dry-run`.
std::string describe(const Plan& plan);

} // namespace kbuild::build
