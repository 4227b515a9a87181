#include "kbuild/step/message.hpp"

#include <charconv>

namespace kbuild::step {
namespace {

constexpr std::string_view kOnce = "kbuild-step: killed once ";
constexpr std::string_view kAgain = "kbuild-step: killed again ";

} // namespace

std::string to_line(const Killed& killed) {
    return std::string(killed.again ? kAgain : kOnce) + std::to_string(killed.peak) + " " +
           killed.unit;
}

std::optional<Killed> parse_killed(std::string_view line) {
    const bool again = line.starts_with(kAgain);
    if (!again && !line.starts_with(kOnce))
        return std::nullopt;
    line.remove_prefix(again ? kAgain.size() : kOnce.size());
    Killed killed{{}, 0, again};
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), killed.peak);
    if (error != std::errc{} || end == line.data() + line.size() || *end != ' ')
        return std::nullopt;
    killed.unit = line.substr(static_cast<std::size_t>(end - line.data()) + 1);
    return killed;
}

} // namespace kbuild::step
