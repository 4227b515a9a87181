#include "fake_tools.hpp"
#include "manifest.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/add.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace kbuild;
using namespace kbuild::toolchain;
using test::Environment;
using test::FakeMachine;
namespace fs = std::filesystem;

namespace {

/// Writes a wheel that has what a CUDA build of torch has, only less of it.
constexpr std::string_view kMakeWheel = R"SH(
import sys, zipfile
out, library = sys.argv[1:]
hipify = '''
import os
def hipify(project_directory, **options):
    for folder in ("c10", "ATen"):
        os.makedirs(os.path.join(project_directory, folder, "hip"), exist_ok=True)
    with open(os.path.join(project_directory, "c10/hip/HIPStream.h"), "w") as sink:
        sink.write(open(os.path.join(project_directory, "c10/cuda/CUDAStream.h")).read().replace("cuda", "hip"))
    print("converted")
'''
with zipfile.ZipFile(out, "w") as wheel:
    wheel.writestr("torch/version.py", "__version__ = '2.13.7+cu130'\ncuda = '13.0'\nhip = None\n")
    wheel.writestr("torch/include/c10/cuda/CUDAStream.h", "cudaStream_t\n")
    wheel.writestr("torch/include/ATen/cuda/CUDAContext.h", "\n")
    wheel.writestr("torch/include/torch/library.h", "\n")
    wheel.writestr("torch/utils/hipify/__init__.py", "")
    wheel.writestr("torch/utils/hipify/hipify_python.py", hipify)
    wheel.writestr("torch/lib/libnvrtc-of-many-megabytes.so", "x")
    for name in ("torch", "torch_cpu", "c10", "torch_cuda", "c10_cuda"):
        wheel.write(library, f"torch/lib/lib{name}.so")
)SH";

/// pip copies the wheel; everything else is done by the real Python.
constexpr std::string_view kPython = R"SH(PATH=/usr/bin:/bin:'@REAL@'
if [ "$1" = -m ]; then
  echo "pip $*" >> '@ROOT@/log'
  [ ! -e '@ROOT@/no-pip' ] || { echo "python3: No module named pip" >&2; exit 1; }
  [ ! -e '@ROOT@/no-network' ] || { echo "ERROR: No matching distribution found for torch" >&2; exit 1; }
  while [ "$1" != -d ]; do shift; done
  cp '@ROOT@/torch-2.13.7-cp311-cp311-manylinux_2_28_x86_64.whl' "$2/"
  exit 0
fi
case "$3" in *"Exit code 3"*)
  [ ! -e '@ROOT@/no-headers' ] || exit 3
  mkdir -p "$4"; echo > "$4/Python.h"; echo 3.11; exit 0 ;;
esac
exec '@PYTHON@' "$@"
)SH";

struct Index {
    FakeMachine machine;
    Store store{machine.store()};
    SdkRequest request = SdkRequest::parse("torch@2.13").value();

    Index() {
        const auto python = support::find_program("python3").value();
        const process::Command command{
            python,
            {"-c",
             std::string(kMakeWheel),
             (machine.root() / "torch-2.13.7-cp311-cp311-manylinux_2_28_x86_64.whl").string(),
             KBUILD_TOOLCHAIN_FIXTURE},
            {},
            process::clean_environment()};
        REQUIRE(process::run_ok(command, support::ErrorKind::failed).has_value());
        std::string script(kPython);
        script = support::replace_all(script, "@ROOT@", machine.root().string());
        script = support::replace_all(script, "@REAL@", python.parent_path().string());
        script = support::replace_all(script, "@PYTHON@", python.string());
        machine.add_program("python3", script);
        machine.add_real("cc");
    }

    void touch(const std::string& name) const { test::write(machine.root() / name, ""); }

    support::Result<AddResult> add() const {
        const Environment environment(machine.variables());
        return add_sdk(store, request, [](const std::string&) {});
    }
};

std::vector<std::string> lines(const fs::path& file) {
    return support::split(support::read_file(file).value_or(""), '\n');
}

} // namespace

TEST_CASE("a torch SDK is made from the newest wheel of its version", "[compilers]") {
    const Index index;
    const auto added = index.add();
    REQUIRE(added.has_value());
    CHECK(support::contains(index.machine.log(), "torch==2.13.*"));
    const auto sdks = index.store.torch_sdks();
    REQUIRE(sdks.size() == 1);
    const auto& sdk = sdks.front();
    CHECK(sdk.full_version == "2.13.7+cu130");
    CHECK(sdk.cxx11_abi);
    CHECK(support::is_file(sdk.include.front() / "torch/library.h"));
    CHECK(support::is_file(sdk.python_include / "Python.h"));
    CHECK(support::read_file(sdk.rocm_include.front() / "c10/hip/HIPStream.h").value() ==
          "hipStream_t\n");
}

