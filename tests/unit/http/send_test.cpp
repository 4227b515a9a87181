#include "kbuild/http/send.hpp"

#include <catch2/catch.hpp>

#include <deque>

using namespace kbuild;
using namespace std::chrono_literals;
using http::Failure;
using http::Method;
using http::Request;
using http::Response;
using Outcome = tl::expected<Response, Failure>;

namespace {

class Script : public http::Transport {
  public:
    explicit Script(std::deque<Outcome> outcomes) : outcomes_(std::move(outcomes)) {}
    Outcome exchange(const Request& request) override {
        seen.push_back(request);
        REQUIRE_FALSE(outcomes_.empty());
        auto outcome = std::move(outcomes_.front());
        outcomes_.pop_front();
        return outcome;
    }
    std::vector<Request> seen;

  private:
    std::deque<Outcome> outcomes_;
};

class Notes : public http::Pause {
  public:
    bool wait(std::chrono::milliseconds time) override {
        waits.push_back(time);
        return !stop;
    }
    double chance() override { return 0.5; }
    std::int64_t now() override { return 1'000'000'000; } // Sun, 09 Sep 2001 01:46:40 GMT
    std::vector<std::chrono::milliseconds> waits;
    bool stop = false;
};

Response status(long code, std::vector<http::Header> headers = {}) {
    return {code, std::move(headers), {}, {}};
}

Outcome failure(Failure::Kind kind) {
    return tl::unexpected(Failure{kind, "it failed"});
}

Request post() {
    return {.method = Method::post, .url = "https://hub.test/commit", .repeatable = false};
}

} // namespace

TEST_CASE("waiting doubles, half of it is chance, and it has a limit") {
    const http::RetryPolicy policy{.attempts = 9, .first_wait = 1000ms, .longest_wait = 5000ms};
    CHECK(http::back_off(policy, 1, 0.0) == 500ms);
    CHECK(http::back_off(policy, 1, 0.5) == 750ms);
    CHECK(http::back_off(policy, 3, 0.0) == 2000ms);
    CHECK(http::back_off(policy, 4, 0.0) == 2500ms);
    CHECK(http::back_off(policy, 40, 0.0) == 2500ms);
}

TEST_CASE("Retry-After is a number of seconds or a date") {
    CHECK(http::retry_after("7", 0) == 7s);
    CHECK(http::retry_after("Sun, 09 Sep 2001 01:46:50 GMT", 1'000'000'000) == 10s);
    CHECK(http::retry_after("Sun, 09 Sep 2001 01:46:30 GMT", 1'000'000'000) == 0s);
    CHECK_FALSE(http::retry_after("soon", 0));
    CHECK_FALSE(http::retry_after("-3", 0));
}

TEST_CASE("what is temporary is tried again until it is not, or the attempts are used up") {
    Notes pause;
    Script script({failure(Failure::Kind::broken), status(502), status(200)});
    const auto response = http::send(script, {.url = "https://hub.test/"}, {}, pause);
    REQUIRE(response);
    CHECK(response->status == 200);
    CHECK(pause.waits == std::vector{750ms, 1500ms});

    Script busy({status(503), status(503)});
    CHECK(http::send(busy, {.url = "https://hub.test/"}, {.attempts = 2}, pause)->status == 503);
}

TEST_CASE("the server's Retry-After is kept to") {
    Notes pause;
    Script script({status(429, {{"retry-after", "7"}}), status(200)});
    REQUIRE(http::send(script, {.url = "https://hub.test/"}, {}, pause));
    CHECK(pause.waits == std::vector{7000ms});

    SECTION("but not for an hour: then its answer is the result") {
        Script slow({status(503, {{"retry-after", "3600"}})});
        CHECK(http::send(slow, {.url = "https://hub.test/"}, {}, pause)->status == 503);
    }
}

TEST_CASE("a request that must not be repeated is, where it is certain that nothing happened") {
    Notes pause;
    SECTION("no connection") {
        Script script({failure(Failure::Kind::connect), status(200)});
        CHECK(http::send(script, post(), {}, pause)->status == 200);
    }
    SECTION("the server said later") {
        Script script({status(503, {{"retry-after", "1"}}), status(200)});
        CHECK(http::send(script, post(), {}, pause)->status == 200);
    }
    SECTION("not after a broken connection") {
        Script script({failure(Failure::Kind::broken)});
        CHECK_FALSE(http::send(script, post(), {}, pause));
    }
    SECTION("not after an error of the server") {
        Script script({status(500)});
        CHECK(http::send(script, post(), {}, pause)->status == 500);
    }
}

TEST_CASE("what will not get better is not tried again") {
    Notes pause;
    for (const auto kind : {Failure::Kind::tls,
                            Failure::Kind::too_large,
                            Failure::Kind::local,
                            Failure::Kind::refused}) {
        Script script({failure(kind)});
        const auto response = http::send(script, {.url = "https://hub.test/"}, {}, pause);
        REQUIRE_FALSE(response);
    }
    for (const long code : {400L, 401L, 403L, 404L, 409L, 412L, 413L, 422L}) {
        Script script({status(code)});
        CHECK(http::send(script, {.url = "https://hub.test/"}, {}, pause)->status == code);
    }
    CHECK(pause.waits.empty());
}

TEST_CASE("stopping while waiting is an interruption") {
    Notes pause;
    pause.stop = true;
    Script script({status(503)});
    const auto response = http::send(script, {.url = "https://hub.test/"}, {}, pause);
    REQUIRE_FALSE(response);
    CHECK(response.error().kind == support::ErrorKind::interrupted);
}

TEST_CASE("the token goes along to the same origin only") {
    Notes pause;
    Request request{.url = "https://hub.test/a", .authorization = http::Secret("Bearer t")};
    Script script({status(302, {{"location", "/b"}}),
                   status(302, {{"location", "https://cdn.test/c?sig=1"}}),
                   status(200)});
    REQUIRE(http::send(script, request, {}, pause));
    REQUIRE(script.seen.size() == 3);
    CHECK(script.seen[1].url == "https://hub.test/b");
    CHECK(script.seen[1].authorization.reveal() == "Bearer t");
    CHECK(script.seen[2].url == "https://cdn.test/c?sig=1");
    CHECK(script.seen[2].authorization.empty());
}

TEST_CASE("another port or scheme is another origin") {
    Notes pause;
    Request request{.url = "http://hub.test/a", .authorization = http::Secret("Bearer t")};
    for (const auto* const target : {"http://hub.test:8080/", "https://hub.test/"}) {
        Script script({status(307, {{"location", target}}), status(200)});
        REQUIRE(http::send(script, request, {}, pause));
        CHECK(script.seen[1].authorization.empty());
    }
}

TEST_CASE("redirects that are not followed") {
    Notes pause;
    const auto refused = [&pause](const Request& request, const char* location, long code) {
        Script script({status(code, {{"location", location}})});
        const auto response = http::send(script, request, {}, pause);
        REQUIRE_FALSE(response);
        return response.error().message;
    };
    CHECK(refused({.url = "https://hub.test/"}, "http://hub.test/", 302) ==
          "GET https://hub.test/: a redirect leads from https to `http://hub.test/`");
    CHECK(refused(post(), "https://hub.test/x", 302) ==
          "POST https://hub.test/commit: the server redirects a POST to `https://hub.test/x`");
    CHECK(refused({.url = "https://hub.test/"}, "file:///etc/passwd", 302) ==
          "GET https://hub.test/: the redirect leads to no URL");
    Script circle(std::deque<Outcome>(6, status(302, {{"location", "/"}})));
    CHECK_FALSE(http::send(circle, {.url = "https://hub.test/"}, {}, pause));
}

TEST_CASE("a message shows neither query nor user") {
    CHECK(
        http::describe({.method = Method::put, .url = "https://u:p@s3.test/key?X-Sig=secret#f"}) ==
        "PUT https://s3.test/key");
}
