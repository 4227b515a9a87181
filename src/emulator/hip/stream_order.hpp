#pragma once

#include "kbuild/emulator/memory_access.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kbuild::emulator::hip {

/// One of the lines of work that run beside each other: the host, or a stream.
using Actor = std::uint64_t;
inline constexpr Actor kHost = 0;

/// For each actor, up to which of its operations everything has happened (a vector clock).
using Moment = std::map<Actor, std::uint64_t>;

/// Two accesses to the same bytes, at least one of them a write, that nothing puts in an order.
struct Disorder {
    std::string earlier; ///< the operation that was started first
    Actor earlier_actor = kHost;
    bool earlier_writes = false;
    MemoryAccess access; ///< of the later one
};

/// Follows what is ordered before what. Operations are done when they are started; on a GPU those
/// of two streams happen in any order unless an event or a wait lies between them. A program that
/// relies on the order in which it started them is found here, whatever the result was.
class StreamOrder {
  public:
    /// `blocking`: its operations wait for those of the device's null stream, and the other way
    /// round. `device` is the ordinal.
    Actor add_null_stream(int device);
    Actor add_stream(int device, bool blocking);
    void remove_stream(Actor stream);

    /// An operation on a stream, or of the host itself, and the accesses that it makes. Returns
    /// what is in no order with them, at most one for each access.
    std::vector<Disorder>
    operate(Actor actor, const std::string& name, const std::vector<MemoryAccess>& accesses);

    Moment record(Actor stream);                   ///< for an event
    void wait(Actor stream, const Moment& moment); ///< later operations come after it
    void host_waits_for(const Moment& moment) { wait(kHost, moment); }
    void host_waits_for_stream(Actor stream);
    void host_waits_for_device(int device);

    /// The memory is gone: what is allocated there next has no history.
    void forget(std::uint64_t allocation);

  private:
    struct Stream {
        int device = 0;
        bool blocking = false;
        bool null = false;
        Moment seen;
    };
    struct Past {
        Actor actor = kHost;
        std::uint64_t number = 0; ///< of the operation, counted by actor
        MemoryAccess access;
        std::string name;
    };
    Actor add(Stream stream);
    Moment& seen_by(Actor actor);
    /// What the actor's next operation comes after.
    Moment& arrive(Actor actor);
    void join_blocking(Actor actor, Stream& stream);

    Actor next_ = kHost + 1;
    Moment host_;
    std::map<Actor, Stream> streams_;
    std::map<std::uint64_t, std::vector<Past>> history_; ///< by allocation
};

} // namespace kbuild::emulator::hip
