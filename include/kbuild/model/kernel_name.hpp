#pragma once

#include "kbuild/model/backend.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kbuild::model {

/// The `general.name` of a kernel: `^[a-z][-a-z0-9]*[a-z0-9]$` (upstream.md 2.2).
class KernelName {
  public:
    static std::optional<KernelName> parse(std::string_view text);
    const std::string& text() const { return text_; }
    std::string module() const; ///< the Python module: dashes become underscores
    auto operator<=>(const KernelName&) const = default;

  private:
    std::string text_;
};

/// Whether a text can be the last part of an ops id, and so of a Python identifier: ASCII letters,
/// digits and underscores, at least one.
bool is_unique_id(std::string_view text);

/// `_<module>_<backend>_<unique>`: op namespace, library stem, PyInit_ suffix and metadata id at
/// once (upstream.md 3.8).
std::string ops_id(const KernelName& name, Backend backend, std::string_view unique);

} // namespace kbuild::model
