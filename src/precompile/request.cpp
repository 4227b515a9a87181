#include "kbuild/precompile/request.hpp"

#include "kbuild/support/sha256.hpp"

namespace kbuild::precompile {
namespace {

/// Counts up when what is written beside a precompiled header changes.
constexpr const char* kFormat = "1";

} // namespace

std::string key_of(const Request& request) {
    support::Fingerprint fingerprint;
    fingerprint.add("format", kFormat)
        .add("pass", std::to_string(static_cast<int>(request.pass)))
        .add("compiler", request.compiler.string())
        .add("identity", request.identity);
    for (const auto& option : request.options)
        fingerprint.add("option", option);
    for (const auto& header : request.headers)
        fingerprint.add("header", header);
    return fingerprint.hex().substr(0, 32);
}

} // namespace kbuild::precompile
