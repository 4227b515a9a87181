#include "kbuild/build/explanation.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::build;

namespace {

std::vector<Reason> read(const std::string& line) {
    return read_explanation("ninja explain: " + line + "\n",
                            {"/home/me/gemm/.kbuild/work", "/home/me/gemm"});
}

} // namespace

TEST_CASE("an input that is newer is named, relative to the project") {
    CHECK(read("output rocm72/gemm.hip.o older than most recent input "
               "../../gemm/gemm_kernel.h (123 vs 456)") ==
          std::vector<Reason>{{"rocm72/gemm.hip.o", "`gemm/gemm_kernel.h` is newer"}});
    CHECK(read("recorded mtime of host/binding.o older than most recent input /usr/include/x.h "
               "(1 vs 2)") ==
          std::vector<Reason>{{"host/binding.o", "`/usr/include/x.h` is newer"}});
}

TEST_CASE("a changed command, a missing file, unknown headers") {
    CHECK(read("command line changed for host/binding.o") ==
          std::vector<Reason>{{"host/binding.o", "its command changed"}});
    CHECK(read("output host/lib.abi3.so doesn't exist") ==
          std::vector<Reason>{{"host/lib.abi3.so", "it is not there"}});
    CHECK(read("deps for 'host/binding.o' are missing") ==
          std::vector<Reason>{
              {"host/binding.o", "it was not made yet, or its headers are not known"}});
}

TEST_CASE("consequences and CMake's own targets are left out, the first reason stays") {
    CHECK(read("host/binding.o is dirty").empty());
    CHECK(read("output host/clean doesn't exist").empty());
    CHECK(read("loading deps").empty());
    CHECK(read_explanation("ninja explain: command line changed for a.o\n"
                           "[1/2] Building a.o\n"
                           "ninja explain: output a.o doesn't exist\n",
                           {"/", "/"}) == std::vector<Reason>{{"a.o", "its command changed"}});
}
