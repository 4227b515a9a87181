#include "library_names.hpp"
#include "readable.hpp"
#include "subject.hpp"
#include "torch_exports.hpp"

#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::verify {
namespace {

using diag::Severity;

bool is_python(std::string_view name) {
    return name.starts_with("Py") || name.starts_with("_Py");
}

bool is_hip(std::string_view name) {
    return name.starts_with("hip") || name.starts_with("__hip");
}

bool needs_owner(const elf::ElfFile& file, LibraryOwner owner) {
    return std::any_of(file.needed.begin(), file.needed.end(), [owner](const auto& needed) {
        return owner_of(needed) == owner;
    });
}

/// Undefined names that must come from torch: not weak, not of a library by version, not Python's,
/// not HIP's, not of another library of the variant.
std::set<std::string> torch_names(const Subject& subject, const elf::ElfFile& file) {
    const bool hip = needs_owner(file, LibraryOwner::hip_runtime);
    std::set<std::string> names;
    for (const auto& symbol : file.symbols) {
        if (symbol.defined || symbol.weak || symbol.name.empty() || is_python(symbol.name) ||
            (hip && is_hip(symbol.name)) || subject.companion_names.contains(symbol.name))
            continue;
        const bool versioned =
            std::find(file.needed.begin(), file.needed.end(), symbol.version_library) !=
            file.needed.end();
        if (!versioned)
            names.insert(symbol.name);
    }
    return names;
}

/// Why nobody has a name, as far as the name tells.
std::string guess(const std::string& name, const std::set<std::string>& exporters) {
    if (!exporters.empty())
        return fmt::format(": exported by `{}`, which the library is not linked with",
                           *exporters.begin());
    if (is_hip(name))
        return ": of the HIP runtime, which the library is not linked with";
    if (support::contains(name, "c104cuda") || support::contains(name, "2at4cuda"))
        return ": of a CUDA torch";
    return {};
}

std::set<std::string> exporters_of(const Exporters& exporters, const std::string& name) {
    const auto found = exporters.find(name);
    return found == exporters.end() ? std::set<std::string>() : found->second;
}

std::vector<std::string> unresolved(const std::set<std::string>& names,
                                    const Exporters& exporters,
                                    const std::set<std::string>& loaded) {
    std::vector<std::string> missing;
    for (const auto& name : names) {
        const auto by = exporters_of(exporters, name);
        if (std::none_of(by.begin(), by.end(), [&loaded](const auto& library) {
                return loaded.contains(library);
            }))
            missing.push_back(name);
    }
    return missing;
}

/// A name of the C++ standard library that has nothing of torch in it.
bool is_plain_standard(std::string_view name) {
    for (const std::string_view special : {"_ZTV", "_ZTI", "_ZTS", "_ZTT", "_ZGV", "_Z"}) {
        if (!name.starts_with(special))
            continue;
        const auto rest = name.substr(special.size());
        const bool standard =
            rest.starts_with("St") || rest.starts_with("NSt") || rest.starts_with("NKSt");
        if (standard)
            return !support::contains(name, "c10") && !support::contains(name, "2at") &&
                   !support::contains(name, "5torch");
    }
    return false;
}

/// libtorch_cpu exports what it has of libstdc++ by accident; the next build of torch may not.
void check_borrowed(const Subject& subject,
                    const std::set<std::string>& names,
                    const Exporters& exporters,
                    diag::Sink& sink) {
    std::vector<std::string> lines;
    for (const auto& name : names)
        if (const auto by = exporters_of(exporters, name); is_plain_standard(name) && !by.empty())
            lines.push_back(
                fmt::format("`{}` of `{}`", inspect::readable_symbol(name), *by.begin()));
    if (lines.empty())
        return;
    report(sink,
           Severity::error,
           "K0621",
           fmt::format("`{}` takes {} of the C++ library from torch",
                       subject.place(*subject.library),
                       support::plural(lines.size(), "name")),
           first_few(lines, 10),
           {"link libstdc++, or kbuild's supplement of it, before torch's libraries"});
}

/// Whether kbuild knows what such a variant gets its symbols from.
bool is_known_kind(const model::Variant& variant) {
    using Framework = model::Variant::Framework;
    const bool torch =
        variant.framework == Framework::torch || variant.framework == Framework::torch_stable_abi;
    return torch &&
           (variant.backend == model::Backend::cpu || variant.backend == model::Backend::rocm);
}

void report_not_run(const Subject& subject, diag::Sink& sink) {
    const auto place = subject.place(*subject.library);
    if (!subject.variant || !is_known_kind(*subject.variant))
        return report(sink,
                      Severity::note,
                      "K0615",
                      fmt::format("the symbols that `{}` needs were not checked: kbuild knows the "
                                  "libraries of torch variants for cpu and rocm only",
                                  place));
    const auto version = subject.variant->framework_version.dotted();
    report(sink,
           Severity::note,
           "K0615",
           fmt::format(
               "whether torch {} exports what `{}` needs was not checked: no SDK of it is at hand",
               version,
               place),
           {},
           {fmt::format("`kbuild toolchain add torch@{}` gets it", version)});
}

std::string torch_of(const Subject& subject) {
    return "torch " + subject.variant->framework_version.dotted();
}

} // namespace

std::vector<std::string> check_symbols(const Subject& subject,
                                       const elf::ElfFile& file,
                                       const Expectations& expectations,
                                       diag::Sink& sink) {
    if (!expectations.torch_symbols || !subject.variant || !is_known_kind(*subject.variant)) {
        report_not_run(subject, sink);
        return {};
    }
    const auto place = subject.place(*subject.library);
    const auto names = torch_names(subject, file);
    const auto exporters = find_exporters(names, *expectations.torch_symbols);
    if (!exporters) {
        report(sink, "K0615", exporters.error());
        return {};
    }
    check_borrowed(subject, names, *exporters, sink);
    auto missing = unresolved(names, *exporters, with_dependencies(file.needed));
    if (missing.empty())
        return missing;
    std::vector<std::string> lines;
    for (const auto& name : missing)
        lines.push_back(fmt::format(
            "`{}`{}", inspect::readable_symbol(name), guess(name, exporters_of(*exporters, name))));
    report(sink,
           Severity::error,
           "K0611",
           fmt::format("`{}` needs {} that no library it is linked with exports",
                       place,
                       support::plural(lines.size(), "symbol")),
           first_few(lines, 10),
           {fmt::format("loading it into {} fails with `undefined symbol`; was it compiled with "
                        "other headers, or is a "
                        "source missing in build.toml?",
                        torch_of(subject))});
    return missing;
}

} // namespace kbuild::verify
