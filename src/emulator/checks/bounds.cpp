#include "checks/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace kbuild::emulator {
namespace {

/// From the first to the last byte of what `lanes` access.
struct Span {
    u64 begin = ~u64{0};
    u64 end = 0;
};
Span span_of(const Access& a, u64 lanes) {
    u64 low = ~u64{0};
    u64 high = 0;
    const auto widen = [&](u32 lane) {
        low = std::min(low, a.address[lane]);
        high = std::max(high, a.address[lane]);
    };
    if (lanes == ~u64{0})
        for (u32 lane = 0; lane < kLanes; ++lane)
            widen(lane);
    else
        for (u64 mask = lanes; mask != 0; mask &= mask - 1)
            widen(static_cast<u32>(std::countr_zero(mask)));
    return {low, high + a.bytes};
}

std::string_view kind_name(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::host:
        return "host memory";
    case MemoryKind::managed:
        return "managed memory";
    case MemoryKind::module_image:
        return "the code object";
    default:
        return "device memory";
    }
}

/// What LDS instructions need: their own size, at most 8 (16-byte ones may be 8-byte aligned).
u32 lds_alignment(const Access& a, const Instruction& in) {
    if (a.parts > 1)
        return a.bytes;
    if (in.row->name.starts_with("ds_read_b") || in.row->name.starts_with("ds_write_b"))
        return a.bytes == 12 ? 4 : std::min<u32>(a.bytes, 8);
    return a.bytes;
}

} // namespace

bool Bounds::is_inside(const Allocation& a, u64 address, u64 bytes) const {
    return a.live && address >= a.begin && address <= a.end && bytes <= a.end - address &&
           (a.ordinal == ordinal_ || a.kind != MemoryKind::device);
}

void Bounds::touch(const Allocation& a, u64 begin, u64 end, bool write) {
    if (a.kind == MemoryKind::device)
        add_access(touched_, {a.begin, begin, end, write});
}

const Allocation* Bounds::holder(u64 address, u64 bytes) {
    for (const Allocation* const candidate : last_)
        if (candidate != nullptr && is_inside(*candidate, address, bytes))
            return candidate;
    const Allocation* const found = nearest_before(*allocations_, address);
    if (found == nullptr || !is_inside(*found, address, bytes))
        return nullptr;
    last_[next_++ % 4] = found;
    return found;
}

const Allocation* Bounds::common_holder(const Access& a, u64 lanes) {
    const Span span = span_of(a, lanes);
    return span.end - span.begin < (1ULL << 40U) ? holder(span.begin, span.end - span.begin)
                                                 : nullptr;
}

std::string Bounds::describe(u64 address, u32 bytes, bool write) const {
    const std::string what =
        fmt::format("{} of {} bytes at {:#x}", write ? "write" : "read", bytes, address);
    const Allocation* near = nearest_before(*allocations_, address + bytes - 1);
    if (near == nullptr)
        return what + ", where nothing is allocated";
    const std::string block =
        fmt::format("{} bytes of {}{} at {:#x}",
                    near->bytes(),
                    kind_name(near->kind),
                    near->name.empty() ? std::string() : fmt::format(" (`{}`)", near->name),
                    near->begin);
    if (near->live && near->ordinal != ordinal_ && address < near->end)
        return fmt::format("{}: in {} of device {}, but the kernel runs on device {}",
                           what,
                           block,
                           near->ordinal,
                           ordinal_);
    if (!near->live && address < near->end)
        return fmt::format(
            "{}: {} bytes into {}, which were freed", what, address - near->begin, block);
    if (address < near->begin)
        return fmt::format("{}: begins {} bytes before {}", what, near->begin - address, block);
    if (address < near->end)
        return fmt::format("{}: runs over the end of {}", what, block);
    if (address - near->end < (1ULL << 30U))
        return fmt::format("{}: {} bytes behind the end of {}", what, address - near->end, block);
    return what + ", where nothing is allocated (is it host memory that was not registered?)";
}

u64 Bounds::allowed_global(const Wave& w, const Reporter& report) {
    const Access& a = w.access;
    if (a.mask == 0)
        return 0;
    if (const Allocation* const all = common_holder(a, a.mask)) {
        const Span span = span_of(a, a.mask);
        touch(*all, span.begin, span.end, a.write);
        return a.mask;
    }
    u64 good = 0;
    for (u64 mask = a.mask; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<u32>(std::countr_zero(mask));
        if (const Allocation* const one = holder(a.address[lane], a.bytes)) {
            touch(*one, a.address[lane], a.address[lane] + a.bytes, a.write);
            good |= u64{1} << lane;
        } else
            report("memory", describe(a.address[lane], a.bytes, a.write), static_cast<int>(lane));
    }
    return good;
}

namespace {

/// Whether all lanes are inside and aligned, without saying which one is not.
bool all_inside(const Access& a, u64 size, u32 alignment) {
    const u64 second = a.parts > 1 ? static_cast<u64>(i64{a.second}) : 0;
    const u64 last = size - a.bytes;
    u64 beyond = last; // its sign bit: a lane is outside
    u64 bits = 0;
    for (u64 mask = a.mask; mask != 0; mask &= mask - 1) {
        const u64 address = a.address[std::countr_zero(mask)];
        beyond |= (last - address) | (last - address - second) | (address + second);
        bits |= address | (address + second);
    }
    return beyond >> 63U == 0 && bits % alignment == 0;
}

} // namespace

u64 Bounds::allowed_local(const Wave& w, const Reporter& report) const {
    const Access& a = w.access;
    const bool lds = a.space == Space::lds;
    const u64 size = lds ? w.group->lds_bytes : w.group->scratch_bytes;
    const u32 alignment = lds ? lds_alignment(a, report.in) : 1;
    if (all_inside(a, size, alignment))
        return a.mask;
    for (u64 mask = a.mask; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<u32>(std::countr_zero(mask));
        for (u32 part = 0; part < a.parts; ++part) {
            const u64 address =
                a.address[lane] + static_cast<u64>(part == 0 ? i64{0} : i64{a.second});
            if (address + a.bytes > size)
                report("memory",
                       fmt::format("{} of {} bytes at {} {:#x}, which has {} bytes",
                                   a.write ? "write" : "read",
                                   a.bytes,
                                   lds ? "LDS address" : "scratch address",
                                   address,
                                   size),
                       static_cast<int>(lane));
            else if (alignment > 1 && address % alignment != 0)
                report("memory",
                       fmt::format("LDS access of {} bytes at {:#x}, which is not aligned to {}",
                                   a.bytes,
                                   address,
                                   alignment),
                       static_cast<int>(lane));
        }
    }
    return a.mask;
}

u64 Bounds::allowed(const Wave& w, const Reporter& report) {
    return w.access.space == Space::global ? allowed_global(w, report) : allowed_local(w, report);
}

} // namespace kbuild::emulator
