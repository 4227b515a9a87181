#include "kbuild/toolchain/hip_symbols.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::toolchain;

TEST_CASE("types of CUDA in mangled names become those of HIP") {
    CHECK(to_hip_symbol("_ZN3c104cuda21getStreamFromExternalEP11CUstream_sta") ==
          "_ZN3c104cuda21getStreamFromExternalEP12ihipStream_ta");
    CHECK(to_hip_symbol("_ZN3c104cuda19get_cuda_error_helpE9cudaError") ==
          "_ZN3c104cuda19get_cuda_error_helpE10hipError_t");
}

TEST_CASE("names without such types stay, also where they say cuda") {
    const std::string name = "_ZN3c104cuda20getCurrentCUDAStreamEa";
    CHECK(to_hip_symbol(name) == name);
}

TEST_CASE("the result is sorted and has each name once") {
    std::vector<kbuild::elf::Symbol> symbols(3);
    symbols[0].name = "z";
    symbols[1].name = "f9cudaError";
    symbols[2].name = "z";
    symbols = to_hip_symbols(symbols);
    REQUIRE(symbols.size() == 2);
    CHECK(symbols[0].name == "f10hipError_t");
    CHECK(symbols[1].name == "z");
}
