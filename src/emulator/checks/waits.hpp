#pragma once

#include "checks/reporter.hpp"
#include "machine/wave.hpp"

#include <vector>

namespace kbuild::emulator {

/// Results of memory instructions are there only after an s_waitcnt that covers them.
///
/// Tickets number the instructions of a counter; a ticket is done when so few younger ones may be
/// outstanding that it can't be. Vector memory (vmcnt) and LDS (lgkmcnt) return in order, scalar
/// memory (lgkmcnt too) in any order, so only lgkmcnt(0) covers it.
class Waits {
  public:
    Waits(u32 registers, u32 accumulators);

    /// Without `report` it only follows the counters.
    void before(const Wave& w, const Instruction& in, const Reporter* report);
    /// Whether LDS instructions of the wave may still be under way.
    bool lds_pending() const { return lds_.outstanding(); }
    u64 lds_issued() const { return lds_.issued; }
    u64 lds_done() const { return lds_.done; }

  private:
    struct Counter {
        u64 issued = 0;
        u64 done = 0;
        bool outstanding() const { return issued > done; }
        void allow(u64 outstanding) {
            const u64 now = issued > outstanding ? issued - outstanding : 0;
            done = now > done ? now : done;
        }
    };
    /// Tickets of the loads that a register waits for; 0: none.
    struct Pending {
        u64 vector = 0;
        u64 lds = 0;
        u64 scalar = 0;
        bool any() const { return (vector | lds | scalar) != 0; }
    };

    void wait(u32 immediate);
    void use(Pending& pending,
             const Operand& operand,
             u32 word,
             const Instruction& in,
             const Reporter* report);
    void issue(const Instruction& in);
    void mark_results(const Instruction& in);

    Counter vector_;
    Counter lds_;
    Counter scalar_;
    std::vector<Pending> vectors_;
    std::vector<Pending> scalars_;
    u32 accumulators_;
};

/// `v5`, `a2`, `s7`, `vcc_lo`
std::string register_name(Place place, u32 index, u32 accumulators);

} // namespace kbuild::emulator
