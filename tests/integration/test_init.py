"""`kbuild init`: what it writes builds unchanged, and its own tests pass."""

import json
import subprocess

import pytest
from kernels import _rust

import kbuild_driver as driver


@pytest.fixture(scope="module")
def scaffold(tmp_path_factory):
    folder = tmp_path_factory.mktemp("new projects")
    driver.run_kbuild("init", "my-org/scale", cwd=folder)
    return folder / "scale"


def test_upstreams_parser_accepts_it(scaffold):
    backends = _rust.Build.open(scaffold).general.backends
    assert set(map(str, backends)) == {str(_rust.Backend.CPU), str(_rust.Backend.ROCm)}


def test_it_is_not_overwritten(scaffold):
    before = driver.files_of(scaffold)
    result = driver.run_kbuild("init", "my-org/scale", cwd=scaffold.parent, exit_code=None)
    assert result.returncode != 0
    assert "scale" in result.stderr
    assert driver.files_of(scaffold) == before


def test_it_builds_and_its_tests_pass_on_the_cpu_variant(scaffold, environment):
    report = driver.build(scaffold, "--torch", "2.13")
    assert set(driver.states(report).values()) == {"built"}
    assert {"torch213-cxx11-cpu-x86_64-linux", "torch213-cxx11-rocm72-x86_64-linux"} <= set(driver.states(report))
    metadata = json.loads((scaffold / "build/torch213-cxx11-cpu-x86_64-linux/metadata.json").read_text())
    assert metadata["name"] == "scale"
    result = subprocess.run(
        [environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", scaffold / "tests"], text=True,
        capture_output=True, env=driver.clean_environment(LOCAL_KERNELS=f"my-org/scale={scaffold}", HF_HUB_OFFLINE="1"))
    assert result.returncode == 0, result.stdout + result.stderr
    assert " passed" in result.stdout


def test_clean_removes_what_was_generated_and_nothing_else(scaffold, tmp_path):
    project = tmp_path / "scale"
    driver.run_kbuild("init", "my-org/scale", cwd=tmp_path)
    before = driver.files_of(project)
    driver.run_kbuild("build", project, "--dry-run", "--torch", "2.13")
    driver.run_kbuild("clean", project)
    assert driver.files_of(project) == before
