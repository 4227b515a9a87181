#pragma once

#include "kbuild/model/variant.hpp"
#include "kbuild/model/version.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kbuild::publish {

/// The machine that a loader runs on, as far as its choice of a variant depends on it.
struct Machine {
    std::string cpu = "x86_64";
    std::string os = "linux";
    std::optional<model::Version> torch; ///< major.minor
    bool cxx11_abi = true;
    model::Backend backend = model::Backend::cpu;
    model::Version backend_version;       ///< of rocm, cuda, xpu
    std::optional<model::Version> python; ///< none: one that the loader runs in
    bool free_threaded = false;           ///< that Python has no global lock (`3.14t`)

    std::string to_string() const; ///< `Python 3.12, torch 2.13, rocm 7.2, x86_64-linux`
};

/// Whether the loader takes a variant, and why not (upstream.md 4.5).
struct Decision {
    model::Variant variant;
    bool accepted = false;
    std::string reason; ///< against it
};

/// Decisions in the loader's order of preference: accepted ones first, the best at the top; ties
/// by name.
std::vector<Decision> decide(std::vector<model::Variant> variants, const Machine& machine);

} // namespace kbuild::publish
