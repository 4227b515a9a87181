#include "hip/bridge.hpp"

#include "hip/runtime.hpp"

using namespace kbuild::emulator;
using namespace kbuild::emulator::hip;

#define KBUILD_BRIDGE __attribute__((visibility("default")))

KBUILD_BRIDGE void kbuild_device_on_finding(void (*handler)(const char*, const char*)) {
    auto& device = Runtime::instance().device();
    if (handler == nullptr) {
        device.on_finding(nullptr);
        return;
    }
    device.on_finding([handler](const Finding& finding) {
        handler(finding.check.c_str(), finding.to_string().c_str());
    });
}

KBUILD_BRIDGE std::uint64_t kbuild_device_operation(const char* name,
                                                    hipStream_t stream,
                                                    int ordinal,
                                                    const kbuild_device_access* accesses,
                                                    std::size_t count) {
    auto& runtime = Runtime::instance();
    auto& device = runtime.device();
    std::vector<MemoryAccess> followed;
    std::uint64_t undefined = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& access = accesses[i];
        const bool write = access.write != 0;
        for (const auto& one : runtime.access_to(access.address, access.bytes, write))
            followed.push_back(one);
        if (!write)
            undefined += device.undefined_bytes(access.address, access.bytes);
    }
    const int before = Runtime::current_device();
    runtime.select_device(ordinal);
    runtime.operate(stream, name, followed);
    runtime.select_device(before);
    for (std::size_t i = 0; i < count; ++i)
        if (accesses[i].write != 0)
            device.mark_defined(accesses[i].address, accesses[i].bytes);
    return undefined;
}

KBUILD_BRIDGE hipError_t kbuild_device_release(void* pointer) {
    auto& runtime = Runtime::instance();
    if (pointer != nullptr && !runtime.device().release(pointer))
        return runtime.remember(hipErrorInvalidValue);
    runtime.streams().forget(reinterpret_cast<std::uint64_t>(pointer));
    return hipSuccess;
}

KBUILD_BRIDGE void kbuild_device_set_last_error(hipError_t error) {
    Runtime::instance().remember(error);
}

KBUILD_BRIDGE const char* kbuild_device_summary() {
    static thread_local std::string text;
    text = Runtime::instance().device().summary();
    return text.c_str();
}

KBUILD_BRIDGE std::uint64_t kbuild_device_launches() {
    std::uint64_t launches = 0;
    for (const auto& kernel : Runtime::instance().device().statistics())
        launches += kernel.launches;
    return launches;
}
