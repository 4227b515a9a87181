#include "readable.hpp"
#include "subject.hpp"

#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace kbuild::verify {
namespace {

using Archs = std::vector<model::GfxArch>;
using diag::Severity;

Archs sorted(Archs archs) {
    std::sort(archs.begin(), archs.end());
    archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
    return archs;
}

/// Sorted entries of `a` that are not in `b`.
Archs without(const Archs& a, const Archs& b) {
    Archs rest;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
    return rest;
}

void check_asked_for(const std::string& place,
                     const Archs& found,
                     const Archs& asked,
                     diag::Sink& sink) {
    if (const auto missing = without(asked, found); !missing.empty())
        report(sink,
               Severity::error,
               "K0603",
               fmt::format("`{}` has no code for {}", place, model::to_string(missing)),
               {fmt::format("asked for: {}; in the file: {}",
                            model::to_string(asked),
                            model::to_string(found)),
                "on such a GPU each launch would fail"});
    if (const auto extra = without(found, asked); !extra.empty())
        report(sink,
               Severity::error,
               "K0603",
               fmt::format(
                   "`{}` has code for {}, which nobody asked for", place, model::to_string(extra)),
               {fmt::format("asked for: {}; in the file: {}",
                            model::to_string(asked),
                            model::to_string(found))});
}

void check_metadata_archs(const std::string& place,
                          const Subject& subject,
                          const Archs& found,
                          diag::Sink& sink) {
    const auto metadata_place = subject.place(subject.folder / "metadata.json");
    if (!subject.metadata->archs)
        return report(
            sink,
            Severity::warning,
            "K0604",
            fmt::format("`{}` does not say for which GPUs the variant is", metadata_place),
            {"without `backend.archs` the loader cannot refuse a GPU that it has no code for",
             fmt::format("in the file: {}", model::to_string(found))});
    const auto said = sorted(*subject.metadata->archs);
    if (said == found)
        return;
    report(sink,
           Severity::error,
           "K0604",
           fmt::format("`{}` says archs `{}`, but `{}` has code for `{}`",
                       metadata_place,
                       model::to_string(said),
                       place,
                       model::to_string(found)),
           {"the loader believes metadata.json and compares it with the user's GPU"});
}

/// Kernels that only some architectures have: often an arch guard in the source that went wrong.
void check_same_kernels(const std::string& place,
                        const inspect::DeviceCode& code,
                        const Archs& archs,
                        diag::Sink& sink) {
    std::map<std::string, std::set<model::GfxArch>> archs_of;
    for (const auto& object : code.objects)
        for (const auto& kernel : object.kernels)
            archs_of[kernel.name].insert(object.arch);
    std::vector<std::string> lines;
    for (const auto& [name, has] : archs_of)
        if (has.size() != archs.size())
            lines.push_back(fmt::format("`{}` only for {}",
                                        inspect::readable_symbol(name),
                                        model::to_string(Archs(has.begin(), has.end()))));
    if (!lines.empty())
        report(
            sink,
            Severity::warning,
            "K0607",
            fmt::format("`{}` has kernels that are not there for each of its architectures", place),
            first_few(lines, 10));
}

void check_rocm(const std::string& place,
                const Subject& subject,
                const inspect::DeviceCode& code,
                const Expectations& expectations,
                diag::Sink& sink) {
    const auto archs = code.archs();
    if (code.objects.empty() || code.kernel_count() == 0) {
        std::vector<std::string> notes = {
            "the variant is for rocm; nothing in it can run on a GPU"};
        for (const auto& target : code.other_targets)
            notes.push_back(
                fmt::format("it holds `{}`, which is no machine code of one GPU", target));
        return report(
            sink,
            Severity::error,
            "K0605",
            fmt::format("`{}` holds no GPU {}", place, code.objects.empty() ? "code" : "kernel"),
            notes,
            {"list the device sources under a `[kernel.<name>]` of build.toml with backend rocm"});
    }
    if (expectations.archs)
        check_asked_for(place, archs, sorted(*expectations.archs), sink);
    if (subject.metadata)
        check_metadata_archs(place, subject, archs, sink);
    check_same_kernels(place, code, archs, sink);
}

} // namespace

void check_device_code(const Subject& subject,
                       const inspect::DeviceCode& code,
                       const Expectations& expectations,
                       diag::Sink& sink) {
    if (!subject.variant)
        return;
    const auto place = subject.place(*subject.library);
    const auto backend = subject.variant->backend;
    if (backend == model::Backend::rocm)
        return check_rocm(place, subject, code, expectations, sink);
    if (!code.objects.empty())
        report(sink,
               Severity::error,
               "K0606",
               fmt::format("`{}` holds code for {}, but the variant is for {}",
                           place,
                           model::to_string(code.archs()),
                           model::to_string(backend)));
}

} // namespace kbuild::verify
