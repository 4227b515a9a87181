#include "checks/definedness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace kbuild::emulator {
namespace {

constexpr u32 kAll = ~0U;

bool is_store(const Instruction& in) {
    return (in.row->flags & kStore) != 0;
}
bool is_atomic(const Instruction& in) {
    return (in.row->flags & kAtomic) != 0;
}

/// Whether an LDS atomic has its old value as operand 0; others say so with `returns`.
bool gives_back(const Instruction& in) {
    return in.returns || (in.row->unit == Unit::lds && in.operand[0].role == Role::write);
}

/// Whether operand i is what is stored (or loaded), not a part of the address.
bool is_data(const Instruction& in, u32 i) {
    if (in.row->unit == Unit::buffer)
        return i == 0;
    if (!is_store(in) && !is_atomic(in))
        return i == 0;
    const u32 first = is_atomic(in) && gives_back(in) ? 1 : 0;
    return in.row->unit == Unit::lds ? i != first : i == first + 1 || i < first;
}

u32 byte_bits(u32 defined, u32 index) {
    return (defined >> index & 1U) != 0 ? 0 : 0xffU;
}

/// Where the bits of a load's memory go.
struct LoadForm {
    u32 kept = 0;         ///< bits of the register that the load leaves alone
    u32 width = kAll;     ///< bits that the load writes, before they are shifted
    u32 shift = 0;        ///< to the upper half
    bool extends = false; ///< copies the sign
};

LoadForm load_form(std::string_view name) {
    const auto has = [&](std::string_view part) {
        return name.find(part) != std::string_view::npos;
    };
    LoadForm form;
    form.extends = has("sbyte") || has("sshort") || has("_i8") || has("_i16");
    if (name.ends_with("_d16_hi"))
        form.shift = 16;
    else if (!name.ends_with("_d16"))
        return form;
    form.width = 0xffffU;
    form.kept = ~(form.width << form.shift);
    return form;
}

/// The register's undefined bits for those of the memory.
u32 loaded_bits(const LoadForm& form, u32 found) {
    return (found != 0 && form.extends ? form.width : found) << form.shift;
}

u64 part_address(const Access& a, u32 lane, u32 part) {
    return a.address[lane] + static_cast<u64>(part == 0 ? i64{0} : i64{a.second});
}

} // namespace

const u8* Definedness::local(const Wave& w, u32 lane, u64 address, u32 bytes) const {
    const bool lds = w.access.space == Space::lds;
    const u64 size = lds ? lds_bytes_ : scratch_bytes_;
    if (address + bytes > size)
        return nullptr;
    return lds ? lds_.data() + address
               : scratch_.data() + (u64{w.number} * kLanes + lane) * scratch_bytes_ + address;
}

u8* Definedness::local(const Wave& w, u32 lane, u64 address, u32 bytes) {
    return const_cast<u8*>(static_cast<const Definedness*>(this)->local(w, lane, address, bytes));
}

/// The undefined bits of up to 4 bytes.
u32 Definedness::memory_bits(
    const Wave& w, u32 lane, u64 address, u32 bytes, Bounds& bounds) const {
    u32 bits = 0;
    if (w.access.space != Space::global) {
        if (const u8* const from = local(w, lane, address, bytes))
            std::memcpy(&bits, from, bytes);
        return bits;
    }
    const Allocation* const holder = bounds.holder(address, bytes);
    const DefinedBits* const defined = holder == nullptr ? nullptr : holder->undefined_bits();
    if (defined == nullptr)
        return 0;
    const u32 known = defined->get(address - holder->begin, bytes);
    for (u32 i = 0; i < bytes; ++i)
        bits |= byte_bits(known, i) << (8 * i);
    return bits;
}

void Definedness::set_memory(
    const Wave& w, u32 lane, u64 address, u32 bytes, u32 undefined, Bounds& bounds) {
    if (w.access.space != Space::global) {
        if (u8* const to = local(w, lane, address, bytes))
            std::memcpy(to, &undefined, bytes);
        return;
    }
    const Allocation* const holder = bounds.holder(address, bytes);
    if (holder == nullptr || holder->undefined_bits() == nullptr)
        return;
    for (u32 i = 0; i < bytes; ++i) {
        const bool whole = undefined == 0;
        if (whole) {
            holder->defined->set(address - holder->begin, bytes);
            return;
        }
        if ((undefined >> (8 * i) & 0xffU) == 0)
            holder->defined->set(address - holder->begin + i, 1);
        else
            holder->defined->clear(address - holder->begin + i, 1);
    }
}

