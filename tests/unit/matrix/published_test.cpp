#include "kbuild/matrix/published.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using kbuild::matrix::published_matrix;
using kbuild::model::Version;

TEST_CASE("the published matrix is that of autumn 2026") {
    const auto& published = published_matrix();
    CHECK(published.torch == std::vector<Version>{Version({2, 13}), Version({2, 14})});
    CHECK(published.rocm == std::vector<Version>{Version({7, 1}), Version({7, 2})});
    CHECK(published.rocm_cpu == "x86_64");
    CHECK(published.date.size() == 10);
}

TEST_CASE("every published pair has a wheel that can load it") {
    const auto& published = published_matrix();
    for (const auto& torch : published.torch)
        for (const auto& rocm : published.rocm)
            CHECK(published.has_wheel(torch, rocm));
}

TEST_CASE("no wheel of the published torch versions is for ROCm 6.4") {
    for (const auto& torch : published_matrix().torch)
        CHECK_FALSE(published_matrix().has_wheel(torch, Version({6, 4})));
}

TEST_CASE("ROCm 7.1 cannot be fetched, and it is said where it comes from") {
    CHECK(published_matrix().not_fetched.contains(Version({7, 1})));
    CHECK_FALSE(published_matrix().not_fetched.contains(Version({7, 2})));
}
