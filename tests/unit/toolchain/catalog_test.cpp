#include "catalog.hpp"

#include "kbuild/toolchain/add.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild;

TEST_CASE("the embedded data is well formed, and sorted by version") {
    const auto catalog = toolchain::load_catalog();
    REQUIRE(catalog.has_value());
    const auto older = [](const auto& a, const auto& b) { return a.version < b.version; };
    CHECK(std::is_sorted(catalog->rocm.begin(), catalog->rocm.end(), older));
    CHECK(std::is_sorted(catalog->torch.begin(), catalog->torch.end(), older));
    for (const auto& recipe : catalog->rocm)
        CHECK_FALSE(recipe.suites.empty());
}

TEST_CASE("known SDKs are listed as one writes them") {
    const auto known = toolchain::known_sdks();
    for (const auto* name : {"rocm@5.7", "rocm@6.4", "rocm@7.2", "torch@2.13", "torch@2.14"})
        CHECK(std::count(known.begin(), known.end(), name) == 1);
}
