#include "build_report.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace kbuild::cli {
namespace {

using build::VariantResult;
using Rows = std::vector<std::vector<std::string>>;

std::string origin(const matrix::Selected& selected) {
    if (selected.torch == nullptr)
        return "-";
    return std::string(
        model::to_string(selected.rocm ? selected.rocm->origin : selected.torch->origin));
}

std::vector<std::string> row(const VariantResult& variant) {
    std::vector<std::string> cells{variant.planned.selected.variant.name(),
                                   std::string(to_string(variant.state))};
    if (!variant.published) {
        cells.insert(cells.end(), {"-", "-", "-", "-", "-"});
    } else {
        const auto& facts = variant.published->facts;
        const auto archs = facts.device_code.archs();
        cells.push_back(support::human_size(facts.bytes));
        cells.push_back(std::to_string(facts.kernels));
        cells.push_back(archs.empty() ? "-" : model::to_string(archs));
        cells.push_back(facts.sha256.substr(0, 12));
        cells.push_back(fmt::format("{:.2f}", variant.seconds));
    }
    cells.push_back(origin(variant.planned.selected));
    return cells;
}

Rows rows(const build::BuildResult& result) {
    Rows all{{"variant", "result", "size", "kernels", "archs", "sha256", "seconds", "sdk"}};
    for (const auto& variant : result.variants)
        all.push_back(row(variant));
    return all;
}

std::string remarks(const build::BuildResult& result) {
    std::string text;
    for (const auto& variant : result.variants)
        if (!variant.planned.selected.remark.empty())
            text += fmt::format("{}: {}\n",
                                variant.planned.selected.variant.name(),
                                variant.planned.selected.remark);
    return text;
}

/// Published ROCm pairs among the variants that ended well.
std::size_t published_pairs(const build::BuildResult& result) {
    std::size_t count = 0;
    for (const auto& variant : result.variants)
        if (variant.published && variant.planned.selected.rocm &&
            variant.planned.selected.published)
            ++count;
    return count;
}

nlohmann::ordered_json variant_json(const VariantResult& variant) {
    nlohmann::ordered_json json;
    json["variant"] = variant.planned.selected.variant.name();
    json["result"] = to_string(variant.state);
    json["id"] = variant.planned.ops_id;
    if (variant.planned.selected.torch != nullptr)
        json["torch"] = variant.planned.selected.torch->full_version;
    if (variant.planned.selected.rocm != nullptr)
        json["rocm"] = variant.planned.selected.rocm->full_version;
    if (variant.planned.selected.torch != nullptr)
        json["sdk-origin"] = origin(variant.planned.selected);
    if (!variant.planned.selected.remark.empty())
        json["remark"] = variant.planned.selected.remark;
    if (!variant.published)
        return json;
    const auto& facts = variant.published->facts;
    json["path"] = variant.published->path.string();
    if (!facts.library.empty())
        json["library"] = facts.library;
    json["bytes"] = facts.bytes;
    json["sha256"] = facts.sha256;
    json["kernels"] = facts.kernels;
    auto archs = nlohmann::ordered_json::array();
    for (const auto& arch : facts.device_code.archs())
        archs.push_back(arch.to_string());
    json["archs"] = std::move(archs);
    json["seconds"] = variant.seconds;
    return json;
}

/// What became of precompiled headers; empty where no unit could use one.
std::string precompiled_line(const build::CompilePasses& passes) {
    if (passes.used + passes.textual.size() == 0)
        return {};
    std::string line =
        fmt::format("{} with precompiled headers", support::plural(passes.used, "pass", "passes"));
    if (passes.made > 0)
        line += fmt::format(", {} made in {:.1f} s", passes.made, passes.seconds);
    if (!passes.textual.empty())
        line += fmt::format("; {} without, `--explain` says why", passes.textual.size());
    return line + "\n";
}

/// How much was compiled, by whom, and how long it took.
std::string
counts(const build::BuildResult& result, const matrix::BuildSet& set, const build::Plan& plan) {
    const auto& count = plan.compiles;
    std::string text = fmt::format(
        "{} in the plan ({} device, {} device with torch, {} binding, {} cpu), {} run now; "
        "configure {:.1f} s, compile and link {:.1f} s\n",
        support::plural(count.total(), "compile"),
        count.device,
        count.device_torch,
        count.binding,
        count.cpu,
        result.compiled.compiles,
        result.configured.seconds,
        result.compiled.seconds);
    if (const auto& cache = result.compiled.cache; cache.hits + cache.misses > 0)
        text += fmt::format("{} of {} from the compiler cache\n",
                            cache.hits,
                            support::plural(cache.hits + cache.misses, "compiler run"));
    text += precompiled_line(result.passes);
    if (set.published_pairs > 0) // none are published for packages of Python files
        text += fmt::format(
            "built {} of {} published pairs\n", published_pairs(result), set.published_pairs);
    return text;
}

/// `gemm/gemm.hip:12:5: message`.
std::string one_line(const diag::Diagnostic& diagnostic) {
    if (!diagnostic.span)
        return diagnostic.message;
    return fmt::format("{}:{}:{}: {}",
                       diagnostic.span.file->name(),
                       diagnostic.span.begin.line,
                       diagnostic.span.begin.column,
                       diagnostic.message);
}

/// Lines as they are, whatever they hold, in a page of Markdown.
std::string markdown_block(const std::string& text) {
    std::string fence = "```";
    while (support::contains(text, fence))
        fence += '`';
    return fmt::format("\n{0}text\n{1}{0}\n", fence, text);
}

} // namespace

