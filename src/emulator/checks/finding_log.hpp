#pragma once

#include "machine/instruction.hpp"

#include "kbuild/emulator/finding.hpp"

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace kbuild::emulator {

/// Findings of one launch, from several threads. Per check and instruction the first one is kept.
class FindingLog {
  public:
    FindingLog(std::string kernel, u64 code_base)
        : kernel_(std::move(kernel)), code_base_(code_base) {}

    /// `finding` has check, message and fatal; the rest is filled in here.
    void add(Finding finding,
             const std::array<u32, 3>& group,
             u32 wave,
             int lane,
             const Instruction& in);

    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
    std::vector<Finding> take();

  private:
    std::string kernel_;
    u64 code_base_;
    std::mutex mutex_;
    std::map<std::tuple<u64, std::string>, Finding> found_;
    std::atomic<bool> stopped_{false};
};

} // namespace kbuild::emulator
