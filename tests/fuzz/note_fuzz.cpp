#include "device_code_builder.hpp"

#include "kbuild/inspect/device_code.hpp"
#include "kbuild/inspect/occupancy.hpp"

#include <cstddef>
#include <cstdint>

// A good code object around a note of any content, so that the search is in MessagePack and the
// kernels' fields from its first second on. What is read can be shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kbuild;
    const std::string content(reinterpret_cast<const char*>(data), size);
    const auto image = test::code_object_image({"gemm"}, test::amdgpu_note(content));
    const auto object = inspect::read_code_object(test::build_elf(image), "fuzz");
    if (!object)
        return 0;
    for (const auto& kernel : object->kernels)
        if (const auto waves = inspect::occupancy(kernel, object->arch))
            if (waves->waves_per_simd > 64)
                __builtin_trap();
    return 0;
}
