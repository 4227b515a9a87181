#include "kbuild/check/check.hpp"

#include "rules.hpp"

namespace kbuild::check {

void check_build_file(const Subject& subject, diag::Sink& sink) {
    check_flags(subject, sink);
    check_python_depends(subject, sink);
    if (!subject.is_complete)
        return;
    check_effects(subject, sink);
    check_versions(subject, sink);
    check_arch_support(subject, sink);
}

void check_sources(const Subject& subject, diag::Sink& sink) {
    ProjectSources sources(subject);
    check_device_code(sources, sink);
    check_kernel_standards(sources, sink);
    check_schemas(sources, sink);
    check_namespaces(sources, sink);
    check_package(subject, sink);
    if (!subject.is_complete)
        return;
    check_includes(sources, sink);
    check_implementations(sources, sink);
    check_registration(sources, sink);
    check_fp8_formats(sources, sink);
}

} // namespace kbuild::check
