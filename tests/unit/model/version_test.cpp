#include "kbuild/model/version.hpp"

#include <catch2/catch.hpp>

using kbuild::model::Version;
using kbuild::model::VersionRange;

namespace {
Version v(std::string_view text) {
    const auto version = Version::parse(text);
    REQUIRE(version);
    return *version;
}
} // namespace

TEST_CASE("versions compare by number, not by letter") {
    CHECK(v("2.9") < v("2.10"));
    CHECK(v("2.10") < v("2.10.1"));
    CHECK(v("2") < v("2.1"));
    CHECK(v("11.8") < v("12"));
}

TEST_CASE("zeros at the end do not count") {
    CHECK(v("2.0") == v("2"));
    CHECK(v("12.8.0") == v("12.8"));
    CHECK(v("0.0") == v("0"));
    CHECK(v("2.0").to_string() == "2");
    CHECK(v("2.0").dotted() == "2.0");
}

TEST_CASE("blanks around a version are fine, anything else is not") {
    CHECK(v(" 2.13 ") == v("2.13"));
    for (const auto* text : {"",
                             " ",
                             ".",
                             "2.",
                             ".2",
                             "2..1",
                             "-1",
                             "+2",
                             "2.x",
                             "2 .1",
                             ">=2",
                             "2.13+cpu",
                             "99999999999999999999"})
        CHECK_FALSE(Version::parse(text));
}

TEST_CASE("a version has the forms that names need") {
    CHECK(v("2.13.1").major_minor() == v("2.13"));
    CHECK(v("2.13.1").compact() == "213");
    CHECK(v("7").compact() == "70");
    CHECK(v("6.4.43484").dotted() == "6.4");
    CHECK(v("6.4.43484").to_string() == "6.4.43484");
}

TEST_CASE("parse and to_string agree for all normalised versions") {
    for (unsigned a = 0; a < 4; ++a)
        for (unsigned b = 0; b < 13; ++b)
            for (unsigned c = 0; c < 3; ++c) {
                const Version version({a, b, c});
                CHECK(v(version.to_string()) == version);
            }
}

TEST_CASE("a range includes both ends and may be open") {
    const VersionRange range{v("2.12"), v("2.13")};
    CHECK(range.contains(v("2.12")));
    CHECK(range.contains(v("2.13")));
    CHECK_FALSE(range.contains(v("2.11")));
    CHECK_FALSE(range.contains(v("2.13.1")));
    CHECK(VersionRange{}.contains(v("99")));
    CHECK(VersionRange{v("2.12"), {}}.to_string() == ">= 2.12");
    CHECK(range.to_string() == "2.12 to 2.13");
    CHECK(VersionRange{}.to_string() == "any");
}
