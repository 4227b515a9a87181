#pragma once

#include "checks/reporter.hpp"
#include "checks/waits.hpp"
#include "machine/group.hpp"

#include <vector>

namespace kbuild::emulator {

/// LDS accesses of two waves, one of them a write, that nothing orders.
///
/// Every wave has a clock; `seen_[w][v]` is what w knows of v's clock. Barriers make all waves know
/// everything; atomic instructions on LDS hand knowledge from wave to wave (both release and
/// acquire). An LDS instruction that is not waited for at a barrier counts as behind it too.
class Races {
  public:
    Races(u32 waves, u32 lds_bytes);

    void begin_group();
    void access(const Wave& w, const Waits& waits, const Reporter& report);
    /// `waits` of all waves: which LDS instructions are still under way.
    void barrier(const std::vector<Waits>& waits, const std::vector<Wave>& waves);

  private:
    struct Cell {
        u32 write_clock = 0;
        u32 read_clock = 0;
        u8 writer = 0xff;
        u8 reader = 0xff;
        u8 other_reader = 0xff;
        bool atomic = false;
        u32 other_read_clock = 0;
    };
    /// An LDS access that may still be under way.
    struct Recent {
        u64 ticket = 0;
        bool write = false;
        bool atomic = false;
        std::vector<std::pair<u32, u32>> bytes; ///< first byte, count
    };

    bool ordered(u32 wave, u32 other, u32 clock) const {
        return other == 0xff || other == wave || clock <= seen_[wave * waves_ + other];
    }
    void touch(
        u32 wave, u32 first, u32 count, bool write, bool atomic, const Reporter* report, int lane);
    void touch_byte(u32 wave, u32 at, bool write, bool atomic, const Reporter* report, int lane);
    void hand_over(u32 wave, u32 at, bool release);

    u32 waves_;
    std::vector<Cell> cells_;
    std::vector<u32> clock_;
    std::vector<u32> seen_;
    std::vector<std::vector<Recent>> recent_;
    std::vector<std::vector<u32>> released_; ///< per word that atomics touched
};

} // namespace kbuild::emulator
