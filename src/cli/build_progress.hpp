#pragma once

#include "kbuild/build/progress.hpp"
#include "kbuild/build/watcher.hpp"
#include "kbuild/cli/command.hpp"
#include "kbuild/ui/status_block.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::cli {

/// Where the progress of a build goes, and in which shape.
struct ProgressOutput {
    enum class Shape {
        nothing,    ///< -q
        block,      ///< lines of a terminal that are written over
        lines,      ///< what changes, and a heartbeat
        every_step, ///< the same with a line for each step (-v)
        github      ///< the same, folded in the log of GitHub Actions
    };
    Shape shape = Shape::lines;
    std::function<void(const std::string&)> write; ///< text with its line ends, to stderr
    std::function<double()> clock;                 ///< seconds; never goes back
    /// Of a block, asked for each time; nothing while the terminal is somebody else's.
    std::function<std::optional<ui::StatusStyle>()> style;
};

/// As the command line, the terminal and the environment want it.
ProgressOutput progress_output(const Context& context);

/// Shows what a build does while it does it. On a terminal a block: the variants and how far each
/// is, the steps that run, how many are done and about how long the rest takes; at most ten times a
/// second. Elsewhere lines: how much there is to do, what failed, and what runs since when if for
/// 30 s there was nothing to say.
class BuildProgress final : public build::Watcher {
  public:
    BuildProgress(ProgressOutput output, const build::Plan& plan);
    ~BuildProgress() override;

    /// A line for the user, above the block.
    void say(const std::string& line);
    /// While headers are precompiled.
    void headers_made(std::size_t made, std::size_t all);
    /// Takes the block away; called before anything else is written.
    void finish();

    void stage_began(build::Stage stage) override;
    void steps_expected(const build::ExpectedSteps& expected) override;
    void step_ended(const build::EndedStep& step) override;
    void step_failed(const std::string& output) override;
    void time_passed(const std::vector<std::string>& running) override;
    void variant_ended(const std::string& variant, build::VariantState state) override;

  private:
    using Shape = ProgressOutput::Shape;
    bool tells_each_step() const;
    void update();
    void redraw();
    void line(const std::string& text);
    void close_group();
    ui::Status status() const;
    ui::StatusItem item(const build::VariantProgress& variant) const;
    std::string summary() const;
    std::string heartbeat() const;
    double now() const { return output_.clock(); }

    ProgressOutput output_;
    build::Progress progress_;
    ui::LiveLines block_;
    build::Stage stage_ = build::Stage::headers;
    double stage_began_ = 0;
    double drawn_ = 0;
    double said_ = 0;
    double ticked_ = 0;
    std::size_t headers_made_ = 0;
    std::size_t headers_ = 0;
    std::size_t variants_ended_ = 0;
    bool group_open_ = false;
};

} // namespace kbuild::cli
