#pragma once

#include "kbuild/http/send.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <vector>

/// A server in a function: what it answers to each request, which are kept.
class ScriptedTransport : public kbuild::http::Transport {
  public:
    using Outcome = tl::expected<kbuild::http::Response, kbuild::http::Failure>;
    using Answer = std::function<Outcome(const kbuild::http::Request&)>;
    explicit ScriptedTransport(Answer answer) : answer_(std::move(answer)) {}

    Outcome exchange(const kbuild::http::Request& request) override {
        const std::lock_guard lock(mutex_);
        seen.push_back(request);
        auto outcome = answer_(request);
        if (outcome && outcome->url.empty())
            outcome->url = request.url;
        return outcome;
    }

    std::vector<kbuild::http::Request> seen;

  private:
    Answer answer_;
    std::mutex mutex_;
};

/// Waits for nothing.
class NoPause : public kbuild::http::Pause {
  public:
    bool wait(std::chrono::milliseconds) override { return true; }
    double chance() override { return 0; }
    std::int64_t now() override { return 0; }
};

inline std::string path_of(const kbuild::http::Request& request) {
    const auto host = request.url.find("://");
    return request.url.substr(request.url.find('/', host + 3));
}

inline const std::string& text_of(const kbuild::http::Request& request) {
    return std::get<std::string>(request.body);
}

inline kbuild::http::Response answer_json(std::string body, long status = 200) {
    return {status, {{"content-type", "application/json"}}, std::move(body), {}};
}
