"""CUDA sources of rocm kernels: converted by each torch's hipify, built, and checked like any other variant."""

import json
import shutil

import pytest

import kbuild_driver as driver

PROJECTS = driver.HERE / "cuda_projects"
TORCH, ROCM = ["2.13", "2.14"], ["6.4", "7.2"]


def has_converter(version):
    """Whether the torch SDK was made by a kbuild that keeps the converter."""
    found = json.loads(driver.run_kbuild("toolchain", "list", "--format", "json").stdout)["torch"]
    roots = [sdk["root"] for sdk in found if sdk["name"] == f"torch@{version}"]
    return bool(roots) and (driver.Path(roots[0]) / "hipify/hipify_python.py").is_file()


@pytest.fixture(autouse=True)
def converters():
    for version in TORCH:
        if not has_converter(version):
            pytest.skip(f"torch@{version} has no hipify: `kbuild toolchain add torch@{version}`")


def make_project(folder, name, torch, rocm):
    project = folder / "a project"
    shutil.copytree(PROJECTS / name, project)
    driver.set_matrix(project, torch=torch, rocm=rocm)
    return project


def check_variants(project, report, count):
    assert sorted(driver.states(report).values()) == ["built"] * count
    assert len(driver.variant_folders(project)) == count
    driver.run_kbuild("verify", project)
    for variant in report["variants"]:
        assert variant["archs"] == ["gfx942"]


def test_a_kernel_in_the_usual_cuda_form_is_built_and_passes_the_checks(tmp_path):
    project = make_project(tmp_path, "row_sum", ["2.14"], ["7.2"])
    before = driver.files_of(project)
    report = driver.build(project)
    check_variants(project, report, 1)
    after = {name: data for name, data in driver.files_of(project).items()
             if not name.startswith((".kbuild/", "build/"))}
    assert after == before, "the conversion wrote into the project"
    again = driver.build(project)
    assert again["compiles"]["run"] == 0


@pytest.mark.full
@pytest.mark.parametrize("name", ["relu", "silu_and_mul", "row_sum"])
def test_all_projects_are_built_for_two_torch_and_two_rocm(tmp_path, name):
    project = make_project(tmp_path, name, TORCH, ROCM)
    check_variants(project, driver.build(project), 4)


def test_a_rocm_that_lacks_what_torchs_headers_include_is_left_out_with_the_reason(tmp_path):
    if not driver.has_rocm("5.7"):
        pytest.skip("no ROCm 5.7: `kbuild toolchain add rocm@5.7`")
    project = make_project(tmp_path, "relu", ["2.14"], ["5.7", "7.2"])
    listed = driver.run_kbuild("list-variants", project, exit_code=5)
    assert listed.stdout == "torch214-cxx11-rocm72-x86_64-linux\n"
    assert ("ROCm 5.7 has no `hipblaslt/hipblaslt.h`, which torch 2.14 needs for `ATen/hip/HIPContextLight.h`, "
            "which `relu_cuda/relu.cu` includes") in listed.stderr


def test_the_diff_shows_what_becomes_of_the_source(tmp_path):
    project = make_project(tmp_path, "relu", TORCH, ROCM)
    diff = driver.run_kbuild("hipify", project, "--diff").stdout
    assert "-#include <ATen/cuda/CUDAContext.h>\n" in diff
    assert "+#include <ATen/hip/HIPContext.h>\n" in diff
    listed = json.loads(driver.run_kbuild("hipify", project, "--format", "json").stdout)
    assert {(entry["torch"], entry["input"], entry["output"]) for entry in listed} >= {
        (f"torch@{version}", "relu_cuda/relu.cu", "relu_hip/relu.hip") for version in TORCH}


def test_a_mistake_in_a_cuda_source_is_told_in_that_source(tmp_path):
    project = make_project(tmp_path, "row_sum", ["2.14"], ["7.2"])
    source = project / "row_sum_cuda/row_sum.cu"
    driver.replace_in(source, "float total = 0.0f;", "float total = nothing;")
    line = source.read_text().splitlines().index("    float total = nothing;") + 1
    result = driver.run_kbuild("build", project, exit_code=1)
    assert f"row_sum_cuda/row_sum.cu:{line}:" in result.stderr
    assert ".kbuild/hipify" not in "\n".join(text for text in result.stderr.splitlines() if "-->" in text)


def test_two_files_that_meet_in_one_name_are_both_named(tmp_path):
    project = make_project(tmp_path, "relu", ["2.14"], ["7.2"])
    (project / "relu_hip").mkdir()
    (project / "relu_hip/relu.hip").write_text("// by hand\n")
    driver.replace_in(project / "build.toml", '["relu_cuda/relu.cu"]', '["relu_cuda/relu.cu", "relu_hip/relu.hip"]')
    result = driver.run_kbuild("build", project, exit_code=3)
    assert "K0404" in result.stderr
    assert "relu_cuda/relu.cu" in result.stderr and "relu_hip/relu.hip" in result.stderr
