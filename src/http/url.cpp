#include "kbuild/http/url.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <curl/curl.h>
#include <memory>

namespace kbuild::http {
namespace {

struct FreeUrl {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
    void operator()(char* text) const { curl_free(text); }
};
using Url = std::unique_ptr<CURLU, FreeUrl>;

Url parse(std::string_view text) {
    Url url(curl_url());
    if (!url || curl_url_set(url.get(), CURLUPART_URL, std::string(text).c_str(), 0) != CURLUE_OK)
        return nullptr;
    return url;
}

std::string part(const Url& url, CURLUPart which, unsigned flags = 0) {
    char* raw = nullptr;
    if (curl_url_get(url.get(), which, &raw, flags) != CURLUE_OK)
        return {};
    const std::unique_ptr<char, FreeUrl> owned(raw);
    return raw;
}

} // namespace

bool Origin::is_loopback() const {
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::optional<Origin> origin_of(std::string_view text) {
    const auto url = parse(text);
    if (!url)
        return std::nullopt;
    Origin origin;
    origin.scheme = support::to_lower(part(url, CURLUPART_SCHEME));
    origin.host = support::to_lower(part(url, CURLUPART_HOST));
    if (origin.host.starts_with('[') && origin.host.ends_with(']'))
        origin.host = origin.host.substr(1, origin.host.size() - 2);
    const auto port = part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT);
    std::from_chars(port.data(), port.data() + port.size(), origin.port);
    if ((origin.scheme != "http" && origin.scheme != "https") || origin.host.empty())
        return std::nullopt;
    return origin;
}

std::string shown(std::string_view text) {
    const auto url = parse(text);
    if (!url)
        return "an address that is no URL";
    for (const auto which : {CURLUPART_USER,
                             CURLUPART_PASSWORD,
                             CURLUPART_OPTIONS,
                             CURLUPART_QUERY,
                             CURLUPART_FRAGMENT})
        curl_url_set(url.get(), which, nullptr, 0);
    return part(url, CURLUPART_URL);
}

std::optional<std::string> resolve(std::string_view base, std::string_view location) {
    const auto url = parse(base);
    if (!url ||
        curl_url_set(url.get(), CURLUPART_URL, std::string(location).c_str(), 0) != CURLUE_OK)
        return std::nullopt;
    auto text = part(url, CURLUPART_URL);
    if (!origin_of(text))
        return std::nullopt;
    return text;
}

std::string encode(std::string_view text, bool keep_slash) {
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    std::string encoded;
    for (const char letter : text)
        if (kPlain.find(letter) != std::string_view::npos || (keep_slash && letter == '/'))
            encoded += letter;
        else
            encoded += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    return encoded;
}

} // namespace kbuild::http
