#pragma once

#include "checks/reporter.hpp"
#include "checks/waits.hpp"
#include "machine/group.hpp"

#include <array>
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
    static constexpr u8 kNobody = 16; ///< a work-group has at most 16 waves

    /// The last accesses of a word or a byte.
    struct Cell {
        u32 write_clock = 0;
        u32 read_clock = 0;
        u32 other_read_clock = 0;
        u8 writer = kNobody;
        u8 reader = kNobody;
        u8 other_reader = kNobody;
        bool atomic = false;
    };
    /// What a wave knows of the clocks of the others; of its own and of nobody's everything.
    struct Knowledge {
        std::array<u32, kNobody + 1> clock;
        u32 own;
        u8 wave;
        bool ordered(const Cell& cell) const { return cell.write_clock <= clock[cell.writer]; }
        bool reads_ordered(const Cell& cell) const {
            return cell.read_clock <= clock[cell.reader] &&
                   cell.other_read_clock <= clock[cell.other_reader];
        }
    };
    /// An LDS access that may still be under way.
    struct Recent {
        u64 ticket = 0;
        u64 mask = 0; ///< lanes
        i32 second = 0;
        u8 parts = 1;
        u8 bytes = 0;
        bool write = false;
        bool atomic = false;
        std::array<u32, kLanes> address{};
    };
    /// Of one wave, oldest first. lgkmcnt lets no more than 15 be under way.
    struct RecentList {
        std::array<Recent, 16> ring;
        u32 first = 0;
        u32 count = 0;
        Recent& at(u32 i) { return ring[(first + i) % 16]; }
        void drop_done(u64 done) {
            for (; count > 0 && at(0).ticket <= done; --count)
                first = (first + 1) % 16;
        }
    };

    template <bool Write> static void mark(Cell& cell, const Knowledge& known, bool atomic);
    static void complain(const Cell& cell,
                         const Knowledge& known,
                         const Recent& access,
                         const Reporter& report,
                         int lane);
    Knowledge knowledge(u32 wave) const;
    /// All lanes of an access; `report` is null for what was reported before.
    void touch(u32 wave, const Recent& access, const Reporter* report);
    template <bool Write> bool touch_words(const Knowledge& known, u32 first, u32 count);
    void touch_bytes(
        const Knowledge& known, u32 at, const Recent& access, const Reporter* report, int lane);
    Cell& byte_cell(u32 at);
    bool written_atomically(u64 at) const;
    void synchronise(u32 wave, const Recent& access);
    void hand_over(u32 wave, u32 at, bool release);

    u32 waves_;
    u32 bytes_;                 ///< of LDS
    std::vector<Cell> words_;   ///< as long as all four bytes were accessed together
    std::vector<u8> split_;     ///< per word: its bytes have cells of their own
    std::vector<Cell> singles_; ///< per byte, made when first needed
    bool any_split_ = false;    ///< in this group
    bool any_atomic_ = false;   ///< in this group
    std::vector<u32> clock_;
    std::vector<u32> seen_;
    std::vector<RecentList> recent_;
    std::vector<std::vector<u32>> released_; ///< per word that atomics touched
};

} // namespace kbuild::emulator
