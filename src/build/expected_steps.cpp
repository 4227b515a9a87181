#include "kbuild/build/expected_steps.hpp"

#include "ninja_command.hpp"
#include "ninja_output.hpp"

#include "kbuild/build/timings.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

namespace kbuild::build {

std::string_view output_of(std::string_view what) {
    const auto slash = what.find('/');
    if (slash == std::string_view::npos)
        return {};
    const auto blank = what.rfind(' ', slash);
    return blank == std::string_view::npos ? what : what.substr(blank + 1);
}

std::map<std::string, double, std::less<>> remembered_seconds(std::string_view log) {
    std::map<std::string, double, std::less<>> seconds;
    for (const auto& step : logged_steps(log))
        if (step.end >= step.begin)
            seconds[step.output] = static_cast<double>(step.end - step.begin) / 1000;
    return seconds;
}

std::vector<ExpectedStep>
expected_steps(const Plan& plan, const WorkFolder& folder, const toolchain::HostTools& tools) {
    auto command = ninja_command(folder, tools);
    command.arguments = {"-n"};
    for (auto& target : targets_of(plan))
        command.arguments.push_back(std::move(target));
    const auto printed = process::run(command, {.merge_stderr = true});
    if (!printed || !printed->status.ok())
        return {};
    const auto log = support::read_file(folder.work / ".ninja_log");
    const auto remembered = remembered_seconds(log ? std::string_view(*log) : "");
    std::vector<ExpectedStep> steps;
    for (const auto& line : support::split(printed->out, '\n')) {
        const auto step = parse_status(line);
        if (!step)
            continue;
        const auto output = output_of(step->what);
        const auto found = remembered.find(output);
        steps.push_back({std::string(output),
                         found == remembered.end() ? std::nullopt : std::optional(found->second)});
    }
    return steps;
}

} // namespace kbuild::build
