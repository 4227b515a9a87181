#include "inspect_figures.hpp"
#include "inspect_report.hpp"

#include "kbuild/inspect/occupancy.hpp"
#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

using inspect::FileReport;
using inspect::KernelResources;
using ui::Cell;
using ui::element;
using ui::Html;

constexpr std::size_t kLongestName = 400;

Cell figure(const std::string& text) {
    return {Html::text(text), true};
}

/// A figure as a bar of what a compute unit has; alone where that is not known.
Cell share(std::uint64_t value, std::uint32_t whole, const std::string& shown, ui::Full full) {
    return whole == 0 ? figure(shown) : Cell{ui::bar(value, whole, shown, full), false};
}

Cell of_the_limit(std::uint32_t value, std::uint32_t whole) {
    return share(value, whole, std::to_string(value), ui::Full::scarce);
}

Html kernel_name(const KernelResources& kernel) {
    Html name = element("code", inspect::readable_symbol(kernel.name, kLongestName));
    if (kernel.empty) {
        name += Html::text(" ");
        name += element("span", "empty", "warning");
    }
    return name;
}

std::vector<Cell> kernel_cells(const KernelResources& kernel, const model::GfxArch& arch) {
    const auto unit = inspect::compute_unit(arch);
    const auto waves = inspect::occupancy(kernel, arch);
    const auto words = wave_figures(kernel, arch);
    const auto slots = unit ? unit->waves_per_simd : 0;
    return {{kernel_name(kernel)},
            {Html::text(arch.to_string())},
            of_the_limit(kernel.vgprs, unit ? unit->vgprs_per_lane : 0),
            figure(std::to_string(kernel.agprs)),
            figure(std::to_string(kernel.sgprs)),
            of_the_limit(kernel.lds_bytes, unit ? unit->lds_bytes : 0),
            figure(scratch(kernel)),
            figure(spills(kernel)),
            figure(std::to_string(kernel.max_work_group_size)),
            share(waves ? waves->waves_per_simd : 0, slots, words.per_simd, ui::Full::fine),
            share(waves ? waves->waves_per_cu : 0,
                  unit ? slots * unit->simds : 0,
                  words.per_cu,
                  ui::Full::fine),
            {Html::text(words.limit)},
            figure(readable_size(kernel.code_bytes)),
            figure(matrix_share(kernel))};
}

Html kernels_html(const inspect::DeviceCode& code) {
    std::vector<std::vector<Cell>> rows;
    for (const auto& object : code.objects)
        for (const auto& kernel : object.kernels)
            rows.push_back(kernel_cells(kernel, object.arch));
    if (rows.empty())
        return {};
    auto columns = figure_columns();
    columns.insert(columns.begin(), "kernel");
    return ui::html_table(columns, rows);
}

/// The largest sections against the whole file.
Html section_table(const FileReport& file) {
    constexpr std::size_t kShown = 8;
    std::vector<std::vector<Cell>> rows;
    for (const auto& section : largest_sections(file.host, kShown))
        rows.push_back(
            {{element("code", inspect::readable_symbol(section.name))},
             {ui::bar(section.bytes, file.bytes, readable_size(section.bytes), ui::Full::fine)}});
    return rows.empty() ? Html() : ui::html_table({"section", "of the file"}, rows);
}

} // namespace

Html inspect_html(const std::vector<FileReport>& files, int level) {
    constexpr std::size_t kLongestLine = 2000;
    Html html;
    for (const auto& file : files) {
        html += element(level == 2 ? "h2" : "h3", support::display_path(file.path));
        html += element(
            "p", fmt::format("{}: {}", readable_size(file.bytes), summary(file.code)), "dim");
        Html lines;
        for (const auto& line : host_lines(file.host))
            lines += element("li", inspect::readable_symbol(line, kLongestLine));
        if (!lines.empty())
            html += element("ul", {}, lines);
        html += kernels_html(file.code);
        html += section_table(file);
    }
    return html;
}

} // namespace kbuild::cli
