#pragma once

#include "kbuild/http/secret.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kbuild::http {

enum class Method { get, head, post, put };

std::string_view to_string(Method method);

struct Header {
    std::string name;
    std::string value;
    bool operator==(const Header&) const = default;
};

/// A piece of a file that is sent as the body, read while it is sent.
struct FileRange {
    std::filesystem::path path;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

/// A file that takes the body of a 2xx answer. A 206 answer is written from `offset` on, any other
/// one from the start.
struct FileTarget {
    std::filesystem::path path;
    std::uint64_t offset = 0; ///< bytes that are there already; asked for with a Range header
};

/// One request, complete and repeatable.
struct Request {
    Method method = Method::get;
    std::string url;
    std::vector<Header> headers;
    std::variant<std::string, FileRange> body;
    /// Value of the header Authorization. Only ever sent to the origin of `url`: a redirect to
    /// another one goes without.
    Secret authorization;
    std::optional<FileTarget> into;
    /// Largest answer that is kept in memory.
    std::size_t answer_limit = std::size_t{16} << 20U;
    /// How long less than `kStallFloor` bytes a second may come or go; zero: as the transport says.
    std::chrono::seconds stall{0};
    /// Whether it may be sent again when it is not known what became of it.
    bool repeatable = true;
    /// Told of body bytes that went out (or came in, with `into`); negative when a body starts
    /// over.
    std::function<void(std::int64_t)> on_bytes;
};

inline constexpr long kStallFloor = 256;

struct Response {
    long status = 0;
    std::vector<Header> headers; ///< names in lower case, in the order they came
    std::string body;            ///< empty for a 2xx answer that went into a file
    std::string url;             ///< that answered, after redirects

    bool ok() const { return status >= 200 && status < 300; }
    /// The last header of that name (in lower case).
    std::optional<std::string> header(std::string_view name) const;
};

/// Why there is no answer.
struct Failure {
    enum class Kind {
        connect,   ///< no connection: name, route, refusal
        tls,       ///< the server's certificate is not accepted
        timeout,   ///< nothing moved for too long
        broken,    ///< the connection ended in the middle
        too_large, ///< more than the request's answer_limit
        local,     ///< the file to send or to write
        stopped,   ///< Ctrl-C
        refused    ///< against kbuild's own rules: too many redirects, from https to http
    };
    Kind kind = Kind::broken;
    std::string message;
};

} // namespace kbuild::http
