#include "build_timings.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/ui/html.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kbuild::cli {
namespace {

using nlohmann::ordered_json;
using ui::element;
using ui::Html;

double in_seconds(std::int64_t milliseconds) {
    return static_cast<double>(milliseconds) / 1000;
}

std::int64_t end_of(const std::vector<build::TimedStep>& steps) {
    std::int64_t end = 1;
    for (const auto& step : steps)
        end = std::max(end, step.end);
    return end;
}

double publish_seconds(const build::BuildResult& result) {
    double seconds = 0;
    for (const auto& variant : result.variants)
        seconds += variant.seconds;
    return seconds;
}

std::string shown(double seconds) {
    return fmt::format("{:.2f} s", seconds);
}

/// A step's place in the whole time, as a drawing that needs no style of its own.
Html drawing(const build::TimedStep& step, std::int64_t whole) {
    const auto percent = [whole](std::int64_t part) {
        return fmt::format("{:.2f}%",
                           100.0 * static_cast<double>(part) / static_cast<double>(whole));
    };
    const Html bar = element("rect",
                             {{"x", percent(step.begin)},
                              {"width", percent(std::max<std::int64_t>(step.end - step.begin, 1))},
                              {"y", "2"},
                              {"height", "10"},
                              {"fill", "currentcolor"}},
                             {});
    return element("svg", {{"width", "100%"}, {"height", "14"}, {"role", "img"}}, bar);
}

Html stages(const build::BuildResult& result) {
    const auto row = [](const std::string& name, double seconds) {
        return std::vector<ui::Cell>{{Html::text(name)}, {Html::text(shown(seconds)), true}};
    };
    return ui::html_table({"stage", "time"},
                          {row("precompile headers", result.passes.seconds),
                           row("configure", result.configured.seconds),
                           row("compile and link", result.compiled.seconds),
                           row("check and publish", publish_seconds(result))});
}

Html steps(const std::vector<build::TimedStep>& all) {
    if (all.empty())
        return element("p", "Nothing had to be compiled or linked.", "dim");
    const auto whole = end_of(all);
    std::vector<std::vector<ui::Cell>> rows;
    for (const auto& step : all)
        rows.push_back({{element("code", step.output)},
                        {Html::text(shown(in_seconds(step.end - step.begin))), true},
                        {drawing(step, whole)}});
    return ui::html_table({"step", "time", fmt::format("of {}", shown(in_seconds(whole)))}, rows);
}

} // namespace

std::string timings_json(const build::BuildResult& result) {
    ordered_json out;
    out["format"] = "kbuild-timings-1";
    out["precompile"] = result.passes.seconds;
    out["configure"] = result.configured.seconds;
    out["compile"] = result.compiled.seconds;
    out["publish"] = publish_seconds(result);
    out["steps"] = ordered_json::array();
    for (const auto& step : result.compiled.steps) {
        out["steps"].push_back({{"output", step.output},
                                {"begin", in_seconds(step.begin)},
                                {"end", in_seconds(step.end)}});
        if (step.peak != 0)
            out["steps"].back()["peak-bytes"] = step.peak;
    }
    out["variants"] = ordered_json::array();
    for (const auto& variant : result.variants)
        out["variants"].push_back(
            {{"variant", variant.planned.selected.variant.name()}, {"seconds", variant.seconds}});
    return out.dump(2) + "\n";
}

std::string timings_html(const build::BuildResult& result, const std::string& project) {
    Html body = element("h1", "kbuild build: " + project);
    body += stages(result);
    body += element("h2", "Steps, by when they began");
    body += steps(result.compiled.steps);
    return ui::html_page("Build of " + project, body);
}

support::Result<void> write_timings(const std::filesystem::path& file,
                                    const build::BuildResult& result,
                                    const std::string& project) {
    return support::write_file_atomically(
        file, file.extension() == ".json" ? timings_json(result) : timings_html(result, project));
}

} // namespace kbuild::cli
