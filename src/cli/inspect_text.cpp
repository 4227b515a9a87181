#include "inspect_figures.hpp"
#include "inspect_report.hpp"

#include "kbuild/inspect/occupancy.hpp"
#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace kbuild::cli {
namespace {

using inspect::KernelResources;

std::vector<std::string> kernel_row(const KernelResources& kernel, const model::GfxArch& arch) {
    auto waves = wave_figures(kernel, arch);
    return {arch.to_string(),
            std::to_string(kernel.vgprs),
            std::to_string(kernel.agprs),
            std::to_string(kernel.sgprs),
            std::to_string(kernel.lds_bytes),
            scratch(kernel),
            spills(kernel),
            std::to_string(kernel.max_work_group_size),
            std::move(waves.per_simd),
            std::move(waves.per_cu),
            std::move(waves.limit),
            std::to_string(kernel.code_bytes),
            matrix_share(kernel),
            inspect::readable_symbol(kernel.name)};
}

std::string kernel_table(const inspect::DeviceCode& code) {
    auto columns = figure_columns();
    columns.emplace_back("kernel");
    std::vector<std::vector<std::string>> rows = {std::move(columns)};
    for (const auto& object : code.objects)
        for (const auto& kernel : object.kernels)
            rows.push_back(kernel_row(kernel, object.arch));
    return rows.size() > 1 ? ui::table(rows) : std::string();
}

std::string argument_tables(const inspect::DeviceCode& code) {
    std::string text;
    for (const auto& object : code.objects)
        for (const auto& kernel : object.kernels) {
            text += fmt::format("\n{} {}: {} bytes of arguments\n",
                                object.arch.to_string(),
                                inspect::readable_symbol(kernel.name),
                                kernel.kernarg_bytes);
            for (const auto& argument : kernel.arguments)
                text += fmt::format("  {:>5} {:>4}  {}\n",
                                    argument.offset,
                                    argument.size,
                                    inspect::readable_symbol(argument.kind));
        }
    return text;
}

/// What the table cannot say: kernels without a body, architectures without figures.
std::string notes(const inspect::DeviceCode& code) {
    std::string text;
    std::set<std::string> unknown;
    for (const auto& object : code.objects) {
        if (!inspect::compute_unit(object.arch) && !object.kernels.empty())
            unknown.insert(object.arch.processor());
        for (const auto& kernel : object.kernels)
            if (kernel.empty)
                text += fmt::format("warning: `{}` is empty for {}: it ends before it does "
                                    "anything, as code behind a wrong architecture guard does\n",
                                    inspect::readable_symbol(kernel.name),
                                    object.arch.to_string());
    }
    for (const auto& arch : unknown)
        text += fmt::format("note: waves are not known for {}\n", arch);
    return text;
}

/// The file's size, by architecture and by the largest sections.
std::string sizes(const inspect::FileReport& file) {
    constexpr std::size_t kShown = 4;
    std::map<std::string, std::uint64_t> archs;
    for (const auto& object : file.code.objects)
        archs[object.arch.to_string()] += object.bytes;
    std::vector<std::string> parts;
    for (const auto& [arch, bytes] : archs)
        parts.push_back(fmt::format("{} {}", arch, readable_size(bytes)));
    for (const auto& section : largest_sections(file.host, kShown))
        parts.push_back(fmt::format(
            "{} {}", inspect::readable_symbol(section.name), readable_size(section.bytes)));
    const auto total = readable_size(file.bytes);
    return parts.empty() ? total : fmt::format("{}: {}", total, support::join(parts, ", "));
}

} // namespace

std::string inspect_text(const std::vector<inspect::FileReport>& files, bool arguments) {
    std::string text;
    for (const auto& file : files) {
        text += text.empty() ? "" : "\n";
        text += fmt::format(
            "{}\n  {}\n  {}\n", support::display_path(file.path), summary(file.code), sizes(file));
        for (const auto& line : host_lines(file.host))
            text += "  " + inspect::readable_symbol(line, 2000) + "\n";
        text += kernel_table(file.code);
        text += notes(file.code);
        if (arguments)
            text += argument_tables(file.code);
    }
    return text;
}

} // namespace kbuild::cli
