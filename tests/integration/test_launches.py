"""The host code of a built ROCm variant starts the kernel with the right shape: seen through the stand-in libamdhip64."""

import json
import subprocess
from pathlib import Path

import pytest

import kbuild_driver as driver

HERE = Path(__file__).resolve().parent
TILE_M = TILE_N = 128
THREADS = 256
VARIANTS = ["torch213-cxx11-rocm64-x86_64-linux", "torch213-cxx11-rocm72-x86_64-linux"]


@pytest.fixture
def launch(example, environment, standin, tmp_path):
    """Calls the launcher for each problem; what the calls returned, and the launches that were seen."""

    def run(variant, *problems, device=True):
        (library,) = example.variants[variant].glob("*.so")
        torch_lib = Path(environment.torch["2.13"]["path"], "torch/lib")
        log = tmp_path / "launches.jsonl"
        variables = driver.clean_environment(LD_LIBRARY_PATH=str(standin))
        if device:
            variables["KBUILD_HIP_STANDIN_LOG"] = str(log)
        result = subprocess.run(
            [environment.python, HERE / "launch_probe.py", torch_lib, library, *map(json.dumps, problems)], text=True,
            capture_output=True, env=variables)
        assert result.returncode == 0, result.stderr
        launches = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return [int(line) for line in result.stdout.split()], launches

    return run


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_workgroup_per_tile_on_the_callers_stream(launch, variant):
    problem = {"m": 1000, "n": 264, "k": 512, "a_along_rows": True, "b_along_rows": True, "stream": 0x1234}
    status, (started,) = launch(variant, problem)
    assert status == [0]
    assert started["grid"] == [-(-1000 // TILE_M), -(-264 // TILE_N), 1]
    assert started["block"] == [THREADS, 1, 1]
    assert started["stream"] == "0x1234"
    assert "gemm_kernel" in started["kernel"]


def test_each_layout_has_its_own_kernel(launch):
    layouts = [{"a_along_rows": a, "b_along_rows": b} for a in (False, True) for b in (False, True)]
    status, launches = launch(VARIANTS[0], *({"m": 64, "n": 64, "k": 128, **layout} for layout in layouts))
    assert status == [0, 0, 0, 0]
    assert len({started["kernel"] for started in launches}) == 4


def test_nothing_is_started_for_an_empty_result(launch):
    assert launch(VARIANTS[0], {"m": 0, "n": 64, "k": 128}) == ([0], [])


def test_the_error_of_a_launch_is_returned(launch):
    no_device = 100  # what the stand-in answers if it is not told to record
    assert launch(VARIANTS[0], {"m": 64, "n": 64, "k": 128}, device=False) == ([no_device], [])
