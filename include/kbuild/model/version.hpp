#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::model {

/// A dotted version of unsigned numbers, compared component by component: 2.9 < 2.10.
/// Trailing zero components are not kept (`2.0` is `2`), as upstream reads them (upstream.md 2.2).
class Version {
  public:
    Version() = default;
    explicit Version(std::vector<std::uint32_t> components);

    /// None if `text` (trimmed) is not dot-separated unsigned integers.
    static std::optional<Version> parse(std::string_view text);

    /// Component `index`; 0 beyond the last one.
    std::uint32_t at(std::size_t index) const;
    std::uint32_t major() const { return at(0); }
    std::uint32_t minor() const { return at(1); }

    /// `2.13.1` -> `2.13`.
    Version major_minor() const;

    std::string to_string() const; ///< normalised: `2`, `12.8`
    std::string dotted() const;    ///< `major.minor`, always both: `2.0`, `2.13`
    std::string
    compact() const; ///< major and minor without the dot, as in variant names: `213`, `64`

    auto operator<=>(const Version&) const = default;

  private:
    std::vector<std::uint32_t> components_;
};

/// Inclusive bounds; an absent bound does not limit.
struct VersionRange {
    std::optional<Version> min;
    std::optional<Version> max;
    bool contains(const Version& version) const;
    std::string to_string() const; ///< `>= 2.12`, `2.12 to 2.13`, `any`
};

} // namespace kbuild::model
