#include "fake_tools.hpp"

#include "kbuild/toolchain/host.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild;
using namespace kbuild::toolchain;
using test::Environment;
using test::FakeMachine;

namespace {

FakeMachine machine_with(const std::vector<std::string>& programs) {
    FakeMachine machine;
    for (const auto& name : programs)
        machine.add_program(name, "echo version 3.25.1\n");
    return machine;
}

const Check* find_check(const std::vector<Check>& checks, const std::string& name) {
    const auto found = std::find_if(
        checks.begin(), checks.end(), [&](const Check& check) { return check.name == name; });
    return found != checks.end() ? &*found : nullptr;
}

} // namespace

TEST_CASE("the host compiler is clang 19 where it is there, else g++, each with its C driver") {
    auto machine = machine_with({"cmake", "ninja", "g++", "gcc"});
    const Environment environment(machine.variables());
    auto tools = find_host_tools({});
    REQUIRE(tools.has_value());
    CHECK(tools->cxx == machine.bin() / "g++");
    CHECK(tools->c == machine.bin() / "gcc");
    CHECK_FALSE(tools->ccache.has_value());
    machine.add_program("clang++-19", "");
    machine.add_program("clang-19", "");
    machine.add_program("ccache", "");
    tools = find_host_tools({});
    CHECK(tools->cxx == machine.bin() / "clang++-19");
    CHECK(tools->c == machine.bin() / "clang-19");
    CHECK(tools->ccache == machine.bin() / "ccache");
}

TEST_CASE("a named host compiler is taken, by name or path") {
    const auto machine = machine_with({"cmake", "ninja", "g++", "g++-12", "gcc-12"});
    const Environment environment(machine.variables());
    CHECK(find_host_tools("g++-12")->c == machine.bin() / "gcc-12");
    CHECK(find_host_tools((machine.bin() / "g++").string())->cxx == machine.bin() / "g++");
    const auto missing = find_host_tools("icpx");
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().kind == support::ErrorKind::toolchain);
}

TEST_CASE("a missing tool is an error with the command that installs it") {
    const auto machine = machine_with({"cmake", "g++"});
    const Environment environment(machine.variables());
    const auto tools = find_host_tools({});
    REQUIRE_FALSE(tools.has_value());
    CHECK(tools.error().kind == support::ErrorKind::toolchain);
    CHECK(tools.error().message == "`ninja` is not on PATH");
    CHECK(tools.error().hint == "apt-get install ninja-build");
}

TEST_CASE("doctor's checks name what is there with its version, and how to get what is not") {
    const auto machine = machine_with({"cmake", "g++", "gcc", "python3"});
    const Environment environment(machine.variables());
    const auto checks = check_host();
    const auto* cmake = find_check(checks, "cmake");
    REQUIRE(cmake != nullptr);
    CHECK(cmake->state == Check::State::ok);
    CHECK(cmake->found == "3.25.1 at " + (machine.bin() / "cmake").string());
    CHECK(cmake->fix.empty());
    const auto* ninja = find_check(checks, "ninja");
    REQUIRE(ninja != nullptr);
    CHECK(ninja->state == Check::State::failure);
    CHECK(ninja->fix == "apt-get install ninja-build");
    CHECK(find_check(checks, "ccache")->state == Check::State::warning);
}

TEST_CASE("a CMake that is too old is a failure") {
    FakeMachine machine;
    machine.add_program("cmake", "echo cmake version 3.22.6\n");
    const Environment environment(machine.variables());
    const auto checks = check_host();
    CHECK(find_check(checks, "cmake")->state == Check::State::failure);
}
