#include "runtime/kernarg.hpp"

#include "machine/wave.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace kbuild::emulator {
namespace {

/// The value of a hidden argument; none for those that are left 0.
std::optional<u64> hidden_value(std::string_view kind, const Launch& launch, const void* heap) {
    static constexpr std::string_view kAxes = "xyz";
    const auto axis = kAxes.find(kind.back());
    if (axis != std::string_view::npos) {
        if (kind.starts_with("hidden_block_count_"))
            return launch.grid[axis];
        if (kind.starts_with("hidden_group_size_"))
            return launch.block[axis];
    }
    if (kind == "hidden_grid_dims")
        return launch.grid[2] * launch.block[2] > 1   ? 3
               : launch.grid[1] * launch.block[1] > 1 ? 2
                                                      : 1;
    if (kind == "hidden_dynamic_lds_size")
        return launch.dynamic_lds;
    if (kind == "hidden_shared_base")
        return kSharedAperture;
    if (kind == "hidden_private_base")
        return kPrivateAperture;
    if (kind == "hidden_queue_ptr" || kind == "hidden_heap_v1" || kind == "hidden_default_queue")
        return reinterpret_cast<u64>(heap);
    return std::nullopt;
}

void put(std::array<char, 64>& packet, std::size_t offset, u64 value, std::size_t bytes) {
    std::memcpy(packet.data() + offset, &value, bytes);
}

} // namespace

std::string complete_kernarg(const Kernel& kernel, const Launch& launch, const void* heap) {
    std::size_t bytes = std::max<std::size_t>(kernel.kernarg_bytes, launch.kernarg.size());
    for (const auto& argument : kernel.arguments)
        bytes = std::max<std::size_t>(bytes, std::size_t{argument.offset} + argument.size);
    std::string segment = launch.kernarg;
    segment.resize((bytes + 63) / 64 * 64);
    for (const auto& argument : kernel.arguments)
        if (argument.hidden())
            if (const auto value = hidden_value(argument.kind, launch, heap))
                std::memcpy(segment.data() + argument.offset,
                            &*value,
                            std::min<std::size_t>(argument.size, 8));
    return segment;
}

std::array<char, 64>
dispatch_packet(const Kernel& kernel, const Launch& launch, const void* kernarg) {
    std::array<char, 64> packet{};
    put(packet, 0, 2, 2); // a kernel dispatch
    put(packet, 2, 3, 2); // three dimensions
    for (std::size_t i = 0; i < 3; ++i) {
        put(packet, 4 + 2 * i, launch.block[i], 2);
        put(packet, 12 + 4 * i, u64{launch.grid[i]} * launch.block[i], 4);
    }
    put(packet, 24, kernel.scratch_bytes, 4);
    put(packet, 28, kernel.lds_bytes + launch.dynamic_lds, 4);
    put(packet, 32, kernel.descriptor, 8);
    put(packet, 40, reinterpret_cast<u64>(kernarg), 8);
    return packet;
}

} // namespace kbuild::emulator
