#include "checks/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace kbuild::emulator {

Races::Races(u32 waves, u32 lds_bytes)
    : waves_(waves), cells_(lds_bytes), clock_(waves, 1), seen_(std::size_t{waves} * waves, 0),
      recent_(waves), released_(lds_bytes / 4 + 1) {}

void Races::begin_group() {
    std::fill(cells_.begin(), cells_.end(), Cell{});
    std::fill(clock_.begin(), clock_.end(), 1);
    std::fill(seen_.begin(), seen_.end(), 0);
    for (auto& recent : recent_)
        recent.clear();
    for (auto& released : released_)
        released.clear();
}

void Races::touch_byte(
    u32 wave, u32 at, bool write, bool atomic, const Reporter* report, int lane) {
    Cell& cell = cells_[at];
    // Atomic loads are plain reads in machine code, so a read against an atomic write is let
    // through.
    const bool both_atomic = cell.atomic && (atomic || !write);
    const char* what = nullptr;
    u32 other = 0;
    if (!both_atomic && !ordered(wave, cell.writer, cell.write_clock)) {
        what = write ? "both write" : "this one reads what the other one writes";
        other = cell.writer;
    } else if (write && !atomic && !ordered(wave, cell.reader, cell.read_clock)) {
        what = "this one writes what the other one reads";
        other = cell.reader;
    } else if (write && !atomic && !ordered(wave, cell.other_reader, cell.other_read_clock)) {
        what = "this one writes what the other one reads";
        other = cell.other_reader;
    }
    if (what != nullptr && report != nullptr)
        (*report)(
            "races",
            fmt::format("LDS byte {:#x}: waves {} and {} access it with no barrier between; {}",
                        at,
                        wave,
                        other,
                        what),
            lane);
    if (write) {
        cell.writer = static_cast<u8>(wave);
        cell.write_clock = clock_[wave];
        cell.atomic = atomic;
        return;
    }
    if (cell.reader != wave && cell.reader != 0xff) {
        cell.other_reader = cell.reader;
        cell.other_read_clock = cell.read_clock;
    }
    cell.reader = static_cast<u8>(wave);
    cell.read_clock = clock_[wave];
}

void Races::touch(
    u32 wave, u32 first, u32 count, bool write, bool atomic, const Reporter* report, int lane) {
    for (u32 i = 0; i < count && first + i < cells_.size(); ++i)
        touch_byte(wave, first + i, write, atomic, report, lane);
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

void Races::access(const Wave& w, const Waits& waits, const Reporter& report) {
    const Access& a = w.access;
    if (waves_ < 2)
        return;
    // A plain read of what an atomic instruction wrote may be an atomic load: it acquires.
    const auto synchronises = [&](u64 at) {
        return at + a.bytes <= cells_.size() && (a.atomic || (!a.write && cells_[at].atomic));
    };
    if (a.atomic || !a.write) {
        for (u64 mask = a.mask; mask != 0; mask &= mask - 1)
            if (const u64 at = a.address[std::countr_zero(mask)]; synchronises(at))
                hand_over(w.number, static_cast<u32>(at), a.atomic);
    }
    Recent recent{waits.lds_issued(), a.write, a.atomic, {}};
    for (u64 mask = a.mask; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<u32>(std::countr_zero(mask));
        for (u32 part = 0; part < a.parts; ++part) {
            const u64 at = a.address[lane] + static_cast<u64>(part == 0 ? i64{0} : i64{a.second});
            if (at + a.bytes > cells_.size())
                continue;
            touch(w.number,
                  static_cast<u32>(at),
                  a.bytes,
                  a.write,
                  a.atomic,
                  &report,
                  static_cast<int>(lane));
            recent.bytes.emplace_back(static_cast<u32>(at), a.bytes);
        }
    }
    if (a.atomic)
        ++clock_[w.number];
    auto& list = recent_[w.number];
    std::erase_if(list, [&](const Recent& old) { return old.ticket <= waits.lds_done(); });
    list.push_back(std::move(recent));
}

void Races::barrier(const std::vector<Waits>& waits, const std::vector<Wave>& waves) {
    for (u32 w = 0; w < waves_; ++w)
        for (u32 v = 0; v < waves_; ++v)
            seen_[std::size_t{w} * waves_ + v] = clock_[v];
    for (auto& clock : clock_)
        ++clock;
    for (u32 w = 0; w < waves_; ++w) {
        std::erase_if(recent_[w],
                      [&](const Recent& old) { return old.ticket <= waits[w].lds_done(); });
        if (!waves[w].waiting)
            continue;
        for (const auto& recent : recent_[w])
            for (const auto& [first, count] : recent.bytes)
                touch(w, first, count, recent.write, recent.atomic, nullptr, -1);
    }
}

} // namespace kbuild::emulator
