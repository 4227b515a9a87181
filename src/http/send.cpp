#include "kbuild/http/send.hpp"

#include "kbuild/http/url.hpp"
#include "kbuild/support/cancel.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <curl/curl.h>
#include <mutex>
#include <poll.h>
#include <random>

namespace kbuild::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using support::ErrorKind;
using support::Result;

constexpr int kMaxRedirects = 5;

class RealPause : public Pause {
  public:
    bool wait(milliseconds time) override {
        pollfd stop{support::stop_descriptor(), POLLIN, 0};
        ::poll(&stop, 1, static_cast<int>(time.count()));
        return support::stop_signal() == 0;
    }
    double chance() override {
        const std::lock_guard lock(mutex_);
        return std::uniform_real_distribution<double>(0, 1)(engine_);
    }
    std::int64_t now() override {
        return std::chrono::duration_cast<seconds>(
                   std::chrono::system_clock::now().time_since_epoch())
            .count();
    }

  private:
    std::mutex mutex_;
    std::mt19937_64 engine_{std::random_device{}()};
};

template <typename Number> std::optional<Number> to_number(std::string_view text) {
    Number number{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

bool is_redirect(const Response& response) {
    switch (response.status) {
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
        return response.header("location").has_value();
    default:
        return false;
    }
}

/// The request that a redirect asks for.
tl::expected<Request, Failure> redirected(Request request, const Response& response) {
    const auto target = resolve(request.url, *response.header("location"));
    if (!target)
        return tl::unexpected(Failure{Failure::Kind::refused, "the redirect leads to no URL"});
    const auto from = origin_of(request.url);
    const auto to = origin_of(*target);
    if (from && from->scheme == "https" && to->scheme == "http")
        return tl::unexpected(
            Failure{Failure::Kind::refused,
                    fmt::format("a redirect leads from https to `{}`", shown(*target))});
    const bool changes_method = response.status <= 303 && request.method == Method::post;
    if (changes_method)
        return tl::unexpected(
            Failure{Failure::Kind::refused,
                    fmt::format("the server redirects a POST to `{}`", shown(*target))});
    if (from != to)
        request.authorization = Secret();
    request.url = *target;
    return request;
}

bool can_repeat(Failure::Kind kind) {
    return kind == Failure::Kind::connect || kind == Failure::Kind::timeout ||
           kind == Failure::Kind::broken;
}

/// A refused connection and a server that says «later» have done nothing, whatever the request is.
bool may_repeat(const Request& request, const tl::expected<Response, Failure>& outcome) {
    if (!outcome)
        return outcome.error().kind == Failure::Kind::connect ||
               (request.repeatable && can_repeat(outcome.error().kind));
    if (!is_temporary(outcome->status))
        return false;
    const bool told = (outcome->status == 429 || outcome->status == 503) &&
                      outcome->header("retry-after").has_value();
    return request.repeatable || told;
}

tl::unexpected<support::Error> no_answer(const Request& request, const Failure& failure) {
    const auto kind = failure.kind == Failure::Kind::stopped ? ErrorKind::interrupted
                      : failure.kind == Failure::Kind::local ? ErrorKind::failed
                                                             : ErrorKind::network;
    const std::string hint =
        failure.kind == Failure::Kind::tls
            ? "name a file with the right certificates in `KBUILD_CA_BUNDLE`; checking cannot be "
              "turned off"
            : "";
    return support::fail(kind, fmt::format("{}: {}", describe(request), failure.message), hint);
}

} // namespace

std::unique_ptr<Pause> real_pause() {
    return std::make_unique<RealPause>();
}

RetryPolicy RetryPolicy::from_environment() {
    RetryPolicy policy;
    if (const auto text = support::environment("KBUILD_HTTP_BACKOFF"))
        if (const auto value = to_number<unsigned>(*text))
            policy.first_wait = milliseconds(*value);
    return policy;
}

milliseconds back_off(const RetryPolicy& policy, unsigned attempt, double chance) {
    const auto doublings = std::min(attempt - 1, 20U);
    const auto longest = static_cast<double>(policy.longest_wait.count());
    const auto whole =
        std::min(longest, static_cast<double>(policy.first_wait.count()) * (1U << doublings));
    return milliseconds(static_cast<std::int64_t>(whole / 2 + whole / 2 * chance));
}

std::optional<seconds> retry_after(const std::string& value, std::int64_t now) {
    if (const auto number = to_number<std::uint32_t>(value))
        return seconds(*number);
    const auto date = curl_getdate(value.c_str(), nullptr);
    if (date == -1)
        return std::nullopt;
    return seconds(std::max<std::int64_t>(0, date - now));
}

bool is_temporary(long status) {
    constexpr std::array kTemporary = {408L, 429L, 500L, 502L, 503L, 504L};
    return std::find(kTemporary.begin(), kTemporary.end(), status) != kTemporary.end();
}

std::string describe(const Request& request) {
    return fmt::format("{} {}", to_string(request.method), shown(request.url));
}

tl::expected<Response, Failure> exchange_following(Transport& transport, Request request) {
    for (int hop = 0; hop <= kMaxRedirects; ++hop) {
        auto outcome = transport.exchange(request);
        if (!outcome || !is_redirect(*outcome))
            return outcome;
        auto next = redirected(std::move(request), *outcome);
        if (!next)
            return tl::unexpected(next.error());
        request = std::move(*next);
    }
    return tl::unexpected(
        Failure{Failure::Kind::refused, fmt::format("more than {} redirects", kMaxRedirects)});
}

Result<Response>
send(Transport& transport, const Request& request, const RetryPolicy& policy, Pause& pause) {
    for (unsigned attempt = 1;; ++attempt) {
        auto outcome = exchange_following(transport, request);
        support::log_debug(
            fmt::format("{}: {}",
                        describe(request),
                        outcome ? std::to_string(outcome->status) : outcome.error().message));
        const bool again = attempt < policy.attempts && may_repeat(request, outcome);
        if (!again && outcome)
            return std::move(*outcome);
        if (!again)
            return no_answer(request, outcome.error());
        auto wait = back_off(policy, attempt, pause.chance());
        const auto header = outcome ? outcome->header("retry-after") : std::nullopt;
        const auto told = header ? retry_after(*header, pause.now()) : std::nullopt;
        if (told && *told > policy.patience)
            return std::move(*outcome);
        if (told)
            wait = std::max<milliseconds>(*told, milliseconds(0));
        if (!pause.wait(wait))
            return support::fail(ErrorKind::interrupted, "interrupted");
    }
}

} // namespace kbuild::http
