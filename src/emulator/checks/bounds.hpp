#pragma once

#include "checks/reporter.hpp"
#include "machine/group.hpp"
#include "memory/allocations.hpp"

#include <memory>

namespace kbuild::emulator {

/// Accesses outside of what is allocated, and misaligned LDS accesses.
class Bounds {
  public:
    explicit Bounds(std::shared_ptr<const AllocationList> allocations)
        : allocations_(std::move(allocations)) {}

    /// The lanes whose access is allowed; the others are reported.
    u64 allowed(const Wave& w, const Reporter& report);

    /// The live allocation with all of these bytes; null if there is none.
    const Allocation* holder(u64 address, u64 bytes);
    /// The one that holds the accesses of all `lanes` and what is between them.
    const Allocation* common_holder(const Access& a, u64 lanes);

  private:
    u64 allowed_global(const Wave& w, const Reporter& report);
    u64 allowed_local(const Wave& w, const Reporter& report) const;
    std::string describe(u64 address, u32 bytes, bool write) const;

    std::shared_ptr<const AllocationList> allocations_;
    const Allocation* last_[4] = {};
    u32 next_ = 0;
};

} // namespace kbuild::emulator
