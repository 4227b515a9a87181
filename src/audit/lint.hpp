#pragma once

#include "kbuild/audit/audit.hpp"
#include "kbuild/diag/sink.hpp"

#include <string>

namespace kbuild::audit {

/// How findings call the folder of the variant that they are about.
inline constexpr const char* kPlace = "<variant>";

/// `<variant>/x.so` for a path in the variant's folder.
std::string place_of(const VariantReport& variant, const std::filesystem::path& path);

// Each reports what no check of verify is about: nothing that is broken, but what one should know.

/// K0740 kernels without a body, K0741 kernels that keep registers in memory, K0742 symbols and
/// debug information that no user needs.
void lint_libraries(const VariantReport& variant, diag::Sink& sink);

/// K0743 where it comes from cannot be told, K0744 nothing proves its bytes, K0745 a folder of an
/// old shape.
void lint_folder(const VariantReport& variant, diag::Sink& sink);

/// K0746 variants of one folder that are not of one kernel and version, K0747 variants with other
/// operators or kernels than the rest of their backend.
void lint_together(const std::vector<VariantReport>& variants, diag::Sink& sink);

} // namespace kbuild::audit
