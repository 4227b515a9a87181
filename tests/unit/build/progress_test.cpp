#include "running_steps.hpp"

#include "kbuild/build/expected_steps.hpp"
#include "kbuild/build/progress.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using build::output_of_command;
using build::owner_of;
using build::seconds_left;
using build::short_name;

namespace {

constexpr char kDevice[] = "rocm64/device/gemm_rocm64/0-gemm.hip.gfx942.co";
constexpr char kArchive[] = "rocm64/libgemm_rocm64.a";
constexpr char kBinding[] = "host/binding_torch213/CMakeFiles/binding_torch213.dir/a b/bind.cpp.o";
constexpr char kModule64[] = "host/module_torch213_rocm64/_gemm.abi3.so";
constexpr char kModuleCpu[] = "host/module_torch213_cpu/_gemm.abi3.so";

build::PlannedVariant planned_variant(const char* name, const char* target) {
    build::PlannedVariant planned;
    planned.selected.variant = *model::Variant::parse(name);
    planned.target = target;
    return planned;
}

/// One ROCm variant with a binding and device code, and one for the CPU with the binding alone.
build::Plan two_variants() {
    build::Plan plan;
    generate::Tree host;
    host.name = "host";
    host.modules = {{"module_torch213_cpu", "_gemm.abi3", {"binding_torch213"}, {}, {}, {}},
                    {"module_torch213_rocm64",
                     "_gemm.abi3",
                     {"binding_torch213"},
                     {"/w/rocm64/libgemm_rocm64.a"},
                     {},
                     {}}};
    plan.trees.push_back(host);
    plan.variants = {planned_variant("torch213-cxx11-cpu-x86_64-linux", kModuleCpu),
                     planned_variant("torch213-cxx11-rocm64-x86_64-linux", kModule64)};
    return plan;
}

build::ExpectedSteps all_steps() {
    return {{{kBinding, 20.0}, {kDevice, 8.0}, {kArchive, 0.0}, {kModuleCpu, 2.0}, {kModule64, {}}},
            2};
}

} // namespace

TEST_CASE("what a step makes stands behind words without a slash") {
    CHECK(build::output_of("Building CXX object host/a b/c.cpp.o") == "host/a b/c.cpp.o");
    CHECK(build::output_of("rocm64/libx.a") == "rocm64/libx.a");
    CHECK(build::output_of("Re-running CMake...") == "");
}

TEST_CASE("Ninja's log remembers what an output took the last time it was made") {
    const auto seconds = build::remembered_seconds("# ninja log v5\n"
                                                   "0\t2500\t1\thost/a.o\t1a\n"
                                                   "10\t760\t2\thost/a.o\t1b\n"
                                                   "5\t1\t2\thost/backwards.o\t1b\n"
                                                   "x\t1\t2\thost/b.o\t1b\n"
                                                   "1\t2\n");
    CHECK(seconds == std::map<std::string, double, std::less<>>{{"host/a.o", 0.75}});
}

TEST_CASE("what a running command makes is read from its command line") {
    CHECK(output_of_command({"ccache", "clang++", "-c", "a.cpp", "-o", "host/a.o"}) == "host/a.o");
    CHECK(output_of_command({"clang-offload-bundler", "-type=o", "-output=a.hipfb"}) == "a.hipfb");
    CHECK(output_of_command({"/bin/sh", "-c", "c++ -DX='a b' -o \"host/a b.o\" -c b"}) ==
          "host/a b.o");
    CHECK(output_of_command({"cmake", "-E", "rm", "-f", "host/libx.a"}) == std::nullopt);
    CHECK(output_of_command({"clang++", "-o"}) == std::nullopt);
    CHECK(output_of_command({}) == std::nullopt);
}

TEST_CASE("a step belongs to the library or module whose folder it is in") {
    CHECK(owner_of(kDevice) == "gemm_rocm64");
    CHECK(owner_of(kArchive) == "gemm_rocm64");
    CHECK(owner_of(kBinding) == "binding_torch213");
    CHECK(owner_of(kModuleCpu) == "module_torch213_cpu");
    CHECK(owner_of("host/all") == "all");
}

