#include "emulated_device.hpp"

#include "stand_ins.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/numbers.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/testbed/python_environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

const model::TorchSdk* torch_of(const model::Variant& variant, const toolchain::FoundSdks& sdks) {
    const auto found =
        std::find_if(sdks.torch.begin(), sdks.torch.end(), [&](const model::TorchSdk& sdk) {
            return variant.framework == model::Variant::Framework::torch_stable_abi
                       ? !(sdk.short_version() < variant.framework_version)
                       : sdk.short_version() == variant.framework_version;
        });
    return found == sdks.torch.end() ? nullptr : &*found;
}

/// The full version of the variant's ROCm, as torch.version.hip has it.
std::string hip_version(const model::Variant& variant, const toolchain::FoundSdks& sdks) {
    for (const auto& sdk : sdks.rocm)
        if (sdk.short_version() == variant.backend_version)
            return sdk.full_version;
    return variant.backend_version.dotted() + ".0";
}

void set(Variables& variables, const char* name, const std::string& value) {
    if (!value.empty())
        variables[name] = value;
}

} // namespace

void DeviceOptions::declare(Options& app) {
    app.flag(emulate,
             {.names = "--emulate",
              .help = "with a real torch on an emulated MI300X, whatever this machine has"});
    app.value(devices,
              {.names = "--devices",
               .help = "with --emulate: how many MI300X",
               .type = "N",
               .variable = "KBUILD_EMULATE_DEVICES"});
    app.value(memory,
              {.names = "--device-memory",
               .help = "with --emulate: bytes of each; default: 192 GiB",
               .type = "BYTES",
               .variable = "KBUILD_EMULATE_MEMORY"});
    app.values(
        checks,
        {.names = "--checks",
         .help = "with --emulate: what is looked for",
         .choices = {"all", "none", "memory", "undefined", "waits", "hazards", "races", "streams"},
         .variable = "KBUILD_EMULATE_CHECKS"});
}

Result<void> DeviceOptions::validate() const {
    // The variables may be set for other commands.
    const bool is_asked_for =
        (!devices.empty() && !support::environment("KBUILD_EMULATE_DEVICES")) ||
        (!memory.empty() && !support::environment("KBUILD_EMULATE_MEMORY")) ||
        (!checks.empty() && !support::environment("KBUILD_EMULATE_CHECKS"));
    if (is_asked_for && !emulate)
        return support::fail(
            ErrorKind::usage,
            "`--devices`, `--device-memory` and `--checks` are about the emulated device",
            "add `--emulate`");
    constexpr std::uint64_t kMostDevices = 16;
    if (const auto count = support::whole_number<std::uint64_t>(devices);
        !devices.empty() && (!count || *count < 1 || *count > kMostDevices))
        return support::fail(
            ErrorKind::usage,
            fmt::format("`--devices {}`: there can be 1 to {}", devices, kMostDevices));
    if (!memory.empty() && support::whole_number<std::uint64_t>(memory).value_or(0) == 0)
        return support::fail(ErrorKind::usage,
                             fmt::format("`--device-memory {}` is not a number of bytes", memory),
                             "write it out: 5368709120 for 5 GiB");
    return {};
}

std::string emulation_obstacle(const model::Variant& variant, const toolchain::FoundSdks& sdks) {
    if (variant.backend != model::Backend::rocm)
        return "not a ROCm variant: only these run on the emulated device";
    if (variant.cpu != model::host_cpu())
        return fmt::format("it is for {} machines", variant.cpu);
    if (torch_of(variant, sdks) == nullptr)
        return fmt::format("there is no SDK of torch {0}: kbuild toolchain add torch@{0}",
                           variant.framework_version.dotted());
    return {};
}

Result<EmulatedPython> emulated_python(const Context& context,
                                       const Project& project,
                                       const model::Variant& variant,
                                       const toolchain::FoundSdks& sdks,
                                       const DeviceOptions& options,
                                       const std::string& python) {
    if (const auto why = emulation_obstacle(variant, sdks); !why.empty())
        return support::fail(ErrorKind::nothing, fmt::format("{}: {}", variant.name(), why));
    KB_TRY_ASSIGN(stand_ins, find_stand_ins());
    const auto hip = hip_version(variant, sdks);
    const auto device = stand_ins / ("hip" + hip.substr(0, hip.find('.')));
    KB_TRY_ASSIGN(environment,
                  testbed::need_environment(
                      {.torch = *torch_of(variant, sdks),
                       .requirements = project.config.python_depends(model::Backend::rocm),
                       .cuda_library = device / "libkbuild-cuda.so",
                       .python = python,
                       .store = support::data_home() / "testbeds"},
                      [&](const std::string& text) { context.say("test environment: " + text); }));
    EmulatedPython result{environment.python, {}};
    auto& variables = result.variables;
    variables["KBUILD_DEVICE_ROCM"] = hip;
    variables["LD_LIBRARY_PATH"] = environment.libraries.string() + ":" + device.string();
    variables["PYTHONPATH"] = (stand_ins / "python").string();
    variables["PYTHONNOUSERSITE"] = "1";
    // pip compiled nothing; what is imported is compiled once, and never into the project.
    variables["PYTHONPYCACHEPREFIX"] = (environment.root / "bytecode").string();
    // Each tensor is an allocation of its own then, and its ends are guarded.
    variables["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1";
    variables["HF_HUB_OFFLINE"] = support::environment("HF_HUB_OFFLINE").value_or("1");
    set(variables, "KBUILD_EMULATE_DEVICES", options.devices);
    set(variables, "KBUILD_EMULATE_MEMORY", options.memory);
    set(variables, "KBUILD_EMULATE_CHECKS", support::join(options.checks, ","));
    for (const auto* const name : {"KBUILD_EMULATE_MFMA",
                                   "KBUILD_EMULATE_SCHEDULE",
                                   "KBUILD_EMULATE_SEED",
                                   "KBUILD_EMULATE_THREADS",
                                   "KBUILD_EMULATE_BUDGET",
                                   "KBUILD_EMULATE_TRACE",
                                   "KBUILD_DEVICE_OWN_STREAM",
                                   "HF_HOME"})
        set(variables, name, support::environment(name).value_or(""));
    return result;
}

} // namespace kbuild::cli
