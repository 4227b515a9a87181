#include "fake_torch.hpp"
#include "manifest.hpp"
#include "torch_version.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/toolchain/local_torch.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::toolchain;
using test::Environment;
using test::FakeMachine;
using test::make_torch_folder;
namespace fs = std::filesystem;

namespace {

/// A machine with an environment `venv`, whose torch is of one build.
struct Installed {
    FakeMachine machine;
    Store store{machine.store()};
    fs::path venv = machine.root() / "venv";
    fs::path site = venv / "lib/python3.11/site-packages";

    Installed() { test::add_torch_tools(machine); }
    explicit Installed(const char* version, const std::vector<std::string>& libraries)
        : Installed() {
        make_torch_folder(site / "torch", version, libraries);
        test::write(venv / "pyvenv.cfg", "");
    }

    support::Result<model::TorchSdk> torch(const fs::path& place) const {
        const Environment environment(machine.variables());
        return local_torch(store, place, [](const std::string&) {});
    }
    support::Result<AddResult> add(const fs::path& place) const {
        const Environment environment(machine.variables());
        return add_local_torch(store, place, [](const std::string&) {});
    }
};

std::string said(const support::Error& error) {
    return error.to_string() + " " + error.hint;
}

} // namespace

TEST_CASE(
    "a torch says in version.py what it was built for; of a ROCm build its field `rocm` wins") {
    CHECK(parse_version_file(test::kCpuVersion)->build == model::TorchBuild::cpu);
    CHECK(parse_version_file(test::kCudaVersion)->build == model::TorchBuild::cuda);
    const auto both = parse_version_file("__version__ = '2.14.1'\nhip = '7.0.5'\nrocm = '7.2.4'\n");
    CHECK(both->build == model::TorchBuild::rocm);
    CHECK(both->rocm->dotted() == "7.2");
    const auto old =
        parse_version_file("__version__ = '2.13.0'\nhip: Optional[str] = '7.1.9-ab'\n");
    CHECK(old->rocm->dotted() == "7.1");
    CHECK(parse_version_file("__version__ = '2.15.0a0+git12'\nhip = None\n")->version.dotted() ==
          "2.15");
    CHECK_FALSE(parse_version_file("hip = None\n").has_value());
}

TEST_CASE("a CPU torch of an environment builds cpu variants, and says why no others") {
    const Installed here(test::kCpuVersion, {});
    const auto sdk = here.torch(here.venv);
    REQUIRE(sdk.has_value());
    CHECK(sdk->full_version == "2.14.1+cpu");
    CHECK(sdk->provider == "python");
    CHECK(sdk->build == model::TorchBuild::cpu);
    CHECK(support::contains(sdk->no_rocm, "CPU build"));
    CHECK(support::is_file(sdk->include.front() / "torch/library.h"));
    CHECK(support::is_file(sdk->stub_dir / "libtorch_cpu.so"));
    CHECK_FALSE(support::path_exists(sdk->stub_dir / "libtorch_hip.so"));
}

TEST_CASE("a CUDA torch of an environment gets its ROCm headers by its own hipify") {
    const Installed here(test::kCudaVersion, {"torch_cuda", "c10_cuda"});
    const auto sdk = here.torch(here.venv);
    REQUIRE(sdk.has_value());
    CHECK(sdk->build == model::TorchBuild::cuda);
    CHECK(sdk->no_rocm.empty());
    CHECK(sdk->hipify.has_value());
    CHECK(support::read_file(sdk->rocm_include.front() / "c10/hip/HIPStream.h").value() ==
          "hipStream_t\n");
    CHECK(support::is_file(sdk->stub_dir / "libtorch_hip.so"));
}

TEST_CASE("a ROCm torch keeps its own headers and names, and the ROCm that it was built with") {
    const Installed here(test::kRocmVersion, {"torch_hip", "c10_hip"});
    const auto sdk = here.torch(here.venv);
    REQUIRE(sdk.has_value());
    CHECK(sdk->build == model::TorchBuild::rocm);
    CHECK(sdk->rocm->dotted() == "7.2");
    CHECK(support::read_file(sdk->include.front() / "c10/hip/HIPStream.h").value() ==
          "hipStream_t of the ROCm build\n");
    const auto names = support::read_file(sdk->symbols_dir / "libc10_hip.so.txt").value();
    CHECK(
        support::contains(names, "CUstream_st")); // as the library has them: nothing is translated
}

