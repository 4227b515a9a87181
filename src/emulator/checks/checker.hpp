#pragma once

#include "checks/bounds.hpp"
#include "checks/definedness.hpp"
#include "checks/finding_log.hpp"
#include "checks/hazards.hpp"
#include "checks/races.hpp"
#include "checks/waits.hpp"
#include "memory/allocations.hpp"
#include "runtime/group_state.hpp"

#include <array>
#include <memory>
#include <vector>

namespace kbuild::emulator {

/// All checks of one host thread; which of them run is in the launch's options.
class Checker {
  public:
    Checker(const LaunchContext& context,
            std::shared_ptr<const AllocationList> allocations,
            FindingLog& log);

    void begin_group(const std::array<u32, 3>& id);
    void begin_wave(Wave& w, const std::array<bool, kScalars>& set);
    void before(Wave& w, const Instruction& in);
    /// Lanes of the access that may go on.
    u64 admit(Wave& w, const Instruction& in);
    void barrier(const std::vector<Wave>& waves);
    const std::vector<MemoryAccess>& touched() const { return bounds_.touched(); }

  private:
    Reporter report(const Wave& w, const Instruction& in) { return {log_, id_, w.number, in}; }

    Checks checks_;
    FindingLog& log_;
    std::array<u32, 3> id_{};
    u32 registers_ = 0;
    u32 accumulators_ = 0;
    std::vector<Waits> waits_;     ///< per wave
    std::vector<Hazards> hazards_; ///< per wave
    Definedness definedness_;
    Bounds bounds_;
    Races races_;
};

} // namespace kbuild::emulator