void Definedness::check_address(
    Wave& w, const WaveState& s, const Instruction& in, u64 lanes, const Reporter& report) const {
    for (u32 i = 0; i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        if (o.role != Role::read || is_data(in, i))
            continue;
        for (u32 word = 0; word < o.words; ++word) {
            if (o.place == Place::scalar && s.scalar[o.index + word] != 0) {
                report("undefined", "the address depends on an uninitialised value");
                return;
            }
            if (o.place != Place::vector || !is_dirty(s, o.index + word))
                continue;
            for (u64 mask = lanes; mask != 0; mask &= mask - 1) {
                const int lane = std::countr_zero(mask);
                if (shadow(w, o.index + word).lane[lane] != 0) {
                    report("undefined", "the address depends on an uninitialised value", lane);
                    return;
                }
            }
        }
    }
}

namespace {

/// The bits of `bytes` bytes at the places of all lanes together; 0: all of them are defined.
template <u32 Bytes> u64 merged(const Access& a, u64 lanes, const u8* from) {
    u64 bits[(Bytes + 7) / 8] = {};
    for (u64 mask = lanes; mask != 0; mask &= mask - 1)
        for (u32 part = 0; part < a.parts; ++part) {
            u64 one[(Bytes + 7) / 8] = {};
            std::memcpy(
                one, from + part_address(a, static_cast<u32>(std::countr_zero(mask)), part), Bytes);
            for (u32 i = 0; i < (Bytes + 7) / 8; ++i)
                bits[i] |= one[i];
        }
    return Bytes > 8 ? bits[0] | bits[(Bytes - 1) / 8] : bits[0];
}

u64 merged(const Access& a, u64 lanes, const u8* from) {
    switch (a.bytes) {
    case 1:
        return merged<1>(a, lanes, from);
    case 2:
        return merged<2>(a, lanes, from);
    case 4:
        return merged<4>(a, lanes, from);
    case 8:
        return merged<8>(a, lanes, from);
    case 12:
        return merged<12>(a, lanes, from);
    default:
        return merged<16>(a, lanes, from);
    }
}

bool all_within(const Access& a, u64 lanes, u64 size) {
    for (u64 mask = lanes; mask != 0; mask &= mask - 1)
        for (u32 part = 0; part < a.parts; ++part)
            if (part_address(a, static_cast<u32>(std::countr_zero(mask)), part) + a.bytes > size)
                return false;
    return true;
}

template <u32 Bytes> void define_local(const Access& a, u32 part, u64 lanes, u8* shadow) {
    for (; lanes != 0; lanes &= lanes - 1)
        std::memset(
            shadow + part_address(a, static_cast<u32>(std::countr_zero(lanes)), part), 0, Bytes);
}

void define_local(const Access& a, u32 part, u64 lanes, u8* shadow) {
    switch (a.bytes) {
    case 1:
        return define_local<1>(a, part, lanes, shadow);
    case 2:
        return define_local<2>(a, part, lanes, shadow);
    case 4:
        return define_local<4>(a, part, lanes, shadow);
    case 8:
        return define_local<8>(a, part, lanes, shadow);
    case 12:
        return define_local<12>(a, part, lanes, shadow);
    default:
        return define_local<16>(a, part, lanes, shadow);
    }
}

/// Marks a run of bytes as defined that grows as long as the next lane's follow.
struct Run {
    DefinedBits& bits;
    u64 first = 0;
    u64 count = 0;
    void add(u64 at, u64 bytes) {
        if (count != 0 && at != first + count)
            flush();
        first = count == 0 ? at : first;
        count += bytes;
    }
    void flush() {
        bits.set(first, count);
        count = 0;
    }
};

} // namespace

bool Definedness::all_defined(const Wave& w, u64 lanes, Bounds& bounds) const {
    const Access& a = w.access;
    if (lanes == 0 || a.space == Space::scratch)
        return lanes == 0;
    if (a.space == Space::lds)
        return all_within(a, lanes, lds_bytes_) && merged(a, lanes, lds_.data()) == 0;
    const Allocation* const holder = bounds.common_holder(a, lanes);
    return holder != nullptr && holder->undefined_bits() == nullptr;
}

/// Stores of defined values; false if the general way has to be gone.
bool Definedness::define_memory(const Wave& w, u32 part, u64 lanes, Bounds& bounds) {
    const Access& a = w.access;
    if (a.space == Space::scratch || lanes == 0)
        return lanes == 0;
    if (a.space == Space::lds) {
        if (!all_within(a, lanes, lds_bytes_))
            return false;
        define_local(a, part, lanes, lds_.data());
        return true;
    }
    const Allocation* const holder = bounds.common_holder(a, lanes);
    if (holder == nullptr)
        return false;
    if (holder->undefined_bits() == nullptr)
        return true;
    Run run{*holder->defined};
    for (u64 mask = lanes; mask != 0; mask &= mask - 1)
        run.add(a.address[std::countr_zero(mask)] - holder->begin, a.bytes);
    run.flush();
    return true;
}

