#include "rules.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/sources/source_kind.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::check {
namespace {

using model::Backend;

void report_no_effect(
    std::string key, std::string why, diag::SourceSpan span, std::string help, diag::Sink& sink) {
    auto problem =
        warning("K0414", fmt::format("`{}` has no effect", key), std::move(span), std::move(why));
    problem.help.push_back(std::move(help));
    sink.report(std::move(problem));
}

void check_rocm_flags(const config::KernelComponent& kernel, diag::Sink& sink) {
    if (kernel.backend != Backend::rocm || kernel.cxx_flags.empty())
        return;
    auto problem = warning("K0413",
                           fmt::format("upstream ignores `kernel.{}.cxx-flags`", kernel.name),
                           kernel.cxx_flags.front().span,
                           "kbuild applies it");
    problem.notes.emplace_back(
        "upstream's builder reads `cxx-flags` of `rocm` kernels and then leaves them out");
    problem.help.emplace_back("use `hip-flags` for what the HIP compiler should get");
    sink.report(std::move(problem));
}

bool has_device_source(const config::KernelComponent& kernel) {
    return std::any_of(kernel.src.begin(), kernel.src.end(), [](const auto& file) {
        return sources::source_kind(file.value) == sources::SourceKind::device;
    });
}

/// Keys that only device code can feel, in a section without any.
void check_device_keys(const config::KernelComponent& kernel, diag::Sink& sink) {
    if (kernel.backend != Backend::rocm || has_device_source(kernel))
        return;
    const std::string why = "no `.hip` file is listed in this section";
    if (!kernel.hip_flags.empty())
        report_no_effect(fmt::format("kernel.{}.hip-flags", kernel.name),
                         why,
                         kernel.hip_flags.front().span,
                         "use `cxx-flags` for the C++ compiler",
                         sink);
    if (!kernel.rocm_archs.empty())
        report_no_effect(fmt::format("kernel.{}.rocm-archs", kernel.name),
                         why,
                         kernel.rocm_archs.front().span,
                         "remove it",
                         sink);
}

void check_backend_tables(const config::BuildConfig& config, diag::Sink& sink) {
    for (const auto& [backend, options] : config.general.backend_options)
        if (!config.has_backend(backend))
            report_no_effect(fmt::format("general.{}", to_string(backend)),
                             fmt::format("`{}` is not in `general.backends`", to_string(backend)),
                             options.span,
                             "remove the table, or list the backend",
                             sink);
}

} // namespace

void check_effects(const Subject& subject, diag::Sink& sink) {
    for (const auto& kernel : subject.config.kernels) {
        if (!subject.config.has_backend(kernel.backend))
            continue;
        check_rocm_flags(kernel, sink);
        check_device_keys(kernel, sink);
    }
    check_backend_tables(subject.config, sink);
}

} // namespace kbuild::check
