#include "kbuild/build/timings.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::build;

namespace {

constexpr char kLog[] = "# ninja log v5\n"
                        "0\t2500\t1000000000\thost/gemm_cpu.o\t1a2b\n"
                        "10\t900\t3000000000\trocm72/gemm.hip.o\t3c4d\n"
                        "10\t300\t3000000001\thost/binding.o\t5e6f\n"
                        "900\t950\t3000000002\tlib.so\t7a8b\n";

} // namespace

TEST_CASE("the steps of this run are those whose output is new, in the order they began") {
    CHECK(timed_steps(kLog, 2000000000) == std::vector<TimedStep>{{"host/binding.o", 10, 300},
                                                                  {"rocm72/gemm.hip.o", 10, 900},
                                                                  {"lib.so", 900, 950}});
}

TEST_CASE("all steps of a log") {
    CHECK(timed_steps(kLog, 0).size() == 4);
}

TEST_CASE("what is no entry is skipped") {
    CHECK(timed_steps("", 0).empty());
    CHECK(timed_steps("# ninja log v5\nx\t1\t2\to\t3\n1\t2\t3\n1\t2\t\to\t3\n", 0).empty());
}
