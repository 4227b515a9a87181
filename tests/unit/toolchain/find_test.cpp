#include "fake_tools.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/find.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::toolchain;
using test::make_amd_rocm;
namespace fs = std::filesystem;

namespace {

struct Machine {
    support::TempDir temp = support::TempDir::create("/tmp", "kbuild-find-").value();
    FindOptions options;
    Machine() {
        options.opt = temp.path() / "opt";
        options.store = temp.path() / "store";
    }
    fs::path opt(const std::string& name) const { return options.opt / name; }
};

} // namespace

TEST_CASE("a ROCm below /opt is found, with what AMD's packages say of it") {
    const Machine machine;
    make_amd_rocm(machine.opt("rocm-7.1.0"), "7", "1");
    const auto found = find_sdks(machine.options);
    REQUIRE(found.has_value());
    REQUIRE(found->rocm.size() == 1);
    const auto& sdk = found->rocm.front();
    CHECK(sdk.full_version == "7.1.123");
    CHECK(sdk.provider == "opt");
    CHECK(sdk.origin == model::Origin::release);
    CHECK(sdk.clang == machine.opt("rocm-7.1.0") / "lib/llvm/bin/clang++");
    CHECK(sdk.hipcc == machine.opt("rocm-7.1.0") / "bin/hipcc");
    CHECK(sdk.amdclang == machine.opt("rocm-7.1.0") / "bin/amdclang++");
    CHECK(sdk.hip_soname == "libkbuild_toolchain_fixture.so.6");
    CHECK(sdk.fingerprint.size() == 64);
}

TEST_CASE("the link /opt/rocm and its target are one SDK") {
    const Machine machine;
    make_amd_rocm(machine.opt("rocm-7.1.0"), "7", "1");
    fs::create_symlink("rocm-7.1.0", machine.opt("rocm"));
    const auto found = find_sdks(machine.options);
    REQUIRE(found.has_value());
    CHECK(found->rocm.size() == 1);
    CHECK(found->shadowed.empty());
}

TEST_CASE("several versions are sorted") {
    const Machine machine;
    make_amd_rocm(machine.opt("rocm-7.10"), "7", "10");
    make_amd_rocm(machine.opt("rocm-7.2"), "7", "2");
    const auto found = find_sdks(machine.options);
    REQUIRE(found.has_value());
    REQUIRE(found->rocm.size() == 2);
    CHECK(found->rocm[0].version.dotted() == "7.2");
    CHECK(found->rocm[1].version.dotted() == "7.10");
}

TEST_CASE("a variable that names no ROCm is named with what it names and what to do") {
    Machine machine;
    machine.options.rocm_environment = machine.temp.path() / "nowhere";
    machine.options.rocm_variable = "HIP_PATH";
    const auto found = find_sdks(machine.options);
    REQUIRE(found.has_value());
    REQUIRE(found->problems.size() == 1);
    CHECK(found->problems.front() == "`HIP_PATH` names no usable ROCm: there is no folder `" +
                                         machine.options.rocm_environment->string() +
                                         "`; unset `HIP_PATH`, or set it to a ROCm");
}

TEST_CASE("of two SDKs of one version the explicit path wins, then the environment, and the other "
          "is named") {
    Machine machine;
    make_amd_rocm(machine.opt("rocm-7.2"), "7", "2");
    make_amd_rocm(machine.temp.path() / "env", "7", "2");
    make_amd_rocm(machine.temp.path() / "given", "7", "2");
    machine.options.rocm_environment = machine.temp.path() / "env";
    auto found = find_sdks(machine.options);
    REQUIRE(found.has_value());
    CHECK(found->rocm.front().provider == "environment");
    CHECK(found->shadowed.size() == 1);
    machine.options.rocm_paths = {machine.temp.path() / "given"};
    found = find_sdks(machine.options);
    CHECK(found->rocm.front().provider == "path");
    CHECK(found->shadowed.size() == 2);
}

TEST_CASE("bitcode is also found where distributions and pip put it") {
    const Machine machine;
    const auto root = machine.opt("rocm-7.2");
    for (const auto* folder :
         {"lib/llvm/lib/clang/22/lib/amdgcn", "lib/llvm/lib/clang/22/amdgcn", "lib/llvm/amdgcn"}) {
        fs::remove_all(root);
        make_amd_rocm(root, "7", "2");
        fs::create_directories((root / folder).parent_path());
        fs::rename(root / "amdgcn", root / folder);
        const auto found = find_sdks(machine.options);
        REQUIRE(found->rocm.size() == 1);
        CHECK(found->rocm.front().bitcode == root / folder / "bitcode");
    }
}

