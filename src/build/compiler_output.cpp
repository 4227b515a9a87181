#include "kbuild/build/compiler_output.hpp"

#include "step_output.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using support::contains;

struct CompilerError {
    fs::path file;
    std::size_t line = 0;
    std::size_t column = 0;
    std::string message;
    auto operator<=>(const CompilerError&) const = default;
};

std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// `path:12:5: error: text` or `path:12:5: fatal error: text`, as clang and gcc write it.
std::optional<CompilerError> parse_error(std::string_view line) {
    for (const std::string_view marker : {": error: ", ": fatal error: "}) {
        const auto at = line.find(marker);
        if (at == std::string_view::npos)
            continue;
        const auto place = line.substr(0, at);
        const auto column_at = place.rfind(':');
        if (column_at == std::string_view::npos || column_at == 0)
            continue;
        const auto line_at = place.rfind(':', column_at - 1);
        if (line_at == std::string_view::npos)
            continue;
        const auto row = number(place.substr(line_at + 1, column_at - line_at - 1));
        const auto column = number(place.substr(column_at + 1));
        if (row && column)
            return CompilerError{fs::path(place.substr(0, line_at)),
                                 *row,
                                 *column,
                                 std::string(line.substr(at + marker.size()))};
    }
    return std::nullopt;
}

struct KnownError {
    std::string_view part;
    std::string_view hint;
};

/// Errors that source meets when it moves between ROCm or torch versions (toolchain.md 4).
constexpr std::array kKnownErrors = {
    KnownError{"'hip/hip_fp8.h' file not found",
               "hip_fp8.h came with ROCm 6.2: leave older ROCm versions out of the matrix, or use "
               "the builtins"},
    KnownError{"__AMDGCN_WAVEFRONT_SIZE",
               "this macro is gone since ROCm 7: waves of gfx9 have 64 lanes, write a constant of "
               "your own"},
    KnownError{"warpSize",
               "`warpSize` is no compile-time constant since ROCm 7: use a constant of your own"},
    KnownError{
        "needs target feature",
        "not every architecture of the build has this instruction: list those that do in the "
        "kernel's `rocm-archs`, or guard the code by a macro such as `__gfx942__`"},
    KnownError{
        "mask must be a 64-bit integer",
        "waves of gfx9 have 64 lanes: write the mask as a 64-bit number with a bit for each, "
        "and look at the bounds of loops over lanes too, or sums leave out half of a wave"},
    KnownError{"'torch/extension.h' file not found",
               "list the file under `[torch] src`, or include <torch/library.h>"},
};

std::optional<std::string> known_hint(const std::string& message) {
    for (const auto& known : kKnownErrors)
        if (contains(message, known.part))
            return std::string(known.hint);
    return std::nullopt;
}

/// `rocm64`, `host`: the tree that a step belongs to.
std::string tree_of(const FailedStep& step) {
    return step.output.substr(0, step.output.find('/'));
}

diag::SourceSpan span_of(const CompilerError& error, const fs::path& project) {
    const auto path = error.file.is_absolute() ? error.file : project / error.file;
    const auto text = support::read_file(path, 8U << 20U);
    const auto file =
        std::make_shared<diag::SourceFile>(support::display_path(path), text.value_or(""));
    return {file, {error.line, error.column}, {error.line, error.column + 1}};
}

/// Of one step in a message, in bytes; the log has all of it.
constexpr std::size_t kShownOfStep = 100'000;

bool is_error_line(std::string_view line) {
    return parse_error(line).has_value();
}

std::string log_note(const fs::path& project) {
    return fmt::format("log: `{}`", support::display_path(work_folder(project).logs / "ninja.log"));
}

/// What the first error of a step has beside it: what its compiler said besides, and how it was
/// run.
void add_step(const FailedStep& step, const fs::path& project, std::vector<std::string>& notes) {
    if (says_more_than_errors(step.said, &is_error_line))
        notes.push_back(
            fmt::format("output:\n{}", support::trim(support::end_of(step.said, kShownOfStep))));
    notes.push_back("command: " + step.command);
    notes.push_back(log_note(project));
}

