"""Runs kbuild the way a user does and makes the projects that the tests run it on."""

import base64
import functools
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
EXAMPLE = REPOSITORY / "examples/gemm-fp8"
GENERATED = shutil.ignore_patterns("build", ".kbuild", "__pycache__", ".pytest_cache", "kbuild.lock")

# What would change what kbuild does or says; everything else of the environment (PATH, XDG_…) is the user's.
HIDDEN_VARIABLES = ("GITHUB_", "KBUILD_", "ROCM_PATH", "HIP_")


def clean_environment(**changes):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(HIDDEN_VARIABLES)}
    return {**environment, "LC_ALL": "C.UTF-8", **changes}


def data_home():
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")


def kbuild_command():
    return os.environ["KBUILD"]


def run_kbuild(*arguments, cwd=None, exit_code=0, **environment):
    """Runs kbuild and requires the exit code (None: any)."""
    result = subprocess.run([kbuild_command(), *map(str, arguments)], cwd=cwd, text=True, capture_output=True,
                            env=clean_environment(**environment))
    if exit_code is not None and result.returncode != exit_code:
        raise AssertionError(f"kbuild {' '.join(map(str, arguments))}: exit {result.returncode}, not {exit_code}\n"
                             f"stdout:\n{result.stdout}\nstderr:\n{result.stderr}")
    return result


def build(project, *arguments, exit_code=0, **environment):
    """Builds a project; returns the report of `--format json`."""
    result = run_kbuild("build", project, "--format", "json", *arguments, exit_code=exit_code, **environment)
    return json.loads(result.stdout)


def states(report):
    return {variant["variant"]: variant["result"] for variant in report["variants"]}


def copy_example(target):
    shutil.copytree(EXAMPLE, target, ignore=GENERATED)
    return target


# A binding without torch's headers compiles in no time; device code and everything around it are the real ones.
LIGHT_BINDING = """\
#include "registration.h"

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""


def make_light(project):
    """Replaces the binding of a copied example by one that registers no op."""
    (project / "torch-ext/torch_binding.cpp").write_text(LIGHT_BINDING)
    return project


def set_matrix(project, torch, rocm):
    """Writes kbuild.toml: the pairs of these versions."""
    def listed(versions):
        return "[" + ", ".join(f'"{version}"' for version in versions) + "]"

    (project / "kbuild.toml").write_text(f"[matrix]\ntorch = {listed(torch)}\nrocm = {listed(rocm)}\n")


def replace_in(file, old, new):
    text = file.read_text()
    assert text.count(old) == 1, f"{file} has {text.count(old)} times {old!r}"
    file.write_text(text.replace(old, new))


def files_of(folder):
    """Relative names and contents of all files."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def variant_folders(project):
    build_folder = project / "build"
    return sorted(build_folder.iterdir()) if build_folder.exists() else []


def is_whole(variant):
    """Whether a variant is complete by its own digest: all files there, with the bytes they had when it was made."""
    digest = json.loads((variant / "metadata.json").read_text())["digest"]
    found = {name: base64.b64encode(hashlib.sha256(data).digest()).decode()
             for name, data in files_of(variant).items() if name != "metadata.json"}
    return digest["algorithm"] == "sha256" and digest["files"] == found


def compiled_objects(project):
    """Every object file that Ninja has made in this project, by Ninja's own log."""
    objects = set()
    for log in (project / ".kbuild/work").rglob(".ninja_log"):
        for line in log.read_text().splitlines()[1:]:
            output = line.split("\t")[3]
            if output.endswith(".o"):
                objects.add(output)
    return objects


@functools.cache
def has_rocm(version):
    """Whether kbuild finds an SDK of this ROCm version, as `6.4`."""
    found = json.loads(run_kbuild("toolchain", "list", "--format", "json").stdout)["rocm"]
    return any(sdk["name"] == f"rocm@{version}" for sdk in found)
