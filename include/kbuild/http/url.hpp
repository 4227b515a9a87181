#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kbuild::http {

/// The parts of an absolute http or https URL that decide who gets to see what.
struct Origin {
    std::string scheme; ///< `http` or `https`
    std::string host;   ///< lower case, without brackets
    unsigned port = 0;  ///< 80 or 443 if the URL names none
    bool operator==(const Origin&) const = default;

    /// Whether the host is this machine, by name or number.
    bool is_loopback() const;
};

/// None unless `url` is an absolute http or https URL.
std::optional<Origin> origin_of(std::string_view url);

/// `url` without user, password, query and fragment: what messages may show. Signed URLs carry
/// their signature in the query.
std::string shown(std::string_view url);

/// Where a redirect from `base` to `location` leads; none if that is no http or https URL.
std::optional<std::string> resolve(std::string_view base, std::string_view location);

/// Percent-encoded for one path segment; `/` is kept when `keep_slash` is set.
std::string encode(std::string_view text, bool keep_slash = false);

} // namespace kbuild::http
