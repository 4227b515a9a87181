#include "lint.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <array>

namespace kbuild::audit {
namespace {

using inspect::CodeObject;
using inspect::FileReport;
using inspect::KernelResources;

constexpr std::size_t kShownKernels = 10;
constexpr std::uint64_t kManyBytes = std::uint64_t{1} << 20U; // of what nobody needs

std::string name_of(const KernelResources& kernel, const CodeObject& object) {
    return fmt::format(
        "`{}` for {}", inspect::readable_symbol(kernel.name), object.arch.to_string());
}

void cut_off(std::vector<std::string>& lines) {
    if (lines.size() <= kShownKernels)
        return;
    const auto more = lines.size() - kShownKernels;
    lines.resize(kShownKernels);
    lines.push_back(fmt::format("and {} more", more));
}

/// Warns of `problem`, with one note for each kernel or the like.
void warn(diag::Sink& sink,
          std::string code,
          std::string problem,
          std::vector<std::string> notes,
          std::string help) {
    auto finding = diag::warning(std::move(code), std::move(problem), {}, {});
    finding.notes = std::move(notes);
    finding.help.push_back(std::move(help));
    sink.report(std::move(finding));
}

/// One rule about kernels: what is told of a kernel (nothing: it is fine), and of the library.
struct KernelRule {
    std::string code;
    std::string (*tell)(const KernelResources& kernel);
    std::string problem; ///< `without a body`
    std::string help;
};

/// One line for each kernel of the file that the rule has something to say of.
std::vector<std::string> lines_about_kernels(const FileReport& file, const KernelRule& rule) {
    std::vector<std::string> lines;
    for (const auto& object : file.code.objects)
        for (const auto& kernel : object.kernels)
            if (auto text = rule.tell(kernel); !text.empty())
                lines.push_back(name_of(kernel, object) + text);
    return lines;
}

void apply(const KernelRule& rule,
           const std::string& place,
           const FileReport& file,
           diag::Sink& sink) {
    auto lines = lines_about_kernels(file, rule);
    if (lines.empty())
        return;
    auto problem =
        fmt::format("`{}` has {} {}", place, support::plural(lines.size(), "kernel"), rule.problem);
    cut_off(lines);
    warn(sink, rule.code, std::move(problem), std::move(lines), rule.help);
}

std::string emptiness_of(const KernelResources& kernel) {
    return kernel.empty ? ": it ends at once" : "";
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

std::array<KernelRule, 2> kernel_rules() {
    return {KernelRule{"K0740",
                       emptiness_of,
                       "without a body",
                       "a guard such as `#if defined(__gfx90a__)` leaves out the body for the "
                       "others: launches succeed and write nothing"},
            KernelRule{"K0741",
                       memory_of,
                       "with values in memory for want of registers",
                       "`kbuild inspect` shows each kernel's figures; `[budget]` in kbuild.toml "
                       "makes it an error when the kernel is built"}};
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
    warn(sink,
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
        for (const auto& rule : kernel_rules())
            apply(rule, place, file, sink);
        lint_debug(place, file, sink);
    }
}

} // namespace kbuild::audit
