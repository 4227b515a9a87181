#include "kbuild/toolchain/add.hpp"

#include <catch2/catch.hpp>

using kbuild::support::ErrorKind;
using kbuild::toolchain::SdkRequest;

TEST_CASE("an SDK is named by kind and version") {
    const auto request = SdkRequest::parse("rocm@6.4");
    REQUIRE(request.has_value());
    CHECK(request->kind == SdkRequest::Kind::rocm);
    CHECK(request->name() == "rocm@6.4");
    CHECK(SdkRequest::parse("torch@2.13")->kind == SdkRequest::Kind::torch);
}

TEST_CASE("the patch release is chosen by the provider, so it is dropped from a name") {
    CHECK(SdkRequest::parse("torch@2.14.1")->name() == "torch@2.14");
}

TEST_CASE("a version without minor number means minor 0") {
    CHECK(SdkRequest::parse("rocm@7")->name() == "rocm@7.0");
}

TEST_CASE("what names no SDK is a usage error that shows how to write one") {
    for (const auto* text : {"", "rocm", "@6.4", "cuda@12", "rocm@", "rocm@six", "torch@2.x"}) {
        const auto request = SdkRequest::parse(text);
        REQUIRE_FALSE(request.has_value());
        CHECK(request.error().kind == ErrorKind::usage);
        CHECK(request.error().hint.find("rocm@6.4") != std::string::npos);
    }
}
