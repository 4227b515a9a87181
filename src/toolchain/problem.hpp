#pragma once

#include "kbuild/support/error.hpp"

#include <string>

namespace kbuild::toolchain {

/// Why something that is there cannot be used, as FoundSdks::problems has it: what mends it comes
/// last, after `; `.
inline std::string to_problem(support::Error error) {
    if (!error.hint.empty())
        error.message += "; " + error.hint;
    return error.to_string();
}

} // namespace kbuild::toolchain
