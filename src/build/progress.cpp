#include "kbuild/build/progress.hpp"

#include "kbuild/build/expected_steps.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace kbuild::build {
namespace {

constexpr std::string_view kArchive = ".a";

/// `gemm_rocm64` of `libgemm_rocm64.a`.
std::string_view library_in(std::string_view archive) {
    archive.remove_prefix(std::min<std::size_t>(3, archive.size()));
    archive.remove_suffix(std::min(kArchive.size(), archive.size()));
    return archive;
}

std::string_view name_in_path(std::string_view path) {
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

/// What a variant is made of: its module, the libraries in that, and those of other trees.
std::set<std::string, std::less<>> owners_for(const Plan& plan, const std::string& target) {
    std::set<std::string, std::less<>> owners{std::string(owner_of(target))};
    for (const auto& tree : plan.trees)
        for (const auto& module : tree.modules) {
            if (!owners.contains(module.name))
                continue;
            owners.insert(module.libraries.begin(), module.libraries.end());
            for (const auto& archive : module.archives)
                owners.insert(std::string(library_in(name_in_path(archive))));
        }
    return owners;
}

} // namespace

std::string_view to_string(VariantState state) {
    switch (state) {
    case VariantState::built:
        return "built";
    case VariantState::fresh:
        return "fresh";
    case VariantState::compile_failed:
        return "compile failed";
    case VariantState::check_failed:
        return "check failed";
    }
    return "";
}

std::string_view owner_of(std::string_view output) {
    auto rest = output.substr(output.find('/') + 1); // behind the tree
    if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
        if (rest.starts_with("device/"))
            rest.remove_prefix(slash + 1);
        return rest.substr(0, rest.find('/'));
    }
    return rest.starts_with("lib") && rest.ends_with(kArchive) ? library_in(rest) : rest;
}

std::string short_name(std::string_view output) {
    auto name = name_in_path(output);
    for (const std::string_view ending : {".o", ".co"})
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
            break;
        }
    // Device passes have the number of their source before its name.
    if (const auto dash = name.find_first_not_of("0123456789");
        dash != 0 && dash != std::string_view::npos && name[dash] == '-' &&
        support::contains(output, "/device/"))
        name.remove_prefix(dash + 1);
    return fmt::format("{} ({})", name, owner_of(output));
}

std::optional<double> seconds_left(const std::vector<UnfinishedStep>& steps, unsigned jobs) {
    double known = 0;
    std::size_t count = 0;
    for (const auto& step : steps)
        if (step.remembered) {
            known += *step.remembered;
            ++count;
        }
    if (count == 0 || 2 * count < steps.size())
        return std::nullopt;
    const double usual = known / static_cast<double>(count);
    double work = 0;
    double longest = 0;
    for (const auto& step : steps) {
        const double left = std::max(0.0, step.remembered.value_or(usual) - step.running);
        work += left;
        longest = std::max(longest, left);
    }
    if (work <= 0)
        return std::nullopt;
    return std::max(longest, work / std::max(1U, jobs));
}

Progress::Progress(const Plan& plan) {
    for (const auto& variant : plan.variants)
        variants_.push_back({variant.selected.variant.name(),
                             variant.target.empty() ? std::set<std::string, std::less<>>()
                                                    : owners_for(plan, variant.target),
                             std::nullopt});
}

void Progress::expect(const ExpectedSteps& expected) {
    for (const auto& step : expected.steps)
        if (unfinished_.insert_or_assign(step.output, step.seconds).second)
            ++counts_[std::string(owner_of(step.output))].total;
    total_ = expected.steps.size();
    jobs_ = expected.jobs;
}

void Progress::end(const EndedStep& step) {
    ended_ = step.ended;
    total_ = step.total;
    const std::string output(output_of(step.what));
    began_.erase(output);
    if (unfinished_.erase(output) != 0) // a step that is tried again counts once
        ++counts_[std::string(owner_of(output))].ended;
}

void Progress::fail(const std::string& output) {
    failed_.insert(output);
}

void Progress::see_running(const std::vector<std::string>& outputs, double now) {
    std::map<std::string, double, std::less<>> began;
    for (const auto& output : outputs) {
        const auto known = began_.find(output);
        began[output] = known == began_.end() ? now : known->second;
    }
    began_ = std::move(began);
}

void Progress::end(const std::string& variant, VariantState state) {
    for (auto& known : variants_)
        if (known.name == variant)
            known.end = state;
}

std::optional<double> Progress::left(double now) const {
    std::vector<UnfinishedStep> steps;
    for (const auto& [output, seconds] : unfinished_) {
        const auto began = began_.find(output);
        steps.push_back({seconds, began == began_.end() ? 0 : now - began->second});
    }
    return seconds_left(steps, jobs_);
}

std::vector<RunningStep> Progress::running(double now) const {
    std::vector<RunningStep> steps;
    for (const auto& [output, began] : began_)
        steps.push_back({output, now - began});
    std::sort(steps.begin(), steps.end(), [](const RunningStep& a, const RunningStep& b) {
        return std::tie(b.seconds, a.output) < std::tie(a.seconds, b.output);
    });
    return steps;
}

std::vector<VariantProgress> Progress::variants() const {
    std::vector<VariantProgress> all;
    for (const auto& variant : variants_) {
        VariantProgress progress{variant.name, 0, 0, false, false, variant.end};
        for (const auto& owner : variant.owners)
            if (const auto count = counts_.find(owner); count != counts_.end()) {
                progress.ended += count->second.ended;
                progress.total += count->second.total;
            }
        const auto is_of = [&variant](std::string_view output) {
            return variant.owners.contains(owner_of(output));
        };
        progress.running = std::any_of(
            began_.begin(), began_.end(), [&](const auto& step) { return is_of(step.first); });
        progress.failed = std::any_of(failed_.begin(), failed_.end(), is_of);
        all.push_back(std::move(progress));
    }
    return all;
}

} // namespace kbuild::build
