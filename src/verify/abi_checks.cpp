#include "readable.hpp"
#include "subject.hpp"

#include "kbuild/abi/manylinux.hpp"
#include "kbuild/abi/tables.hpp"
#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kbuild::verify {
namespace {

using diag::Severity;
using Framework = model::Variant::Framework;

/// The Python that `.abi3.so` files are for, as upstream's own check has it (upstream.md 5).
const model::Version kPythonFloor({3, 9});

/// `name`: version of library, for each symbol whose version is newer; then needs that no symbol
/// has.
std::vector<std::string> too_new(const elf::ElfFile& file, const abi::ManylinuxPolicy& policy) {
    std::vector<std::string> lines;
    std::set<elf::VersionNeed> told;
    for (const auto& symbol : file.symbols) {
        if (symbol.defined || abi::judge(policy, symbol.version) != abi::Verdict::too_new)
            continue;
        told.insert({symbol.version_library, symbol.version});
        lines.push_back(fmt::format("`{}`: `{}` of `{}`",
                                    inspect::readable_symbol(symbol.name),
                                    symbol.version,
                                    symbol.version_library));
    }
    for (const auto& need : file.version_needs)
        if (abi::judge(policy, need.version) == abi::Verdict::too_new && !told.contains(need))
            lines.push_back(fmt::format("`{}` of `{}`, for no symbol", need.version, need.library));
    return lines;
}

void check_manylinux(const std::string& place,
                     const Subject& subject,
                     const elf::ElfFile& file,
                     const Expectations& expectations,
                     diag::Sink& sink) {
    const auto cpu = subject.variant ? subject.variant->cpu : std::string("x86_64");
    const auto policy = abi::manylinux_policy(expectations.policy, cpu);
    if (!policy)
        return report(
            sink,
            Severity::note,
            "K0615",
            fmt::format(
                "how old a system `{}` can be loaded on was not checked: the policy is `{}`",
                place,
                expectations.policy));
    const auto lines = too_new(file, *policy);
    if (!lines.empty())
        report(sink,
               Severity::error,
               "K0620",
               fmt::format("`{}` needs {} newer than {}",
                           place,
                           support::plural(lines.size(), "symbol version"),
                           policy->name),
               first_few(lines, 10),
               {"link it with kbuild, which offers the linker nothing newer (`[build] policy` in "
                "kbuild.toml)"});
}

/// Names of Python that are not in the limited API, or came after the floor.
std::vector<std::string> beyond_python(const elf::ElfFile& file) {
    std::vector<std::string> lines;
    for (const auto& symbol : file.symbols) {
        if (symbol.defined)
            continue;
        if (const auto added = abi::python_abi3().find(symbol.name); added && kPythonFloor < *added)
            lines.push_back(fmt::format("`{}` came with Python {}", symbol.name, added->dotted()));
        else if (!added && (symbol.name.starts_with("Py") || symbol.name.starts_with("_Py")))
            lines.push_back(fmt::format("`{}` is not in the limited API", symbol.name));
    }
    return lines;
}

void check_python(const std::string& place, const elf::ElfFile& file, diag::Sink& sink) {
    const auto lines = beyond_python(file);
    if (!lines.empty())
        report(sink,
               Severity::error,
               "K0622",
               fmt::format("`{}` needs {} that not every Python from {} on has",
                           place,
                           support::plural(lines.size(), "name"),
                           kPythonFloor.dotted()),
               first_few(lines, 10),
               {"use the limited API of Python 3.9 only (`Py_LIMITED_API=0x03090000`)"});
}

/// C++ names that belong to torch's unstable interface.
bool is_unstable_torch(const std::string& readable) {
    const auto starts = [&readable](std::string_view start) { return readable.starts_with(start); };
    return (starts("c10::") || starts("at::") || starts("torch::")) && !starts("torch::stable::");
}

std::vector<std::string> beyond_stable(const elf::ElfFile& file, const model::Version& torch) {
    std::vector<std::string> lines;
    for (const auto& symbol : file.symbols) {
        if (symbol.defined)
            continue;
        if (const auto added = abi::torch_stable().find(symbol.name); added && torch < *added) {
            lines.push_back(fmt::format("`{}` came with torch {}", symbol.name, added->dotted()));
            continue;
        }
        if (auto readable = inspect::readable_symbol(symbol.name); is_unstable_torch(readable))
            lines.push_back(fmt::format("`{}` may change with each torch", readable));
    }
    return lines;
}

void check_torch_stable(const std::string& place,
                        const Subject& subject,
                        const elf::ElfFile& file,
                        diag::Sink& sink) {
    if (!subject.variant || subject.variant->framework != Framework::torch_stable_abi)
        return;
    const auto& torch = subject.variant->framework_version;
    const auto lines = beyond_stable(file, torch);
    if (!lines.empty())
        report(sink,
               Severity::error,
               "K0623",
               fmt::format("`{}` needs {} beyond the stable ABI of torch {}",
                           place,
                           support::plural(lines.size(), "name"),
                           torch.dotted()),
               first_few(lines, 10),
               {"include torch/csrc/stable headers only, or raise `stable-abi` in build.toml"});
}

void check_memory_protection(const std::string& place, const elf::ElfFile& file, diag::Sink& sink) {
    if (file.executable_stack)
        report(
            sink,
            Severity::error,
            "K0624",
            fmt::format("`{}` asks for an executable stack", place),
            {"glibc from 2.41 on refuses to load it; before, all threads lost a protection"},
            {"an assembler source without `.section .note.GNU-stack,\"\",@progbits` is the usual "
             "reason; `-Wl,-z,noexecstack` overrules it"});
    if (!file.relro)
        report(sink,
               Severity::warning,
               "K0625",
               fmt::format("`{}` leaves its tables of addresses writable", place),
               {"it has no RELRO segment"},
               {"link with `-Wl,-z,relro,-z,now`"});
}

/// A second copy under the same SONAME would not be loaded: the linker takes the first for it.
void check_soname(const std::string& place,
                  const Subject& subject,
                  const elf::ElfFile& file,
                  diag::Sink& sink) {
    if (file.soname.empty() || file.soname == subject.library->filename())
        return;
    report(sink,
           Severity::warning,
           "K0628",
           fmt::format("`{}` calls itself `{}`", place, file.soname),
           {"two builds with one SONAME can stand in for each other in one process"},
           {"link without `-soname`: Python finds an extension by its path"});
}

} // namespace

void check_abi(const Subject& subject,
               const elf::ElfFile& file,
               const Expectations& expectations,
               diag::Sink& sink) {
    const auto place = subject.place(*subject.library);
    check_manylinux(place, subject, file, expectations, sink);
    check_python(place, file, sink);
    check_torch_stable(place, subject, file, sink);
    check_memory_protection(place, file, sink);
    check_soname(place, subject, file, sink);
}

} // namespace kbuild::verify
