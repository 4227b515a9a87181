#include "kbuild/build/timings.hpp"

#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

namespace kbuild::build {
namespace {

std::optional<std::int64_t> whole_number(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

std::vector<TimedStep> timed_steps(std::string_view log, std::int64_t since) {
    std::vector<TimedStep> steps;
    for (const auto& line : support::split(log, '\n')) {
        const auto fields = support::split(line, '\t');
        if (fields.size() != 5)
            continue;
        const auto begin = whole_number(fields[0]);
        const auto end = whole_number(fields[1]);
        const auto time = whole_number(fields[2]);
        if (begin && end && time && *time >= since)
            steps.push_back({fields[3], *begin, *end});
    }
    std::sort(steps.begin(), steps.end(), [](const TimedStep& a, const TimedStep& b) {
        return std::tie(a.begin, a.output) < std::tie(b.begin, b.output);
    });
    return steps;
}

} // namespace kbuild::build
