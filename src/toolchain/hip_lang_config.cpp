#include "hip_lang_config.hpp"

#include "kbuild/support/embedded.hpp"

namespace kbuild::toolchain {

std::string_view hip_lang_config() {
    return support::embedded::find(support::embedded::templates(), "sdk/hip-lang-config.cmake");
}

} // namespace kbuild::toolchain
