#include "kbuild/model/git_url.hpp"

#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace kbuild::model {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kSchemeCharacters = "abcdefghijklmnopqrstuvwxyz0123456789+-.";
constexpr std::string_view kNotInHost = " \t\r\n\"#%/:<>?@[\\]^`{|}";

bool is_scheme(std::string_view lower) {
    return !lower.empty() && support::contains(kLetters, lower.substr(0, 1)) &&
           lower.find_first_not_of(kSchemeCharacters) == std::string_view::npos;
}

bool is_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return text.empty() || (error == std::errc{} && end == text.data() + text.size());
}

bool is_host(std::string_view text) {
    if (text.starts_with('[') && text.ends_with(']'))
        return text.size() > 2;
    return text.find_first_of(kNotInHost) == std::string_view::npos;
}

/// `user:password@host:port`; `needs_host` for the web's schemes.
bool is_authority(std::string_view text, bool needs_host) {
    if (const auto at = text.rfind('@'); at != std::string_view::npos)
        text.remove_prefix(at + 1);
    const auto colon =
        text.find(':', text.find(']') == std::string_view::npos ? 0 : text.find(']'));
    if (colon != std::string_view::npos && !is_port(text.substr(colon + 1)))
        return false;
    const auto host = text.substr(0, colon);
    return is_host(host) && (!needs_host || !host.empty());
}

bool is_url(std::string_view scheme, std::string_view rest) {
    constexpr std::array<std::string_view, 7> kSchemes = {
        "http", "https", "git", "ssh", "git+ssh", "git+https", "git+http"};
    if (std::find(kSchemes.begin(), kSchemes.end(), scheme) == kSchemes.end())
        return false;
    const bool web = scheme == "http" || scheme == "https";
    // Web addresses have a host even when the slashes are forgotten; others only after two slashes.
    if (!web && !rest.starts_with("//"))
        return true;
    rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
    return is_authority(rest.substr(0, rest.find_first_of("/?#")), web);
}

bool is_scp(std::string_view place, std::string_view path) {
    const auto at = place.rfind('@');
    const auto host = at == std::string_view::npos ? place : place.substr(at + 1);
    return !host.empty() && host.find_first_of(" \t\r\n[]") == std::string_view::npos &&
           !path.empty() && path.front() != '/';
}

} // namespace

bool is_git_url(std::string_view text) {
    text = support::trim(text);
    const auto colon = text.find(':');
    if (colon == std::string_view::npos)
        return false;
    const auto before = support::to_lower(text.substr(0, colon));
    const auto after = text.substr(colon + 1);
    return is_scheme(before) ? is_url(before, after) : is_scp(before, after);
}

} // namespace kbuild::model
