#include "lint.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::audit {
namespace {

using diag::Severity;
using inspect::CodeObject;
using inspect::FileReport;
using inspect::KernelResources;

constexpr std::size_t kShownKernels = 10;
constexpr std::uint64_t kManyBytes = 1024 * 1024; // of what nobody needs

std::string name_of(const KernelResources& kernel, const CodeObject& object) {
    return fmt::format(
        "`{}` for {}", inspect::readable_symbol(kernel.name), object.arch.to_string());
}

/// One line for each kernel of the file that `tell` has something to say of.
template <typename Tell>
std::vector<std::string> lines_about_kernels(const FileReport& file, const Tell& tell) {
    std::vector<std::string> lines;
    for (const auto& object : file.code.objects)
        for (const auto& kernel : object.kernels)
            if (auto text = tell(kernel); !text.empty())
                lines.push_back(name_of(kernel, object) + text);
    return lines;
}

void cut_off(std::vector<std::string>& lines) {
    if (lines.size() <= kShownKernels)
        return;
    const auto more = lines.size() - kShownKernels;
    lines.resize(kShownKernels);
    lines.push_back(fmt::format("and {} more", more));
}

void report(diag::Sink& sink,
            Severity severity,
            std::string code,
            std::string message,
            std::vector<std::string> notes,
            std::string help) {
    auto finding = diag::finding(severity, std::move(code), std::move(message), {}, {});
    finding.notes = std::move(notes);
    finding.help.push_back(std::move(help));
    sink.report(std::move(finding));
}

void lint_empty(const std::string& place, const FileReport& file, diag::Sink& sink) {
    auto lines = lines_about_kernels(file, [](const auto& kernel) {
        return std::string(kernel.empty ? ": it ends at once" : "");
    });
    if (lines.empty())
        return;
    const auto count = support::plural(lines.size(), "kernel");
    cut_off(lines);
    report(sink,
           Severity::warning,
           "K0740",
           fmt::format("`{}` has {} without a body", place, count),
           std::move(lines),
           "a guard such as `#if defined(__gfx90a__)` leaves out the body for the others: launches "
           "succeed and write nothing");
}

std::string memory_of(const KernelResources& kernel) {
    const auto spills = kernel.vgpr_spills + std::uint64_t{kernel.sgpr_spills};
    if (spills == 0 && kernel.scratch_bytes == 0)
        return {};
    return fmt::format(": {} spilled, {} bytes of scratch{}",
                       support::plural(spills, "register"),
                       kernel.scratch_bytes,
                       kernel.dynamic_stack ? " and more at run time" : "");
}

void lint_spills(const std::string& place, const FileReport& file, diag::Sink& sink) {
    auto lines = lines_about_kernels(file, memory_of);
    if (lines.empty())
        return;
    const auto count = support::plural(lines.size(), "kernel");
    cut_off(lines);
    report(sink,
           Severity::warning,
           "K0741",
           fmt::format("`{}` has {} with values in memory for want of registers", place, count),
           std::move(lines),
           "`kbuild inspect` shows each kernel's figures; `[budget]` in kbuild.toml makes it an "
           "error when the kernel is built");
}

/// Sections that only debuggers and linkers read.
bool is_for_developers(const std::string& section) {
    return section == ".symtab" || section == ".strtab" || section.starts_with(".debug_") ||
           section.starts_with(".zdebug_");
}

void lint_debug(const std::string& place, const FileReport& file, diag::Sink& sink) {
    std::uint64_t bytes = 0;
    bool debug = false;
    for (const auto& section : file.host.sections)
        if (is_for_developers(section.name)) {
            bytes += section.bytes;
            debug = debug || support::contains(section.name, "debug_");
        }
    if (!debug && bytes < kManyBytes)
        return;
    report(sink,
           Severity::warning,
           "K0742",
           fmt::format("`{}` carries {} of {} that loading it never reads",
                       place,
                       support::human_size(bytes),
                       debug ? "debug information and symbols" : "symbols"),
           {fmt::format("the file has {}", support::human_size(file.bytes))},
           "link with `-s`, or `strip --strip-unneeded` it before its digest is made");
}

} // namespace

void lint_libraries(const VariantReport& variant, diag::Sink& sink) {
    for (const auto& file : variant.libraries) {
        const auto place = place_of(variant, file.path);
        lint_empty(place, file, sink);
        lint_spills(place, file, sink);
        lint_debug(place, file, sink);
    }
}

} // namespace kbuild::audit
