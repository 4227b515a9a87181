#include "kbuild/build/timings.hpp"

#include "kbuild/support/numbers.hpp"
#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <tuple>

namespace kbuild::build {

std::vector<LoggedStep> logged_steps(std::string_view log) {
    std::vector<LoggedStep> steps;
    for (const auto& line : support::split(log, '\n')) {
        const auto fields = support::split(line, '\t');
        if (fields.size() != 5)
            continue;
        const auto begin = support::whole_number<std::int64_t>(fields[0]);
        const auto end = support::whole_number<std::int64_t>(fields[1]);
        const auto time = support::whole_number<std::int64_t>(fields[2]);
        if (begin && end && time)
            steps.push_back({fields[3], *begin, *end, *time});
    }
    return steps;
}

std::vector<TimedStep> timed_steps(std::string_view log, std::int64_t since) {
    std::vector<TimedStep> steps;
    for (auto& step : logged_steps(log))
        if (step.time >= since)
            steps.push_back({std::move(step.output), step.begin, step.end});
    std::sort(steps.begin(), steps.end(), [](const TimedStep& a, const TimedStep& b) {
        return std::tie(a.begin, a.output) < std::tie(b.begin, b.output);
    });
    return steps;
}

} // namespace kbuild::build
