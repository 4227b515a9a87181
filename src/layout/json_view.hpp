#pragma once

#include "kbuild/support/result.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::layout {

/// A JSON value and where it stands in the document (`provenance.kernel.commit`), so that each
/// misfit can be named. All errors are of kind `content`.
class JsonView {
  public:
    JsonView(const nlohmann::json& value, std::string place)
        : value_(&value), place_(std::move(place)) {}

    const std::string& place() const { return place_; }
    const nlohmann::json& json() const { return *value_; }

    bool
    has(std::string_view key) const; ///< whether an object has the key with a value other than null
    bool contains(std::string_view key) const; ///< whether it has the key at all
    support::Result<JsonView> at(std::string_view key) const;
    support::Result<std::string> text() const;
    support::Result<std::uint64_t> number() const;
    support::Result<bool> flag() const;
    support::Result<void> object() const;
    support::Result<std::vector<JsonView>> items() const;
    support::Result<std::vector<std::string>> texts() const;

    /// An error about this value: "`<place>` <complaint>".
    tl::unexpected<support::Error> wrong(std::string_view complaint) const;

  private:
    const nlohmann::json* value_;
    std::string place_;
};

/// The document; an Error of kind `content` has the place of a syntax error. Keys written twice are
/// refused.
support::Result<nlohmann::json> parse_json(std::string_view text);

} // namespace kbuild::layout
