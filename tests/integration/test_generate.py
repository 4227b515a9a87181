"""`kbuild generate`: the project it writes builds with CMake and with pip, and kbuild takes no part in that."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kbuild_driver as driver

GENERATED = {"CMakeLists.txt", "cmake/kbuild-files.txt", "cmake/kernel.cmake", "cmake/targets.cmake",
             "cmake/torch.cmake", "pyproject.toml", "setup.py", "torch-ext/registration.h"}
HARD_FLAG = '-DHARD="a b;c]] $x # \\\\"'  # a string literal that ends in an escaped backslash


@pytest.fixture
def project(tmp_path):
    driver.run_kbuild("init", "my-org/scale", cwd=tmp_path)
    return tmp_path / "scale"


def run(*command, **changes):
    """A command in an environment without kbuild."""
    result = subprocess.run([str(part) for part in command], text=True, capture_output=True,
                            env=driver.clean_environment(**changes))
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def sdk(kind, version):
    found = json.loads(driver.run_kbuild("toolchain", "list", "--format", "json").stdout)[kind]
    return Path(next(entry["root"] for entry in found if entry["name"] == f"{kind}@{version}"))


def use_op(environment, package_folder, variables=None):
    code = ("import torch, scale; x = torch.randn(9); "
            "torch.testing.assert_close(scale.multiply(x, 3.0), 3.0 * x); print(scale.__file__)")
    return run(environment.python, "-c", code, PYTHONPATH=str(package_folder))


def test_again_changes_nothing_and_clean_removes_exactly_that(project):
    before = driver.files_of(project)
    driver.run_kbuild("generate", project)
    first = driver.files_of(project)
    assert set(first) - set(before) == GENERATED
    driver.run_kbuild("create-pyproject", project)
    assert driver.files_of(project) == first
    driver.run_kbuild("clean-pyproject", project)
    assert driver.files_of(project) == before
    assert not (project / "cmake").exists()


def test_files_of_the_user_are_listed_and_stay(project):
    (project / "setup.py").write_text("mine")
    before = driver.files_of(project)
    refused = driver.run_kbuild("generate", project, exit_code=2)
    assert "setup.py" in refused.stderr and "--force" in refused.stderr
    assert driver.files_of(project) == before
    driver.run_kbuild("generate", project, "--force")
    assert "setuptools" in (project / "setup.py").read_text()


def test_a_changed_file_is_neither_replaced_nor_removed(project):
    driver.run_kbuild("generate", project)
    (project / "setup.py").write_text("changed")
    assert "setup.py" in driver.run_kbuild("generate", project, exit_code=2).stderr
    driver.run_kbuild("clean", project)
    assert (project / "setup.py").read_text() == "changed"
    assert not (project / "CMakeLists.txt").exists()


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_cmake_builds_the_package_for_the_cpu(project, environment, tmp_path, generator):
    text = (project / "build.toml").read_text()
    (project / "build.toml").write_text(text.replace('backend = "cpu"\n', f"backend = \"cpu\"\ncxx-flags = ['{HARD_FLAG}']\n"))
    source = project / "scale_cpu/scale_cpu.cpp"
    source.write_text(source.read_text() + '\nstatic_assert(sizeof(HARD) == 15 && HARD[13] == \'\\\\\');\n')
    driver.run_kbuild("generate", project)
    run("cmake", "-G", generator, "-S", project, "-B", tmp_path / "b", f"-DPython3_EXECUTABLE={environment.python}",
        "-DKERNEL_BACKEND=cpu", f"-DPYTHON_INCLUDE_DIR={sdk('torch', '2.13') / 'python_include'}")
    run("cmake", "--build", tmp_path / "b")
    assert str(tmp_path / "b/package/scale/__init__.py") in use_op(environment, tmp_path / "b/package")


def test_cmake_builds_the_package_for_rocm(project, environment, tmp_path):
    driver.run_kbuild("generate", project)
    torch, rocm = sdk("torch", "2.13"), sdk("rocm", "6.4")
    includes = ";".join(str(torch / part) for part in ("rocm_include", "include", "include/torch/csrc/api/include"))
    run("cmake", "-S", project, "-B", tmp_path / "b", f"-DPython3_EXECUTABLE={environment.python}",
        "-DKERNEL_BACKEND=rocm", f"-DROCM_PATH={rocm}", f"-DTORCH_INCLUDE_DIRS={includes}",
        f"-DTORCH_LIBRARY_DIR={torch / 'stubs'}", f"-DPYTHON_INCLUDE_DIR={torch / 'python_include'}")
    run("cmake", "--build", tmp_path / "b")
    (library,) = (tmp_path / "b/package/scale").glob("*.so")
    inspected = driver.run_kbuild("inspect", library).stdout
    assert "gfx942" in inspected and "multiply" in inspected
    flags = "".join(path.read_text() for path in (tmp_path / "b").rglob("flags.make"))
    assert "HIP_FLAGS = -O3" in flags and "-std=" in flags


def install_in_place(project, environment, folder, **variables):
    """A new virtual environment that sees torch, with the project installed by `pip install -e`; its Python."""
    if not importlib.util.find_spec("wheel"):
        pytest.skip("the test environment has no `wheel`, which setuptools before 70.1 needs")
    run(sys.executable, "-m", "venv", folder / "venv")
    python = folder / "venv/bin/python3"
    (site,) = (folder / "venv/lib").glob("python3*/site-packages")
    paths = json.loads(run(environment.python, "-c", "import json, sys; print(json.dumps(sys.path))"))
    (site / "torch.pth").write_text("\n".join(path for path in paths if os.path.isdir(path) and "site-packages" in path)
                                    + f"\n{environment.torch['2.13']['path']}\n")
    run(python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "-e", project, **variables)
    return python


USE = "import torch, scale; print(scale.multiply(torch.ones(2), 3.0).tolist(), scale.__file__)"


def test_pip_installs_it_in_place(project, environment, tmp_path):
    driver.run_kbuild("generate", project)
    python = install_in_place(
        project, environment, tmp_path,
        CMAKE_ARGS=f"-DKERNEL_BACKEND=cpu '-DPYTHON_INCLUDE_DIR={sdk('torch', '2.13') / 'python_include'}'")
    assert f"[3.0, 3.0] {project}/torch-ext/scale/__init__.py" in run(python, "-c", USE)


def test_pip_installs_a_package_of_python_files_in_place(environment, tmp_path):
    driver.run_kbuild("init", "my-org/scale", "--template", "python", cwd=tmp_path)
    project = tmp_path / "scale"
    before = driver.files_of(project)
    driver.run_kbuild("generate", project)
    python = install_in_place(project, environment, tmp_path)
    assert f"[3.0, 3.0] {project}/torch-ext/scale/__init__.py" in run(python, "-c", USE)
    driver.run_kbuild("clean", project)
    left = {name for name in driver.files_of(project) if ".egg-info/" not in name and "__pycache__" not in name}
    assert left == set(before)
