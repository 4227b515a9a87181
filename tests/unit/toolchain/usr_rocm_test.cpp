#include "fake_tools.hpp"
#include "host_architecture.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/find.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace kbuild;
using namespace kbuild::toolchain;
namespace fs = std::filesystem;

namespace {

/// A `/usr` as hipcc, libamdhip64-dev and rocm-device-libs-21 of Debian leave it.
struct Distribution {
    test::FakeMachine machine;
    fs::path usr = machine.root() / "usr";
    fs::path llvm = usr / "lib/llvm-21";
    fs::path bitcode = llvm / "lib/clang/21/amdgcn/bitcode";

    Distribution() {
        test::write(usr / "bin/hipcc", "", true);
        test::write(usr / "include/hip/hip_runtime.h", "");
        test::write(usr / "include/hip/hip_version.h",
                    "#define HIP_VERSION_MAJOR 6\n#define HIP_VERSION_MINOR 4\n"
                    "#define HIP_VERSION_PATCH 43484\n");
        test::write(usr / "include/stdlib.h", "the C library's\n");
        test::write(llvm / "bin/clang++", "", true);
        test::write(bitcode / "ocml.bc", "");
        const auto libraries = usr / "lib" / host_architecture().triple;
        fs::create_directories(libraries);
        fs::copy_file(KBUILD_TOOLCHAIN_FIXTURE, libraries / "libamdhip64.so");
    }

    FoundSdks find() const {
        FindOptions options;
        options.opt = machine.root() / "opt";
        options.store = machine.store();
        options.usr = usr;
        return find_sdks(options).value();
    }
    std::string problem() const {
        const auto found = find();
        CHECK(found.rocm.empty());
        REQUIRE(found.problems.size() == 1);
        return found.problems.front();
    }
};

} // namespace

TEST_CASE("a distribution's ROCm in /usr is found, as a prefix with its headers alone") {
    const Distribution here;
    const auto found = here.find();
    REQUIRE(found.problems.empty());
    REQUIRE(found.rocm.size() == 1);
    const auto& sdk = found.rocm.front();
    CHECK(sdk.full_version == "6.4.43484");
    CHECK(sdk.provider == "distribution");
    CHECK(sdk.origin == model::Origin::rebuild);
    CHECK(support::contains(sdk.origin_note, "clang 21"));
    CHECK(fs::equivalent(sdk.clang, here.llvm / "bin/clang++"));
    CHECK(fs::equivalent(sdk.bitcode, here.bitcode));
    CHECK(support::is_file(sdk.include / "hip/hip_runtime.h"));
    // `-isystem` with this one would come before the headers of C++, which include_next it.
    CHECK_FALSE(support::path_exists(sdk.include / "stdlib.h"));
    // Without it clang takes the prefix for HIP 3.5.
    CHECK(support::read_file(sdk.root / "share/hip/version").value() ==
          "HIP_VERSION_MAJOR=6\nHIP_VERSION_MINOR=4\nHIP_VERSION_PATCH=43484\n");
    CHECK(here.find().rocm.front().root == sdk.root);
}

TEST_CASE("`--rocm /usr` and ROCM_PATH=/usr mean the same ROCm") {
    const Distribution here;
    FindOptions options;
    options.opt = here.machine.root() / "opt";
    options.store = here.machine.store();
    options.rocm_paths = {here.usr};
    const auto given = find_sdks(options);
    REQUIRE(given.has_value());
    REQUIRE(given->rocm.size() == 1);
    CHECK(given->rocm.front().root == here.find().rocm.front().root);
}

TEST_CASE("an upgraded distribution is another SDK") {
    const Distribution here;
    const auto before = here.find().rocm.front();
    test::write(here.usr / "include/hip/hip_version.h",
                "#define HIP_VERSION_MAJOR 7\n#define HIP_VERSION_MINOR 2\n");
    const auto after = here.find().rocm;
    REQUIRE(after.size() == 1);
    CHECK(after.front().version.dotted() == "7.2");
    CHECK(after.front().root != before.root);
}

