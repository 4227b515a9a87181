#pragma once

#include <string_view>

namespace kbuild::toolchain {

/// The `hip-lang-config.cmake` of a ROCm-like prefix; relocatable. CMake's HIP language reads it at
/// `<prefix>/lib/cmake/hip-lang/`.
std::string_view hip_lang_config();

} // namespace kbuild::toolchain
