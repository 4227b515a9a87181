#include "package_index.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::toolchain;

TEST_CASE("stanzas of apt-cache show become packages") {
    const auto index = parse_packages("Package: hipcc\n"
                                      "Source: rocm-llvm\n"
                                      "Version: 7.0.2+dfsg-3\n"
                                      "Depends: libc6 (>= 2.38), clang-21, python3:any\n"
                                      "Description: a compiler\n"
                                      " Depends: this line belongs to the description\n"
                                      "Size: 101036\n"
                                      "SHA256: 151b8f\n"
                                      "\n"
                                      "Package: lld-21\n"
                                      "Version: 1:21.1.8-13\n"
                                      "Pre-Depends: dpkg\n");
    REQUIRE(index.size() == 2);
    const auto& hipcc = index.at("hipcc");
    CHECK(hipcc.version == "7.0.2+dfsg-3");
    CHECK(hipcc.size == 101036);
    CHECK(hipcc.sha256 == "151b8f");
    CHECK(hipcc.depends ==
          std::vector<std::vector<std::string>>{{"libc6"}, {"clang-21"}, {"python3"}});
    CHECK(index.at("lld-21").depends == std::vector<std::vector<std::string>>{{"dpkg"}});
}

TEST_CASE("of a package that is shown twice the first counts") {
    const auto index = parse_packages("Package: a\nVersion: 2\n\nPackage: a\nVersion: 1\n");
    CHECK(index.at("a").version == "2");
}

TEST_CASE("text that is no stanza gives no packages") {
    CHECK(parse_packages("").empty());
    CHECK(parse_packages("N: Unable to locate package x\n\n\n").empty());
}

TEST_CASE("alternatives stay together") {
    CHECK(parse_dependencies("a (>= 1) | b:any [amd64], , c") ==
          std::vector<std::vector<std::string>>{{"a", "b"}, {"c"}});
}

TEST_CASE("the maker's version is what stands between epoch and revision") {
    const auto upstream = [](const char* version) {
        Package package;
        package.version = version;
        return package.upstream_version();
    };
    CHECK(upstream("1:21.1.8-13") == "21.1.8");
    CHECK(upstream("7.0.2+dfsg-3") == "7.0.2");
    CHECK(upstream("6.4.3-5+b1") == "6.4.3");
    CHECK(upstream("5.7.1~rc1-2") == "5.7.1");
}
