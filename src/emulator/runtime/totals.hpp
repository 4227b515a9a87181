#pragma once

#include "runtime/counters.hpp"

#include "kbuild/emulator/device.hpp"

#include <map>
#include <string>

namespace kbuild::emulator {

/// Sums over launches, per kernel.
class Totals {
  public:
    void add(const std::string& kernel, const Counters& counters, double seconds);
    std::vector<KernelStatistics> kernels() const;
    std::vector<InstructionTrust> trust() const;

  private:
    struct PerKernel {
        KernelStatistics sums;
        std::map<std::string, u64, std::less<>> units;
        std::map<std::string, u64, std::less<>> names;
    };
    std::map<std::string, PerKernel> kernels_;
    std::map<std::string_view, InstructionTrust> trust_;
};

} // namespace kbuild::emulator
