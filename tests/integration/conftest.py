"""Fixtures. ctest runs the tests through run_pytest.py; by hand, for example:

    python3 tests/integration/run_pytest.py out/ci/src/kbuild out/integration test_errors.py -k syntax
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import kbuild_driver as driver

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support/hip_standin"))
from make_hip_standin import make_standin  # noqa: E402

ROCM_FULL = {"6.4": "6.4.43484-abcdef", "7.2": "7.2.53211"}  # as torch.version.hip spells it


def pytest_configure(config):
    config.addinivalue_line("markers", "full: only with KBUILD_TEST_FULL=1, takes minutes")


def pytest_collection_modifyitems(items):
    if os.environ.get("KBUILD_TEST_FULL", "0") not in ("", "0"):
        return
    for item in items:
        if item.get_closest_marker("full"):
            item.add_marker(pytest.mark.skip(reason="KBUILD_TEST_FULL is not set"))


@pytest.fixture(scope="session")
def environment():
    """The environment that tests/support/make_test_env made."""
    made = json.loads(Path(os.environ["KBUILD_TEST_ENV"], "complete.json").read_text())
    return SimpleNamespace(python=made["python"], torch=made["torch"])


def fingerprint_of_inputs():
    """Of all that the built example depends on: another kbuild or another example is built anew."""
    digest = hashlib.sha256()
    kbuild = Path(driver.kbuild_command())
    status = kbuild.stat()
    digest.update(f"{kbuild} {status.st_size} {status.st_mtime_ns} {os.environ.get('XDG_DATA_HOME')}".encode())
    skipped = {"build", ".kbuild", "__pycache__", ".pytest_cache"}
    for file in sorted(driver.EXAMPLE.rglob("*")):
        if file.is_file() and not skipped & set(file.parts):
            digest.update(f"{file}".encode() + file.read_bytes())
    return digest.hexdigest()


def build_example(folder):
    """Builds the example's whole matrix, then again and again; what each run reported."""
    project = driver.copy_example(folder / "gemm fp8")
    reports = {"first": driver.build(project)}
    reports["objects"] = sorted(driver.compiled_objects(project))
    text = driver.run_kbuild("build", project)
    reports["text"] = text.stdout
    reports["second"] = driver.build(project)
    source, log = project / "gemm/gemm_launcher.hip", project / ".kbuild/logs/ninja.log"
    before = log.stat().st_mtime_ns
    os.utime(source)
    reports["touched"] = driver.build(project)
    reports["touched"]["started-ninja"] = log.stat().st_mtime_ns != before
    text = source.read_text()
    source.write_text(text + "// edited\n")
    reports["edited"] = driver.build(project)
    source.write_text(text)
    driver.build(project)
    return reports


@pytest.fixture(scope="session")
def example():
    """The example, copied to a path with a space and built for its whole matrix. Shared by all test programs of one
    ctest run, and kept for the next as long as kbuild and the example are the same. Not to be changed by a test."""
    work = Path(os.environ["KBUILD_TEST_WORK"])
    work.mkdir(parents=True, exist_ok=True)
    folder, record = work / "example", work / "example/reports.json"
    wanted = fingerprint_of_inputs()
    with open(work / "example.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = json.loads(record.read_text()) if record.exists() else {}
        if made.get("inputs") != wanted:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            made = {"inputs": wanted, **build_example(folder)}
            record.write_text(json.dumps(made, indent=2))
    project = folder / "gemm fp8"
    return SimpleNamespace(project=project, reports=made, build=project / "build",
                           variants={path.name: path for path in driver.variant_folders(project)})


@pytest.fixture(scope="session")
def strace():
    """Skips where strace is missing or may not be used."""
    if not shutil.which("strace") or subprocess.run(["strace", "-f", "true"], capture_output=True).returncode != 0:
        pytest.skip("no strace, or this user may not trace programs")


@pytest.fixture
def project(tmp_path):
    """A fresh copy of the example outside git, in a path with a space."""
    return driver.copy_example(tmp_path / "a project")


@pytest.fixture
def light_project(project):
    """The same with a binding that compiles fast, for one pair and one CPU variant."""
    driver.make_light(project)
    driver.set_matrix(project, torch=["2.13"], rocm=["6.4"])
    return project


@pytest.fixture(scope="session")
def standin(example, tmp_path_factory):
    """A folder with the stand-in libamdhip64 for everything that the built variants import."""
    folder = tmp_path_factory.mktemp("hip standin")
    make_standin(folder, [library for path in example.variants.values() for library in path.glob("*.so")])
    return folder


@pytest.fixture(scope="session")
def probe(environment, standin):
    """Loads a kernel in a process of its own (loader_probe.py); what it said."""

    def run(torch="2.13", **request):
        variables = driver.clean_environment(HF_HUB_OFFLINE="1", LD_LIBRARY_PATH=str(standin),
                                             PYTHONPATH=environment.torch[torch]["path"])
        result = subprocess.run([environment.python, HERE / "loader_probe.py", json.dumps(request)], text=True,
                                capture_output=True, env=variables)
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    return run
