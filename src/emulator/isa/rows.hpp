#pragma once

#include "machine/instruction.hpp"

#include <span>

namespace kbuild::emulator {
namespace KBUILD_LANES {

// The tables, one per file of this folder.
std::span<const Row> scalar_rows();
std::span<const Row> scalar_compare_rows();
std::span<const Row> scalar_memory_rows();
std::span<const Row> flow_rows();
std::span<const Row> integer_rows();
std::span<const Row> integer16_rows();
std::span<const Row> float_rows();
std::span<const Row> float16_rows();
std::span<const Row> float64_rows();
std::span<const Row> conversion_rows();
std::span<const Row> compare_rows();
std::span<const Row> lane_move_rows();
std::span<const Row> packed_rows();
std::span<const Row> dot_rows();
std::span<const Row> fp8_rows();
std::span<const Row> mfma_rows();
std::span<const Row> lds_rows();
std::span<const Row> global_rows();
std::span<const Row> buffer_rows();

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
