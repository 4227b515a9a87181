"""Wheels: named after what their libraries need, reproducible, checked by twine, installed by pip and imported with a real torch."""

import base64
import csv
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import kbuild_driver as driver

TOOLS = Path(os.environ.get("KBUILD_TEST_ENV", "/nonexistent"), "interop/venv/bin")


@pytest.fixture(scope="module")
def wheels(example, tmp_path_factory):
    out = tmp_path_factory.mktemp("wheels")
    driver.run_kbuild("wheel", example.project, "--out", out)
    return {path.name: path for path in out.iterdir()}


def cpu_wheel(wheels):
    return next(path for name, path in wheels.items() if "torch213cpu" in name)


def test_names(example, wheels):
    assert len(wheels) == len(example.variants)
    pattern = r"gemm-1\+torch21[34](cpu|rocm\d+)-cp39-abi3-(manylinux_2_\d+|linux)_x86_64\.whl"
    assert all(re.fullmatch(pattern, name) for name in wheels)


def test_record_covers_every_file(wheels):
    for path in wheels.values():
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            record = next(name for name in archive.namelist() if name.endswith("RECORD"))
            rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(archive.read(record).decode()))}
            assert sorted(rows) == sorted(archive.namelist())
            for name in set(rows) - {record}:
                data = archive.read(name)
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert rows[name] == [f"sha256={digest}", str(len(data))]


def test_same_bytes_again(example, wheels, tmp_path):
    copy = tmp_path / "elsewhere"
    shutil.copytree(example.build, copy)
    driver.run_kbuild("wheel", copy, "--out", tmp_path / "out", SOURCE_DATE_EPOCH="1")
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == {
        name: path.read_bytes() for name, path in wheels.items()}


def test_installed_and_imported(environment, wheels, tmp_path):
    target = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps",
                    "--target", target, cpu_wheel(wheels)], check=True)
    code = "import torch, gemm; print(gemm.__file__); print(callable(gemm.gemm))"
    result = subprocess.run([environment.python, "-c", code], text=True, capture_output=True, env=driver.clean_environment(
        PYTHONPATH=f"{target}{os.pathsep}{environment.torch['2.13']['path']}"))
    assert result.returncode == 0, result.stderr
    assert result.stdout.split("\n")[:2] == [f"{target}/gemm/__init__.py", "True"]


def test_twine_has_nothing_to_say(wheels):
    if not (TOOLS / "twine").exists():
        pytest.skip("twine is not there: tests/interop/make_interop_env")
    result = subprocess.run([TOOLS / "twine", "check", "--strict", *wheels.values()], text=True, capture_output=True)
    assert "FAILED" not in result.stdout and "ERROR" not in result.stdout, result.stdout
