#pragma once

#include "kbuild/support/error.hpp"

#include <tl/expected.hpp>

#include <utility>

namespace kbuild::support {

/// The outcome of an operation that can fail. Only names shared with std::expected are used on it.
template <typename T> using Result = tl::expected<T, Error>;

/// Shorthand for returning an error from a function with any Result type.
template <typename... Args> tl::unexpected<Error> fail(Args&&... args) {
    return tl::unexpected<Error>(Error(std::forward<Args>(args)...));
}

/// Passes the error of `result` on, with one more frame of context.
template <typename T> tl::unexpected<Error> pass_on(Result<T>&& result, std::string frame) {
    return tl::unexpected<Error>(std::move(result.error()).with_context(std::move(frame)));
}

} // namespace kbuild::support

#define KB_CONCAT_(a, b) a##b
#define KB_CONCAT(a, b) KB_CONCAT_(a, b)

/// Returns the error of a Result<void>-like expression from the enclosing function, if there is
/// one.
#define KB_TRY(expression)                                                                         \
    do {                                                                                           \
        if (auto kb_result = (expression); !kb_result)                                             \
            return ::tl::unexpected<::kbuild::support::Error>(std::move(kb_result.error()));       \
    } while (false)

/// Declares `name` with the value of a Result expression, or returns its error.
#define KB_TRY_ASSIGN(name, expression)                                                            \
    auto KB_CONCAT(kb_result_, __LINE__) = (expression);                                           \
    if (!KB_CONCAT(kb_result_, __LINE__))                                                          \
        return ::tl::unexpected<::kbuild::support::Error>(                                         \
            std::move(KB_CONCAT(kb_result_, __LINE__).error()));                                   \
    auto name = std::move(*KB_CONCAT(kb_result_, __LINE__))
