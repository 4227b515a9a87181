#pragma once

#include "checks/checker.hpp"
#include "decode/program.hpp"
#include "runtime/counters.hpp"
#include "runtime/group_state.hpp"

#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

namespace kbuild::emulator {

/// Runs work-groups, one at a time, on one host thread. Its buffers live as long as the launch.
class Executor : public Environment {
  public:
    Executor(const LaunchContext& context,
             std::shared_ptr<const AllocationList> allocations,
             FindingLog& log);

    /// False if the launch has to stop: the reason is in the log.
    bool run(const std::array<u32, 3>& id);

    u64 admit(Wave& w, const Instruction& in) override;
    bool jump(Wave& w, u64 address) override;

    const Counters& counters() const { return counters_; }
    /// Empty if memory is not checked.
    std::vector<MemoryAccess> touched() const;

  private:
    void start_waves(const std::array<u32, 3>& id);
    bool run_quantum(Wave& w);
    template <bool Checked> bool run_instructions(Wave& w, u64& patience);
    bool release_barrier();
    u32 next_wave(u32 last);
    u64 quantum();
    void report_failure(const Wave& w, const Instruction& in);
    void run_indexed(Wave& w, const Instruction& in);
    const Instruction& indexed(const Wave& w, const Instruction& in);

    const LaunchContext& context_;
    FindingLog& log_;
    Counters counters_;
    Group group_;
    std::vector<Wave> waves_;
    std::unique_ptr<Register[]> registers_;
    std::unique_ptr<u8[]> lds_;
    std::unique_ptr<u8[]> scratch_;
    std::unique_ptr<Checker> checker_;
    std::mt19937_64 random_;
    std::map<std::tuple<u64, u32, u32>, Instruction>
        indexed_; ///< by address, index and what it moves
    std::array<u32, 3> id_{};
    u32 registers_per_wave_ = 0;
    u64 total_ = 0; ///< instructions of the current group
};

} // namespace kbuild::emulator