TEST_CASE("what is not needed of the wheel is dropped, its digest is recorded", "[compilers]") {
    const Index index;
    REQUIRE(index.add().has_value());
    const auto root = index.store.torch_sdks().front().root;
    CHECK(
        support::list_names(root).value() ==
        std::vector<std::string>{
            "hipify", "include", "python_include", "rocm_include", "sdk.json", "stubs", "symbols"});
    CHECK_FALSE(support::path_exists(index.machine.downloads() / "torch-2.13"));
    const auto manifest = support::read_file(root / kManifestName).value();
    CHECK(support::contains(manifest, "torch-2.13.7-cp311-cp311-manylinux_2_28_x86_64.whl"));
    CHECK(support::contains(manifest, "\"sha256\": \""));
}

TEST_CASE(
    "each library has a stub with its SONAME and a list of names, the ROCm ones with HIP's types",
    "[compilers]") {
    const Index index;
    REQUIRE(index.add().has_value());
    const auto sdk = index.store.torch_sdks().front();
    for (const auto* name :
         {"libc10.so", "libc10_hip.so", "libtorch.so", "libtorch_cpu.so", "libtorch_hip.so"}) {
        const auto stub = elf::read_elf(sdk.stub_dir / name);
        REQUIRE(stub.has_value());
        CHECK(stub->soname == name);
        CHECK(stub->needed.empty());
        CHECK(lines(sdk.symbols_dir / fmt::format("{}.txt", name)).size() ==
              stub->symbols.size() + 1);
    }
    const auto hip = support::read_file(sdk.symbols_dir / "libc10_hip.so.txt").value();
    CHECK(support::contains(hip, "_ZN6Stream4takeEP12ihipStream_t\n"));
    const auto cpu = support::read_file(sdk.symbols_dir / "libc10.so.txt").value();
    CHECK(support::contains(cpu, "_ZN6Stream4takeEP11CUstream_st\n"));
}

TEST_CASE("a second add of a torch does not ask pip", "[compilers]") {
    const Index index;
    REQUIRE(index.add().has_value());
    const auto log = index.machine.log();
    CHECK(index.add()->already_there);
    CHECK(index.machine.log() == log);
}

TEST_CASE("a torch that an older kbuild made without a converter is made anew", "[compilers]") {
    const Index index;
    REQUIRE(index.add().has_value());
    const auto manifest = index.store.torch_sdks().front().root / kManifestName;
    CHECK(index.store.torch_sdks().front().hipify);
    auto text = support::read_file(manifest).value();
    text = support::replace_all(std::move(text), "\"hipify\": \"hipify\"", "\"hipify\": \"\"");
    test::write(manifest, text);
    REQUIRE(index.store.torch_sdks().size() == 1);
    CHECK_FALSE(index.store.torch_sdks().front().hipify);
    const auto again = index.add();
    REQUIRE(again.has_value());
    CHECK_FALSE(again->already_there);
    CHECK(index.store.torch_sdks().front().hipify);
}

TEST_CASE("a pip that fails is a network error with its words and what is kept", "[compilers]") {
    const Index index;
    index.touch("no-network");
    const auto added = index.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::network);
    CHECK(support::contains(added.error().message, "No matching distribution found"));
    CHECK(support::contains(added.error().hint, "torch-2.13"));
    CHECK(index.store.torch_sdks().empty());
}

TEST_CASE("a Python without pip or headers is a toolchain error with the command that mends it",
          "[compilers]") {
    const Index index;
    index.touch("no-pip");
    auto added = index.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::toolchain);
    CHECK(added.error().hint == "apt-get install python3-pip");
    index.touch("no-headers");
    added = index.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().hint == "apt-get install python3-dev");
}

TEST_CASE("a damaged wheel is an error and leaves no SDK", "[compilers]") {
    const Index index;
    test::write(index.machine.root() / "torch-2.13.7-cp311-cp311-manylinux_2_28_x86_64.whl",
                "no zip");
    const auto added = index.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::toolchain);
    CHECK(index.store.torch_sdks().empty());
}