TEST_CASE("an installation without AMD's version file is a rebuild") {
    const Machine machine;
    make_amd_rocm(machine.opt("rocm-6.4"), "6", "4");
    fs::remove_all(machine.opt("rocm-6.4") / ".info");
    const auto found = find_sdks(machine.options);
    CHECK(found->rocm.front().origin == model::Origin::rebuild);
    CHECK_FALSE(found->rocm.front().origin_note.empty());
}

TEST_CASE("what is no usable ROCm below /opt is a problem with its reason") {
    const Machine machine;
    for (const auto* missing : {"lib/llvm/bin/clang++",
                                "amdgcn/bitcode/ocml.bc",
                                "lib/libamdhip64.so",
                                "include/hip/hip_runtime.h",
                                "include/hip/hip_version.h"}) {
        const auto root = machine.opt("rocm-7.2");
        fs::remove_all(root);
        make_amd_rocm(root, "7", "2");
        fs::remove(root / missing);
        fs::remove(root / "bin/amdclang++");
        const auto found = find_sdks(machine.options);
        CAPTURE(missing);
        CHECK(found->rocm.empty());
        REQUIRE(found->problems.size() == 1);
        CHECK(support::contains(found->problems.front(), root.string()));
    }
}

TEST_CASE("an explicit path that is no ROCm is an error, not a remark") {
    Machine machine;
    machine.options.rocm_paths = {"/no/such/rocm"};
    const auto found = find_sdks(machine.options);
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().kind == support::ErrorKind::toolchain);
    CHECK(support::contains(found.error().to_string(), "/no/such/rocm"));
}

TEST_CASE("a changed compiler changes the fingerprint of an installed ROCm") {
    const Machine machine;
    make_amd_rocm(machine.opt("rocm"), "7", "2");
    const auto before = find_sdks(machine.options)->rocm.front().fingerprint;
    CHECK(find_sdks(machine.options)->rocm.front().fingerprint == before);
    test::write(machine.opt("rocm") / "lib/llvm/bin/clang++", "another", true);
    CHECK(find_sdks(machine.options)->rocm.front().fingerprint != before);
}

TEST_CASE("hipcc is not offered from a path that its own shell line cannot bear") {
    const Machine machine;
    make_amd_rocm(machine.opt("rocm 7.2"), "7", "2");
    const auto found = find_sdks(machine.options);
    REQUIRE(found->rocm.size() == 1);
    CHECK_FALSE(found->rocm.front().hipcc.has_value());
}

TEST_CASE("nothing anywhere is no error") {
    const Machine machine;
    const auto found = find_sdks(machine.options);
    REQUIRE(found.has_value());
    CHECK(found->rocm.empty());
    CHECK(found->torch.empty());
    CHECK(found->problems.empty());
}

TEST_CASE("a ROCm that pip installed whole is found by its devel half") {
    Machine machine;
    const auto venv = machine.temp.path() / "a venv";
    const auto site = venv / "lib/python3.11/site-packages";
    make_amd_rocm(site / "_rocm_sdk_devel", "7", "2");
    fs::create_directories(site / "_rocm_sdk_core/lib");
    CHECK(site_packages(venv) == std::vector<fs::path>{site});
    machine.options.python_sites = site_packages(venv);
    const auto found = find_sdks(machine.options);
    REQUIRE(found->rocm.size() == 1);
    CHECK(found->rocm.front().provider == "pip");
    CHECK(found->rocm.front().root == site / "_rocm_sdk_devel");
    CHECK(found->rocm.front().origin == model::Origin::release);
}

TEST_CASE("a ROCm that pip installed in part is a problem with its own command for each part") {
    Machine machine;
    const auto site = machine.temp.path() / "site-packages";
    machine.options.python_sites = {site};
    const auto problem = [&](const char* folder) {
        fs::create_directories(site / folder);
        const auto found = find_sdks(machine.options);
        CHECK(found->rocm.empty());
        REQUIRE(found->problems.size() == 1);
        return found->problems.front();
    };
    CHECK(support::contains(problem("rocm_sdk"), "`pip install \"rocm[libraries,devel]\"`"));
    CHECK(support::contains(problem("_rocm_sdk_core"), "`pip install \"rocm[devel]\"`"));
    CHECK(support::contains(problem("rocm_sdk_devel"), "`rocm-sdk init`"));
}
