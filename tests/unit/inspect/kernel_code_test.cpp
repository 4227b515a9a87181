#include "device_code_builder.hpp"

#include "kbuild/inspect/device_code.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using inspect::InstructionCounts;

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kEndProgram = 0xBF810000;
constexpr std::uint32_t kNop = 0xBF800000;
constexpr std::uint32_t kWait = 0xBF8CC07F;

inspect::KernelResources kernel_of(const Words& words, const std::string& arch = "gfx942") {
    const auto object =
        inspect::read_code_object(test::code_object_with(arch, {{"k", words}}), "x");
    REQUIRE(object);
    REQUIRE(object->kernels.size() == 1);
    return object->kernels[0];
}

} // namespace

TEST_CASE("instructions of every length are counted, matrix ones apart") {
    // Words as llvm-mc -mcpu=gfx942 writes them.
    const auto kernel = kernel_of({
        0xC0060002,
        0x00000000, // s_load_dwordx2 s[0:1], s[4:5], 0x0
        0xBF8CC07F, // s_waitcnt lgkmcnt(0)
        0x7E0002FF,
        0x3F99999A, // v_mov_b32_e32 v0, 0x3f99999a
        0x7E000200, // v_mov_b32_e32 v0, s0
        0xBE8000FF,
        0x12345678, // s_mov_b32 s0, 0x12345678
        0xBA00F801,
        0x00000001, // s_setreg_imm32_b32 hwreg(HW_REG_MODE), 1
        0xD3D84000,
        0x18000100, // v_accvgpr_read_b32 v0, a0
        0xD3F30000,
        0x04020D04, // v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[4:5], v[6:7], v[0:3]
        0xD3B04000,
        0x1C220D04, // v_pk_fma_f32 v[0:1], v[4:5], v[6:7], v[8:9]
        kEndProgram,
    });
    CHECK(kernel.instructions == InstructionCounts{10, 1});
    CHECK(kernel.code_bytes == 17 * sizeof(std::uint32_t));
    CHECK_FALSE(kernel.empty);
}

TEST_CASE("a kernel whose body an architecture guard removed is empty") {
    CHECK(kernel_of({kEndProgram}).empty);
    CHECK(kernel_of({kNop, kWait, kEndProgram}).empty);
    CHECK(kernel_of({0xBFB00000}, "gfx1100").empty);
    CHECK_FALSE(kernel_of({0x7E000200, kEndProgram}).empty);
    CHECK_FALSE(kernel_of({kNop}).empty); // its end is not in the file
}

TEST_CASE("what cannot be decoded has no counts rather than wrong ones") {
    CHECK_FALSE(kernel_of({0xFFFFFFFF, kEndProgram}).instructions);
    CHECK_FALSE(kernel_of({0xC0060002}).instructions); // cut off
    CHECK_FALSE(kernel_of({kEndProgram}, "gfx1100").instructions);
}

TEST_CASE("a kernel whose code is not in the file has a size of 0 and is not called empty") {
    const auto object = inspect::read_code_object(test::code_object("gfx942", {"k"}), "x");
    REQUIRE(object);
    CHECK(object->kernels[0].code_bytes == 0);
    CHECK_FALSE(object->kernels[0].instructions);
    CHECK_FALSE(object->kernels[0].empty);
}

TEST_CASE("a function symbol that points outside of its section has no code") {
    auto bytes = test::code_object_with("gfx942", {{"k", {kEndProgram}}});
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        auto damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0xFF);
        const auto object = inspect::read_code_object(damaged, "x");
        if (object)
            for (const auto& kernel : object->kernels)
                CHECK(kernel.code_bytes <= damaged.size());
    }
}
