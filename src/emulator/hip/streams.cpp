#include "hip/streams.hpp"

#include <fmt/format.h>

namespace kbuild::emulator::hip {
namespace {

constexpr unsigned kNonBlocking = 1; ///< hipStreamNonBlocking

/// hipStreamLegacy and hipStreamPerThread are small numbers, not handles.
bool is_null_stream(hipStream_t stream) {
    return reinterpret_cast<std::uintptr_t>(stream) <= 2;
}

timespec monotonic_time() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

std::string sentence(const std::string& what,
                     const StreamInfo& stream,
                     const Disorder& disorder,
                     const std::string& earlier_stream) {
    return fmt::format(
        "`{}` on {} {} {} bytes that `{}` on {} {}, and nothing puts the two in an order: they run "
        "at the same time on a GPU. Launch on the stream that is current (in a torch binding: "
        "getCurrentCUDAStream()), or let one stream wait for an event of the other",
        what,
        stream.name,
        disorder.access.write ? "writes" : "reads",
        disorder.access.end - disorder.access.begin,
        disorder.earlier,
        earlier_stream,
        disorder.earlier_writes ? "writes" : "reads");
}

} // namespace

Streams::Streams(int devices) {
    names_[kHost] = "the host";
    for (int device = 0; device < devices; ++device) {
        const std::string name =
            devices == 1 ? "the null stream" : fmt::format("the null stream of device {}", device);
        null_streams_.push_back({order_.add_null_stream(device), device, 0, 0, name});
        names_[null_streams_.back().actor] = name;
    }
}

hipStream_t Streams::create(int device, unsigned flags, int priority) {
    const std::lock_guard lock(mutex_);
    auto info = std::make_unique<StreamInfo>();
    info->actor = order_.add_stream(device, (flags & kNonBlocking) == 0);
    info->device = device;
    info->flags = flags;
    info->priority = priority;
    info->name = fmt::format("stream {}", ++created_);
    names_[info->actor] = info->name;
    auto* const handle = info.get();
    streams_[handle] = std::move(info);
    return handle;
}

bool Streams::destroy(hipStream_t stream) {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end())
        return false;
    order_.remove_stream(found->second->actor);
    streams_.erase(found);
    return true;
}

std::optional<StreamInfo> Streams::find(hipStream_t stream, int current_device) const {
    if (is_null_stream(stream))
        return null_streams_[static_cast<std::size_t>(current_device)];
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    return found == streams_.end() ? std::nullopt : std::optional<StreamInfo>(*found->second);
}

std::string Streams::name_of(Actor actor) const {
    const auto found = names_.find(actor);
    return found == names_.end() ? "a stream" : found->second;
}

std::vector<std::string> Streams::operate(const StreamInfo& stream,
                                          const std::string& what,
                                          const std::vector<MemoryAccess>& accesses) {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> texts;
    for (const auto& disorder : order_.operate(stream.actor, what, accesses))
        texts.push_back(sentence(what, stream, disorder, name_of(disorder.earlier_actor)));
    return texts;
}

void Streams::record(EventInfo& event, const StreamInfo& stream) {
    const std::lock_guard lock(mutex_);
    event.time = monotonic_time();
    event.moment = order_.record(stream.actor);
}

void Streams::wait(const StreamInfo& stream, const EventInfo& event) {
    const std::lock_guard lock(mutex_);
    order_.wait(stream.actor, event.moment);
}

void Streams::host_waits_for(const EventInfo& event) {
    const std::lock_guard lock(mutex_);
    order_.host_waits_for(event.moment);
}

void Streams::host_waits_for_stream(const StreamInfo& stream) {
    const std::lock_guard lock(mutex_);
    order_.host_waits_for_stream(stream.actor);
}

void Streams::host_waits_for_device(int device) {
    const std::lock_guard lock(mutex_);
    order_.host_waits_for_device(device);
}

void Streams::forget(std::uint64_t allocation) {
    const std::lock_guard lock(mutex_);
    order_.forget(allocation);
}

} // namespace kbuild::emulator::hip
