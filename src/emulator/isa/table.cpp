#include "isa/table.hpp"

#include "isa/rows.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {

std::vector<std::span<const Row>> tables() {
    return {scalar_rows(),
            scalar_compare_rows(),
            scalar_memory_rows(),
            flow_rows(),
            integer_rows(),
            integer16_rows(),
            float_rows(),
            float16_rows(),
            float64_rows(),
            conversion_rows(),
            compare_rows(),
            lane_move_rows(),
            packed_rows(),
            dot_rows(),
            fp8_rows(),
            mfma_rows(),
            lds_rows(),
            global_rows(),
            buffer_rows()};
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
