#include "apt_mirror.hpp"
#include "fake_tools.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::toolchain;
using test::Environment;
using test::FakeMachine;

TEST_CASE("the archive's address is the one of a source that names the distribution") {
    CHECK(mirror_from_targets("Ubuntu noble http://a.example/ubuntu/\n"
                              "Debian bookworm-security http://b.example/debian-security/\n"
                              "Debian bookworm http://c.example/any/path/\n",
                              "Debian") == "http://c.example/any/path/");
    CHECK(mirror_from_targets(" bookworm http://a.example/debian/\n", "Debian").empty());
}

TEST_CASE("without package lists the address is told by its path") {
    CHECK(mirror_from_uris("'http://a.example/debian-security/dists/s/InRelease' x 0\n"
                           "'http://a.example/debian/dists/bookworm/InRelease' x 0 \n",
                           "Debian") == "http://a.example/debian/");
    CHECK(mirror_from_uris("'http://a.example/ubuntu/dists/noble/InRelease' x 0\n", "Debian")
              .empty());
}

TEST_CASE("the machine's own apt is asked at run time") {
    const FakeMachine machine;
    machine.add_program("apt-get",
                        "case $1 in indextargets) echo Debian x http://m.example/d/;; esac\n");
    const Environment environment(machine.variables());
    const auto mirror = find_apt_mirror("Debian");
    REQUIRE(mirror.has_value());
    CHECK(mirror->uri == "http://m.example/d/");
}

TEST_CASE("a mirror in the environment wins over the machine's configuration") {
    const FakeMachine machine;
    auto variables = machine.variables();
    variables["KBUILD_DEBIAN_MIRROR"] = "http://given.example/debian";
    const Environment environment(variables);
    CHECK(find_apt_mirror("Debian")->uri == "http://given.example/debian");
}

TEST_CASE("a machine whose apt knows no such archive is told what to set") {
    const FakeMachine machine;
    machine.add_program("apt-get", "exit 0\n");
    const Environment environment(machine.variables());
    const auto mirror = find_apt_mirror("Debian");
    REQUIRE_FALSE(mirror.has_value());
    CHECK(mirror.error().kind == support::ErrorKind::toolchain);
    CHECK(mirror.error().hint.find("KBUILD_DEBIAN_MIRROR") != std::string::npos);
}
