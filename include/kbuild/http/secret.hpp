#pragma once

#include <string>
#include <utility>

namespace kbuild::http {

/// Text that must not be shown: it has no formatter, no stream operator and no conversion to a
/// string, so that printing one does not compile. The memory is cleared when the value dies.
class Secret {
  public:
    Secret() = default;
    explicit Secret(std::string text) : text_(std::move(text)) {}
    Secret(const Secret&) = default;
    Secret(Secret&&) noexcept = default;
    Secret& operator=(const Secret&) = default;
    Secret& operator=(Secret&&) noexcept = default;
    ~Secret();

    bool empty() const { return text_.empty(); }
    /// For the header that carries it, and nothing else.
    const std::string& reveal() const { return text_; }
    bool operator==(const Secret&) const = default;

  private:
    std::string text_;
};

/// The value of the header `Authorization` for a bearer token.
Secret bearer(const Secret& token);
/// The same for a name and a password; `name` may be empty.
Secret basic(const std::string& name, const Secret& password);

} // namespace kbuild::http
