#pragma once

#include "checks/reporter.hpp"
#include "machine/wave.hpp"

#include <vector>

namespace kbuild::emulator {

/// Wait states that the hardware does not insert by itself on gfx942 (ISA manual, "Manually
/// Inserted Wait States"; the same figures as LLVM's hazard recognizer). An instruction is one wait
/// state, `s_nop N` is N + 1.
class Hazards {
  public:
    Hazards(u32 registers, u32 accumulators);
    void before(const Wave& w, const Instruction& in, const Reporter& report);

  private:
    /// The last writer of a register, and the last MFMA that reads it as C.
    struct Past {
        const Instruction* writer = nullptr;
        i64 written = -1000;
        u8 c_passes = 0;
        i64 read_as_c = -1000;
        bool operator==(const Past&) const = default;
    };
    struct Need {
        i64 states = 0;
        const char* why = "";
    };

    Need vector_read(const Instruction& in, const Operand& o, const Past& past) const;
    Need scalar_read(const Instruction& in, const Operand& o, const Past& past) const;
    Need vector_write(const Instruction& in, const Past& past, i64& since) const;
    void check_operand(const Instruction& in, const Operand& o, const Reporter& report) const;
    void check_implicit(const Instruction& in, const Reporter& report) const;
    void complain(const Need& need,
                  i64 since,
                  const std::string& name,
                  const Instruction* writer,
                  const Reporter& report) const;
    void record(const Instruction& in);

    std::vector<Past> vectors_;
    std::vector<Past> scalars_;
    u32 accumulators_;
    i64 position_ = 0;
};

} // namespace kbuild::emulator
