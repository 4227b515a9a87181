#include "kbuild/support/result.hpp"

#include <catch2/catch.hpp>

#include <cerrno>

using namespace kbuild::support;

namespace {

Result<int> half(int value) {
    if (value % 2 != 0)
        return fail(ErrorKind::usage, "odd", "give an even number");
    return value / 2;
}

Result<int> quarter(int value) {
    KB_TRY_ASSIGN(first, half(value));
    KB_TRY_ASSIGN(second, half(first));
    return second;
}

} // namespace

TEST_CASE("the exit codes are those that are documented") {
    CHECK(exit_code(ErrorKind::failed) == 1);
    CHECK(exit_code(ErrorKind::usage) == 2);
    CHECK(exit_code(ErrorKind::config) == 3);
    CHECK(exit_code(ErrorKind::nothing) == 4);
    CHECK(exit_code(ErrorKind::toolchain) == 5);
    CHECK(exit_code(ErrorKind::content) == 6);
    CHECK(exit_code(ErrorKind::network) == 7);
    CHECK(exit_code(ErrorKind::lock) == 8);
    CHECK(exit_code(ErrorKind::internal) == 70);
    CHECK(exit_code(ErrorKind::interrupted) == 130);
}

TEST_CASE("the macros pass values on and errors up") {
    CHECK(quarter(12).value() == 3);
    REQUIRE_FALSE(quarter(6));
    CHECK(quarter(6).error().message == "odd");
    CHECK(quarter(6).error().hint == "give an even number");
}

TEST_CASE("context is told from the inside out") {
    auto error = Error(ErrorKind::failed, "no space left")
                     .with_context("writing `a`")
                     .with_context("publishing `b`");
    CHECK(error.to_string() == "no space left\n  while writing `a`\n  while publishing `b`");
}

TEST_CASE("an error of the system says what was done and why it failed") {
    CHECK(errno_error("cannot open `x`", ENOENT).message ==
          "cannot open `x`: No such file or directory");
}
