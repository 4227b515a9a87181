#pragma once

#include "kbuild/cli/command.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace kbuild::cli {

/// Progress of a transfer with rate and time left: one line that is written over on a terminal, a
/// line every 30 s elsewhere. add() may be called from several threads.
class TransferLine {
  public:
    TransferLine(const Context& context, std::string verb);
    void start(std::uint64_t bytes, std::size_t objects);
    void add(std::int64_t bytes);
    void finish();

  private:
    void show(std::uint64_t done, double seconds) const;
    const Context& context_;
    std::string verb_;
    bool terminal_;
    std::uint64_t total_ = 0;
    std::size_t objects_ = 0;
    std::atomic<std::int64_t> done_ = 0;
    std::mutex mutex_; ///< of what follows
    std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point shown_;
};

/// `12.0 MB of 80.0 MB in 3 objects, 4.0 MB/s, 17 s left`.
std::string
transfer_text(std::uint64_t done, std::uint64_t total, std::size_t objects, double seconds);

} // namespace kbuild::cli
