"""`verify --rebuild` and `verify --load`: what is in build/ comes out again, byte by byte, and can be imported."""

import json
import shutil
import subprocess

import pytest

import kbuild_driver as driver

ROCM = "torch213-cxx11-rocm64-x86_64-linux"
CPU = "torch213-cxx11-cpu-x86_64-linux"


@pytest.fixture(scope="module")
def built_once(tmp_path_factory):
    project = driver.make_light(driver.copy_example(tmp_path_factory.mktemp("built") / "a project"))
    driver.set_matrix(project, torch=["2.13"], rocm=["6.4"])
    driver.build(project)
    return project


@pytest.fixture
def built(built_once, tmp_path):
    """A project with one ROCm and one CPU variant, without the folder that they were made in."""
    return shutil.copytree(built_once, tmp_path / "a project", ignore=shutil.ignore_patterns(".kbuild"))


def verify(project, *arguments, exit_code=0):
    result = driver.run_kbuild("verify", *arguments, project, "--format", "json", exit_code=exit_code)
    return result, {entry["name"]: entry["findings"] for entry in json.loads(result.stdout)["variants"]}


def errors(findings):
    return [finding["code"] for finding in findings if finding["severity"] == "error"]


def test_what_was_built_comes_out_again_and_what_was_changed_does_not(built):
    before = driver.files_of(built / "build")
    result, _ = verify(built, "--rebuild")
    assert f"{ROCM}: built again, the same bytes" in result.stderr
    assert f"{CPU}: built again, the same bytes" in result.stderr
    assert driver.files_of(built / "build") == before, "what is there is only read"

    (library,) = (built / "build" / CPU).glob("*.so")
    changed = bytearray(library.read_bytes())
    at = changed.index(b"GCC: (")
    changed[at] ^= 1
    library.write_bytes(changed)
    _, found = verify(built / "build" / CPU, "--rebuild", exit_code=6)
    assert sorted(errors(found[CPU])) == ["K0630", "K0709"]
    (finding,) = (finding for finding in found[CPU] if finding["code"] == "K0630")
    assert finding["notes"][0].startswith(f"`{library.name}`: `.comment`: other bytes from 0x")

    source = built / "gemm_cpu/gemm_cpu.cpp"
    source.write_text(source.read_text() + "// changed\n")
    _, found = verify(built, "--rebuild", exit_code=6)
    (finding,) = (finding for finding in found[ROCM] if finding["code"] == "K0631")
    assert finding["notes"] == ["`gemm_cpu/gemm_cpu.cpp` has other bytes"]


def test_a_variant_of_another_builder_cannot_be_built_again(built):
    (built / "build" / CPU / "build-provenance.json").unlink()
    _, found = verify(built / "build" / CPU, "--rebuild", exit_code=6)
    (finding,) = (finding for finding in found[CPU] if finding["code"] == "K0631")
    assert finding["notes"] == ["it has no `build-provenance.json`"]


def notes_of_not_run(findings):
    return [finding["message"] for finding in findings
            if finding["code"] == "K0615" and "was not loaded" in finding["message"]]


def test_a_variant_is_imported_where_its_torch_is_and_else_that_is_said(built, environment):
    before = driver.files_of(built / "build")
    _, found = verify(built, "--load", "--python", environment.python)
    assert errors(found[CPU]) == [] and notes_of_not_run(found[CPU]) == []
    (message,) = notes_of_not_run(found[ROCM])
    assert "it is for rocm64, here is cu" in message
    assert driver.files_of(built / "build") == before, "no bytecode is left behind"

    package = built / "build" / CPU / "__init__.py"
    package.write_text("import not_there\n")
    _, found = verify(built / "build" / CPU, "--load", "--python", environment.python, exit_code=6)
    (finding,) = (finding for finding in found[CPU] if finding["code"] == "K0629")
    assert "No module named 'not_there'" in finding["notes"][0]


