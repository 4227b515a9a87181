#include "kbuild/diag/codes.hpp"

#include "kbuild/support/embedded.hpp"

#include <string>

namespace kbuild::diag {
namespace {

constexpr CodeInfo kCodes[] = {
    {"K0001", "build.toml is not valid TOML"},
};

} // namespace

std::span<const CodeInfo> codes() {
    return kCodes;
}

std::string_view page(std::string_view code) {
    const std::string name = "errors/" + std::string(code) + ".md";
    return support::embedded::find(support::embedded::data(), name);
}

} // namespace kbuild::diag
