#include "rocm_names.hpp"

#include "kbuild/toolchain/hip_symbols.hpp"

#include <fmt/format.h>

namespace kbuild::testbed {

std::string hip_name_trampolines(const elf::ElfFile& cuda_library) {
    std::string text = ".text\n";
    for (const auto& symbol : cuda_library.symbols) {
        if (!symbol.defined || symbol.object)
            continue;
        const auto hip = toolchain::to_hip_symbol(symbol.name);
        if (hip != symbol.name)
            text += fmt::format(".globl {0}\n.type {0}, %function\n{0}:\n\tjmp "
                                "*{1}@GOTPCREL(%rip)\n.size {0}, . - {0}\n",
                                hip,
                                symbol.name);
    }
    return text + ".section .note.GNU-stack,\"\",%progbits\n";
}

std::string device_properties_source() {
    // at::cuda::getCurrentDeviceProperties() and getDeviceProperties(signed char).
    return R"(/* hipDeviceProp_tR0600 of HIP 6 and 7 has 1472 bytes. */
int hipGetDevice(int *device);
int hipGetDevicePropertiesR0600(void *properties, int device);
static _Alignas(16) char properties[16][1472];
void *_ZN2at4cuda19getDevicePropertiesEa(signed char device)
{
    if (device < 0 || device >= 16 || hipGetDevicePropertiesR0600(properties[device], device) != 0)
        return 0;
    return properties[device];
}
void *_ZN2at4cuda26getCurrentDevicePropertiesEv(void)
{
    int device = 0;
    hipGetDevice(&device);
    return _ZN2at4cuda19getDevicePropertiesEa((signed char)device);
}
)";
}

} // namespace kbuild::testbed
