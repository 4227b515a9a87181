#include "kbuild/inspect/occupancy.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using inspect::Limit;
using inspect::Occupancy;

namespace {

model::GfxArch arch(const char* name) {
    return *model::GfxArch::parse(name);
}

inspect::KernelResources
kernel(std::uint32_t vgprs, std::uint32_t lds = 0, std::uint32_t threads = 256) {
    inspect::KernelResources resources;
    resources.vgprs = vgprs;
    resources.lds_bytes = lds;
    resources.max_work_group_size = threads;
    resources.wave_size = 64;
    return resources;
}

Occupancy on_gfx942(const inspect::KernelResources& resources) {
    const auto result = inspect::occupancy(resources, arch("gfx942"));
    REQUIRE(result);
    return *result;
}

} // namespace

TEST_CASE("512 registers of a lane are shared by at most 8 waves, in granules of 8") {
    CHECK(on_gfx942(kernel(0)) == Occupancy{8, 32, Limit::wave_slots});
    CHECK(on_gfx942(kernel(64)) == Occupancy{8, 32, Limit::wave_slots});
    CHECK(on_gfx942(kernel(65)) == Occupancy{7, 28, Limit::vgprs}); // 72
    CHECK(on_gfx942(kernel(128)) == Occupancy{4, 16, Limit::vgprs});
    CHECK(on_gfx942(kernel(168)) == Occupancy{3, 12, Limit::vgprs});
    CHECK(on_gfx942(kernel(169)) == Occupancy{2, 8, Limit::vgprs});
    CHECK(on_gfx942(kernel(256)) == Occupancy{2, 8, Limit::vgprs});
    CHECK(on_gfx942(kernel(512)) == Occupancy{1, 4, Limit::vgprs});
}

TEST_CASE("64 KiB of LDS are shared by the work-groups of a compute unit") {
    CHECK(on_gfx942(kernel(64, 32768)) == Occupancy{8, 8, Limit::lds});
    CHECK(on_gfx942(kernel(64, 65536)) == Occupancy{8, 4, Limit::lds});
    CHECK(on_gfx942(kernel(64, 8192)) == Occupancy{8, 32, Limit::wave_slots});
    CHECK(on_gfx942(kernel(256, 32768)) == Occupancy{2, 8, Limit::vgprs});
    CHECK(on_gfx942(kernel(64, 65537)).waves_per_cu == 0);
}

TEST_CASE("a work-group is on a compute unit as a whole or not at all") {
    CHECK(on_gfx942(kernel(64, 0, 1024)) == Occupancy{8, 32, Limit::wave_slots});
    CHECK(on_gfx942(kernel(64, 0, 704)) == Occupancy{8, 22, Limit::work_group}); // 11 waves
    CHECK(on_gfx942(kernel(256, 0, 1024)).waves_per_cu == 0); // 16 waves, room for 8
}

TEST_CASE("more than 100 scalar registers take the room of one wave") {
    auto resources = kernel(64);
    resources.sgprs = 100;
    CHECK(on_gfx942(resources) == Occupancy{8, 32, Limit::wave_slots});
    resources.sgprs = 101;
    CHECK(on_gfx942(resources) == Occupancy{7, 28, Limit::sgprs});
    resources.vgprs = 72;
    CHECK(on_gfx942(resources) == Occupancy{7, 28, Limit::vgprs}); // as much
    resources.vgprs = 128;
    CHECK(on_gfx942(resources) == Occupancy{4, 16, Limit::vgprs});
    resources.lds_bytes = 65536;
    CHECK(on_gfx942(resources) == Occupancy{4, 4, Limit::lds});
}

TEST_CASE("unknown architectures and sizes are said to be unknown") {
    CHECK_FALSE(inspect::occupancy(kernel(64), arch("gfx1100")));
    CHECK_FALSE(inspect::occupancy(kernel(64, 0, 0), arch("gfx942")));
    CHECK(inspect::occupancy(kernel(64), arch("gfx90a:xnack-")));
}

TEST_CASE("an architecture's own 8-bit floating point numbers") {
    CHECK(inspect::native_fp8(arch("gfx942")) == "fnuz");
    CHECK(inspect::native_fp8(arch("gfx942:sramecc+:xnack-")) == "fnuz");
    CHECK(inspect::native_fp8(arch("gfx950")) == "ocp");
    CHECK(inspect::native_fp8(arch("gfx1201")) == "ocp");
    CHECK_FALSE(inspect::native_fp8(arch("gfx90a")));
}
