#include "memory/allocations.hpp"

#include "memory/address.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace kbuild::emulator {
namespace {

constexpr std::uint64_t kZone = 256; ///< before and behind each allocation
constexpr std::uint64_t kKeepFreed = 64ULL
                                     << 20U; ///< bytes of freed memory that are kept for the checks
constexpr std::uint64_t kAlignment = 256;

std::uint64_t rounded(std::uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

void* raw_of(const Allocation& allocation) {
    return pointer_to(allocation.begin - kZone);
}

} // namespace

DefinedBits::DefinedBits(std::uint64_t bytes)
    : size_(bytes / 8 + 1),
      // Zeros straight from the system: only what is touched costs memory.
      bytes_(static_cast<std::atomic<std::uint8_t>*>(std::calloc(size_, 1))) {}

DefinedBits::~DefinedBits() {
    std::free(bytes_);
}

void DefinedBits::set(std::uint64_t first, std::uint64_t count) {
    while (count > 0) {
        const std::uint64_t bit = first % 8;
        const std::uint64_t here = std::min<std::uint64_t>(8 - bit, count);
        const auto mask = static_cast<std::uint8_t>(((1U << here) - 1U) << bit);
        auto& byte = bytes_[first / 8];
        if (mask == 0xffU)
            byte.store(mask, std::memory_order_relaxed);
        else if ((byte.load(std::memory_order_relaxed) & mask) != mask)
            byte.fetch_or(mask, std::memory_order_relaxed);
        first += here;
        count -= here;
    }
}

void DefinedBits::clear(std::uint64_t first, std::uint64_t count) {
    for (; count > 0; ++first, --count)
        bytes_[first / 8].fetch_and(static_cast<std::uint8_t>(~(1U << (first % 8))),
                                    std::memory_order_relaxed);
}

Allocations::~Allocations() {
    for (const auto& [begin, allocation] : by_begin_)
        if (allocation->owned)
            std::free(raw_of(*allocation));
}

void* Allocations::allocate(std::uint64_t bytes, MemoryKind kind, int ordinal, bool track_defined) {
    void* const raw = std::aligned_alloc(kAlignment, rounded(bytes) + 2 * kZone);
    if (raw == nullptr)
        return nullptr;
    // What a kernel reads before anyone wrote it shows up as NaN or as a huge number.
    std::memset(raw, 0xcd, rounded(std::min<std::uint64_t>(bytes, 1U << 20U)) + 2 * kZone);
    auto allocation = std::make_shared<Allocation>();
    allocation->begin = reinterpret_cast<std::uint64_t>(raw) + kZone;
    allocation->end = allocation->begin + bytes;
    allocation->kind = kind;
    allocation->ordinal = ordinal;
    allocation->owned = true;
    if (track_defined && kind == MemoryKind::device)
        allocation->defined = std::make_unique<DefinedBits>(bytes);
    const std::lock_guard lock(mutex_);
    if (kind == MemoryKind::device)
        in_use_[ordinal] += bytes;
    const auto begin = allocation->begin;
    by_begin_[begin] = std::move(allocation);
    publish();
    return pointer_to(begin);
}

bool Allocations::release(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto found = by_begin_.find(address);
    if (found == by_begin_.end() || !found->second->live || !found->second->owned)
        return false;
    found->second->live = false;
    if (found->second->kind == MemoryKind::device)
        in_use_[found->second->ordinal] -= found->second->bytes();
    freed_bytes_ += found->second->bytes();
    freed_.push_back(address);
    drop_oldest_freed();
    publish();
    return true;
}

void Allocations::drop_oldest_freed() {
    while (freed_bytes_ > kKeepFreed && !freed_.empty()) {
        const auto found = by_begin_.find(freed_.front());
        freed_.erase(freed_.begin());
        freed_bytes_ -= found->second->bytes();
        std::free(raw_of(*found->second));
        by_begin_.erase(found);
    }
}

void Allocations::adopt(std::uint64_t address,
                        std::uint64_t bytes,
                        MemoryKind kind,
                        const std::string& name) {
    auto allocation = std::make_shared<Allocation>();
    allocation->begin = address;
    allocation->end = address + bytes;
    allocation->kind = kind;
    allocation->name = name;
    const std::lock_guard lock(mutex_);
    by_begin_[address] = std::move(allocation);
    publish();
}

void Allocations::forget(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto found = by_begin_.find(address);
    if (found == by_begin_.end() || found->second->owned)
        return;
    by_begin_.erase(found);
    publish();
}

std::shared_ptr<Allocation> Allocations::find(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    auto found = by_begin_.upper_bound(address);
    if (found == by_begin_.begin())
        return nullptr;
    --found;
    return address < found->second->end || address == found->second->begin ? found->second
                                                                           : nullptr;
}

std::shared_ptr<const AllocationList> Allocations::snapshot() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

std::uint64_t Allocations::bytes_in_use(int ordinal) const {
    const std::lock_guard lock(mutex_);
    const auto found = in_use_.find(ordinal);
    return found == in_use_.end() ? 0 : found->second;
}

void Allocations::publish() {
    auto list = std::make_shared<AllocationList>();
    list->reserve(by_begin_.size());
    for (const auto& [begin, allocation] : by_begin_)
        list->push_back(allocation);
    snapshot_ = std::move(list);
}

const Allocation* nearest_before(const AllocationList& list, std::uint64_t address) {
    const auto after = std::upper_bound(
        list.begin(), list.end(), address, [](std::uint64_t at, const auto& allocation) {
            return at < allocation->begin;
        });
    return after == list.begin() ? nullptr : (after - 1)->get();
}

} // namespace kbuild::emulator
