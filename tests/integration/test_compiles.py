"""How often a project with ten device files and one binding is compiled for three torches and two ROCms: 20 + 3 times. One
project for each variant, which is what people have today, compiles 66 times. What counts as one compile is a source and
its object, whatever the passes are that the object is made in: of a HIP unit, one device pass for each architecture, a
step that bundles their code objects, and a host pass that embeds the bundle."""

import collections
import re

import pytest

import kbuild_driver as driver

TORCH, ROCM, DEVICE_FILES = ["2.13", "2.14", "2.15"], ["6.4", "7.2"], 10
SOURCES = [f"src/kernel{number}.hip" for number in range(DEVICE_FILES)]

BUILD_TOML = f"""\
[general]
name = "ten"
version = 1
edition = 5
license = "Apache-2.0"
backends = ["rocm"]

[torch]
src = ["torch-ext/torch_binding.cpp"]

[kernel.ten]
backend = "rocm"
depends = ["torch"]
rocm-archs = ["gfx942"]
src = [{", ".join(f'"{source}"' for source in SOURCES)}]
"""

KERNEL = """\
#include <hip/hip_runtime.h>

__global__ void scale_{number}(float* data) {{
    data[threadIdx.x] *= {number}.0f;
}}

void launch_{number}(float* data, hipStream_t stream) {{
    scale_{number}<<<1, 64, 0, stream>>>(data);
}}
"""


@pytest.fixture
def ten(tmp_path):
    project = tmp_path / "ten"
    files = {"build.toml": BUILD_TOML, "torch-ext/torch_binding.cpp": driver.LIGHT_BINDING,
             "torch-ext/ten/__init__.py": "from ._ops import ops\n",
             **{source: KERNEL.format(number=number) for number, source in enumerate(SOURCES)}}
    # It includes torch like any binding, but of torch's headers one that compiles in no time.
    files["torch-ext/torch_binding.cpp"] += "\n#include <torch/headeronly/macros/Macros.h>\n"
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    driver.set_matrix(project, torch=TORCH, rocm=ROCM)
    return project


def test_the_plan_of_ten_device_files_and_a_binding_has_20_plus_3_compiles_instead_of_66(ten):
    assert len(TORCH) * len(ROCM) * (DEVICE_FILES + 1) == 66
    said = driver.run_kbuild("build", ten, "--dry-run").stdout
    assert said.endswith("23 compiles: 20 device, 0 device with torch, 3 binding, 0 cpu; 6 links\n")
    planned = collections.Counter(re.findall(r"^    (.*)$", said, re.M))
    assert planned == {**{str(ten / source): len(ROCM) for source in SOURCES},
                       str(ten / "torch-ext/torch_binding.cpp"): len(TORCH)}


def test_ninja_runs_20_plus_3_compiles_and_no_pass_twice(ten):
    report = driver.build(ten, "--launcher", "none")
    assert report["compiles"] == {"device": 20, "device-torch": 0, "binding": 3, "cpu": 0, "total": 23, "run": 23}
    assert report["links"] == 6
    assert set(driver.states(report).values()) == {"built"} and len(report["variants"]) == 6
    steps = collections.Counter(line.split("\t")[3] for line in
                                (ten / ".kbuild/work" / ".ninja_log").read_text().splitlines()[1:])
    made = {kind: sorted(name for name in steps if name.endswith(kind)) for kind in (".o", ".co", ".hipfb")}
    assert {kind: len(names) for kind, names in made.items()} == {
        ".o": 23,  # host passes of 20 HIP units, and 3 bindings
        ".co": 20, ".hipfb": 20}  # one architecture each
    for kind in made:
        for tag in ("rocm64", "rocm72"):
            assert sum(name.startswith(tag) and "kernel" in name for name in made[kind]) == DEVICE_FILES
    assert sum("torch_binding" in name for name in made[".o"]) == len(TORCH)
    assert max(steps.values()) == 1, "a step was run twice"
