#include "hip/stream_order.hpp"

#include <algorithm>

namespace kbuild::emulator::hip {
namespace {

void join(Moment& moment, const Moment& other) {
    for (const auto& [actor, number] : other) {
        auto& known = moment[actor];
        known = std::max(known, number);
    }
}

std::uint64_t number_of(const Moment& moment, Actor actor) {
    const auto found = moment.find(actor);
    return found == moment.end() ? 0 : found->second;
}

bool overlap(const MemoryAccess& a, const MemoryAccess& b) {
    return a.begin < b.end && b.begin < a.end;
}

bool covers(const MemoryAccess& a, const MemoryAccess& b) {
    return a.begin <= b.begin && a.end >= b.end;
}

} // namespace

Actor StreamOrder::add(Stream stream) {
    streams_[next_] = std::move(stream);
    return next_++;
}

Actor StreamOrder::add_null_stream(int device) {
    return add({device, true, true, {}});
}

Actor StreamOrder::add_stream(int device, bool blocking) {
    return add({device, blocking, false, {}});
}

void StreamOrder::remove_stream(Actor stream) {
    streams_.erase(stream);
}

Moment& StreamOrder::seen_by(Actor actor) {
    return actor == kHost ? host_ : streams_[actor].seen;
}

/// The null stream waits for blocking streams of its device, and they wait for it.
void StreamOrder::join_blocking(Actor actor, Stream& stream) {
    if (!stream.blocking)
        return;
    for (const auto& [other, candidate] : streams_)
        if (other != actor && candidate.device == stream.device && candidate.blocking &&
            (stream.null || candidate.null))
            join(stream.seen, candidate.seen);
}

Moment& StreamOrder::arrive(Actor actor) {
    if (actor == kHost)
        return host_;
    auto& stream = streams_[actor];
    join(stream.seen, host_);
    join_blocking(actor, stream);
    return stream.seen;
}

std::vector<Disorder> StreamOrder::operate(Actor actor,
                                           const std::string& name,
                                           const std::vector<MemoryAccess>& accesses) {
    Moment& now = arrive(actor);
    const std::uint64_t number = ++now[actor];
    std::vector<Disorder> found;
    const auto happened = [&](const Past& past) {
        return past.number <= number_of(now, past.actor);
    };
    for (const auto& access : accesses) {
        auto& pasts = history_[access.allocation];
        const auto disorder = std::find_if(pasts.begin(), pasts.end(), [&](const Past& past) {
            return (past.access.write || access.write) && overlap(past.access, access) &&
                   !happened(past);
        });
        const bool is_disorder = disorder != pasts.end();
        if (is_disorder)
            found.push_back({disorder->name, disorder->actor, disorder->access.write, access});
        // Whatever is in no order with a past that goes is in none with this access either.
        std::erase_if(pasts, [&](const Past& past) {
            return covers(access, past.access) && (access.write || !past.access.write) &&
                   (happened(past) || is_disorder);
        });
        pasts.push_back({actor, number, access, name});
    }
    return found;
}

Moment StreamOrder::record(Actor stream) {
    return arrive(stream);
}

void StreamOrder::wait(Actor stream, const Moment& moment) {
    join(seen_by(stream), moment);
}

void StreamOrder::host_waits_for_stream(Actor stream) {
    join(host_, arrive(stream));
}

void StreamOrder::host_waits_for_device(int device) {
    for (const auto& [actor, stream] : streams_)
        if (stream.device == device)
            join(host_, stream.seen);
}

void StreamOrder::forget(std::uint64_t allocation) {
    history_.erase(allocation);
}

} // namespace kbuild::emulator::hip