std::string build_report_text(const build::BuildResult& result,
                              const matrix::BuildSet& set,
                              const build::Plan& plan) {
    std::string text = ui::table(rows(result));
    text += remarks(result);
    text += counts(result, set, plan);
    return text;
}

std::string build_report_json(const build::BuildResult& result,
                              const matrix::BuildSet& set,
                              const build::Plan& plan) {
    nlohmann::ordered_json json;
    json["variants"] = nlohmann::ordered_json::array();
    for (const auto& variant : result.variants)
        json["variants"].push_back(variant_json(variant));
    json["excluded"] = nlohmann::ordered_json::array();
    for (const auto& excluded : set.excluded)
        json["excluded"].push_back({{"variant", excluded.variant.name()},
                                    {"reason", excluded.reason},
                                    {"fix", excluded.fix}});
    json["compiles"] = {{"device", plan.compiles.device},
                        {"device-torch", plan.compiles.device_torch},
                        {"binding", plan.compiles.binding},
                        {"cpu", plan.compiles.cpu},
                        {"total", plan.compiles.total()},
                        {"run", result.compiled.compiles}};
    json["links"] = result.compiled.links;
    json["cache"] = {{"hits", result.compiled.cache.hits},
                     {"misses", result.compiled.cache.misses}};
    json["precompiled"] = {{"used", result.passes.used}, {"made", result.passes.made}};
    json["precompiled"]["without"] = nlohmann::ordered_json::array();
    for (const auto& unit : result.passes.textual)
        json["precompiled"]["without"].push_back({{"unit", unit.unit}, {"reason", unit.reason}});
    json["published-pairs"] = {{"built", published_pairs(result)}, {"all", set.published_pairs}};
    return json.dump(2, ' ', false, decltype(json)::error_handler_t::replace) + "\n";
}

std::string github_summary(const std::string& project,
                           const build::BuildResult& result,
                           const matrix::BuildSet& set,
                           const build::Plan& plan,
                           const diag::Collector& findings) {
    std::string text =
        fmt::format("### kbuild build: {}\n\n{}", project, ui::markdown_table(rows(result)));
    std::string errors;
    for (const auto* finding : findings.in_order())
        errors += one_line(*finding) + "\n";
    if (!errors.empty())
        text += markdown_block(errors);
    auto rest = remarks(result);
    for (const auto& excluded : set.excluded)
        rest += fmt::format("left out {}: {}\n", excluded.variant.name(), excluded.reason);
    return text + markdown_block(rest + counts(result, set, plan)) + "\n";
}

void write_github_summary(const std::string& summary) {
    if (const auto path = support::environment("GITHUB_STEP_SUMMARY"))
        std::ofstream(*path, std::ios::app) << summary;
}

} // namespace kbuild::cli