TEST_CASE("one torch is found by its environment, interpreter, site-packages and package folder") {
    const Installed here(test::kCpuVersion, {});
    test::write(here.venv / "bin/python", "", true);
    const auto first = here.torch(here.venv);
    REQUIRE(first.has_value());
    for (const auto& place :
         {here.venv / "bin/python", here.site, here.site / "torch", here.venv / "."})
        CHECK(here.torch(place)->root == first->root);
}

TEST_CASE("an SDK that kbuild made of a torch is found by its folder and used as it is") {
    const Installed here(test::kCpuVersion, {});
    const auto made = here.add(here.venv);
    REQUIRE(made.has_value());
    const auto before = support::list_names(here.store.root()).value();
    CHECK(local_torch_version(made->root)->dotted() == "2.14");
    for (const auto& place : {made->root, made->root / ""}) {
        const auto sdk = here.torch(place);
        REQUIRE(sdk.has_value());
        CHECK(sdk->root == made->root);
    }
    CHECK(support::list_names(here.store.root()).value() == before);
}

TEST_CASE("where files do not tell, the Python is asked, once, and torch is not imported") {
    const Installed here;
    const auto elsewhere = here.machine.root() / "elsewhere/torch";
    make_torch_folder(elsewhere, test::kCpuVersion, {});
    test::write(elsewhere / "__init__.py", "raise SystemExit('torch was imported')\n");
    here.machine.add_program("its-python",
                             "echo asked >> '" + (here.machine.root() / "log").string() +
                                 "'\nPYTHONPATH='" + elsewhere.parent_path().string() + "' exec '" +
                                 (here.machine.bin() / "python3").string() + "' \"$@\"\n");
    const auto sdk = here.torch(here.machine.bin() / "its-python");
    REQUIRE(sdk.has_value());
    CHECK(sdk->full_version == "2.14.1+cpu");
    CHECK(here.machine.log() == "asked\n");
}

TEST_CASE("a wheel file is taken without pip") {
    const Installed here;
    const auto folder = here.machine.root() / "unpacked";
    make_torch_folder(folder, test::kRocmVersion, {"torch_hip", "c10_hip"});
    const auto wheel = here.machine.root() / "torch-2.14.1+rocm7.2-cp311-cp311-linux_x86_64.whl";
    test::make_torch_wheel(wheel, folder);
    const auto sdk = here.torch(wheel);
    REQUIRE(sdk.has_value());
    CHECK(sdk->provider == "wheel");
    CHECK(sdk->rocm->dotted() == "7.2");
    const auto content = content_of(sdk->root);
    REQUIRE(content.files.size() == 1);
    CHECK(content.files.front().name == wheel.filename().string());
    CHECK(content.files.front().sha256.size() == 64);
}

TEST_CASE("a libtorch folder is told by its libraries; one of CUDA has no way to ROCm's headers") {
    const Installed here;
    const auto folder = here.machine.root() / "libtorch";
    make_torch_folder(folder, "", {"torch_cuda", "c10_cuda"});
    test::write(folder / "build-version", "2.13.0+cu130\n");
    const auto cuda = here.torch(folder);
    REQUIRE(cuda.has_value());
    CHECK(cuda->provider == "libtorch");
    CHECK(cuda->build == model::TorchBuild::cuda);
    CHECK(support::contains(cuda->no_rocm, "without the hipify"));
    const auto rocm_folder = here.machine.root() / "libtorch-rocm";
    make_torch_folder(rocm_folder, "", {"torch_hip", "c10_hip"});
    test::write(rocm_folder / "build-version", "2.13.0+rocm7.1\n");
    const auto rocm = here.torch(rocm_folder);
    REQUIRE(rocm.has_value());
    CHECK(rocm->rocm->dotted() == "7.1");
    CHECK(rocm->no_rocm.empty());
}

TEST_CASE("what is no torch says what is missing and what could be named") {
    const Installed here(test::kCpuVersion, {});
    const auto nothing = here.torch(here.machine.root() / "nowhere");
    REQUIRE_FALSE(nothing.has_value());
    CHECK(nothing.error().kind == support::ErrorKind::toolchain);
    CHECK(support::contains(said(nothing.error()), "there is no such file or folder"));
    CHECK(support::contains(said(nothing.error()), "a torch wheel"));

    const auto bare = here.machine.root() / "bare";
    test::write(bare / "bin/python3", "#!/bin/sh\nexec python3 \"$@\"\n", true);
    CHECK(support::contains(said(here.torch(bare).error()), "-m pip install torch"));

    fs::remove(here.site / "torch/lib/libtorch_cpu.so");
    CHECK(support::contains(said(here.torch(here.venv).error()), "it lacks `lib/libtorch_cpu.so`"));

    const auto wheel = here.machine.root() / "torch-1-x.whl";
    test::write(wheel, "no zip");
    CHECK(support::contains(said(here.torch(wheel).error()), "cannot be read as a wheel of torch"));
    CHECK(here.store.torch_sdks().empty());
}

