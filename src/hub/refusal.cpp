#include "kbuild/http/url.hpp"
#include "kbuild/hub/api.hpp"

#include <fmt/format.h>

namespace kbuild::hub {
namespace {

/// What the person can do about a refusal; the Hub names its reason in X-Error-Code.
std::string hint_for(const http::Response& response) {
    const auto code = response.header("x-error-code").value_or("");
    switch (response.status) {
    case 401:
        return code == "RepoNotFound" ? "the repository does not exist, or the token may not see it"
                                      : "the token is not valid (any more): make one at "
                                        "`<endpoint>/settings/tokens` and put "
                                        "it into `HF_TOKEN`";
    case 403:
        return "the token or its owner lacks a right: `kbuild whoami` shows which they have";
    case 404:
        return "check the repository's name and type, and that the token may see it";
    case 413:
        return "the server takes no request of this size; files above its limit must be under LFS "
               "(`.gitattributes` of the repository)";
    case 422:
        return "the server does not accept the content of the request";
    case 429:
        return "too many requests: try again later; nothing that was sent is sent again";
    default:
        return response.status >= 500 ? "the server is in trouble: run the same command again "
                                        "later, it goes on from here"
                                      : "";
    }
}

/// The header's text with what a terminal must not see left out.
std::string clean(const std::string& text) {
    std::string kept;
    for (const char letter : text.substr(0, 300))
        if (letter >= ' ' && letter <= '~')
            kept += letter;
    return kept;
}

} // namespace

support::Error refusal(const http::Request& request, const http::Response& response) {
    auto words = clean(response.header("x-error-message").value_or(""));
    if (words.empty())
        words = error_text(response.body);
    std::string message = fmt::format("{}: status {}", http::describe(request), response.status);
    if (!words.empty())
        message += fmt::format(": {}", words);
    if (const auto id = response.header("x-request-id"))
        message += fmt::format(" (request {})", clean(*id));
    return {support::ErrorKind::network, message, hint_for(response)};
}

} // namespace kbuild::hub