TEST_CASE("of two compilers the one that has bitcode is taken, newer or not") {
    const Distribution here;
    test::write(here.usr / "lib/llvm-22/bin/clang++", "", true);
    CHECK(fs::equivalent(here.find().rocm.at(0).clang, here.llvm / "bin/clang++"));
    test::write(here.usr / "lib/llvm-22/lib/clang/22/amdgcn/bitcode/ocml.bc", "");
    fs::remove(here.bitcode / "ocml.bc");
    CHECK(fs::equivalent(here.find().rocm.at(0).clang, here.usr / "lib/llvm-22/bin/clang++"));
}

TEST_CASE("bitcode that all compilers share, as in Debian 12, goes with the oldest of them") {
    const Distribution here;
    fs::remove_all(here.llvm / "lib");
    test::write(here.usr / "lib/llvm-9/bin/clang++", "", true);
    const auto shared = here.usr / "lib" / host_architecture().triple / "amdgcn/bitcode";
    test::write(shared / "ocml.bc", "");
    const auto sdk = here.find().rocm.at(0);
    CHECK(fs::equivalent(sdk.bitcode, shared));
    CHECK(fs::equivalent(sdk.clang, here.usr / "lib/llvm-9/bin/clang++"));
}

TEST_CASE("Fedora's places are known") {
    const Distribution here;
    fs::create_directories(here.usr / "lib64/rocm");
    fs::rename(here.llvm, here.usr / "lib64/rocm/llvm");
    fs::rename(here.usr / "lib" / host_architecture().triple / "libamdhip64.so",
               here.usr / "lib64/libamdhip64.so");
    const auto found = here.find();
    REQUIRE(found.rocm.size() == 1);
    CHECK(fs::equivalent(found.rocm.front().clang, here.usr / "lib64/rocm/llvm/bin/clang++"));
}

TEST_CASE("each missing package of a distribution is named with its command") {
    const auto without = [](const char* part) {
        const Distribution here;
        fs::remove_all(here.usr / part);
        return here.problem();
    };
    CHECK(support::contains(without("include/hip/hip_runtime.h"), "include/hip/hip_runtime.h"));
    CHECK(support::contains(without("include/hip/hip_runtime.h"), "libamdhip64-dev"));
    CHECK(support::contains(without("lib/llvm-21/bin"), "no clang"));
    CHECK(support::contains(without("lib/llvm-21/lib"), "rocm-device-libs-21"));
    CHECK(support::contains(
        without(fmt::format("lib/{}/libamdhip64.so", host_architecture().triple).c_str()),
        "libamdhip64-dev"));
}

TEST_CASE("bitcode of another compiler than the installed one is named with its folder") {
    const Distribution here;
    fs::remove_all(here.llvm / "lib");
    const auto other = here.usr / "lib/llvm-17/lib/clang/17/amdgcn";
    test::write(other / "bitcode/ocml.bc", "");
    const auto problem = here.problem();
    CHECK(support::contains(problem, other.string()));
    CHECK(support::contains(problem, "rocm-device-libs-21"));
}

TEST_CASE("ROCM_PATH and HIP_PATH that name two ROCms are told, and the first is used") {
    test::FakeMachine machine;
    test::make_amd_rocm(machine.root() / "six", "6", "4");
    test::make_amd_rocm(machine.root() / "seven", "7", "2");
    FindOptions options;
    options.opt = machine.root() / "opt";
    options.rocm_environment = machine.root() / "six";
    options.hip_environment = machine.root() / "seven";
    auto found = find_sdks(options);
    REQUIRE(found->rocm.size() == 1);
    CHECK(found->rocm.front().version.dotted() == "6.4");
    REQUIRE(found->problems.size() == 1);
    CHECK(support::contains(found->problems.front(), "name two ROCms"));
    options.hip_environment = machine.root() / "six/hip";
    CHECK(find_sdks(options)->problems.empty());
}

TEST_CASE("a ROCm without bitcode names the folders that were tried and the one that is there") {
    test::FakeMachine machine;
    const auto root = machine.root() / "opt/rocm-7.2";
    test::make_amd_rocm(root, "7", "2");
    fs::remove(root / "amdgcn/bitcode/ocml.bc");
    FindOptions options;
    options.opt = root.parent_path();
    const auto found = find_sdks(options);
    REQUIRE(found->problems.size() == 1);
    CHECK(support::contains(found->problems.front(), "`lib/llvm/amdgcn/bitcode`"));
    CHECK(support::contains(found->problems.front(), "`amdgcn/bitcode` is there, but holds no"));
}
