#include "hip/runtime.hpp"

#include "memory/address.hpp"

#include "kbuild/inspect/symbol_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <unistd.h>

namespace kbuild::emulator::hip {
namespace {

/// kbuild's exit code for a content check that failed.
constexpr int kFindings = 6;

void at_exit(int, void*) {
    if (!Runtime::instance().finish())
        return;
    std::fflush(nullptr);
    _exit(kFindings);
}

thread_local hipError_t last = hipSuccess;
thread_local int current = 0;

void say(const std::string& text) {
    fmt::print(stderr, "kbuild emulate: {}\n", text);
}

/// The arguments of a launch, copied to where the kernel expects them.
std::string arguments_of(const Kernel& kernel, const LaunchRequest& request) {
    if (request.arguments == nullptr)
        return std::string(request.block_of_arguments);
    std::string segment;
    std::size_t index = 0;
    for (const auto& argument : kernel.arguments) {
        if (argument.hidden())
            continue;
        segment.resize(
            std::max<std::size_t>(segment.size(), std::size_t{argument.offset} + argument.size));
        std::memcpy(segment.data() + argument.offset, request.arguments[index++], argument.size);
    }
    return segment;
}

} // namespace

Runtime& Runtime::instance() {
    // Never destroyed: programs call HIP from their own destructors.
    static Runtime* const runtime = new Runtime;
    return *runtime;
}

Runtime::Runtime() {
    std::string problem;
    device_ = std::make_unique<Device>(options_from_environment(problem));
    if (!problem.empty())
        say(problem);
    streams_ = std::make_unique<Streams>(static_cast<int>(device_->options().devices));
    on_exit(&at_exit, nullptr);
}

int Runtime::current_device() {
    return current;
}

bool Runtime::select_device(int ordinal) {
    if (ordinal < 0 || ordinal >= static_cast<int>(device_->options().devices))
        return false;
    current = ordinal;
    return true;
}

std::vector<MemoryAccess>
Runtime::access_to(const void* address, std::size_t bytes, bool write) const {
    const auto range = device_->find(address);
    if (range.bytes == 0 || bytes == 0 || range.kind == MemoryKind::module_image)
        return {};
    const auto begin = reinterpret_cast<std::uint64_t>(address);
    return {{range.address, begin, std::min(begin + bytes, range.address + range.bytes), write}};
}

bool Runtime::operate(hipStream_t stream,
                      const std::string& what,
                      const std::vector<MemoryAccess>& accesses) {
    const auto info = streams_->find(stream, current);
    if (!info)
        return false;
    if (!device_->options().checks.streams)
        return true;
    for (auto& text : streams_->operate(*info, what, accesses)) {
        Finding finding;
        finding.check = "streams";
        finding.message = std::move(text);
        finding.kernel = what;
        device_->report(std::move(finding));
    }
    return true;
}

bool Runtime::finish() {
    if (device_->statistics().empty() && device_->findings().empty())
        return false;
    const bool answered_for = device_->has_finding_handler();
    if (!device_->options().quiet && !answered_for)
        say(device_->summary());
    if (const auto& path = device_->options().report; !path.empty()) {
        std::ofstream file(path);
        file << device_->report_json();
        if (!file.flush())
            say(fmt::format("the report `{}` could not be written", path));
    }
    return !answered_for && !device_->findings().empty();
}

FatBinary* Runtime::register_binary(const void* data) {
    const std::lock_guard lock(mutex_);
    binaries_.push_back(std::make_unique<FatBinary>());
    binaries_.back()->data = data;
    return binaries_.back().get();
}

void Runtime::unregister_binary(FatBinary* binary) {
    const std::lock_guard lock(mutex_);
    std::erase_if(functions_, [&](const auto& entry) { return entry.second.binary == binary; });
    std::erase_if(variables_, [&](const auto& entry) { return entry.second.binary == binary; });
    if (binary->module)
        device_->forget(pointer_to(binary->module->address()));
    std::erase_if(binaries_, [&](const auto& one) { return one.get() == binary; });
}

void Runtime::register_function(const void* host, HostFunction function) {
    const std::lock_guard lock(mutex_);
    functions_[host] = std::move(function);
}

void Runtime::register_variable(const void* host, HostVariable variable) {
    const std::lock_guard lock(mutex_);
    variables_[host] = std::move(variable);
}

Module* Runtime::load(FatBinary& binary) {
    if (binary.tried)
        return binary.module.get();
    binary.tried = true;
    const auto image = code_object_of(image_at(binary.data), binary.problem);
    if (image) {
        auto module = Module::load(*image, "gfx942 code object");
        if (module)
            binary.module = std::move(*module);
        else
            binary.problem = module.error().to_string();
    }
    if (!binary.module) {
        say(fmt::format("a fat binary cannot be used: {}", binary.problem));
        return nullptr;
    }
    device_->adopt(pointer_to(binary.module->address()),
                   binary.module->bytes(),
                   MemoryKind::module_image,
                   "code object");
    return binary.module.get();
}

hipError_t Runtime::find_function(const void* host, ModuleAndKernel& found) {
    const std::lock_guard lock(mutex_);
    const auto function = functions_.find(host);
    if (function == functions_.end())
        return hipErrorInvalidDeviceFunction;
    const Module* const module = load(*function->second.binary);
    if (module == nullptr)
        return hipErrorNoBinaryForGpu;
    const Kernel* const kernel = module->find_kernel(function->second.name);
    if (kernel == nullptr)
        return hipErrorInvalidDeviceFunction;
    found = {module, kernel};
    return hipSuccess;
}

std::optional<Variable> Runtime::find_variable(const void* host) {
    const std::lock_guard lock(mutex_);
    const auto variable = variables_.find(host);
    if (variable == variables_.end())
        return std::nullopt;
    const Module* const module = load(*variable->second.binary);
    const Variable* const found =
        module == nullptr ? nullptr : module->find_variable(variable->second.name);
    return found == nullptr ? std::nullopt : std::optional<Variable>(*found);
}

hipError_t
Runtime::load_module(std::string_view image, const std::string& name, hipModule_t& handle) {
    std::string problem;
    const auto code = code_object_of(image, problem);
    if (!code) {
        say(fmt::format("`{}` cannot be loaded: {}", name, problem));
        return hipErrorNoBinaryForGpu;
    }
    auto module = Module::load(*code, name);
    if (!module) {
        say(module.error().to_string());
        return hipErrorInvalidImage;
    }
    const std::lock_guard lock(mutex_);
    handle = module->get();
    device_->adopt(
        pointer_to((*module)->address()), (*module)->bytes(), MemoryKind::module_image, name);
    modules_[handle] = std::move(*module);
    return hipSuccess;
}

hipError_t Runtime::unload_module(hipModule_t handle) {
    const std::lock_guard lock(mutex_);
    const auto found = modules_.find(handle);
    if (found == modules_.end())
        return hipErrorInvalidHandle;
    std::erase_if(handles_,
                  [&](const auto& entry) { return entry.second.module == found->second.get(); });
    device_->forget(pointer_to(found->second->address()));
    modules_.erase(found);
    return hipSuccess;
}

Module* Runtime::module_of(hipModule_t handle) {
    const std::lock_guard lock(mutex_);
    const auto found = modules_.find(handle);
    return found == modules_.end() ? nullptr : found->second.get();
}

hipFunction_t Runtime::function_handle(const Module& module, const Kernel& kernel) {
    const std::lock_guard lock(mutex_);
    auto* const handle =
        const_cast<Kernel*>(&kernel); // a unique number that is never written through
    handles_[handle] = {&module, &kernel};
    return handle;
}

std::optional<ModuleAndKernel> Runtime::function_of(hipFunction_t handle) {
    const std::lock_guard lock(mutex_);
    const auto found = handles_.find(handle);
    return found == handles_.end() ? std::nullopt : std::optional<ModuleAndKernel>(found->second);
}

hipError_t Runtime::launch(const ModuleAndKernel& what, const LaunchRequest& request) {
    const auto& [module, kernel] = what;
    if (request.grid.x == 0 || request.grid.y == 0 || request.grid.z == 0)
        return remember(hipErrorInvalidConfiguration);
    const auto stream = streams_->find(request.stream, current);
    if (!stream || stream->device != current) {
        if (stream)
            report_foreign_stream(*kernel, *stream);
        return remember(hipErrorInvalidHandle);
    }
    Launch launch;
    launch.ordinal = current;
    launch.grid = {request.grid.x, request.grid.y, request.grid.z};
    launch.block = {request.block.x, request.block.y, request.block.z};
    launch.dynamic_lds = static_cast<std::uint32_t>(request.lds);
    launch.kernarg = arguments_of(*kernel, request);
    std::vector<MemoryAccess> touched;
    const auto done = device_->launch(*module, *kernel, launch, &touched);
    operate(request.stream, inspect::readable_symbol(kernel->name), touched);
    if (done)
        return hipSuccess;
    const auto kind = done.error().kind;
    if (kind != support::ErrorKind::failed)
        say(done.error().to_string() + (done.error().hint.empty() ? "" : "; " + done.error().hint));
    return remember(kind == support::ErrorKind::usage       ? hipErrorInvalidConfiguration
                    : kind == support::ErrorKind::toolchain ? hipErrorNotSupported
                                                            : hipErrorLaunchFailure);
}

void Runtime::report_foreign_stream(const Kernel& kernel, const StreamInfo& stream) {
    Finding finding;
    finding.check = "device";
    finding.kernel = inspect::readable_symbol(kernel.name);
    finding.message = fmt::format("`{}` is launched on {} of device {} while device {} is current: "
                                  "the launch fails. In a torch binding, put a device guard on the "
                                  "stack (c10::cuda::CUDAGuard guard(tensor.device()))",
                                  finding.kernel,
                                  stream.name,
                                  stream.device,
                                  current);
    device_->report(std::move(finding));
}

hipError_t Runtime::remember(hipError_t error) {
    if (error != hipSuccess)
        last = error;
    return error;
}

hipError_t Runtime::last_error(bool clear) {
    const hipError_t error = last;
    if (clear)
        last = hipSuccess;
    return error;
}

hipError_t not_supported(const char* name) {
    static std::mutex mutex;
    static std::set<std::string> named;
    const std::lock_guard lock(mutex);
    if (named.insert(name).second)
        say(fmt::format("`{}` is not implemented here and returns hipErrorNotSupported", name));
    return Runtime::instance().remember(hipErrorNotSupported);
}

} // namespace kbuild::emulator::hip
