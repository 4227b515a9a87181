#include "kbuild/inspect/device_code.hpp"

#include <catch2/catch.hpp>

#ifdef KBUILD_TEST_REAL_CODE

using namespace kbuild;
namespace fs = std::filesystem;

TEST_CASE("a library of two translation units has the kernels of both, for each architecture") {
    const auto code = inspect::read_device_code(fs::path(KBUILD_TEST_REAL_CODE) / "plain.so");
    REQUIRE(code);
    CHECK(code->bundles == 2);
    CHECK(code->compressed_bundles == 0);
    CHECK(model::to_string(code->archs()) == "gfx90a, gfx942");
    CHECK(code->kernel_count() == 4);
    REQUIRE(code->objects.size() == 4);
    CHECK(code->objects[0].code_object_version == 5);
    CHECK(code->objects[1].code_object_version == 4);
    for (const auto& object : code->objects) {
        REQUIRE(object.kernels.size() == 2);
        const auto& scratches = object.kernels[0];
        const auto& shares = object.kernels[1];
        CHECK(scratches.name.ends_with("_scratches"));
        CHECK(scratches.scratch_bytes >= 64 * sizeof(float));
        CHECK(scratches.lds_bytes == 0);
        CHECK(shares.name.ends_with("_shares"));
        CHECK(shares.symbol == shares.name + ".kd");
        CHECK(shares.lds_bytes == 1200);
        CHECK(shares.scratch_bytes == 0);
        CHECK(shares.max_work_group_size == 256);
        CHECK(shares.wave_size == 64);
        CHECK(shares.kernarg_bytes >= 12);
        CHECK(shares.vgprs > 0);
    }
}

TEST_CASE("what --offload-compress wrote is read like the rest") {
    const auto code = inspect::read_device_code(fs::path(KBUILD_TEST_REAL_CODE) / "compressed.so");
    REQUIRE(code);
    CHECK(code->bundles == 1);
    CHECK(code->compressed_bundles == 1);
    CHECK(model::to_string(code->archs()) == "gfx90a, gfx942");
    CHECK(code->kernel_count() == 2);
}

#endif
