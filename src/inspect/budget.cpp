#include "kbuild/inspect/budget.hpp"

#include "kbuild/inspect/symbol_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fnmatch.h>
#include <string_view>

namespace kbuild::inspect {
namespace {

using Bound = std::optional<std::uint64_t>;

bool matches(const model::Budget& budget, const KernelResources& kernel) {
    const auto readable = readable_symbol(kernel.name);
    const auto is_like = [&budget](const std::string& name) {
        return ::fnmatch(budget.pattern.c_str(), name.c_str(), 0) == 0;
    };
    return budget.pattern.empty() || is_like(kernel.name) || is_like(readable) ||
           is_like(readable.substr(0, readable.find('(')));
}

/// The bounds that hold for one kernel.
model::Budget budget_of(const KernelResources& kernel, const std::vector<model::Budget>& budgets) {
    model::Budget result;
    const auto take = [](Bound& bound, const Bound& value) { bound = value ? value : bound; };
    for (const bool special : {false, true})
        for (const auto& budget : budgets) {
            if (budget.pattern.empty() == special || !matches(budget, kernel))
                continue;
            take(result.vgprs, budget.vgprs);
            take(result.lds, budget.lds);
            take(result.scratch, budget.scratch);
            take(result.spills, budget.spills);
        }
    return result;
}

void report(diag::Sink& sink, std::string code, std::string message, std::string help) {
    diag::Diagnostic finding;
    finding.code = std::move(code);
    finding.message = std::move(message);
    finding.help.push_back(std::move(help));
    sink.report(std::move(finding));
}

struct Figure {
    std::string code;
    std::string what;
    std::uint64_t value = 0;
    Bound bound;
    std::string help;
};

std::array<Figure, 4> figures_of(const KernelResources& kernel, const model::Budget& budget) {
    return {Figure{"K0731",
                   "VGPRs",
                   kernel.vgprs,
                   budget.vgprs,
                   "`__launch_bounds__` with the real block size lets the compiler aim at fewer"},
            Figure{"K0732",
                   "bytes of LDS",
                   kernel.lds_bytes,
                   budget.lds,
                   "make the tiles smaller, or raise `lds` in `[budget]` of kbuild.toml"},
            Figure{"K0733",
                   "bytes of scratch",
                   kernel.scratch_bytes,
                   budget.scratch,
                   "index local arrays by constants only, so that they stay in registers"},
            Figure{"K0734",
                   "spilled registers",
                   std::uint64_t{kernel.vgpr_spills} + kernel.sgpr_spills,
                   budget.spills,
                   "use fewer registers at a time, or allow more with `__launch_bounds__`"}};
}

} // namespace

void check_budgets(const DeviceCode& code,
                   std::uint64_t bytes,
                   const std::vector<model::Budget>& budgets,
                   const std::string& shown,
                   diag::Sink& sink) {
    for (const auto& budget : budgets)
        if (budget.size && bytes > *budget.size)
            report(sink,
                   "K0730",
                   fmt::format("`{}` has {} bytes, the budget is {}", shown, bytes, *budget.size),
                   "build for fewer architectures, or raise `size` in `[budget]` of kbuild.toml");
    for (const auto& object : code.objects)
        for (const auto& kernel : object.kernels)
            for (const auto& figure : figures_of(kernel, budget_of(kernel, budgets)))
                if (figure.bound && figure.value > *figure.bound)
                    report(sink,
                           figure.code,
                           fmt::format("`{}` has {} {} for {}, the budget is {} (`{}`)",
                                       readable_symbol(kernel.name),
                                       figure.value,
                                       figure.what,
                                       object.arch.to_string(),
                                       *figure.bound,
                                       shown),
                           figure.help);
}

} // namespace kbuild::inspect