OPS = """\
#include <torch/library.h>

#include <cstdlib>

#include "registration.h"

namespace {
at::Tensor same(const at::Tensor& x) { return x; }
}  // namespace

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
    ops.def("same(Tensor x, *, int n=2) -> Tensor");
    ops.def("inferred", &same);
    MORE
    ops.impl("same", c10::DispatchKey::CPU, [](const at::Tensor& x, std::int64_t) { return x; });
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""
GHOST = """
    ops.def("idle(Tensor x) -> Tensor");
    if (std::getenv("NOT_SET_ANYWHERE") != nullptr)
        ops.def("ghost(Tensor x) -> Tensor");
"""


def project_with_ops(project, more):
    driver.set_matrix(project, torch=["2.13"], rocm=["6.4"])
    (project / "torch-ext/torch_binding.cpp").write_text(OPS.replace("MORE", more))
    (project / "torch-ext/gemm/__init__.py").write_text(
        "from ._ops import ops\n\n\ndef same(x):\n    return ops.inferred(ops.same(x))\n")
    driver.build(project, "--variant", CPU)
    return project / "build" / CPU


def ops_findings(findings):
    return sorted((finding["severity"], finding["message"].split(": ")[1], finding["notes"]) for finding in findings
                  if finding["code"] == "K0632")


def test_operators_are_registered_as_they_are_declared(project, environment):
    variant = project_with_ops(project, "")
    _, found = verify(variant, "--load", "--python", environment.python)
    assert ops_findings(found[CPU]) == []

    package = variant / "__init__.py"
    package.write_text(package.read_text().replace("ops.same(", "ops.sme("))
    _, found = verify(variant, exit_code=6)
    (finding,) = (finding for finding in found[CPU] if finding["code"] == "K0632")
    assert finding["notes"] == ["`__init__.py` uses `ops.sme`"]


BOTH = """
import pathlib, sys, torch, kernels
first, second = (kernels.get_local_kernel(pathlib.Path(path), backend="cpu") for path in sys.argv[1:])
assert first.__name__ != second.__name__
x = torch.ones(2)
print([kernel.same(x).tolist() for kernel in (first, second)])
"""


def test_two_builds_of_a_kernel_live_in_one_process(project, environment, tmp_path):
    first = shutil.copytree(project_with_ops(project, "").parent, tmp_path / "first/build")
    driver.build(project, "--variant", CPU, "--unique-id", "second")
    result = subprocess.run([environment.python, "-c", BOTH, first.parent, project], text=True, capture_output=True,
                            env=driver.clean_environment(HF_HUB_OFFLINE="1", PYTHONDONTWRITEBYTECODE="1"))
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "[[1.0, 1.0], [1.0, 1.0]]"


def test_what_is_declared_and_not_registered_is_told(project, environment):
    variant = project_with_ops(project, GHOST)
    _, found = verify(variant)
    assert ops_findings(found[CPU]) == [], "that a schema is not registered shows in a process only"
    _, found = verify(variant, "--load", "--python", environment.python, exit_code=6)
    (library,) = variant.glob("*.so")
    space = "torch.ops." + library.name.split(".")[0]
    assert ops_findings(found[CPU]) == [
        ("error", f"schemas that stand in the library and are not registered in `{space}`",
         ["`ghost(Tensor x) -> Tensor`"]),
        ("warning", "operators without a kernel for the device that the variant is for", ["`idle`"])]


def test_without_torch_nothing_is_imported(built):
    _, found = verify(built / "build" / CPU, "--load", "--python", "python3-that-is-not-there")
    assert notes_of_not_run(found[CPU]) == [
        f"`{built / 'build' / CPU}` was not loaded: `python3-that-is-not-there` has no torch"]


def test_the_projects_policy_is_what_verify_asks_for(light_project):
    with open(light_project / "kbuild.toml", "a") as file:
        file.write('\n[build]\npolicy = "none"\n')
    driver.build(light_project, "--variant", CPU)

    def is_not_checked(*arguments):
        _, found = verify(light_project / "build" / CPU, *arguments)
        return any("the policy is `none`" in finding["message"] for finding in found[CPU])

    assert is_not_checked()
    assert not is_not_checked("--policy", "manylinux_2_28")
    _, found = verify(light_project, "--rebuild")
    assert errors(found[CPU]) == []
