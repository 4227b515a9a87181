#include "kbuild/sources/condition.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::sources;

namespace {

const Macros kRocm = {{"ROCM_KERNEL", true}, {"CPU_KERNEL", false}, {"USE_ROCM", true}};

std::optional<bool> value(std::string_view expression) {
    return evaluate(expression, kRocm);
}

} // namespace

TEST_CASE("a condition on known macros is decided") {
    CHECK(value("defined(ROCM_KERNEL)") == true);
    CHECK(value("defined ROCM_KERNEL") == true);
    CHECK(value("!defined(ROCM_KERNEL)") == false);
    CHECK(value("defined(CPU_KERNEL) || defined(USE_ROCM)") == true);
    CHECK(value("defined(CPU_KERNEL) && (1 || X)") == false);
    CHECK(value("0") == false);
    CHECK(value("1") == true);
}

TEST_CASE("what depends on an unknown macro is not decided") {
    CHECK(value("defined(MINE)") == std::nullopt);
    CHECK(value("defined(MINE) && defined(ROCM_KERNEL)") == std::nullopt);
    CHECK(value("defined(MINE) || defined(ROCM_KERNEL)") == true);
    CHECK(value("TORCH_VERSION_MINOR >= 12") == std::nullopt);
    CHECK(value("ROCM_KERNEL != 1") == std::nullopt);
    CHECK(value("") == std::nullopt);
    CHECK(value(std::string(100000, '(')) == std::nullopt);
}

TEST_CASE(
    "a branch is seen if its condition holds, those before it do not, and the outer one does") {
    const std::vector<Branch> branches = {
        {-1, {}, "defined(ROCM_KERNEL)"},
        {-1, {"defined(ROCM_KERNEL)"}, ""},
        {0, {}, "defined(MINE)"},
        {1, {}, "defined(MINE)"},
    };
    CHECK(is_seen(branches, -1, kRocm) == true);
    CHECK(is_seen(branches, 0, kRocm) == true);
    CHECK(is_seen(branches, 1, kRocm) == false);
    CHECK(is_seen(branches, 2, kRocm) == std::nullopt);
    CHECK(is_seen(branches, 3, kRocm) == false);
}
