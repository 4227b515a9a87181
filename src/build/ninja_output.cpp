#include "ninja_output.hpp"

#include "kbuild/support/strings.hpp"

#include <cstdlib>

namespace kbuild::build {
namespace {

constexpr std::string_view kStatus = "@kbuild ";

} // namespace

std::optional<EndedStep> parse_status(std::string_view line) {
    const auto words = support::split(line, ' ');
    if (!line.starts_with(kStatus) || words.size() < 4)
        return std::nullopt;
    return EndedStep{
        std::strtoul(words[1].c_str(), nullptr, 10),
        std::strtoul(words[2].c_str(), nullptr, 10),
        std::string(line.substr(words[0].size() + words[1].size() + words[2].size() + 3))};
}

void NinjaOutput::take(std::string_view line) {
    if (line.starts_with(kStatus)) {
        in_failure_ = false;
        if (const auto step = parse_status(line))
            take_step(*step);
        return;
    }
    if (line.starts_with("FAILED: ")) {
        failed_.push_back({std::string(support::trim(line.substr(8))), {}, {}});
        in_failure_ = true;
        want_command_ = true;
        if (watcher_ != nullptr)
            watcher_->step_failed(failed_.back().output);
        return;
    }
    if (line.starts_with("ninja: ")) {
        in_failure_ = false;
        return;
    }
    if (const auto killed = step::parse_killed(line)) {
        if (killed->again && in_failure_)
            failed_.back().killed = killed;
        else
            killed_.push_back(*killed);
        return;
    }
    if (!in_failure_)
        return;
    if (want_command_) {
        failed_.back().command = line;
        want_command_ = false;
    } else {
        failed_.back().said += std::string(line) + "\n";
    }
}

void NinjaOutput::take_step(const EndedStep& step) {
    if (step.what.starts_with("Building "))
        ++compiles_;
    else if (support::contains(step.what, "shared module"))
        ++links_;
    if (watcher_ != nullptr)
        watcher_->step_ended(step);
}

} // namespace kbuild::build