void Definedness::load(Wave& w, WaveState& s, const Instruction& in, u64 lanes, Bounds& bounds) {
    const Operand& to = in.operand[0];
    const Access& a = w.access;
    const LoadForm form = load_form(in.row->name);
    const u32 words = to.words / a.parts;
    const u64 cleared = in.row->unit == Unit::flat ? lanes : w.exec();
    const bool clean = all_defined(w, lanes, bounds);
    for (u32 part = 0; part < a.parts; ++part)
        for (u32 word = 0; word < words; ++word) {
            const u32 row = to.index + part * words + word;
            if (clean && !is_dirty(s, row))
                continue;
            Register& bits = shadow(w, row);
            for (u64 mask = cleared; mask != 0; mask &= mask - 1)
                bits.lane[std::countr_zero(mask)] &= form.kept;
            for (u64 mask = clean ? 0 : lanes; mask != 0; mask &= mask - 1) {
                const auto lane = static_cast<u32>(std::countr_zero(mask));
                const u64 address = part_address(a, lane, part) + 4 * u64{word};
                const u32 found = memory_bits(w, lane, address, std::min<u32>(a.bytes, 4), bounds);
                bits.lane[lane] |= loaded_bits(form, found);
            }
            refresh(w, s, row);
        }
}

void Definedness::load_scalars(Wave& w, WaveState& s, const Instruction& in, Bounds& bounds) {
    const Operand& to = in.operand[0];
    for (u32 word = 0; word < to.words; ++word)
        s.scalar[to.index + word] =
            memory_bits(w, 0, w.access.address[0] + 4 * u64{word}, 4, bounds);
}

void Definedness::store_operand(Wave& w,
                                const WaveState& s,
                                const Instruction& in,
                                const Operand& o,
                                u32 part,
                                u64 lanes,
                                Bounds& bounds,
                                const Reporter& report) {
    const Access& a = w.access;
    const u32 shift = in.row->name.ends_with("_d16_hi") ? 16 : 0;
    const u32 bytes = std::min<u32>(a.bytes, 4);
    const u32 used = bytes == 4 ? kAll : (1U << (8 * bytes)) - 1U;
    const bool seen = a.space == Space::global || is_atomic(in);
    bool dirty = false;
    for (u32 word = 0; word < o.words; ++word)
        dirty = dirty || is_dirty(s, o.index + word);
    if (!dirty && (is_atomic(in) || define_memory(w, part, lanes, bounds)))
        return;
    for (u64 mask = lanes; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<u32>(std::countr_zero(mask));
        for (u32 word = 0; word < o.words && 4 * word < a.bytes; ++word) {
            const u64 address = part_address(a, lane, part) + 4 * u64{word};
            const u32 bits = shadow(w, o.index + word).lane[lane] >> shift & used;
            if (bits != 0 && seen)
                report("undefined",
                       fmt::format("stores an uninitialised value to {:#x}", address),
                       static_cast<int>(lane));
            if (!is_atomic(in))
                set_memory(w, lane, address, bytes, bits, bounds);
        }
    }
}

void Definedness::load_old_value(
    Wave& w, WaveState& s, const Operand& o, u64 lanes, Bounds& bounds) const {
    for (u32 word = 0; word < o.words; ++word) {
        for (u64 mask = lanes; mask != 0; mask &= mask - 1) {
            const auto lane = static_cast<u32>(std::countr_zero(mask));
            shadow(w, o.index + word).lane[lane] =
                memory_bits(w, lane, w.access.address[lane] + 4 * u64{word}, 4, bounds);
        }
        refresh(w, s, o.index + word);
    }
}

void Definedness::store(Wave& w,
                        WaveState& s,
                        const Instruction& in,
                        u64 lanes,
                        Bounds& bounds,
                        const Reporter& report) {
    u32 part = 0;
    for (u32 i = 0; i < in.operands; ++i)
        if (is_data(in, i) && in.operand[i].role != Role::write)
            store_operand(w, s, in, in.operand[i], part++, lanes, bounds, report);
    if (is_atomic(in) && gives_back(in))
        load_old_value(w, s, in.operand[0], lanes, bounds);
}

void Definedness::access(
    Wave& w, const Instruction& in, u64 lanes, Bounds& bounds, const Reporter& report) {
    WaveState& s = waves_[w.number];
    check_address(w, s, in, lanes, report);
    if (in.row->unit == Unit::smem) {
        load_scalars(w, s, in, bounds);
        return;
    }
    if (in.row->name == "global_load_lds_dword") {
        const u64 start = (w.s[kM0] & 0xffffU) + static_cast<u32>(in.offset);
        for (u64 mask = lanes; mask != 0; mask &= mask - 1)
            if (const u64 at = start + 4 * static_cast<u64>(std::countr_zero(mask));
                at + 4 <= lds_.size())
                std::fill_n(lds_.begin() + static_cast<std::ptrdiff_t>(at), 4, u8{0});
        return;
    }
    if (is_store(in) || is_atomic(in))
        store(w, s, in, lanes, bounds, report);
    else
        load(w, s, in, lanes, bounds);
}

} // namespace kbuild::emulator