TEST_CASE("a step has a short name: its file, and what it is for") {
    CHECK(short_name(kDevice) == "gemm.hip.gfx942 (gemm_rocm64)");
    CHECK(short_name(kBinding) == "bind.cpp (binding_torch213)");
    CHECK(short_name("host/x/0-a.cpp.o") == "0-a.cpp (x)");
    CHECK(short_name(kArchive) == "libgemm_rocm64.a (gemm_rocm64)");
}

TEST_CASE("the time left is the remembered work, shared by those who do it") {
    CHECK(seconds_left({{10.0, 0}, {6.0, 0}, {4.0, 0}, {4.0, 0}}, 2) == 12.0);
    CHECK(seconds_left({{10.0, 4}, {6.0, 0}}, 1) == 12.0);
}

TEST_CASE("the time left is no less than the longest step needs") {
    CHECK(seconds_left({{30.0, 5}, {1.0, 0}}, 8) == 25.0);
}

TEST_CASE("a step that was never run is taken for as long as the others on average") {
    CHECK(seconds_left({{10.0, 0}, {20.0, 0}, {{}, 0}}, 1) == 45.0);
}

TEST_CASE("where little is remembered, or all takes longer than it did, no time is told") {
    CHECK(seconds_left({{{}, 0}, {{}, 0}}, 1) == std::nullopt);
    CHECK(seconds_left({{10.0, 0}, {{}, 0}, {{}, 0}}, 1) == std::nullopt);
    CHECK(seconds_left({{10.0, 12}}, 1) == std::nullopt);
    CHECK(seconds_left({}, 1) == std::nullopt);
}

TEST_CASE("a variant is as far as the steps of its libraries are") {
    build::Progress progress(two_variants());
    progress.expect(all_steps());
    auto variants = progress.variants();
    REQUIRE(variants.size() == 2);
    CHECK(variants[0].total == 2); // binding, link
    CHECK(variants[1].total == 4); // these, device code, archive

    progress.see_running({kDevice, kBinding}, 100);
    progress.end(build::EndedStep{1, 5, std::string("Compiling device code ") + kDevice});
    variants = progress.variants();
    CHECK(variants[0].ended == 0);
    CHECK(variants[0].running);
    CHECK(variants[1].ended == 1);

    progress.fail(kDevice);
    CHECK_FALSE(progress.variants()[0].failed);
    CHECK(progress.variants()[1].failed);
    CHECK(progress.failed() == 1);
}

TEST_CASE("a step that is tried again counts once") {
    build::Progress progress(two_variants());
    progress.expect(all_steps());
    for (int run = 0; run < 2; ++run)
        progress.end(build::EndedStep{1, 5, std::string("Compiling device code ") + kDevice});
    CHECK(progress.variants()[1].ended == 1);
}

TEST_CASE("what runs is told with the time since it was first seen, the longest first") {
    build::Progress progress(two_variants());
    progress.expect(all_steps());
    progress.see_running({kDevice}, 100);
    progress.see_running({kBinding, kDevice}, 103);
    CHECK(progress.running(105) == std::vector<build::RunningStep>{{kDevice, 5}, {kBinding, 2}});
    progress.see_running({kBinding}, 104);
    CHECK(progress.running(105) == std::vector<build::RunningStep>{{kBinding, 2}});
}

TEST_CASE("the time left shrinks while steps run and end") {
    build::Progress progress(two_variants());
    progress.expect(all_steps()); // 20 + 8 + 0 + 2, and 7.5 for the one that was never run
    CHECK(progress.left(100) == Approx(20.0));
    progress.see_running({kBinding, kDevice}, 100);
    CHECK(progress.left(108) == Approx(12.0));
    progress.end(build::EndedStep{1, 5, std::string("Building CXX object ") + kBinding});
    CHECK(progress.left(108) == Approx(10.0 / 3)); // 8 of 8, 0, 2, and their average
}
