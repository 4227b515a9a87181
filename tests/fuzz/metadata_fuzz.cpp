#include "kbuild/layout/metadata.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

// What is accepted must be written in a form that is accepted again and means the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kbuild;
    const auto metadata = layout::read_metadata({reinterpret_cast<const char*>(data), size});
    if (!metadata)
        return 0;
    const auto text = layout::write_metadata(*metadata);
    const auto again = layout::read_metadata(text);
    if (!again || layout::write_metadata(*again) != text)
        std::abort();
    return 0;
}
