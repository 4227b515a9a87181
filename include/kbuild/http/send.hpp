#pragma once

#include "kbuild/http/transport.hpp"
#include "kbuild/support/result.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace kbuild::http {

/// Time and chance, given from outside so that tests neither sleep nor guess.
class Pause {
  public:
    virtual ~Pause() = default;
    /// Waits; false if the user asked to stop meanwhile.
    virtual bool wait(std::chrono::milliseconds time) = 0;
    /// From 0 (included) to 1 (excluded).
    virtual double chance() = 0;
    /// Seconds since 1970, for a Retry-After that names a date.
    virtual std::int64_t now() = 0;
};

/// The real ones.
std::unique_ptr<Pause> real_pause();

/// How often a request is sent, and how long is waited between.
struct RetryPolicy {
    unsigned attempts = 6;
    std::chrono::milliseconds first_wait{1000};    ///< doubled each time, and half of it by chance
    std::chrono::milliseconds longest_wait{30000}; ///< of what kbuild chooses
    std::chrono::seconds patience{300};            ///< a Retry-After above this is not waited for

    /// `KBUILD_HTTP_BACKOFF` (milliseconds before the first repetition).
    static RetryPolicy from_environment();
};

/// How long to wait before attempt `attempt` (the first repetition is 1).
std::chrono::milliseconds back_off(const RetryPolicy& policy, unsigned attempt, double chance);

/// Seconds that a Retry-After value asks for: a number, or an HTTP date after `now`.
std::optional<std::chrono::seconds> retry_after(const std::string& value, std::int64_t now);

/// Whether an answer with this status may be another one later: 408, 429, 500, 502, 503, 504.
bool is_temporary(long status);

/// Sends a request: follows redirects (without the token to another origin, never from https to
/// http), repeats what failed on the way and temporary answers if the request is repeatable (429
/// and 503 with Retry-After always: the server says that it did nothing). An answer of any status
/// is a Response; an Error of kind `network` means that there was none.
support::Result<Response>
send(Transport& transport, const Request& request, const RetryPolicy& policy, Pause& pause);

/// The same with redirects but without repetition.
tl::expected<Response, Failure> exchange_following(Transport& transport, Request request);

/// `GET https://host/path`, for messages.
std::string describe(const Request& request);

} // namespace kbuild::http
