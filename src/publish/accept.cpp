#include "kbuild/publish/accept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace kbuild::publish {
namespace {

using Framework = model::Variant::Framework;
using model::Backend;
using model::Variant;

std::string compute_name(Backend backend, const model::Version& version) {
    const auto name =
        backend == Backend::cuda ? std::string("cu") : std::string(model::to_string(backend));
    return version == model::Version() ? name : name + version.compact();
}

std::string torch_text(const Machine& machine) {
    return machine.torch ? fmt::format("torch {}", machine.torch->dotted()) : "no torch";
}

std::string framework_problem(const Variant& variant, const Machine& machine) {
    const auto& version = variant.framework_version;
    switch (variant.framework) {
    case Framework::torch:
        if (!machine.torch || *machine.torch != version)
            return fmt::format(
                "is for torch {}, here is {}", version.dotted(), torch_text(machine));
        if (variant.cxx_abi && (*variant.cxx_abi == "cxx11") != machine.cxx11_abi)
            return fmt::format("is for the C++ ABI {}", *variant.cxx_abi);
        return {};
    case Framework::torch_stable_abi:
        if (!machine.torch || *machine.torch < version)
            return fmt::format(
                "needs torch {} or newer, here is {}", version.dotted(), torch_text(machine));
        return {};
    case Framework::tvm_ffi:
        return fmt::format("is for tvm-ffi {}, which kbuild does not look for", version.dotted());
    case Framework::noarch:
        return {};
    }
    return {};
}

/// CUDA takes an older minor version of the same major one; every other backend must be the same.
std::string backend_problem(const Variant& variant, const Machine& machine) {
    const auto own = compute_name(variant.backend, variant.backend_version);
    const auto here = compute_name(machine.backend, machine.backend_version);
    const bool both_cuda = variant.backend == Backend::cuda && machine.backend == Backend::cuda;
    const bool fits = both_cuda
                          ? variant.backend_version.major() == machine.backend_version.major() &&
                                variant.backend_version.minor() <= machine.backend_version.minor()
                          : own == here;
    return fits ? "" : fmt::format("is for {}, here is {}", own, here);
}

std::string noarch_problem(const Variant& variant, const Machine& machine) {
    const std::string here =
        machine.backend == Backend::cann ? "npu" : std::string(model::to_string(machine.backend));
    if (variant.noarch_name == here || variant.noarch_name == "universal")
        return {};
    return fmt::format("is for {}, here is {}", variant.noarch_name, here);
}

/// The loader is for Python 3.10 and later; compiled variants use the stable ABI, which Pythons
/// without the global lock have from 3.15 on.
std::string python_problem(const Variant& variant, const Machine& machine) {
    if (!machine.python)
        return {};
    if (*machine.python < model::Version({3, 10}))
        return fmt::format("the loader needs Python 3.10 or newer, here is {}",
                           machine.python->dotted());
    const bool compiled = variant.framework != Framework::noarch;
    if (compiled && machine.free_threaded && *machine.python < model::Version({3, 15}))
        return fmt::format("free-threaded Python {} has no stable ABI", machine.python->dotted());
    return {};
}

std::string problem(const Variant& variant, const Machine& machine) {
    if (auto text = python_problem(variant, machine); !text.empty())
        return text;
    if (variant.framework == Framework::noarch)
        return noarch_problem(variant, machine);
    if (variant.cpu != machine.cpu)
        return fmt::format("is for {}, here is {}", variant.cpu, machine.cpu);
    if (variant.os != machine.os)
        return fmt::format("is for {}, here is {}", variant.os, machine.os);
    if (auto text = framework_problem(variant, machine); !text.empty())
        return text;
    return backend_problem(variant, machine);
}

int framework_rank(const Variant& variant) {
    switch (variant.framework) {
    case Framework::torch_stable_abi:
        return 0;
    case Framework::torch:
        return variant.cxx_abi ? 2 : 1;
    case Framework::tvm_ffi:
        return 3;
    case Framework::noarch:
        return variant.noarch_name == "universal" ? 5 : 4;
    }
    return 6;
}

bool is_better(const Decision& a, const Decision& b) {
    const auto key = [](const Decision& decision) {
        const auto& variant = decision.variant;
        const bool stable = variant.framework == Framework::torch_stable_abi;
        const auto abi = stable ? variant.framework_version : model::Version();
        return std::tuple(!decision.accepted,
                          framework_rank(variant),
                          -static_cast<std::int64_t>(abi.major()),
                          -static_cast<std::int64_t>(abi.minor()),
                          -static_cast<std::int64_t>(variant.backend_version.minor()),
                          variant.name());
    };
    return key(a) < key(b);
}

} // namespace

std::string Machine::to_string() const {
    const auto interpreter =
        python ? fmt::format("Python {}{}, ", python->dotted(), free_threaded ? "t" : "") : "";
    return fmt::format("{}{}, {}{}, {}-{}",
                       interpreter,
                       torch_text(*this),
                       model::to_string(backend),
                       backend_version == model::Version() ? "" : " " + backend_version.dotted(),
                       cpu,
                       os);
}

std::vector<Decision> decide(std::vector<Variant> variants, const Machine& machine) {
    std::vector<Decision> decisions;
    for (auto& variant : variants) {
        auto reason = problem(variant, machine);
        const bool accepted = reason.empty();
        decisions.push_back({std::move(variant), accepted, std::move(reason)});
    }
    std::sort(decisions.begin(), decisions.end(), is_better);
    return decisions;
}

} // namespace kbuild::publish
