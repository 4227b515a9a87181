#include "checks/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace kbuild::emulator {

Races::Races(u32 waves, u32 lds_bytes)
    : waves_(waves), bytes_(lds_bytes), words_(lds_bytes / 4 + 1), split_(words_.size()),
      clock_(waves, 1), seen_(std::size_t{waves} * waves, 0), recent_(waves),
      released_(words_.size()) {}

void Races::begin_group() {
    std::fill(words_.begin(), words_.end(), Cell{});
    if (any_split_)
        std::fill(split_.begin(), split_.end(), u8{0});
    any_split_ = false;
    std::fill(clock_.begin(), clock_.end(), 1);
    std::fill(seen_.begin(), seen_.end(), 0);
    for (auto& recent : recent_)
        recent.count = 0;
    if (any_atomic_)
        for (auto& released : released_)
            released.clear();
    any_atomic_ = false;
}

/// The cell of a byte that is not accessed together with its word.
Races::Cell& Races::byte_cell(u32 at) {
    const u32 word = at / 4;
    if (split_[word] == 0) {
        singles_.resize(4 * words_.size());
        std::fill_n(singles_.begin() + 4 * std::ptrdiff_t{word}, 4, words_[word]);
        split_[word] = 1;
        any_split_ = true;
    }
    return singles_[at];
}

Races::Knowledge Races::knowledge(u32 wave) const {
    Knowledge known{};
    std::copy_n(seen_.begin() + std::ptrdiff_t{waves_} * wave, waves_, known.clock.begin());
    known.clock[wave] = ~0U;
    known.clock[kNobody] = ~0U;
    known.own = clock_[wave];
    known.wave = static_cast<u8>(wave);
    return known;
}

void Races::complain(const Cell& cell,
                     const Knowledge& known,
                     const Recent& access,
                     const Reporter& report,
                     int lane) {
    const char* what = "this one writes what the other one reads";
    u32 other = cell.reader;
    if (!known.ordered(cell)) {
        what = access.write ? "both write" : "this one reads what the other one writes";
        other = cell.writer;
    } else if (cell.read_clock <= known.clock[cell.reader]) {
        other = cell.other_reader;
    }
    report("races",
           fmt::format("LDS byte {:#x}: waves {} and {} access it with no barrier between; {}",
                       access.address[static_cast<u32>(lane)],
                       known.wave,
                       other,
                       what),
           lane);
}

template <bool Write> void Races::mark(Cell& cell, const Knowledge& known, bool atomic) {
    if constexpr (Write) {
        cell.writer = known.wave;
        cell.write_clock = known.own;
        cell.atomic = atomic;
        return;
    }
    if (cell.reader != known.wave) {
        cell.other_reader = cell.reader;
        cell.other_read_clock = cell.read_clock;
    }
    cell.reader = known.wave;
    cell.read_clock = known.own;
}

/// The common case: whole words, no atomics. False, with nothing changed in the word that is not
/// fine, if the general way has to look at it.
template <bool Write> bool Races::touch_words(const Knowledge& known, u32 first, u32 count) {
    for (Cell* cell = &words_[first]; cell != &words_[first] + count; ++cell) {
        if (!known.ordered(*cell) || (Write && !known.reads_ordered(*cell)))
            return false;
        mark<Write>(*cell, known, false);
    }
    return true;
}

void Races::touch_bytes(
    const Knowledge& known, u32 at, const Recent& access, const Reporter* report, int lane) {
    for (const u32 end = at + access.bytes; at < end;) {
        const bool whole = at % 4 == 0 && end - at >= 4 && split_[at / 4] == 0;
        Cell& cell = whole ? words_[at / 4] : byte_cell(at);
        // Atomic loads are plain reads in machine code, so a read against an atomic write is let
        // through.
        const bool both_atomic = cell.atomic && (access.atomic || !access.write);
        const bool overwrites = access.write && !access.atomic;
        const bool fine =
            (both_atomic || known.ordered(cell)) && (!overwrites || known.reads_ordered(cell));
        if (!fine && report != nullptr)
            complain(cell, known, access, *report, lane);
        if (access.write)
            mark<true>(cell, known, access.atomic);
        else
            mark<false>(cell, known, false);
        at += whole ? 4 : 1;
    }
}

