#include "rocm_names.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/testbed/device_libraries.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using Catch::Matchers::Contains;
using testbed::NvidiaLibrary;

TEST_CASE("a function that does not exist fails by name", "[testbed]") {
    const NvidiaLibrary library{"libcublas.so.13", {{"libcublas.so.13", "cublasCreate_v2"}}};
    CHECK_THAT(testbed::failing_source(library),
               Contains("long cublasCreate_v2(void) { return "
                        "kbuild_cuda_refuse(\"cublasCreate_v2\", \"libcublas.so.13\"); }"));
}

TEST_CASE("texts of errors are texts, versions are numbers", "[testbed]") {
    const auto source = testbed::failing_source(
        {"libcudnn.so.9", {{"", "cudnnGetErrorString"}, {"", "cudnnGetVersion"}}});
    CHECK_THAT(source, Contains("const char *cudnnGetErrorString(void)"));
    CHECK_THAT(source, Contains("unsigned long cudnnGetVersion(void) { return 0; }"));
}

TEST_CASE("the driver and cupti return texts through a pointer, so theirs fail", "[testbed]") {
    const auto source = testbed::failing_source(
        {"libcuda.so.1", {{"", "cuGetErrorString"}, {"", "cuptiGetResultString"}}});
    CHECK_THAT(source, Contains("long cuGetErrorString(void)"));
    CHECK_THAT(source, Contains("long cuptiGetResultString(void)"));
}

TEST_CASE("no generated function claims success", "[testbed]") {
    const auto source = testbed::failing_source(
        {"libcufft.so.12", {{"", "cufftExecC2C"}, {"", "cufftPlan1d"}, {"", "cufftDestroy"}}});
    CHECK(support::split(source, '\n').size() == 5); // the declaration, three functions, the end
    CHECK_FALSE(support::contains(source, "return 0"));
}

TEST_CASE("versions are declared, with or without names", "[testbed]") {
    CHECK(testbed::version_script({"l", {{"A", ""}, {"B", "x"}, {"B", "y"}}}) ==
          "A { };\nB { global: x; y; };\n");
    CHECK(testbed::version_script({"l", {{"", "x"}}}).empty());
}

TEST_CASE("a function whose name holds a CUDA type is there under HIP's", "[testbed]") {
    elf::ElfFile file;
    elf::Symbol symbol;
    symbol.defined = true;
    symbol.name = "_ZN3c104cuda18getStreamFromExternEP11CUstream_sta";
    file.symbols.push_back(symbol);
    symbol.name = "_ZN3c104cuda20getCurrentCUDAStreamEa"; // no type in it
    file.symbols.push_back(symbol);
    const auto text = testbed::hip_name_trampolines(file);
    CHECK_THAT(text, Contains("_ZN3c104cuda18getStreamFromExternEP12ihipStream_ta:"));
    CHECK_THAT(text, Contains("jmp *_ZN3c104cuda18getStreamFromExternEP11CUstream_sta@GOTPCREL"));
    CHECK_FALSE(support::contains(text, "getCurrentCUDAStream"));
}
