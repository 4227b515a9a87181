#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kbuild::emulator {

/// What a check found: the first occurrence, and how many there were of it at this instruction.
struct Finding {
    std::string check;   ///< `memory`, `undefined`, `waits`, `hazards`, `races`, `barrier`,
                         ///< `endless`, `unknown-instruction`, `streams`, `device`
    std::string message; ///< what is wrong, with the address or register
    std::string kernel;  ///< as the source has it
    std::uint32_t group[3] = {0, 0, 0};
    std::uint32_t wave = 0;
    int lane = -1;            ///< -1: not about one lane
    std::string instruction;  ///< as LLVM prints it; empty: not about an instruction
    std::uint64_t offset = 0; ///< of the instruction in the code object
    std::string source;       ///< `file:line`, if the code object has line tables
    std::uint64_t count = 1;
    bool fatal = false; ///< the kernel was stopped

    std::string to_string() const;
};

} // namespace kbuild::emulator
