#include "kbuild/support/error.hpp"

#include <cstring>

namespace kbuild::support {

int exit_code(ErrorKind kind) {
    return static_cast<int>(kind);
}

Error::Error(ErrorKind kind_, std::string message_, std::string hint_)
    : kind(kind_), message(std::move(message_)), hint(std::move(hint_)) {}

Error Error::with_context(std::string frame) && {
    context.push_back(std::move(frame));
    return std::move(*this);
}

std::string Error::to_string() const {
    std::string text = message;
    for (const auto& frame : context)
        text += "\n  while " + frame;
    return text;
}

Error errno_error(std::string_view what, int errno_value) {
    return {ErrorKind::failed, std::string(what) + ": " + std::strerror(errno_value)};
}

} // namespace kbuild::support
