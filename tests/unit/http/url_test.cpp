#include "kbuild/http/secret.hpp"
#include "kbuild/http/url.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <ostream>
#include <type_traits>

using namespace kbuild;

namespace {
template <typename T, typename = void> struct CanStream : std::false_type {};
template <typename T>
struct CanStream<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<T>())>>
    : std::true_type {};
} // namespace

TEST_CASE("an origin is scheme, host and port") {
    CHECK(http::origin_of("https://Hub.Test/a?b") == http::Origin{"https", "hub.test", 443});
    CHECK(http::origin_of("http://127.0.0.1:8080") == http::Origin{"http", "127.0.0.1", 8080});
    CHECK(http::origin_of("http://[::1]:1/")->is_loopback());
    CHECK(http::origin_of("http://localhost/")->is_loopback());
    CHECK_FALSE(http::origin_of("http://localhost.evil.test/")->is_loopback());
    CHECK_FALSE(http::origin_of("ftp://hub.test/"));
    CHECK_FALSE(http::origin_of("/path"));
    CHECK_FALSE(http::origin_of(""));
}

TEST_CASE("what is shown of a URL") {
    CHECK(http::shown("https://u:p@hub.test:8443/a/b?token=1#x") == "https://hub.test:8443/a/b");
    CHECK(http::shown("nonsense\n") == "an address that is no URL");
}

TEST_CASE("a redirect may be relative") {
    CHECK(http::resolve("https://hub.test/a/b", "c") == "https://hub.test/a/c");
    CHECK(http::resolve("https://hub.test/a/b", "/c?d") == "https://hub.test/c?d");
    CHECK(http::resolve("https://hub.test/a", "//cdn.test/c") == "https://cdn.test/c");
    CHECK_FALSE(http::resolve("https://hub.test/a", "javascript:alert(1)"));
}

TEST_CASE("path segments are percent-encoded") {
    CHECK(http::encode("refs/pr/1") == "refs%2Fpr%2F1");
    CHECK(http::encode("build/a b%", true) == "build/a%20b%25");
    CHECK(http::encode("\xc3\xa4") == "%C3%A4");
}

TEST_CASE("a secret cannot be printed by accident") {
    STATIC_REQUIRE_FALSE(CanStream<http::Secret>::value);
    STATIC_REQUIRE_FALSE(fmt::is_formattable<http::Secret>::value);
    STATIC_REQUIRE_FALSE(std::is_convertible_v<http::Secret, std::string>);
    STATIC_REQUIRE_FALSE(std::is_convertible_v<http::Secret, std::string_view>);
}

TEST_CASE("header values for bearer and basic") {
    CHECK(http::bearer(http::Secret("t")).reveal() == "Bearer t");
    CHECK(http::basic("Aladdin", http::Secret("open sesame")).reveal() ==
          "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}
