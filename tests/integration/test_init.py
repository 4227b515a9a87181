"""`kbuild init`: every template is a project that builds unchanged, loads, and whose own tests pass."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from kernels import _rust

import kbuild_driver as driver
from conftest import ROCM_FULL, make_standin

CPU = {"cpu": "torch213-cxx11-cpu-x86_64-linux", "elementwise": "torch213-cxx11-cpu-x86_64-linux",
       "gemm-fp8": "torch213-cxx11-cpu-x86_64-linux", "python": "torch-cpu", "stable-abi": "torch-stable-abi213-cpu-x86_64-linux"}
ROCM = {"elementwise": "torch213-cxx11-rocm72-x86_64-linux", "gemm-fp8": "torch213-cxx11-rocm72-x86_64-linux",
        "python": "torch-rocm", "stable-abi": "torch-stable-abi213-rocm72-x86_64-linux"}
OPERATOR = {"elementwise": "multiply", "gemm-fp8": "gemm", "stable-abi": "multiply"}


def init(folder, template, *arguments):
    return driver.run_kbuild("init", "my-org/scale", "--template", template, *arguments, cwd=folder)


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    """One built project per template."""
    made = {}

    def project(template):
        if template not in made:
            folder = tmp_path_factory.mktemp(f"new {template}")
            init(folder, template)
            report = driver.build(folder / "scale", "--torch", "2.13")
            assert set(driver.states(report).values()) == {"built"}
            made[template] = folder / "scale"
        return made[template]

    return project


@pytest.mark.parametrize("template", CPU)
def test_upstreams_parser_and_check_accept_it(projects, template):
    project = projects(template)
    backends = set(map(str, _rust.Build.open(project).general.backends))
    assert backends == {"cpu"} if template == "cpu" else {"cpu", "rocm"}
    checked = driver.run_kbuild("check", project)
    assert checked.stdout + checked.stderr == ""


@pytest.mark.parametrize("template", CPU)
def test_the_flake_parses_and_calls_upstreams_entry_point(projects, template):
    if not shutil.which("nix-instantiate"):
        pytest.skip("nix-instantiate is not installed: apt-get install nix-bin")
    parsed = subprocess.run(["nix-instantiate", "--parse", projects(template) / "flake.nix"], text=True,
                            capture_output=True)
    assert parsed.returncode == 0, parsed.stderr
    assert "genKernelFlakeOutputs" in parsed.stdout


@pytest.mark.parametrize("template", CPU)
def test_all_files_are_staged_in_a_new_repository(projects, tmp_path, template):
    init(tmp_path, template)
    status = subprocess.run(["git", "-C", tmp_path / "scale", "status", "--porcelain", "-uall"], text=True,
                            capture_output=True, check=True).stdout
    staged = {line[3:] for line in status.splitlines() if line.startswith("A  ")}
    files = {name for name in driver.files_of(tmp_path / "scale") if not name.startswith(".git/")}
    assert staged == files


@pytest.mark.parametrize("template", CPU)
def test_its_tests_pass_on_the_cpu_variant(projects, environment, template):
    project = projects(template)
    metadata = json.loads((project / "build" / CPU[template] / "metadata.json").read_text())
    assert metadata["name"] == "scale"
    result = subprocess.run(
        [environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", project / "tests"], text=True,
        capture_output=True, env=driver.clean_environment(LOCAL_KERNELS=f"my-org/scale={project}", HF_HUB_OFFLINE="1"))
    assert result.returncode == 0, result.stdout + result.stderr
    assert " passed" in result.stdout


@pytest.mark.parametrize("template", ROCM)
def test_a_rocm_torch_imports_the_rocm_variant(projects, environment, tmp_path, template):
    project = projects(template)
    variant = project / "build" / ROCM[template]
    make_standin(tmp_path, list(variant.glob("*.so")))
    request = {"path": str(project), "hip": ROCM_FULL["7.2"], "ops": [OPERATOR.get(template, "multiply")]}
    result = subprocess.run(
        [environment.python, Path(__file__).with_name("loader_probe.py"), json.dumps(request)], text=True,
        capture_output=True, env=driver.clean_environment(HF_HUB_OFFLINE="1", LD_LIBRARY_PATH=str(tmp_path),
                                                          PYTHONPATH=environment.torch["2.13"]["path"]))
    assert result.returncode == 0, result.stderr
    got = json.loads(result.stdout)
    assert got.get("file") == str(variant / "__init__.py"), got
    if template != "python":
        assert got["registered"] == {OPERATOR[template]: ["CUDA", "Meta"]}


def test_what_is_in_the_way_is_listed_and_stays(tmp_path):
    init(tmp_path, "elementwise")
    before = driver.files_of(tmp_path / "scale")
    result = driver.run_kbuild("init", "my-org/scale", cwd=tmp_path, exit_code=2)
    assert "scale/build.toml" in result.stderr and "--overwrite" in result.stderr
    assert driver.files_of(tmp_path / "scale") == before


def test_overwrite_replaces_its_files_and_keeps_others(tmp_path):
    project = tmp_path / "scale"
    init(tmp_path, "elementwise")
    (project / "mine.txt").write_text("mine")
    (project / "build.toml").write_text("")
    init(tmp_path, "elementwise", "--overwrite")
    assert (project / "mine.txt").read_text() == "mine"
    assert "edition = 5" in (project / "build.toml").read_text()


def test_a_dry_run_writes_nothing(tmp_path):
    result = init(tmp_path, "stable-abi", "--dry-run")
    assert "scale/build.toml\n" in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_project_within_a_repository_is_left_to_it(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    result = init(tmp_path, "elementwise")
    assert not (tmp_path / "scale/.git").exists()
    assert "in a git repository already" in result.stderr


def test_clean_removes_what_was_generated_and_nothing_else(tmp_path):
    project = tmp_path / "scale"
    init(tmp_path, "elementwise")
    before = driver.files_of(project)
    driver.run_kbuild("build", project, "--dry-run", "--torch", "2.13")
    driver.run_kbuild("clean", project)
    assert driver.files_of(project) == before
