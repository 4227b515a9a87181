#pragma once

#include "project_sources.hpp"

#include "kbuild/check/check.hpp"
#include "kbuild/diag/sink.hpp"

/// One function per family of rules; each reports all it finds.
namespace kbuild::check {

// From build.toml's text alone.
void check_effects(const Subject& subject, diag::Sink& sink);        ///< K0413, K0414
void check_versions(const Subject& subject, diag::Sink& sink);       ///< K0415, K0416
void check_arch_support(const Subject& subject, diag::Sink& sink);   ///< K0419
void check_python_depends(const Subject& subject, diag::Sink& sink); ///< K0323

// From the project's files.
void check_includes(ProjectSources& sources, diag::Sink& sink);         ///< K0301
void check_device_code(ProjectSources& sources, diag::Sink& sink);      ///< K0302
void check_schemas(ProjectSources& sources, diag::Sink& sink);          ///< K0310
void check_implementations(ProjectSources& sources, diag::Sink& sink);  ///< K0311
void check_namespaces(ProjectSources& sources, diag::Sink& sink);       ///< K0312
void check_registration(ProjectSources& sources, diag::Sink& sink);     ///< K0313, K0314
void check_kernel_standards(ProjectSources& sources, diag::Sink& sink); ///< K0410
void check_fp8_formats(ProjectSources& sources, diag::Sink& sink);      ///< K0417
void check_package(const Subject& subject, diag::Sink& sink); ///< K0320–K0322, K0418, K0424, K0425

} // namespace kbuild::check