TEST_CASE("a place is prepared once, and anew when what lies there has changed") {
    const Installed here(test::kCpuVersion, {});
    const auto first = here.torch(here.venv);
    REQUIRE(first.has_value());
    test::write(first->root / "mark", "");
    CHECK(support::path_exists(here.torch(here.venv)->root / "mark"));
    test::write(here.site / "torch/version.py",
                support::replace_all(test::kCpuVersion, "2.14.1", "2.14.2"));
    const auto second = here.torch(here.venv);
    REQUIRE(second.has_value());
    CHECK(second->full_version == "2.14.2+cpu");
    CHECK(second->root != first->root);
}

TEST_CASE("equal torches at two places have one fingerprint, other headers another one") {
    const Installed here(test::kCpuVersion, {});
    const auto other = here.machine.root() / "other/torch";
    fs::create_directories(other.parent_path());
    fs::copy(here.site / "torch", other, fs::copy_options::recursive);
    CHECK(here.torch(other)->fingerprint == here.torch(here.venv)->fingerprint);
    test::write(other / "include/torch/library.h", "changed\n");
    test::write(other / "version.py", std::string(test::kCpuVersion) + "\n");
    CHECK(here.torch(other)->fingerprint != here.torch(here.venv)->fingerprint);
}

TEST_CASE("an added torch takes the place of a fetched one, and never another's") {
    const Installed here(test::kCpuVersion, {});
    const auto added = here.add(here.venv);
    REQUIRE(added.has_value());
    CHECK(added->name == "torch@2.14");
    REQUIRE(here.store.torch_sdks().size() == 1);
    CHECK(here.add(here.venv)->already_there);
    const auto other = here.machine.root() / "other/torch";
    make_torch_folder(other, test::kRocmVersion, {"torch_hip", "c10_hip"});
    const auto refused = here.add(other);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().kind == support::ErrorKind::usage);
    CHECK(support::contains(refused.error().hint, "kbuild toolchain remove torch@2.14"));
    CHECK(here.store.torch_sdks().front().full_version == "2.14.1+cpu");
}

TEST_CASE("a torch at a path comes before a fetched one of its version, which is named") {
    const Installed here(test::kCpuVersion, {});
    const auto other = here.machine.root() / "other/torch";
    make_torch_folder(other, test::kRocmVersion, {"torch_hip", "c10_hip"});
    REQUIRE(here.add(here.venv).has_value());
    FindOptions options;
    options.opt = here.machine.root() / "opt";
    options.store = here.store.root();
    options.torch_paths = {other};
    const Environment environment(here.machine.variables());
    const auto found = find_sdks(options);
    REQUIRE(found.has_value());
    REQUIRE(found->torch.size() == 1);
    CHECK(found->torch.front().full_version == "2.14.1+rocm7.2");
    REQUIRE(found->shadowed.size() == 1);
    CHECK(support::contains(found->shadowed.front(), "torch 2.14.1+cpu"));
}

TEST_CASE("the torch of a Python environment in use is named, and not used unasked") {
    const Installed here(test::kRocmVersion, {"torch_hip", "c10_hip"});
    FindOptions options;
    options.opt = here.machine.root() / "opt";
    options.store = here.store.root();
    options.python_sites = site_packages(here.venv);
    const auto found = find_sdks(options);
    REQUIRE(found.has_value());
    CHECK(found->torch.empty());
    REQUIRE(found->shadowed.size() == 1);
    CHECK(support::contains(found->shadowed.front(), "torch 2.14.1+rocm7.2 (ROCm build)"));
    CHECK(support::contains(found->shadowed.front(), "--torch"));
}

TEST_CASE("what was made of a place is removed by its path, gone or not, and nothing else") {
    const Installed here(test::kCpuVersion, {});
    const auto sdk = here.torch(here.venv);
    REQUIRE(sdk.has_value());
    CHECK(remove_local_torch(here.store, here.machine.root() / "other").value() == 0);
    fs::remove_all(here.venv);
    CHECK(remove_local_torch(here.store, here.venv).value() == 1);
    CHECK_FALSE(support::path_exists(sdk->root));
}
