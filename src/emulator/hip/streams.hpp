#pragma once

#include "hip/hip_api.hpp"
#include "hip/stream_order.hpp"

#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace kbuild::emulator::hip {

struct StreamInfo {
    Actor actor = kHost;
    int device = 0;
    unsigned flags = 0; ///< 1: does not wait for the null stream
    int priority = 0;
    std::string name; ///< `the null stream`, `stream 2`
};

/// What a hipEvent_t points to.
struct EventInfo {
    timespec time{};
    Moment moment; ///< what had been started on its stream
};

/// The streams of all devices. All operations are done when they are started, but their order is
/// followed (stream_order.hpp).
class Streams {
  public:
    explicit Streams(int devices);

    hipStream_t create(int device, unsigned flags, int priority);
    bool destroy(hipStream_t stream);
    /// Null stands for the null stream of `current_device`. Nothing if there is no such stream.
    std::optional<StreamInfo> find(hipStream_t stream, int current_device) const;

    /// The disorders as texts; `what` is the operation with its stream.
    std::vector<std::string> operate(const StreamInfo& stream,
                                     const std::string& what,
                                     const std::vector<MemoryAccess>& accesses);

    void record(EventInfo& event, const StreamInfo& stream);
    void wait(const StreamInfo& stream, const EventInfo& event);
    void host_waits_for(const EventInfo& event);
    void host_waits_for_stream(const StreamInfo& stream);
    void host_waits_for_device(int device);
    void forget(std::uint64_t allocation);

  private:
    std::string name_of(Actor actor) const;

    mutable std::mutex mutex_;
    StreamOrder order_;
    std::vector<StreamInfo> null_streams_; ///< by device
    std::map<hipStream_t, std::unique_ptr<StreamInfo>> streams_;
    std::map<Actor, std::string> names_;
    int created_ = 0;
};

} // namespace kbuild::emulator::hip
