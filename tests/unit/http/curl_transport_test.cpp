#include "canned_server.hpp"

#include "kbuild/http/transport.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using http::Failure;
using http::Method;
using http::Request;

namespace {

http::TransportOptions options() {
    http::TransportOptions options;
    options.user_agent = "kbuild-test";
    return options;
}

std::string answer(const std::string& head, const std::string& body) {
    return "HTTP/1.1 " + head + "\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\nConnection: close\r\n\r\n" + body;
}

std::string contents(const std::filesystem::path& path) {
    return support::read_file(path).value();
}

struct Folder {
    support::TempDir dir = support::TempDir::create("/tmp", "kbuild-http-").value();
    std::filesystem::path file(const std::string& name, const std::string& text) const {
        REQUIRE(support::write_file_atomically(dir.path() / name, text));
        return dir.path() / name;
    }
};

} // namespace

TEST_CASE("an answer comes back with status, headers in lower case and body") {
    CannedServer server({answer("404 Not Found\r\nX-Error-Code: RepoNotFound", "no such thing")});
    const auto transport = http::curl_transport(options());
    const auto response = transport->exchange({.url = server.url("/a?b=c")});
    REQUIRE(response);
    CHECK(response->status == 404);
    CHECK(response->header("x-error-code") == "RepoNotFound");
    CHECK(response->body == "no such thing");
    CHECK(server.requests().front().starts_with("GET /a?b=c HTTP/1.1\r\n"));
}

TEST_CASE("a piece of a file is the body of a PUT, and its bytes are counted") {
    const Folder folder;
    const auto path = folder.file("object", "0123456789");
    CannedServer server({answer("200 OK\r\nETag: \"e\"", "")});
    std::int64_t sent = 0;
    Request request{.method = Method::put, .url = server.url("/part")};
    request.body = http::FileRange{path, 3, 4};
    request.authorization = http::bearer(http::Secret("token"));
    request.on_bytes = [&sent](std::int64_t bytes) { sent += bytes; };
    const auto response = http::curl_transport(options())->exchange(request);
    REQUIRE(response);
    CHECK(response->header("etag") == "\"e\"");
    CHECK(sent == 4);
    const auto& seen = server.requests().front();
    CHECK(seen.find("Content-Length: 4\r\n") != std::string::npos);
    CHECK(seen.find("Authorization: Bearer token\r\n") != std::string::npos);
    CHECK(seen.find("Expect:") == std::string::npos);
    CHECK(seen.ends_with("\r\n\r\n3456"));
}

TEST_CASE("a 2xx answer goes into the file, any other one does not touch it") {
    const Folder folder;
    const auto path = folder.file("target", "old and longer");
    CannedServer server({answer("500 Oh", "an excuse"), answer("200 OK", "new")});
    const auto transport = http::curl_transport(options());
    Request request{.url = server.url("/file")};
    request.into = http::FileTarget{path, 0};
    const auto refused = transport->exchange(request);
    REQUIRE(refused);
    CHECK(refused->body == "an excuse");
    CHECK(contents(path) == "old and longer");
    REQUIRE(transport->exchange(request));
    CHECK(contents(path) == "new");
}

TEST_CASE("a download goes on where it stopped if the server can, else from the start") {
    const Folder folder;
    const auto path = folder.file("target", "0123");
    CannedServer server({answer("206 Partial Content", "456"), answer("200 OK", "whole")});
    const auto transport = http::curl_transport(options());
    Request request{.url = server.url("/file")};
    request.into = http::FileTarget{path, 4};
    REQUIRE(transport->exchange(request));
    CHECK(contents(path) == "0123456");
    REQUIRE(transport->exchange(request));
    CHECK(contents(path) == "whole");
    CHECK(server.requests().front().find("Range: bytes=4-\r\n") != std::string::npos);
}

TEST_CASE("what went wrong on the way is told apart") {
    const auto transport = http::curl_transport(options());
    const auto kind_of = [&](const Request& request) {
        const auto response = transport->exchange(request);
        REQUIRE_FALSE(response);
        return response.error().kind;
    };
    SECTION("nobody listens") {
        CHECK(kind_of({.url = "http://127.0.0.1:1/"}) == Failure::Kind::connect);
    }
    SECTION("the answer ends in the middle") {
        CannedServer server({"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"});
        CHECK(kind_of({.url = server.url("/")}) == Failure::Kind::broken);
    }
    SECTION("the connection ends without an answer") {
        CannedServer server({""});
        CHECK(kind_of({.url = server.url("/")}) == Failure::Kind::broken);
    }
    SECTION("the answer is too large") {
        CannedServer server({answer("200 OK", std::string(100, 'x'))});
        CHECK(kind_of({.url = server.url("/"), .answer_limit = 99}) == Failure::Kind::too_large);
    }
    SECTION("the file to send is not there") {
        Request request{.method = Method::put, .url = "http://127.0.0.1:1/"};
        request.body = http::FileRange{"/nonexistent/file", 0, 1};
        CHECK(kind_of(request) == Failure::Kind::local);
    }
    SECTION("the file to send became shorter") {
        const Folder folder;
        CannedServer server({""});
        Request request{.method = Method::put, .url = server.url("/")};
        request.body = http::FileRange{folder.file("short", "abc"), 0, 10};
        CHECK(kind_of(request) == Failure::Kind::local);
    }
    SECTION("another protocol") {
        CHECK(kind_of({.url = "file:///etc/passwd"}) == Failure::Kind::refused);
    }
}

TEST_CASE("a redirect is not followed by the transport") {
    CannedServer server({answer("302 Found\r\nLocation: http://127.0.0.1:1/", "")});
    const auto response = http::curl_transport(options())->exchange({.url = server.url("/")});
    REQUIRE(response);
    CHECK(response->status == 302);
}
