#include "build_events.hpp"

#include "kbuild/build/expected_steps.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cmath>
#include <fstream>

namespace kbuild::cli {
namespace {

using Event = nlohmann::ordered_json;

std::string_view name_of(build::Stage stage) {
    switch (stage) {
    case build::Stage::headers:
        return "headers";
    case build::Stage::configure:
        return "configure";
    case build::Stage::compile:
        return "compile";
    case build::Stage::publish:
        return "publish";
    }
    return "";
}

/// An event begins with its name and its time, in milliseconds' precision.
Event event(std::string_view reason, double seconds) {
    return {{"reason", reason}, {"time", std::round(seconds * 1000) / 1000}};
}

/// At once: whoever reads it waits for it.
void write_event(std::ostream& out, const Event& event) {
    out << event.dump(-1, ' ', false, Event::error_handler_t::replace) << std::endl;
}

} // namespace

BuildEvents::BuildEvents(std::ostream& out, std::function<double()> clock, build::Watcher& next)
    : out_(out), clock_(std::move(clock)), next_(next) {}

void BuildEvents::stage_began(build::Stage stage) {
    auto line = event("stage-began", clock_());
    line["stage"] = name_of(stage);
    write_event(out_, line);
    next_.stage_began(stage);
}

void BuildEvents::steps_expected(const build::ExpectedSteps& expected) {
    auto line = event("steps-expected", clock_());
    line["jobs"] = expected.jobs;
    line["steps"] = Event::array();
    for (const auto& step : expected.steps) {
        Event entry{{"output", step.output}};
        if (step.seconds)
            entry["seconds"] = *step.seconds;
        line["steps"].push_back(std::move(entry));
    }
    write_event(out_, line);
    next_.steps_expected(expected);
}

void BuildEvents::step_ended(const build::EndedStep& step) {
    auto line = event("step-ended", clock_());
    const std::string output(build::output_of(step.what));
    line["output"] = output;
    line["ended"] = step.ended;
    line["total"] = step.total;
    running_.erase(output);
    write_event(out_, line);
    next_.step_ended(step);
}

void BuildEvents::step_failed(const std::string& output) {
    auto line = event("step-failed", clock_());
    line["output"] = output;
    write_event(out_, line);
    next_.step_failed(output);
}

void BuildEvents::time_passed(const std::vector<std::string>& running) {
    for (const auto& output : running)
        if (!running_.contains(output)) {
            auto line = event("step-seen", clock_());
            line["output"] = output;
            write_event(out_, line);
        }
    running_ = {running.begin(), running.end()};
    next_.time_passed(running);
}

void BuildEvents::variant_ended(const std::string& variant, build::VariantState state) {
    auto line = event("variant-ended", clock_());
    line["variant"] = variant;
    line["result"] = to_string(state);
    write_event(out_, line);
    next_.variant_ended(variant, state);
}

void BuildEvents::build_ended(int exit_code) {
    auto line = event("build-ended", clock_());
    line["exit_code"] = exit_code;
    write_event(out_, line);
}

support::Result<std::unique_ptr<std::ostream>> open_events(const std::string& file) {
    if (file.empty())
        return std::unique_ptr<std::ostream>();
    auto out = std::make_unique<std::ofstream>(file, std::ios::trunc);
    if (!*out)
        return tl::unexpected(support::errno_error(
            fmt::format("cannot write `{}`", support::display_path(file)), errno));
    return out;
}

} // namespace kbuild::cli