diag::Diagnostic diagnostic_of(const CompilerError& error,
                               const std::vector<const FailedStep*>& steps,
                               const fs::path& project) {
    diag::Diagnostic diagnostic;
    diagnostic.code = "K0501";
    diagnostic.message = error.message;
    diagnostic.span = span_of(error, project);
    std::set<std::string> trees;
    for (const auto* step : steps)
        trees.insert(tree_of(*step));
    diagnostic.notes.push_back(
        fmt::format("in {}", support::join({trees.begin(), trees.end()}, ", ")));
    if (const auto hint = known_hint(error.message))
        diagnostic.help.push_back(*hint);
    return diagnostic;
}

/// Steps end in any order.
void sort_by_output(std::vector<const FailedStep*>& steps) {
    std::sort(steps.begin(), steps.end(), [](const FailedStep* a, const FailedStep* b) {
        return a->output < b->output;
    });
}

/// Steps that failed with the same words.
void report_other(const std::vector<const FailedStep*>& steps,
                  const fs::path& project,
                  diag::Sink& sink) {
    const auto& step = *steps.front();
    diag::Diagnostic diagnostic;
    diagnostic.code = "K0502";
    diagnostic.message = fmt::format("cannot make `{}`", step.output);
    if (steps.size() > 1) {
        std::vector<std::string> others;
        for (std::size_t i = 1; i < steps.size(); ++i)
            others.push_back(fmt::format("`{}`", steps[i]->output));
        diagnostic.notes.push_back(fmt::format("the same for {}", support::join(others, ", ")));
    }
    diagnostic.notes.push_back("command: " + step.command);
    if (!support::trim(step.said).empty())
        diagnostic.notes.emplace_back(support::trim(support::end_of(step.said, kShownOfStep)));
    diagnostic.notes.push_back(log_note(project));
    sink.report(std::move(diagnostic));
}

/// A compile that was killed also when it ran alone: how much memory it held, what to do.
void report_killed(const FailedStep& step, diag::Sink& sink) {
    diag::Diagnostic diagnostic;
    diagnostic.code = "K0503";
    diagnostic.message = fmt::format("the compile of `{}` was killed twice, the second time while "
                                     "it ran alone: it held {}",
                                     step.output,
                                     support::human_size(step.killed->peak));
    diagnostic.notes.push_back("command: " + step.command);
    diagnostic.help.emplace_back(
        "give the machine or its control group more memory, or stop what else runs on it");
    diagnostic.help.emplace_back("build fewer things at a time: `-j 1`, fewer `--arch`");
    sink.report(std::move(diagnostic));
}

} // namespace

void report_failures(const std::vector<FailedStep>& failed,
                     const fs::path& project,
                     diag::Sink& sink) {
    std::map<CompilerError, std::vector<const FailedStep*>> errors;
    std::map<std::string, std::vector<const FailedStep*>> others; // by what they said
    for (const auto& step : failed) {
        bool found = step.killed.has_value();
        if (found)
            report_killed(step, sink);
        for (const auto& line : support::split(step.said, '\n'))
            if (const auto error = parse_error(line)) {
                auto& steps = errors[*error];
                if (steps.empty() || steps.back() != &step)
                    steps.push_back(&step);
                found = true;
            }
        if (!found)
            others[std::string(support::trim(step.said))].push_back(&step);
    }
    for (auto& [said, steps] : others) {
        sort_by_output(steps);
        report_other(steps, project, sink);
    }
    std::set<const FailedStep*> shown;
    for (auto& [error, steps] : errors) {
        sort_by_output(steps);
        auto diagnostic = diagnostic_of(error, steps, project);
        if (shown.insert(steps.front()).second)
            add_step(*steps.front(), project, diagnostic.notes);
        sink.report(std::move(diagnostic));
    }
}

} // namespace kbuild::build
