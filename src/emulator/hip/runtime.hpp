#pragma once

#include "hip/hip_api.hpp"
#include "hip/streams.hpp"

#include "kbuild/emulator/device.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::emulator::hip {

/// A fat binary that the program's start-up code registered; its gfx942 code object is loaded when
/// a kernel or variable of it is needed.
struct FatBinary {
    const void* data = nullptr;
    bool tried = false;
    std::unique_ptr<Module> module;
    std::string problem; ///< why there is no module
};

struct HostFunction {
    FatBinary* binary = nullptr;
    std::string name;
};

struct HostVariable {
    FatBinary* binary = nullptr;
    std::string name;
    std::uint64_t bytes = 0;
};

struct ModuleAndKernel {
    const Module* module = nullptr;
    const Kernel* kernel = nullptr;
};

/// What a kernel is launched with; arguments as an array of pointers or as a ready block.
struct LaunchRequest {
    dim3 grid{1, 1, 1};
    dim3 block{1, 1, 1};
    std::size_t lds = 0;
    void** arguments = nullptr;
    std::string_view block_of_arguments;
    hipStream_t stream = nullptr;
};

/// The state of the stand-in, one per process.
class Runtime {
  public:
    static Runtime& instance();

    Device& device() { return *device_; }
    Streams& streams() { return *streams_; }

    static int current_device(); ///< of this thread
    bool select_device(int ordinal);

    /// An operation on a stream that reads or writes memory; disorder becomes a finding. False if
    /// there is no such stream.
    bool
    operate(hipStream_t stream, const std::string& what, const std::vector<MemoryAccess>& accesses);
    /// The part of an access that lies in a known allocation; nothing for other host memory.
    std::vector<MemoryAccess> access_to(const void* address, std::size_t bytes, bool write) const;

    FatBinary* register_binary(const void* data);
    void unregister_binary(FatBinary* binary);
    void register_function(const void* host, HostFunction function);
    void register_variable(const void* host, HostVariable variable);

    /// The kernel behind a host function; hipErrorInvalidDeviceFunction if there is none.
    hipError_t find_function(const void* host, ModuleAndKernel& found);
    std::optional<Variable> find_variable(const void* host);

    hipError_t load_module(std::string_view image, const std::string& name, hipModule_t& handle);
    hipError_t unload_module(hipModule_t handle);
    Module* module_of(hipModule_t handle);
    hipFunction_t function_handle(const Module& module, const Kernel& kernel);
    std::optional<ModuleAndKernel> function_of(hipFunction_t handle);

    hipError_t launch(const ModuleAndKernel& what, const LaunchRequest& request);

    hipError_t remember(hipError_t error); ///< for hipGetLastError
    hipError_t last_error(bool clear);

    /// Prints the summary and writes the report; whether anything was found.
    bool finish();

  private:
    Runtime();
    Module* load(FatBinary& binary);
    void report_foreign_stream(const Kernel& kernel, const StreamInfo& stream);

    std::unique_ptr<Device> device_;
    std::unique_ptr<Streams> streams_;
    std::recursive_mutex mutex_;
    std::vector<std::unique_ptr<FatBinary>> binaries_;
    std::map<const void*, HostFunction> functions_;
    std::map<const void*, HostVariable> variables_;
    std::map<hipModule_t, std::unique_ptr<Module>> modules_;
    std::map<hipFunction_t, ModuleAndKernel> handles_;
};

/// Names an entry point that is not implemented, once per process.
hipError_t not_supported(const char* name);

/// The gfx942 code object in a bundle, a compressed bundle or a bare ELF file; nothing if there is
/// none.
std::optional<std::string> code_object_of(std::string_view image, std::string& problem);

/// The bytes of an image whose length is not given: it says itself how long it is.
std::string_view image_at(const void* data);

} // namespace kbuild::emulator::hip
