#include "nvidia_names.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using testbed::nvidia_libraries;
using testbed::NvidiaLibrary;

namespace {

elf::Symbol wanted(std::string name, std::string version = "", std::string library = "") {
    elf::Symbol symbol;
    symbol.name = std::move(name);
    symbol.version = std::move(version);
    symbol.version_library = std::move(library);
    return symbol;
}

elf::ElfFile user(std::vector<std::string> needed, std::vector<elf::Symbol> symbols) {
    elf::ElfFile file;
    file.needed = std::move(needed);
    file.symbols = std::move(symbols);
    return file;
}

} // namespace

TEST_CASE("libraries of NVIDIA are told by their SONAME", "[testbed]") {
    CHECK(testbed::is_nvidia_library("libcudart.so.13"));
    CHECK(testbed::is_nvidia_library("libnccl.so.2"));
    CHECK(testbed::is_nvidia_library("libnvshmem_host.so.3"));
    CHECK_FALSE(testbed::is_nvidia_library("libc10.so"));
    CHECK_FALSE(testbed::is_nvidia_library("libnuma.so.1"));
}

TEST_CASE("a name goes to the library whose version it asks for", "[testbed]") {
    const auto libraries =
        nvidia_libraries({user({"libcublas.so.13", "libc.so.6"},
                               {wanted("cublasCreate_v2", "libcublas.so.13", "libcublas.so.13"),
                                wanted("malloc", "GLIBC_2.2.5", "libc.so.6"),
                                wanted("at_empty")})},
                         {});
    REQUIRE(libraries.size() == 1);
    CHECK(libraries[0] ==
          NvidiaLibrary{"libcublas.so.13", {{"libcublas.so.13", "cublasCreate_v2"}}});
}

TEST_CASE("names without a version go where they are looked for by hand", "[testbed]") {
    const auto libraries = nvidia_libraries(
        {user(
            {"libcuda.so.1", "libcudart.so.13", "libnccl.so.2"},
            {wanted("cuInit"), wanted("cudaMalloc"), wanted("ncclSend"), wanted("cumsum_helper")})},
        {});
    REQUIRE(libraries.size() == 3);
    CHECK(libraries[0] == NvidiaLibrary{"libcuda.so.1", {{"", "cuInit"}}});
    CHECK(libraries[1] == NvidiaLibrary{"libcudart.so.13", {{"", "cudaMalloc"}}});
    CHECK(libraries[2] == NvidiaLibrary{"libnccl.so.2", {{"", "ncclSend"}}});
}

TEST_CASE("what kbuild has itself is not made again, but its version is", "[testbed]") {
    const auto libraries = nvidia_libraries(
        {user({"libcudart.so.13"}, {wanted("cudaMalloc", "libcudart.so.13", "libcudart.so.13")})},
        {"cudaMalloc"});
    REQUIRE(libraries.size() == 1);
    CHECK(libraries[0] == NvidiaLibrary{"libcudart.so.13", {{"libcudart.so.13", ""}}});
}

TEST_CASE("a torch that needs nothing of NVIDIA gets nothing", "[testbed]") {
    CHECK(nvidia_libraries({user({"libc.so.6"}, {wanted("cudaMalloc")})}, {}).empty());
}
