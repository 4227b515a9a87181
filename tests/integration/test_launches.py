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
    def run(variant, **problem):
        (library,) = example.variants[variant].glob("*.so")
        log = tmp_path / "launches.jsonl"
        result = subprocess.run(
            [environment.python, HERE / "launch_probe.py", library, json.dumps(problem)], text=True,
            capture_output=True,
            env=driver.clean_environment(LD_LIBRARY_PATH=str(standin), KBUILD_HIP_STANDIN_LOG=str(log)))
        assert result.returncode == 0, result.stderr
        launches = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return int(result.stdout), launches

    return run


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_workgroup_per_tile_on_the_callers_stream(launch, variant):
    status, (started,) = launch(variant, m=1000, n=264, k=512, a_along_rows=True, b_along_rows=True, stream=0x1234)
    assert status == 0
    assert started["grid"] == [-(-1000 // TILE_M), -(-264 // TILE_N), 1]
    assert started["block"] == [THREADS, 1, 1]
    assert started["stream"] == "0x1234"
    assert "gemm_kernel" in started["kernel"]


def test_each_layout_has_its_own_kernel(launch):
    layouts = [{"a_along_rows": a, "b_along_rows": b} for a in (False, True) for b in (False, True)]
    names = set()
    for layout in layouts:
        _, launches = launch(VARIANTS[0], m=64, n=64, k=128, **layout)
        names.add(launches[-1]["kernel"])
    assert len(names) == 4


def test_nothing_is_started_for_an_empty_result(launch):
    assert launch(VARIANTS[0], m=0, n=64, k=128) == (0, [])
