#pragma once

#include "kbuild/emulator/device.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kbuild::emulator {

/// One bit per byte, set where something was written. Kernels on several threads set bits of the
/// same byte, hence the atomics.
class DefinedBits {
  public:
    explicit DefinedBits(std::uint64_t bytes);
    ~DefinedBits();
    DefinedBits(const DefinedBits&) = delete;
    DefinedBits& operator=(const DefinedBits&) = delete;

    void set(std::uint64_t first, std::uint64_t count);
    void clear(std::uint64_t first, std::uint64_t count);
    /// Bit i: byte first + i is defined (count <= 16).
    std::uint32_t get(std::uint64_t first, std::uint32_t count) const {
        const std::uint64_t at = first / 8;
        std::uint32_t bits = 0;
        for (std::uint32_t i = 0; i < 3 && at + i < size_; ++i)
            bits |= std::uint32_t{bytes_[at + i].load(std::memory_order_relaxed)} << (8 * i);
        return bits >> (first % 8) & ((1U << count) - 1U);
    }

  private:
    std::uint64_t size_;
    std::atomic<std::uint8_t>* bytes_;
};

struct Allocation {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    MemoryKind kind = MemoryKind::device;
    int ordinal = 0; ///< the device whose memory it is
    bool live = true;
    bool owned = false; ///< from allocate()
    std::string name;
    std::unique_ptr<DefinedBits> defined; ///< none: all bytes always are
    std::atomic<bool> all_defined{false}; ///< no need to look at `defined`
    const DefinedBits* undefined_bits() const {
        return defined == nullptr || all_defined.load(std::memory_order_relaxed) ? nullptr
                                                                                 : defined.get();
    }
    std::uint64_t bytes() const { return end - begin; }
};

using AllocationList = std::vector<std::shared_ptr<Allocation>>;

/// What kernels may access: sorted, changed by the host only. A launch works on a snapshot.
class Allocations {
  public:
    ~Allocations();
    void* allocate(std::uint64_t bytes, MemoryKind kind, int ordinal, bool track_defined);
    bool release(std::uint64_t address);
    void
    adopt(std::uint64_t address, std::uint64_t bytes, MemoryKind kind, const std::string& name);
    void forget(std::uint64_t address);

    /// The allocation, live or freed, whose bytes or zones hold the address; null if there is none.
    std::shared_ptr<Allocation> find(std::uint64_t address) const;
    /// Sorted by address; freed ones are among them as long as their memory is kept.
    std::shared_ptr<const AllocationList> snapshot() const;
    std::uint64_t bytes_in_use(int ordinal) const; ///< of device memory

  private:
    void publish();
    void drop_oldest_freed();

    mutable std::mutex mutex_;
    std::map<std::uint64_t, std::shared_ptr<Allocation>> by_begin_;
    std::vector<std::uint64_t> freed_; ///< oldest first
    std::uint64_t freed_bytes_ = 0;
    std::map<int, std::uint64_t> in_use_; ///< by device
    std::shared_ptr<const AllocationList> snapshot_ = std::make_shared<AllocationList>();
};

/// The last of `list` that begins at or before the address; null if there is none.
const Allocation* nearest_before(const AllocationList& list, std::uint64_t address);

} // namespace kbuild::emulator
