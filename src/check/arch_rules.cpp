#include "rules.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/matrix/published.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kbuild::check {
namespace {

using model::Version;
using sources::SourceKind;
using sources::WordKind;

/// ROCm version -> processors that its device libraries are for.
using ArchTable = std::map<Version, std::set<std::string>>;

/// Embedded data (data/rocm-archs.json).
ArchTable read_arch_table() {
    ArchTable table;
    const auto json = nlohmann::json::parse(
        support::embedded::find(support::embedded::data(), "rocm-archs.json"));
    for (const auto& [version, archs] : json.at("rocm").items())
        table[*Version::parse(version)] = archs.get<std::set<std::string>>();
    return table;
}

std::vector<Version> wanted_rocm(const config::Settings& settings) {
    if (!settings.matrix_rocm)
        return matrix::published_matrix().rocm;
    std::vector<Version> versions;
    for (const auto& version : *settings.matrix_rocm)
        versions.push_back(version.value.major_minor());
    return versions;
}

/// What is known of a version: of one that the table does not have, what the next newer one has,
/// because nothing is said without being sure.
const std::set<std::string>* archs_of(const ArchTable& table, const Version& rocm) {
    const auto found = table.lower_bound(rocm);
    return found == table.end() ? nullptr : &found->second;
}

void check_arch(const config::Spanned<model::GfxArch>& arch,
                const ArchTable& table,
                const std::vector<Version>& rocm,
                diag::Sink& sink) {
    const auto& processor = arch.value.processor();
    if (processor == "gfx940" || processor == "gfx941") // K0119 says so
        return;
    std::vector<std::string> missing;
    for (const auto& version : rocm)
        if (const auto* const archs = archs_of(table, version);
            archs != nullptr && !archs->contains(processor))
            missing.push_back(version.to_string());
    if (missing.empty())
        return;
    auto problem = warning(
        "K0419",
        fmt::format("ROCm {} cannot compile for `{}`", support::join(missing, ", "), processor),
        arch.span,
        "fails in the variants of that ROCm");
    for (const auto& [version, archs] : table)
        if (archs.contains(processor)) {
            problem.notes.push_back(fmt::format("it is known since ROCm {}", version.to_string()));
            break;
        }
    problem.help.emplace_back(
        "leave it out, or choose the ROCm versions in kbuild.toml: `[matrix] rocm = […]`");
    sink.report(std::move(problem));
}

/// FP8 as the matrix cores of a processor read it.
enum class Fp8 { none, fnuz, ocp };

Fp8 fp8_of(const model::GfxArch& arch) {
    const auto& processor = arch.processor();
    if (processor == "gfx942")
        return Fp8::fnuz;
    return processor == "gfx950" || processor.starts_with("gfx12") ? Fp8::ocp : Fp8::none;
}

/// The first file of the host that names an FP8 type, in files of the kernel and of the binding,
/// and their headers; `named` is the format if only one is named.
std::optional<std::string>
fp8_in_host_code(ProjectSources& sources, const config::KernelComponent& kernel, Fp8& named) {
    std::optional<std::string> where;
    bool fnuz = false;
    bool ocp = false;
    for (const auto& section : sources.sections()) {
        if (section.kernel != nullptr && section.kernel != &kernel)
            continue;
        for (const auto& listed : section.files) {
            const auto* const file = sources.tree().file(listed.path);
            if (listed.kind != SourceKind::host || file == nullptr)
                continue;
            const bool names_fnuz = file->has(WordKind::fnuz_type);
            const bool names_ocp = file->has(WordKind::ocp_type);
            fnuz |= names_fnuz;
            ocp |= names_ocp;
            if (!where && (names_fnuz || names_ocp))
                where = listed.path;
        }
    }
    named = fnuz ? Fp8::fnuz : Fp8::ocp;
    return fnuz == ocp ? std::nullopt : where;
}

/// The first arch of the list that reads FP8 otherwise than `format`, with its place.
std::optional<std::pair<std::string, diag::SourceSpan>>
arch_of_other_format(const config::KernelComponent& kernel, Fp8 format) {
    for (const auto& arch : kernel.rocm_archs)
        if (fp8_of(arch.value) != Fp8::none && fp8_of(arch.value) != format)
            return std::pair{arch.value.to_string(), arch.span};
    if (kernel.rocm_archs.empty())
        for (const auto& arch : model::default_rocm_archs())
            if (fp8_of(arch) != Fp8::none && fp8_of(arch) != format)
                return std::pair{arch.to_string(), kernel.span};
    return std::nullopt;
}

void check_fp8(ProjectSources& sources, const config::KernelComponent& kernel, diag::Sink& sink) {
    Fp8 named = Fp8::none;
    const auto where = fp8_in_host_code(sources, kernel, named);
    if (!where)
        return;
    const auto other = arch_of_other_format(kernel, named);
    if (!other)
        return;
    const bool fnuz = named == Fp8::fnuz;
    const auto kind = fnuz ? WordKind::fnuz_type : WordKind::ocp_type;
    const auto* const word = sources.tree().file(*where)->first(kind);
    auto problem = warning(
        "K0417",
        fmt::format("`kernel.{}` is built for `{}`, which reads FP8 otherwise than the host code",
                    kernel.name,
                    other->first),
        other->second,
        kernel.rocm_archs.empty() ? "no `rocm-archs`: upstream's list"
                                  : (fnuz ? "reads OCP numbers" : "reads FNUZ numbers"));
    problem.related.push_back(
        {sources.span(*where, word->offset, word->length),
         fnuz ? "the host takes FNUZ numbers" : "the host takes OCP numbers"});
    problem.notes.emplace_back("gfx942 reads FNUZ, gfx950 and gfx12 read OCP; the same bytes are "
                               "half or twice the value");
    problem.help.emplace_back(
        "list only archs of one format in `rocm-archs`, or choose the type by "
        "the device's arch at run time");
    sink.report(std::move(problem));
}

} // namespace

void check_arch_support(const Subject& subject, diag::Sink& sink) {
    const bool any = std::any_of(subject.config.kernels.begin(),
                                 subject.config.kernels.end(),
                                 [](const auto& kernel) { return !kernel.rocm_archs.empty(); });
    if (!any)
        return;
    const auto table = read_arch_table();
    const auto rocm = wanted_rocm(subject.settings);
    for (const auto& kernel : subject.config.kernels)
        if (subject.config.has_backend(kernel.backend))
            for (const auto& arch : kernel.rocm_archs)
                check_arch(arch, table, rocm, sink);
}

void check_fp8_formats(ProjectSources& sources, diag::Sink& sink) {
    for (const auto& section : sources.sections())
        if (section.kernel != nullptr && section.kernel->backend == model::Backend::rocm)
            check_fp8(sources, *section.kernel, sink);
}

} // namespace kbuild::check
