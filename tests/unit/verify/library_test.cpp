#include "variant_folder.hpp"

using namespace kbuild;
using test::Codes;
using test::VariantFolder;

TEST_CASE("a library that is no library is K0601 and says why") {
    const VariantFolder variant;
    variant.write_metadata();
    SECTION("a Git LFS pointer") {
        variant.write("_gemm_rocm_abc.abi3.so", "version https://git-lfs.github.com/spec/v1\n");
        CHECK(variant.check().codes() == Codes{"K0601"});
    }
    SECTION("empty") {
        variant.write("_gemm_rocm_abc.abi3.so", "");
        CHECK(variant.check().text_of("K0601").find("empty") != std::string::npos);
    }
    SECTION("cut off") {
        const auto whole = test::build_elf(variant.library);
        variant.write("_gemm_rocm_abc.abi3.so", whole.substr(0, whole.size() / 2));
        CHECK(variant.check().codes() == Codes{"K0601"});
    }
}

TEST_CASE("the library must be for the CPU of the variant's name, and shared") {
    VariantFolder variant;
    SECTION("aarch64") {
        variant.library.machine = EM_AARCH64;
        CHECK(variant.write_and_check().codes() == Codes{"K0602"});
    }
    SECTION("an object file") {
        variant.library.type = ET_REL;
        CHECK(variant.write_and_check().codes() == Codes{"K0601"});
    }
}

TEST_CASE("PyInit_<id> must be exported") {
    VariantFolder variant;
    variant.library.symbols.clear();
    CHECK(variant.write_and_check().codes() == Codes{"K0614"});
    variant.library.symbols = {{"PyInit__gemm_rocm_old", true}};
    CHECK(variant.write_and_check().text_of("K0614").find("PyInit__gemm_rocm_old") !=
          std::string::npos);
}

TEST_CASE("run paths and packed relocations are refused") {
    VariantFolder variant;
    variant.library.run_path = "/home/me/torch/lib";
    variant.library.relr = true;
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0612", "K0613"});
    CHECK(findings.text_of("K0612").find("/home/me/torch/lib") != std::string::npos);
}

TEST_CASE("unique symbols are warned of") {
    VariantFolder variant;
    variant.library.symbols.push_back({"_ZN4gemm5stateE", true, STB_GNU_UNIQUE});
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0616"});
    CHECK(findings.text_of("K0616").find("gemm::state") != std::string::npos);
    CHECK_FALSE(findings.all.has_errors());
}

TEST_CASE("libraries of another platform are K0608") {
    VariantFolder rocm;
    rocm.library.needed.emplace_back("libc10_cuda.so");
    CHECK(rocm.write_and_check().codes() == Codes{"K0608"});
    VariantFolder cpu(test::kCpuName);
    cpu.library.needed.emplace_back("libamdhip64.so.7");
    cpu.library.needed.emplace_back("libcudart.so.13");
    CHECK(cpu.write_and_check().codes() == Codes{"K0608", "K0608"});
}

TEST_CASE("Python's own libraries are refused, unknown ones warned of") {
    VariantFolder variant;
    variant.library.needed.emplace_back("libtorch_python.so");
    variant.library.needed.emplace_back("libpython3.11.so.1.0");
    variant.library.needed.emplace_back("libfancy.so.2");
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0610", "K0610", "K0610"});
    CHECK(findings.all.count(diag::Severity::error) == 2);
}

TEST_CASE("the HIP runtime must be that of the variant's ROCm") {
    VariantFolder variant;
    std::replace(variant.library.needed.begin(),
                 variant.library.needed.end(),
                 std::string("libamdhip64.so.7"),
                 std::string("libamdhip64.so.6"));
    CHECK(variant.write_and_check().codes() == Codes{"K0609"});
    verify::Expectations expectations;
    expectations.hip_soname = "libamdhip64.so.6";
    CHECK(variant.write_and_check(expectations).codes() == Codes{});
}

TEST_CASE("another library of a variant is checked as well, and its device code counts") {
    VariantFolder variant;
    variant.library.sections.clear();
    test::ElfImage companion;
    companion.needed = {"libc.so.6"};
    companion.sections = {
        {".hip_fatbin",
         SHT_PROGBITS,
         test::hip_bundle({{"gfx942", test::code_object("gfx942", {"gemm", "scale"})}})}};
    SECTION("a good one") {
        variant.write("lib/libgemm.so.1", test::build_elf(companion));
        const auto findings = variant.write_and_check();
        CHECK(findings.codes() == Codes{});
        CHECK(findings.facts.kernels == 2);
    }
    SECTION("one that needs a newer system") {
        companion.symbols = {{"strerrordesc_np", false, STB_GLOBAL, "GLIBC_2.32", "libc.so.6"}};
        companion.executable_stack = true;
        variant.write("libgemm.so", test::build_elf(companion));
        const auto findings = variant.write_and_check();
        CHECK(findings.codes() == Codes{"K0620", "K0624"});
        CHECK(findings.text_of("K0620").find("libgemm.so` needs") != std::string::npos);
    }
    SECTION("one that cannot be read") {
        variant.write("libgemm.so", "text");
        CHECK(variant.write_and_check().text_of("K0601").find("libgemm.so") != std::string::npos);
    }
}
