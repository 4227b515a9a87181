#pragma once

#include "machine/wave.hpp"

#include <vector>

namespace kbuild::emulator {

/// What one host thread counts while it runs a kernel.
struct Counters {
    std::vector<u64> by_instruction; ///< index: Instruction::id
    std::vector<const Row*> rows;    ///< of the same instructions
    u64 instructions = 0;
    u64 work_groups = 0;
    u64 lds_accesses = 0;
    u64 lds_conflict_cycles = 0;
    u64 global_bytes_read = 0;
    u64 global_bytes_written = 0;
    u64 global_segments = 0;
    u64 global_accesses = 0;

    void count(const Instruction& in) {
        if (in.id >= by_instruction.size()) {
            by_instruction.resize(in.id + 64U);
            rows.resize(in.id + 64U);
        }
        ++by_instruction[in.id];
        rows[in.id] = in.row;
        ++instructions;
    }
    /// Bytes, coalescing and bank conflicts of the access in `w`.
    void count_access(const Wave& w);
    void add(const Counters& other);
};

} // namespace kbuild::emulator
