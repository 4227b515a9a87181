#include "kbuild/model/kernel_name.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::model;

TEST_CASE("kernel names follow upstream's pattern") {
    for (const auto* name : {"ab", "a1", "my-kernel", "gemm-fp8", "a--b", "x9y"})
        CHECK(KernelName::parse(name));
    for (const auto* name :
         {"", "a", "-ab", "ab-", "1ab", "My-kernel", "my_kernel", "my kernel", "caf\xC3\xA9"})
        CHECK_FALSE(KernelName::parse(name));
}

TEST_CASE("the Python module has underscores for dashes") {
    CHECK(KernelName::parse("gemm-fp8-x")->module() == "gemm_fp8_x");
}

TEST_CASE("the op namespace is made of module, backend and unique id") {
    CHECK(ops_id(*KernelName::parse("gemm-fp8"), Backend::rocm, "abc123") ==
          "_gemm_fp8_rocm_abc123");
}

TEST_CASE("a unique id is part of a Python identifier") {
    for (const auto* const id : {"a", "0", "_", "abc1234_dirty", "Local"})
        CHECK(is_unique_id(id));
    for (const auto* const id : {"", "a-b", "a b", "a.b", "a/b", "caf\xC3\xA9"})
        CHECK_FALSE(is_unique_id(id));
}

TEST_CASE("backends are read exactly as they are written") {
    for (const auto backend : kBackends)
        CHECK(parse_backend(to_string(backend)) == backend);
    CHECK_FALSE(parse_backend("ROCm"));
    CHECK_FALSE(parse_backend(""));
}
