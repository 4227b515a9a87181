#include "kbuild/model/gfx_arch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild::model;

TEST_CASE("an architecture is a processor with optional features") {
    const auto arch = GfxArch::parse("gfx90a:sramecc+:xnack-");
    REQUIRE(arch);
    CHECK(arch->processor() == "gfx90a");
    CHECK(arch->features() == ":sramecc+:xnack-");
    CHECK(arch->to_string() == "gfx90a:sramecc+:xnack-");
    CHECK(GfxArch::parse("gfx942"));
    CHECK(GfxArch::parse("gfx1100"));
}

TEST_CASE("anything else is not one") {
    for (const auto* text : {"",
                             "gfx",
                             "gfx9",
                             "GFX942",
                             "sm_90",
                             "gfx942:",
                             "gfx942:xnack",
                             "gfx942:xnack?",
                             "gfx94g",
                             " gfx942",
                             "gfx942 "})
        CHECK_FALSE(GfxArch::parse(text));
}

TEST_CASE("the default list is upstream's ten, in string order") {
    const auto& archs = default_rocm_archs();
    CHECK(archs.size() == 10);
    CHECK(std::is_sorted(archs.begin(), archs.end()));
    CHECK(to_string(archs) ==
          "gfx1030, gfx1100, gfx1101, gfx1200, gfx1201, gfx906, gfx908, gfx90a, gfx942, gfx950");
}
