#include "device_code_builder.hpp"

#include "kbuild/inspect/device_code.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using inspect::read_code_object;
using test::json;

namespace {

std::string with_metadata(const json& metadata,
                          const std::vector<std::string>& kernels = {"gemm"}) {
    return test::build_elf(
        test::code_object_image(kernels, test::amdgpu_note(test::message_pack(metadata))));
}

std::string refusal_of(const std::string& bytes) {
    const auto object = read_code_object(bytes, "x.co");
    REQUIRE_FALSE(object);
    CHECK(object.error().kind == support::ErrorKind::content);
    return object.error().to_string();
}

} // namespace

TEST_CASE("a kernel's figures come from the metadata note") {
    const auto bytes = test::code_object("gfx942", {"gemm"});
    const auto object = read_code_object(bytes, "x.co");
    REQUIRE(object);
    CHECK(object->arch.to_string() == "gfx942");
    CHECK(object->bytes == bytes.size());
    REQUIRE(object->kernels.size() == 1);
    inspect::KernelResources wanted;
    wanted.name = "gemm";
    wanted.symbol = "gemm.kd";
    wanted.vgprs = 52;
    wanted.agprs = 16;
    wanted.sgprs = 26;
    wanted.vgpr_spills = 3;
    wanted.sgpr_spills = 1;
    wanted.lds_bytes = 9216;
    wanted.scratch_bytes = 20;
    wanted.kernarg_bytes = 48;
    wanted.max_work_group_size = 256;
    wanted.wave_size = 64;
    CHECK(object->kernels.front() == wanted);
}

TEST_CASE("the code object version is two more than the ELF ABI version") {
    for (unsigned char abi_version = 1; abi_version <= 4; ++abi_version)
        CHECK(read_code_object(test::code_object("gfx942", {"k"}, abi_version), "x")
                  ->code_object_version == abi_version + 2U);
    CHECK_FALSE(read_code_object(test::code_object("gfx942", {"k"}, 0), "x"));
    CHECK_FALSE(read_code_object(test::code_object("gfx942", {"k"}, 5), "x"));
}

TEST_CASE("target features are part of the architecture") {
    const auto object = read_code_object(test::code_object("gfx90a:sramecc+:xnack-", {"k"}), "x");
    REQUIRE(object);
    CHECK(object->arch.to_string() == "gfx90a:sramecc+:xnack-");
}

TEST_CASE("kernels are sorted by name; a code object may have none") {
    const auto object = read_code_object(test::code_object("gfx942", {"b", "a"}), "x");
    REQUIRE(object);
    REQUIRE(object->kernels.size() == 2);
    CHECK(object->kernels[0].name == "a");
    CHECK(read_code_object(test::code_object("gfx942", {}), "x")->kernels.empty());
}

TEST_CASE("counts that older compilers leave out are zero; others are required") {
    auto metadata = test::code_metadata("gfx942", {"gemm"});
    auto& kernel = metadata["amdhsa.kernels"][0];
    kernel.erase(".agpr_count");
    kernel.erase(".vgpr_spill_count");
    CHECK(read_code_object(with_metadata(metadata), "x")->kernels[0].agprs == 0);
    kernel.erase(".vgpr_count");
    CHECK(refusal_of(with_metadata(metadata)).find(".vgpr_count") != std::string::npos);
}

TEST_CASE("a figure that fits no register count is refused") {
    auto metadata = test::code_metadata("gfx942", {"gemm"});
    auto& count = metadata["amdhsa.kernels"][0][".vgpr_count"];
    for (const json& value : {json(-1), json(std::uint64_t{1} << 40U), json("52"), json(1.5)}) {
        count = value;
        CHECK_FALSE(read_code_object(with_metadata(metadata), "x"));
    }
}

TEST_CASE("a kernel without descriptor is refused") {
    const auto metadata = test::code_metadata("gfx942", {"gemm"});
    CHECK(refusal_of(with_metadata(metadata, {})).find("gemm.kd") != std::string::npos);
}

TEST_CASE("metadata that is not what LLVM writes is refused") {
    CHECK_FALSE(read_code_object(with_metadata(json::array()), "x"));
    CHECK_FALSE(read_code_object(with_metadata({{"amdhsa.kernels", 1}}), "x"));
    CHECK_FALSE(read_code_object(
        with_metadata({{"amdhsa.target", "amdgcn-amd-amdhsa--gfx942"}, {"amdhsa.kernels", {1}}}),
        "x"));
    CHECK(refusal_of(with_metadata({{"amdhsa.kernels", json::array()}})).find("amdhsa.target") !=
          std::string::npos);
    CHECK(refusal_of(with_metadata({{"amdhsa.target", "nvptx"}})).find("nvptx") !=
          std::string::npos);
}

TEST_CASE("a host library is no code object") {
    CHECK(refusal_of(test::build_elf({})).find("no code object") != std::string::npos);
}

TEST_CASE("a code object without note, or with a damaged one, is refused") {
    const auto image = [](const std::string& note) {
        return test::build_elf(test::code_object_image({}, note));
    };
    CHECK(refusal_of(image("")).find("no AMDGPU metadata note") != std::string::npos);
    CHECK(refusal_of(image(test::amdgpu_note("\xc1"))).find("MessagePack") != std::string::npos);
    // A map of 4 billion entries in five bytes.
    CHECK(refusal_of(image(test::amdgpu_note("\xdf\xff\xff\xff\xff"))).find("MessagePack") !=
          std::string::npos);
    const auto whole = test::amdgpu_note(test::message_pack(test::code_metadata("gfx942", {"k"})));
    for (std::size_t length = 0; length + 4 < whole.size(); length += 3)
        CHECK_FALSE(read_code_object(image(whole.substr(0, length)), "x"));
}

TEST_CASE("metadata nested a million deep does not use up the stack") {
    const std::string nested(1'000'000, '\x91');
    const auto bytes = test::build_elf(test::code_object_image({}, test::amdgpu_note(nested)));
    CHECK(refusal_of(bytes).find("MessagePack") != std::string::npos);
}

TEST_CASE("no truncation and no flipped byte of a code object crashes the reader") {
    const auto whole = test::code_object("gfx942", {"gemm", "scale"});
    for (std::size_t length = 0; length < whole.size(); length += 7)
        static_cast<void>(read_code_object(whole.substr(0, length), "x"));
    for (std::size_t at = 0; at < whole.size(); ++at) {
        auto bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0xFF);
        static_cast<void>(read_code_object(bytes, "x"));
    }
    SUCCEED();
}
