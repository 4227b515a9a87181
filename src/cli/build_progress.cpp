#include "build_progress.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace kbuild::cli {
namespace {

using build::Stage;
using build::VariantState;
using ui::StatusItem;

constexpr double kBetweenDraws = 0.1;
constexpr double kBetweenLines = 30;
/// Ninja's ticks come ten times a second: after such a gap the program was stopped, and what stands
/// at the end of the terminal is not the block.
constexpr double kStoppedFor = 3;
constexpr std::size_t kNamedInLine = 3;

ProgressOutput::Shape shape_for(const Globals& globals) {
    using Shape = ProgressOutput::Shape;
    if (globals.verbosity < 0)
        return Shape::nothing;
    if (globals.style.format == ui::MessageFormat::github)
        return Shape::github;
    if (globals.verbosity > 0)
        return Shape::every_step;
    const bool for_people = globals.style.format != ui::MessageFormat::json;
    return for_people && ui::can_redraw(STDERR_FILENO) ? Shape::block : Shape::lines;
}

/// `gemm.hip.gfx942 (gemm_rocm64) for 0:39`.
std::string since(const build::RunningStep& step) {
    return fmt::format("{} for {}", build::short_name(step.output), ui::clock_text(step.seconds));
}

} // namespace

ProgressOutput progress_output(const Context& context) {
    ProgressOutput output;
    output.shape = shape_for(context.globals());
    output.write = [](const std::string& text) {
        std::fwrite(text.data(), 1, text.size(), stderr);
    };
    output.clock = [] {
        const auto time = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::duration<double>(time).count();
    };
    output.style = [color = context.globals().style.color]() -> std::optional<ui::StatusStyle> {
        if (!ui::is_in_foreground(STDERR_FILENO))
            return std::nullopt;
        return ui::StatusStyle{ui::terminal_size(STDERR_FILENO), color, ui::has_utf8_locale()};
    };
    return output;
}

BuildProgress::BuildProgress(ProgressOutput output, const build::Plan& plan)
    : output_(std::move(output)), progress_(plan), stage_began_(now()), drawn_(now()), said_(now()),
      ticked_(now()) {}

BuildProgress::~BuildProgress() {
    finish();
}

void BuildProgress::finish() {
    close_group();
    if (const auto text = block_.erase(); !text.empty())
        output_.write(text);
}

void BuildProgress::line(const std::string& text) {
    said_ = now();
    if (output_.shape == Shape::block) {
        output_.write(block_.erase() + text + "\n");
        redraw();
    } else if (output_.shape != Shape::nothing) {
        output_.write(text + "\n");
    }
}

void BuildProgress::say(const std::string& text) {
    line(text);
}

void BuildProgress::redraw() {
    drawn_ = now();
    if (const auto style = output_.style())
        output_.write(block_.draw(ui::status_lines(status(), *style)));
    else
        block_.leave(); // others write behind it now
}

/// What time alone asks for.
void BuildProgress::update() {
    if (output_.shape == Shape::block && now() - drawn_ >= kBetweenDraws)
        redraw();
    else if (output_.shape != Shape::block && now() - said_ >= kBetweenLines)
        line(heartbeat());
}

void BuildProgress::close_group() {
    if (std::exchange(group_open_, false))
        line("::endgroup::");
}

void BuildProgress::stage_began(Stage stage) {
    close_group();
    stage_ = stage;
    stage_began_ = ticked_ = now();
    update();
}

void BuildProgress::headers_made(std::size_t made, std::size_t all) {
    headers_made_ = made;
    headers_ = all;
    update();
}

void BuildProgress::steps_expected(const build::ExpectedSteps& expected) {
    progress_.expect(expected);
    const auto count = expected.steps.size();
    if (count == 0 || output_.shape == Shape::block)
        return update();
    if (output_.shape == Shape::github) {
        line(fmt::format("::group::compile and link, {}", support::plural(count, "step")));
        group_open_ = true;
        return;
    }
    const auto left = progress_.left(now());
    line(
        fmt::format("compiling: {}{}",
                    support::plural(count, "step"),
                    left ? fmt::format(", about {} by earlier times", ui::clock_text(*left)) : ""));
}

bool BuildProgress::tells_each_step() const {
    return output_.shape == Shape::every_step || output_.shape == Shape::github;
}

void BuildProgress::step_ended(const build::EndedStep& step) {
    progress_.end(step);
    if (tells_each_step())
        line(fmt::format("[{}/{}] {}", step.ended, step.total, step.what));
    update();
}

void BuildProgress::step_failed(const std::string& output) {
    progress_.fail(output);
    if (output_.shape != Shape::block)
        line("failed: " + output);
    update();
}

void BuildProgress::time_passed(const std::vector<std::string>& running) {
    if (now() - ticked_ > kStoppedFor)
        block_.leave();
    ticked_ = now();
    progress_.see_running(running, ticked_);
    update();
}

void BuildProgress::variant_ended(const std::string& variant, VariantState state) {
    progress_.end(variant, state);
    ++variants_ended_;
    update();
}

StatusItem BuildProgress::item(const build::VariantProgress& variant) const {
    using Kind = StatusItem::Kind;
    StatusItem item{variant.name, "", "waiting", Kind::waiting};
    if (variant.total > 0)
        item.count = fmt::format("{}/{}", variant.ended, variant.total);
    const auto is = [&item](std::string_view state, Kind kind) {
        item.state = state;
        item.kind = kind;
        return item;
    };
    if (variant.end)
        return is(to_string(*variant.end),
                  *variant.end == VariantState::built || *variant.end == VariantState::fresh
                      ? Kind::done
                      : Kind::failed);
    if (variant.failed)
        return is("failed", Kind::failed);
    if (variant.running)
        return is("compiling", Kind::running);
    if (stage_ >= Stage::compile && variant.ended == variant.total && progress_.total() > 0)
        return is("compiled", Kind::done);
    return item;
}

std::string BuildProgress::summary() const {
    const auto passed = ui::clock_text(now() - stage_began_);
    switch (stage_) {
    case Stage::headers:
        return headers_ == 0
                   ? "looking at the plan"
                   : fmt::format("precompiling headers {}/{}, {}", headers_made_, headers_, passed);
    case Stage::configure:
        return fmt::format("configuring, {}", passed);
    case Stage::publish:
        return fmt::format(
            "checking and publishing {}/{}", variants_ended_, progress_.variants().size());
    case Stage::compile:
        break;
    }
    std::string text = fmt::format("compiling {}/{}", progress_.ended(), progress_.total());
    if (progress_.failed() > 0)
        text += fmt::format(", {} failed", progress_.failed());
    text += ", " + passed;
    if (const auto left = progress_.left(now()))
        text += fmt::format(", about {} left", ui::clock_text(*left));
    return text;
}

std::string BuildProgress::heartbeat() const {
    const auto running = progress_.running(now());
    if (stage_ != Stage::compile || running.empty())
        return "still " + summary();
    std::vector<std::string> named;
    for (std::size_t i = 0; i < std::min(kNamedInLine, running.size()); ++i)
        named.push_back(since(running[i]));
    if (running.size() > kNamedInLine)
        named.push_back(fmt::format("{} more", running.size() - kNamedInLine));
    return fmt::format("still {}: {}", summary(), support::join(named, ", "));
}

ui::Status BuildProgress::status() const {
    ui::Status status;
    for (const auto& variant : progress_.variants())
        status.items.push_back(item(variant));
    if (stage_ == Stage::compile)
        for (const auto& step : progress_.running(now()))
            status.running.push_back(since(step));
    status.summary = summary();
    return status;
}

} // namespace kbuild::cli
