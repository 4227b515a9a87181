#include "kbuild/inspect/diff.hpp"

#include "kbuild/inspect/occupancy.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace kbuild::inspect {
namespace {

using Names = std::set<std::string>;
using Figures = std::map<Measure, std::uint64_t>;

constexpr std::array<std::string_view, 12> kNames = {"archs",
                                                     "kernels",
                                                     "symbols",
                                                     "size",
                                                     "vgprs",
                                                     "agprs",
                                                     "sgprs",
                                                     "spills",
                                                     "scratch",
                                                     "lds",
                                                     "code",
                                                     "waves"};

/// By `gfx942 name`. A kernel that several code objects of an architecture have counts once.
std::map<std::string, Figures> figures_of(const DeviceCode& code) {
    std::map<std::string, Figures> result;
    for (const auto& object : code.objects)
        for (const auto& kernel : object.kernels) {
            Figures figures = {
                {Measure::vgprs, kernel.vgprs},
                {Measure::agprs, kernel.agprs},
                {Measure::sgprs, kernel.sgprs},
                {Measure::spills, std::uint64_t{kernel.vgpr_spills} + kernel.sgpr_spills},
                {Measure::scratch, kernel.scratch_bytes},
                {Measure::lds, kernel.lds_bytes},
                {Measure::code, kernel.code_bytes}};
            if (const auto waves = occupancy(kernel, object.arch))
                figures[Measure::waves] = waves->waves_per_cu;
            result.emplace(object.arch.to_string() + " " + kernel.name, std::move(figures));
        }
    return result;
}

Names archs_of(const FileReport& report) {
    Names names;
    for (const auto& arch : report.code.archs())
        names.insert(arch.to_string());
    return names;
}

Names kernels_of(const std::map<std::string, Figures>& figures) {
    Names names;
    for (const auto& [name, values] : figures)
        names.insert(name);
    return names;
}

void compare_names(Measure measure,
                   const Names& before,
                   const Names& after,
                   std::vector<Change>& changes) {
    for (const auto& name : before)
        if (!after.contains(name))
            changes.push_back({measure, name, 1, 0});
    for (const auto& name : after)
        if (!before.contains(name))
            changes.push_back({measure, name, 0, 1});
}

void compare_figures(const std::string& kernel,
                     const Figures& before,
                     const Figures& after,
                     std::vector<Change>& changes) {
    for (const auto& [measure, value] : before)
        if (const auto found = after.find(measure); found != after.end() && found->second != value)
            changes.push_back({measure, kernel, value, found->second});
}

} // namespace

std::string_view to_string(Measure measure) {
    return kNames.at(static_cast<std::size_t>(measure));
}

const std::vector<Measure>& measures() {
    static const auto all = [] {
        std::vector<Measure> list;
        for (std::size_t i = 0; i < kNames.size(); ++i)
            list.push_back(static_cast<Measure>(i));
        return list;
    }();
    return all;
}

bool is_regression(const Change& change) {
    switch (change.measure) {
    case Measure::archs:
    case Measure::kernels:
    case Measure::symbols:
    case Measure::waves:
        return change.after < change.before;
    default:
        return change.after > change.before;
    }
}

std::vector<Change> diff(const FileReport& before, const FileReport& after) {
    std::vector<Change> changes;
    const auto old_kernels = figures_of(before.code);
    const auto new_kernels = figures_of(after.code);
    const auto& old_symbols = before.host.exported;
    const auto& new_symbols = after.host.exported;
    compare_names(Measure::archs, archs_of(before), archs_of(after), changes);
    compare_names(Measure::kernels, kernels_of(old_kernels), kernels_of(new_kernels), changes);
    compare_names(Measure::symbols,
                  {old_symbols.begin(), old_symbols.end()},
                  {new_symbols.begin(), new_symbols.end()},
                  changes);
    if (before.bytes != after.bytes)
        changes.push_back({Measure::size, "the file", before.bytes, after.bytes});
    for (const auto& [kernel, figures] : old_kernels)
        if (const auto found = new_kernels.find(kernel); found != new_kernels.end())
            compare_figures(kernel, figures, found->second, changes);
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::tie(a.measure, a.subject) < std::tie(b.measure, b.subject);
    });
    return changes;
}

} // namespace kbuild::inspect
