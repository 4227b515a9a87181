#include "variant_folder.hpp"

using namespace kbuild;
using test::Codes;
using test::VariantFolder;
namespace fs = std::filesystem;

namespace {

test::ElfSymbol
needs(const std::string& name, const std::string& version, const std::string& library) {
    return {name, false, STB_GLOBAL, version, library};
}

verify::Expectations with_policy(const std::string& policy) {
    verify::Expectations expectations;
    expectations.policy = policy;
    return expectations;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a symbol version newer than the policy is K0620: symbol, version, library, variant") {
    VariantFolder variant;
    variant.library.symbols.push_back(needs("memcpy", "GLIBC_2.14", "libc.so.6"));
    variant.library.symbols.push_back(needs("pthread_create", "GLIBC_2.34", "libc.so.6"));
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0620"});
    const auto text = findings.text_of("K0620");
    CHECK(contains(text, "1 symbol version newer than manylinux_2_28"));
    CHECK(contains(text, "`pthread_create`: `GLIBC_2.34` of `libc.so.6`"));
    CHECK(contains(text, test::kRocmName));
    CHECK(variant.write_and_check(with_policy("manylinux_2_34")).codes() == Codes{});
}

TEST_CASE("versions of libraries that the policy does not know are nobody's business") {
    VariantFolder variant;
    variant.library.symbols.push_back(needs("hipMalloc", "hip_4.2", "libamdhip64.so.7"));
    CHECK(variant.write_and_check().codes() == Codes{});
}

TEST_CASE("policy `none` says that nothing was checked") {
    VariantFolder variant;
    variant.library.symbols.push_back(needs("pthread_create", "GLIBC_2.34", "libc.so.6"));
    const auto findings = variant.write_and_check(with_policy("none"));
    CHECK(findings.codes() == Codes{});
    CHECK(contains(findings.text_of("K0615"), "the policy is `none`"));
}

TEST_CASE("names of Python beyond the limited API of 3.9 are K0622") {
    VariantFolder variant;
    for (const auto* name :
         {"PyModule_Create2", "PyObject_CallNoArgs", "PyUnicode_AsUTF8", "_Py_Private"})
        variant.library.symbols.push_back({name});
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0622"});
    const auto text = findings.text_of("K0622");
    CHECK(contains(text, "needs 3 names"));
    CHECK(contains(text, "`PyObject_CallNoArgs` came with Python 3.10"));
    CHECK(contains(text, "`PyUnicode_AsUTF8` is not in the limited API"));
    CHECK(contains(text, "`_Py_Private` is not in the limited API"));
}

TEST_CASE("a stable ABI variant keeps to what its oldest torch has") {
    VariantFolder variant("torch-stable-abi210-rocm72-x86_64-linux");
    for (const auto* name : {"aoti_torch_get_data_ptr",
                             "torch_parallel_for",
                             "_ZN5torch6stable6Tensor4sizeEl",
                             "aoti_torch_cpu__grouped_mm",
                             "_ZN2at5emptyEi"})
        variant.library.symbols.push_back({name});
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0623"});
    const auto text = findings.text_of("K0623");
    CHECK(contains(text, "`aoti_torch_cpu__grouped_mm` came with torch 2.12"));
    CHECK(contains(text, "`at::empty(int)` may change with each torch"));
    CHECK(contains(text, "needs 2 names"));
}

TEST_CASE("an executable stack is an error, writable address tables a warning") {
    VariantFolder variant;
    variant.library.executable_stack = true;
    variant.library.relro = false;
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0624", "K0625"});
    CHECK(findings.all.count(diag::Severity::error) == 1);
}

TEST_CASE("a SONAME must be the file's own name") {
    VariantFolder variant;
    variant.library.soname = "_gemm_rocm_abc.abi3.so";
    CHECK(variant.write_and_check().codes() == Codes{});
    variant.library.soname = "libgemm.so";
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0628"});
    CHECK(contains(findings.text_of("K0628"), "`libgemm.so`"));
}

TEST_CASE("names of the C++ library that only torch has are K0621") {
    VariantFolder variant;
    variant.library.symbols.push_back({"_ZNSt10filesystem6statusERKNS_7__cxx114pathE"});
    variant.library.symbols.push_back({"_ZNSt6vectorIN2at6TensorESaIS1_EED1Ev"});
    const auto dir = support::TempDir::create(fs::temp_directory_path(), "kbuild-symbols-");
    REQUIRE(dir);
    REQUIRE(support::write_file_atomically(dir->path() / "libtorch_cpu.so.txt",
                                           "_ZNSt10filesystem6statusERKNS_7__cxx114pathE\n"
                                           "_ZNSt6vectorIN2at6TensorESaIS1_EED1Ev\n"));
    verify::Expectations expectations;
    expectations.torch_symbols = dir->path();
    const auto findings = variant.write_and_check(expectations);
    CHECK(findings.codes() == Codes{"K0621"});
    CHECK(contains(findings.text_of("K0621"), "std::filesystem::status("));
    CHECK(contains(findings.text_of("K0621"), "takes 1 name"));
}

TEST_CASE("a path below a folder of the build is an error, a stranger's source a warning") {
    VariantFolder variant;
    const auto write = [&variant](const std::string& text) {
        variant.library.sections.push_back(
            {".rodata", SHT_PROGBITS, std::string("x\0", 2) + text + '\0'});
    };
    verify::Expectations expectations;
    expectations.build_folders = {"/home/me/kernel"};
    SECTION("what prefix maps leave, and what a program may open, is fine") {
        write("/torch-2.13/include/ATen/core/Tensor.h");
        write("/proc/self/maps");
        write("./csrc/gemm.cpp");
        CHECK(variant.write_and_check(expectations).codes() == Codes{});
    }
    SECTION("the project's folder") {
        write("cannot open /home/me/kernel/data/table.bin");
        const auto findings = variant.write_and_check(expectations);
        CHECK(findings.codes() == Codes{"K0626"});
        CHECK(findings.all.has_errors());
        CHECK(contains(findings.text_of("K0626"), "/home/me/kernel/data/table.bin"));
    }
    SECTION("a source somewhere, far into the file") {
        write(std::string(3U << 20U, '\1'));
        write("/nix/store/abc-torch-2.13/include/ATen/Dispatch.h");
        const auto findings = variant.write_and_check(expectations);
        CHECK(findings.codes() == Codes{"K0626"});
        CHECK_FALSE(findings.all.has_errors());
    }
}
