#pragma once

#include "kbuild/hub/api.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace kbuild::hub {

/// Requests to the endpoint, with the token.
http::Request get(const Connection& connection, const std::string& path);
http::Request post_json(const Connection& connection, const std::string& path, std::string body);

support::Result<http::Response> send(const Connection& connection, const http::Request& request);
/// As send(); an answer that is no 2xx is a refusal.
support::Result<http::Response> send_ok(const Connection& connection, const http::Request& request);

/// Names the request in the Error of an answer that could not be read.
template <typename T>
support::Result<T> in_context(const http::Request& request, support::Result<T> parsed) {
    if (parsed)
        return parsed;
    auto error = std::move(parsed.error());
    error.message = http::describe(request) + ": " + error.message;
    error.hint = "is `HF_ENDPOINT` right, and is there a proxy that answers in its place?";
    return tl::unexpected(std::move(error));
}

std::string to_base64(std::string_view bytes);
/// JSON on one line; bytes that are no UTF-8 are replaced.
std::string to_text(const nlohmann::ordered_json& value);

} // namespace kbuild::hub
