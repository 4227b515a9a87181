#include "kbuild/abi/manylinux.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using abi::Verdict;

TEST_CASE("manylinux_2_28 is what Debian 10 and RHEL 8 have in common") {
    const auto policy = abi::manylinux_policy("manylinux_2_28", "x86_64");
    REQUIRE(policy);
    CHECK(policy->newest("GLIBC") == "2.28");
    CHECK(policy->newest("GLIBCXX") == "3.4.24");
    CHECK(policy->newest("CXXABI") == "1.3.11");
    CHECK(policy->newest("GCC") == "7.0.0");
    CHECK(policy->libraries.contains("libstdc++.so.6"));
    CHECK_FALSE(policy->libraries.contains("libgomp.so.1"));
    CHECK_FALSE(policy->source.empty());
    CHECK(policy->date.size() == 10);
}

TEST_CASE("versions are judged by explicit sets") {
    const auto policy = *abi::manylinux_policy("manylinux_2_28", "x86_64");
    CHECK(judge(policy, "GLIBC_2.28") == Verdict::allowed);
    CHECK(judge(policy, "GLIBC_2.29") == Verdict::too_new);
    CHECK(judge(policy, "GLIBC_PRIVATE") == Verdict::too_new);
    CHECK(judge(policy, "CXXABI_FLOAT128") == Verdict::allowed);
    CHECK(judge(policy, "GLIBC_ABI_DT_RELR") == Verdict::too_new);
    CHECK(judge(policy, "hip_6.4") == Verdict::not_known);
    CHECK(judge(policy, "") == Verdict::not_known);
}

TEST_CASE("policies are listed oldest first; others there are none of") {
    const auto names = abi::manylinux_policies();
    CHECK(names.front() == "manylinux_2_5");
    CHECK(abi::manylinux_policy(names.back(), "aarch64"));
    CHECK_FALSE(abi::manylinux_policy("manylinux_9_9", "x86_64"));
    CHECK_FALSE(abi::manylinux_policy("manylinux_2_28", "mips"));
}
