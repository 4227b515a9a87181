#include "variant_folder.hpp"

using namespace kbuild;
using test::arch;
using test::code_object;
using test::Codes;
using test::VariantFolder;

namespace {

verify::Expectations asked_for(const std::vector<std::string>& names) {
    verify::Expectations expectations;
    expectations.archs.emplace();
    for (const auto& name : names)
        expectations.archs->push_back(arch(name));
    return expectations;
}

} // namespace

TEST_CASE("archs asked for, in the file and in metadata are the same, in any order") {
    VariantFolder variant;
    variant.set_device_code(
        {{"gfx942", code_object("gfx942", {"gemm"})}, {"gfx90a", code_object("gfx90a", {"gemm"})}});
    variant.metadata.archs = {arch("gfx90a"), arch("gfx942")};
    CHECK(variant.write_and_check(asked_for({"gfx942", "gfx90a"})).codes() == Codes{});
}

TEST_CASE("an arch that was asked for and is not in the file is K0603") {
    const VariantFolder variant;
    const auto findings = variant.write_and_check(asked_for({"gfx942", "gfx90a"}));
    CHECK(findings.codes() == Codes{"K0603"});
    CHECK(findings.text_of("K0603").find("no code for gfx90a") != std::string::npos);
}

TEST_CASE("an arch in the file that nobody asked for is K0603 too") {
    VariantFolder variant;
    variant.set_device_code(
        {{"gfx942", code_object("gfx942", {"gemm"})}, {"gfx90a", code_object("gfx90a", {"gemm"})}});
    variant.metadata.archs = {arch("gfx90a"), arch("gfx942")};
    CHECK(variant.write_and_check(asked_for({"gfx942"})).codes() == Codes{"K0603"});
}

TEST_CASE("target features count: gfx942:xnack- is not gfx942") {
    VariantFolder variant;
    variant.set_device_code({{"gfx942:xnack-", code_object("gfx942:xnack-", {"gemm"})}});
    CHECK(variant.write_and_check().codes() == Codes{"K0604"});
}

TEST_CASE("metadata that promises other archs than the file has is K0604") {
    VariantFolder variant;
    variant.metadata.archs = {arch("gfx90a"), arch("gfx942")};
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0604"});
    CHECK(findings.all.has_errors());
    variant.metadata.archs = std::vector<model::GfxArch>();
    CHECK(variant.write_and_check().all.has_errors());
    // Older builders did not write it: worth a warning.
    variant.metadata.archs.reset();
    const auto older = variant.write_and_check();
    CHECK(older.codes() == Codes{"K0604"});
    CHECK_FALSE(older.all.has_errors());
}

TEST_CASE("a ROCm variant without GPU code or without kernels is K0605") {
    VariantFolder variant;
    SECTION("no section") {
        variant.library.sections.clear();
        CHECK(variant.write_and_check().codes() == Codes{"K0605"});
    }
    SECTION("an empty bundle") {
        variant.set_device_code({});
        CHECK(variant.write_and_check().codes() == Codes{"K0605"});
    }
    SECTION("code objects without kernels") {
        variant.set_device_code({{"gfx942", code_object("gfx942", {})}});
        CHECK(variant.write_and_check().text_of("K0605").find("no GPU kernel") !=
              std::string::npos);
    }
}

TEST_CASE("a CPU variant with GPU code is K0606") {
    VariantFolder variant(test::kCpuName);
    variant.set_device_code({{"gfx942", code_object("gfx942", {"gemm"})}});
    CHECK(variant.write_and_check().codes() == Codes{"K0606"});
}

TEST_CASE("kernels that some archs lack are warned of by name") {
    VariantFolder variant;
    variant.set_device_code({{"gfx942", code_object("gfx942", {"gemm", "_Z5scalePf"})},
                             {"gfx90a", code_object("gfx90a", {"gemm"})}});
    variant.metadata.archs = {arch("gfx90a"), arch("gfx942")};
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0607"});
    CHECK_FALSE(findings.all.has_errors());
    CHECK(findings.text_of("K0607").find("`scale(float*)` only for gfx942") != std::string::npos);
}

TEST_CASE("damaged GPU code is K0617, with the place") {
    VariantFolder variant;
    variant.library.sections = {{".hip_fatbin", SHT_PROGBITS, "rubbish"}};
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0617"});
    CHECK(findings.text_of("K0617").find("offset 0x0") != std::string::npos);
}
