#include "fake_torch.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/strings.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace kbuild::toolchain::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHipify = R"PY(
import os
def hipify(project_directory, **options):
    for folder in ("c10", "ATen"):
        os.makedirs(os.path.join(project_directory, folder, "hip"), exist_ok=True)
    with open(os.path.join(project_directory, "c10/hip/HIPStream.h"), "w") as sink:
        sink.write(open(os.path.join(project_directory, "c10/cuda/CUDAStream.h")).read().replace("cuda", "hip"))
)PY";

constexpr const char* kZip = R"PY(
import pathlib, sys, zipfile
wheel, folder = sys.argv[1], pathlib.Path(sys.argv[2])
with zipfile.ZipFile(wheel, "w") as sink:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            sink.write(file, "torch/" + str(file.relative_to(folder)))
)PY";

constexpr const char* kPythonWithHeaders = R"SH(PATH=/usr/bin:/bin
case "$3" in *"Exit code 3"*) mkdir -p "$4"; echo > "$4/Python.h"; echo 3.11; exit 0 ;; esac
exec '@PYTHON@' "$@"
)SH";

} // namespace

void make_torch_folder(const fs::path& folder,
                       const std::string& version,
                       const std::vector<std::string>& gpu_libraries) {
    write(folder / "include/torch/library.h", "\n");
    write(folder / "include/c10/core/Device.h", "\n");
    fs::create_directories(folder / "lib");
    for (const auto* const name : {"torch", "torch_cpu", "c10"})
        fs::copy_file(KBUILD_TOOLCHAIN_FIXTURE, folder / fmt::format("lib/lib{}.so", name));
    for (const auto& name : gpu_libraries) {
        fs::copy_file(KBUILD_TOOLCHAIN_FIXTURE, folder / fmt::format("lib/lib{}.so", name));
        if (name == "c10_cuda") {
            write(folder / "include/c10/cuda/CUDAStream.h", "cudaStream_t\n");
            write(folder / "include/ATen/cuda/CUDAContext.h", "\n");
        }
        if (name == "c10_hip")
            write(folder / "include/c10/hip/HIPStream.h", "hipStream_t of the ROCm build\n");
    }
    if (version.empty())
        return;
    write(folder / "version.py", version);
    write(folder / "utils/hipify/__init__.py", "");
    write(folder / "utils/hipify/hipify_python.py", kHipify);
}

void make_torch_wheel(const fs::path& wheel, const fs::path& folder) {
    fs::create_directories(wheel.parent_path());
    const process::Command command{support::find_program("python3").value(),
                                   {"-c", kZip, wheel.string(), folder.string()},
                                   {},
                                   process::clean_environment()};
    REQUIRE(process::run_ok(command, support::ErrorKind::failed).has_value());
}

void add_torch_tools(const FakeMachine& machine) {
    const auto python = support::find_program("python3").value();
    machine.add_program("python3",
                        support::replace_all(kPythonWithHeaders, "@PYTHON@", python.string()));
    machine.add_real("cc");
}

} // namespace kbuild::toolchain::test
