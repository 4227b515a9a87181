#pragma once

#include "checks/reporter.hpp"
#include "machine/group.hpp"
#include "memory/allocations.hpp"

#include "kbuild/emulator/memory_access.hpp"

#include <memory>
#include <vector>

namespace kbuild::emulator {

/// Accesses outside of what is allocated, and misaligned LDS accesses.
class Bounds {
  public:
    /// `ordinal` is the device that the kernel runs on.
    Bounds(std::shared_ptr<const AllocationList> allocations, int ordinal)
        : allocations_(std::move(allocations)), ordinal_(ordinal) {}

    /// The lanes whose access is allowed; the others are reported.
    u64 allowed(const Wave& w, const Reporter& report);

    /// The live allocation with all of these bytes; null if there is none.
    const Allocation* holder(u64 address, u64 bytes);
    /// The one that holds the accesses of all `lanes` and what is between them.
    const Allocation* common_holder(const Access& a, u64 lanes);

    /// What was accessed of device memory so far.
    const std::vector<MemoryAccess>& touched() const { return touched_; }

  private:
    u64 allowed_global(const Wave& w, const Reporter& report);
    u64 allowed_local(const Wave& w, const Reporter& report) const;
    std::string describe(u64 address, u32 bytes, bool write) const;
    bool is_inside(const Allocation& a, u64 address, u64 bytes) const;
    void touch(const Allocation& a, u64 begin, u64 end, bool write);

    std::shared_ptr<const AllocationList> allocations_;
    int ordinal_;
    std::vector<MemoryAccess> touched_; ///< one for reads and one for writes of each allocation
    const Allocation* last_[4] = {};
    u32 next_ = 0;
};

} // namespace kbuild::emulator
