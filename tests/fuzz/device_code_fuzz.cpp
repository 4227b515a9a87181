#include "kbuild/inspect/device_code.hpp"

#include <cstddef>
#include <cstdint>

// Whatever the bytes are: an answer or an Error, within memory and time. The first byte chooses the
// reader.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kbuild;
    if (size == 0)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const inspect::Limits limits{std::size_t{64} << 20U};
    if (data[0] % 2 == 0)
        static_cast<void>(inspect::read_fatbin(bytes, "fuzz", limits));
    else
        static_cast<void>(inspect::read_code_object(bytes, "fuzz"));
    return 0;
}
