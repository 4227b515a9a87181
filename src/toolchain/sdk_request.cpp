#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/add.hpp"

#include <fmt/format.h>

namespace kbuild::toolchain {

using support::ErrorKind;

support::Result<SdkRequest> SdkRequest::parse(std::string_view text) {
    const auto at = text.find('@');
    const auto kind = text.substr(0, at);
    const auto hint = fmt::format("write one of {}", support::join(known_sdks(), ", "));
    if (at == std::string_view::npos || (kind != "rocm" && kind != "torch"))
        return support::fail(ErrorKind::usage, fmt::format("`{}` names no SDK", text), hint);
    const auto version = model::Version::parse(text.substr(at + 1));
    if (!version)
        return support::fail(ErrorKind::usage,
                             fmt::format("`{}` in `{}` is no version", text.substr(at + 1), text),
                             hint);
    return SdkRequest{kind == "rocm" ? Kind::rocm : Kind::torch, version->major_minor()};
}

std::string SdkRequest::name() const {
    return fmt::format("{}@{}", kind == Kind::rocm ? "rocm" : "torch", version.dotted());
}

} // namespace kbuild::toolchain