void Races::touch(u32 wave, const Recent& access, const Reporter* report) {
    const Knowledge known = knowledge(wave);
    const bool simple = !any_split_ && !access.atomic && access.bytes % 4 == 0;
    for (u64 mask = access.mask; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<u32>(std::countr_zero(mask));
        for (u32 part = 0; part < access.parts; ++part) {
            const u32 at =
                access.address[lane] + static_cast<u32>(part == 0 ? i32{0} : access.second);
            if (u64{at} + access.bytes > bytes_)
                continue;
            const bool done = simple && at % 4 == 0 &&
                              (access.write ? touch_words<true>(known, at / 4, access.bytes / 4U)
                                            : touch_words<false>(known, at / 4, access.bytes / 4U));
            if (!done)
                touch_bytes(known, at, access, report, static_cast<int>(lane));
        }
    }
}

bool Races::written_atomically(u64 at) const {
    return split_[at / 4] != 0 ? singles_[at].atomic : words_[at / 4].atomic;
}

/// An atomic instruction learns what the last ones on this word knew, and leaves what it knows
/// (`release`).
void Races::hand_over(u32 wave, u32 at, bool release) {
    auto& released = released_[at / 4];
    released.resize(waves_, 0);
    u32* const own = &seen_[std::size_t{wave} * waves_];
    own[wave] = clock_[wave];
    for (u32 v = 0; v < waves_; ++v) {
        own[v] = std::max(own[v], released[v]);
        released[v] = release ? own[v] : released[v];
    }
}

/// A plain read of what an atomic instruction wrote may be an atomic load: it acquires.
void Races::synchronise(u32 wave, const Recent& access) {
    any_atomic_ = any_atomic_ || access.atomic;
    if (!any_atomic_ || (access.write && !access.atomic))
        return;
    for (u64 mask = access.mask; mask != 0; mask &= mask - 1) {
        const u32 at = access.address[static_cast<std::size_t>(std::countr_zero(mask))];
        if (u64{at} + access.bytes <= bytes_ && (access.atomic || written_atomically(at)))
            hand_over(wave, at, access.atomic);
    }
}

void Races::access(const Wave& w, const Waits& waits, const Reporter& report) {
    if (waves_ < 2)
        return;
    const Access& a = w.access;
    RecentList& list = recent_[w.number];
    list.drop_done(waits.lds_done());
    Recent& recent = list.at(list.count);
    list.count = std::min<u32>(list.count + 1, 15);
    recent.ticket = waits.lds_issued();
    recent.mask = a.mask;
    recent.second = a.second;
    recent.parts = a.parts;
    recent.bytes = a.bytes;
    recent.write = a.write;
    recent.atomic = a.atomic;
    for (u32 lane = 0; lane < kLanes; ++lane)
        recent.address[lane] = static_cast<u32>(a.address[lane]);
    synchronise(w.number, recent);
    touch(w.number, recent, &report);
    if (a.atomic)
        ++clock_[w.number];
}

void Races::barrier(const std::vector<Waits>& waits, const std::vector<Wave>& waves) {
    for (u32 w = 0; w < waves_; ++w)
        for (u32 v = 0; v < waves_; ++v)
            seen_[std::size_t{w} * waves_ + v] = clock_[v];
    for (auto& clock : clock_)
        ++clock;
    for (u32 w = 0; w < waves_; ++w) {
        recent_[w].drop_done(waits[w].lds_done());
        for (u32 i = 0; waves[w].waiting && i < recent_[w].count; ++i)
            touch(w, recent_[w].at(i), nullptr);
    }
}

} // namespace kbuild::emulator
