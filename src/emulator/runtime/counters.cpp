#include "runtime/counters.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace kbuild::emulator {
namespace {

constexpr u32 kBanks = 32;
constexpr u64 kSegment = 64;

/// In which group of lanes, served together, a lane of a 16-byte LDS read is (gemm.md 3.4).
u32 read_group16(u32 lane) {
    static constexpr std::array<u8, 32> kGroup = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
                                                  1, 1, 1, 1, 0, 0, 0, 0, 3, 3, 3, 3, 2, 2, 2, 2};
    return kGroup[lane % 32] + 4 * (lane / 32);
}

/// Lanes that share a cycle: 8 for 16 bytes, 16 for 8, 32 for less.
u32 cycle_of(const Access& a, u32 lane) {
    if (a.bytes >= 16)
        return a.write ? lane / 8 : read_group16(lane);
    return a.bytes == 8 ? lane / 16 : lane / 32;
}

/// Cycles beyond the least: in each group the bank with the most different words decides.
u64 conflict_cycles(const Access& a) {
    u64 extra = 0;
    for (u32 cycle = 0; cycle < 8; ++cycle) {
        std::array<std::array<u64, kLanes>, kBanks> words{};
        std::array<u32, kBanks> used{};
        for (u32 lane = 0; lane < kLanes; ++lane) {
            if ((a.mask >> lane & 1) == 0 || cycle_of(a, lane) != cycle)
                continue;
            for (u64 word = a.address[lane] / 4;
                 word < (a.address[lane] + std::max<u32>(a.bytes, 1) + 3) / 4;
                 ++word) {
                const u32 bank = static_cast<u32>(word % kBanks);
                auto* const end = words[bank].data() + used[bank];
                if (std::find(words[bank].data(), end, word) == end && used[bank] < kLanes)
                    words[bank][used[bank]++] = word;
            }
        }
        const u32 most = *std::max_element(used.begin(), used.end());
        extra += most > 1 ? most - 1 : 0;
    }
    return extra;
}

u64 segments(const Access& a) {
    std::array<u64, 2 * std::size_t{kLanes}> touched{};
    std::size_t count = 0;
    for (u32 lane = 0; lane < kLanes; ++lane) {
        if ((a.mask >> lane & 1) == 0)
            continue;
        touched[count++] = a.address[lane] / kSegment;
        touched[count++] = (a.address[lane] + a.bytes - 1) / kSegment;
    }
    std::sort(touched.begin(), touched.begin() + static_cast<std::ptrdiff_t>(count));
    return static_cast<u64>(
        std::unique(touched.begin(), touched.begin() + static_cast<std::ptrdiff_t>(count)) -
        touched.begin());
}

} // namespace

void Counters::count_access(const Wave& w) {
    const Access& a = w.access;
    if (a.space == Space::lds) {
        ++lds_accesses;
        lds_conflict_cycles += conflict_cycles(a);
    } else if (a.space == Space::global) {
        ++global_accesses;
        const u64 bytes = static_cast<u64>(std::popcount(a.mask)) * a.bytes;
        global_bytes_read += a.read ? bytes : 0;
        global_bytes_written += a.write ? bytes : 0;
        global_segments += segments(a);
    }
}

void Counters::add(const Counters& other) {
    if (other.by_instruction.size() > by_instruction.size()) {
        by_instruction.resize(other.by_instruction.size());
        rows.resize(other.by_instruction.size());
    }
    for (std::size_t i = 0; i < other.by_instruction.size(); ++i) {
        by_instruction[i] += other.by_instruction[i];
        if (other.rows[i] != nullptr)
            rows[i] = other.rows[i];
    }
    instructions += other.instructions;
    work_groups += other.work_groups;
    lds_accesses += other.lds_accesses;
    lds_conflict_cycles += other.lds_conflict_cycles;
    global_bytes_read += other.global_bytes_read;
    global_bytes_written += other.global_bytes_written;
    global_segments += other.global_segments;
    global_accesses += other.global_accesses;
}

} // namespace kbuild::emulator
