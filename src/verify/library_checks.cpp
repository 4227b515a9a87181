#include "library_names.hpp"
#include "readable.hpp"
#include "subject.hpp"

#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>

namespace kbuild::verify {
namespace {

using diag::Severity;

std::string machine_name(std::uint16_t machine) {
    switch (machine) {
    case EM_X86_64:
        return "x86_64";
    case EM_AARCH64:
        return "aarch64";
    case EM_AMDGPU:
        return "amdgpu";
    default:
        return fmt::format("machine {}", machine);
    }
}

void check_machine(const std::string& place,
                   const Subject& subject,
                   const elf::ElfFile& file,
                   diag::Sink& sink) {
    if (subject.variant && machine_name(file.machine) != subject.variant->cpu)
        report(sink,
               Severity::error,
               "K0602",
               fmt::format("`{}` is for {}, the variant for {}",
                           place,
                           machine_name(file.machine),
                           subject.variant->cpu));
    if (file.type != ET_DYN)
        report(sink,
               Severity::error,
               "K0601",
               fmt::format("`{}` is no shared library", place),
               {fmt::format("its ELF type is {}", file.type)});
}

void check_init_function(const std::string& place,
                         const Subject& subject,
                         const elf::ElfFile& file,
                         diag::Sink& sink) {
    if (!subject.metadata)
        return;
    const auto wanted = "PyInit_" + subject.metadata->id;
    std::string others;
    for (const auto& symbol : file.symbols) {
        if (!symbol.defined || !symbol.name.starts_with("PyInit_"))
            continue;
        if (symbol.name == wanted)
            return;
        others = symbol.name;
    }
    report(
        sink,
        Severity::error,
        "K0614",
        fmt::format("`{}` does not export `{}`", place, wanted),
        {others.empty() ? std::string("Python cannot import it")
                        : fmt::format("it exports `{}`, which belongs to another id", others)},
        {"the binding ends with `REGISTER_EXTENSION(TORCH_EXTENSION_NAME)` from registration.h"});
}

void check_run_paths(const std::string& place, const elf::ElfFile& file, diag::Sink& sink) {
    if (file.run_paths.empty())
        return;
    report(sink,
           Severity::error,
           "K0612",
           fmt::format("`{}` has the run path `{}`", place, support::join(file.run_paths, ":")),
           {"it names folders of the build machine, from which users would load other libraries"},
           {"link without `-rpath`"});
}

void check_relr(const std::string& place, const elf::ElfFile& file, diag::Sink& sink) {
    if (!file.has_relr)
        return;
    report(sink,
           Severity::error,
           "K0613",
           fmt::format("`{}` has relative relocations of the packed kind (DT_RELR)", place),
           {"glibc before 2.36 does not load it"},
           {"link with `-Wl,-z,nopack-relative-relocs`"});
}

void check_unique_symbols(const std::string& place, const elf::ElfFile& file, diag::Sink& sink) {
    std::vector<std::string> names;
    for (const auto& symbol : file.symbols)
        if (symbol.defined && symbol.unique)
            names.push_back(fmt::format("`{}`", inspect::readable_symbol(symbol.name)));
    if (names.empty())
        return;
    report(sink,
           Severity::warning,
           "K0616",
           fmt::format("`{}` defines {} that a process has only once",
                       place,
                       support::plural(names.size(), "symbol")),
           first_few(names, 5),
           {"compile with `-fno-gnu-unique`, or two versions of the kernel share them when loaded "
            "together"});
}

/// Why a library does not belong into an extension; empty for an owner that is always fine.
std::string why_not(LibraryOwner owner) {
    switch (owner) {
    case LibraryOwner::cuda:
        return "a machine with this backend does not have CUDA's libraries";
    case LibraryOwner::torch_hip:
    case LibraryOwner::hip_runtime:
    case LibraryOwner::rocm:
        return "only a ROCm torch brings it";
    case LibraryOwner::torch_python:
        return "its interface changes with the Python version; the limited API does not cover it";
    case LibraryOwner::python:
        return "an extension gets Python's symbols from the interpreter that imports it";
    default:
        return {};
    }
}

void check_needed(const std::string& place,
                  const Subject& subject,
                  const std::string& needed,
                  diag::Sink& sink) {
    const auto owner = owner_of(needed);
    const auto backend = subject.variant->backend;
    if (owner == LibraryOwner::unknown)
        return report(sink,
                      Severity::warning,
                      "K0610",
                      fmt::format("`{}` needs `{}`, which neither torch nor the system brings",
                                  place,
                                  needed),
                      {"it loads only where the user happens to have that library"},
                      {"link it statically, or do without"});
    if (may_need(backend, owner))
        return;
    const bool foreign = owner != LibraryOwner::python && owner != LibraryOwner::torch_python;
    report(
        sink,
        Severity::error,
        foreign ? "K0608" : "K0610",
        fmt::format(
            "`{}` needs `{}`, but the variant is for {}", place, needed, model::to_string(backend)),
        {why_not(owner)});
}

void check_hip_runtime(const std::string& place,
                       const Subject& subject,
                       const elf::ElfFile& file,
                       const Expectations& expectations,
                       diag::Sink& sink) {
    if (subject.variant->backend != model::Backend::rocm)
        return;
    const auto wanted = expectations.hip_soname.value_or(
        fmt::format("libamdhip64.so.{}", subject.variant->backend_version.major()));
    for (const auto& needed : file.needed)
        if (owner_of(needed) == LibraryOwner::hip_runtime && needed != wanted)
            report(sink,
                   Severity::error,
                   "K0609",
                   fmt::format("`{}` needs `{}`, but ROCm {} has `{}`",
                               place,
                               needed,
                               subject.variant->backend_version.dotted(),
                               wanted),
                   {"it was linked with the HIP runtime of another ROCm version"});
}

} // namespace

void check_library(const Subject& subject,
                   const elf::ElfFile& file,
                   const Expectations& expectations,
                   diag::Sink& sink) {
    const auto place = subject.place(*subject.library);
    check_machine(place, subject, file, sink);
    check_init_function(place, subject, file, sink);
    check_run_paths(place, file, sink);
    check_relr(place, file, sink);
    check_unique_symbols(place, file, sink);
    if (!subject.variant)
        return;
    for (const auto& needed : file.needed)
        check_needed(place, subject, needed, sink);
    check_hip_runtime(place, subject, file, expectations, sink);
}

} // namespace kbuild::verify
