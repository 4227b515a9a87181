"""What `kbuild build` says and how it exits when something is wrong (a light binding: most of these compile little)."""

import re

import pytest

import kbuild_driver as driver

ROCM = "torch213-cxx11-rocm64-x86_64-linux"
CPU = "torch213-cxx11-cpu-x86_64-linux"


def test_a_compile_error_has_file_line_message_and_command_and_the_rest_is_built(light_project):
    launcher = light_project / "gemm/gemm_launcher.hip"
    driver.replace_in(launcher, "unsigned tiles(", "no_such_type broken();\n\nunsigned tiles(")
    line = launcher.read_text().splitlines().index("no_such_type broken();") + 1
    result = driver.run_kbuild("build", light_project, exit_code=1)
    assert re.search(rf"gemm/gemm_launcher\.hip:{line}:1\b", result.stderr), result.stderr
    assert "unknown type name 'no_such_type'" in result.stderr
    assert "--offload-arch=gfx942" in result.stderr, "the command is shown"
    assert [path.name for path in driver.variant_folders(light_project)] == [CPU]
    assert "compile failed" in result.stdout and "built" in result.stdout


def test_a_compile_error_is_found_in_the_json_report(light_project):
    driver.replace_in(light_project / "gemm_cpu/gemm_cpu.cpp", "namespace gemm_fp8 {", "namespace gemm_fp8 { int x = y;")
    report = driver.build(light_project, exit_code=1)
    assert driver.states(report) == {CPU: "compile failed", ROCM: "built"}


def test_the_previous_variant_stays_when_a_compile_fails(light_project):
    driver.build(light_project)
    before = driver.files_of(light_project / "build")
    driver.replace_in(light_project / "gemm/gemm_launcher.hip", "unsigned tiles(", "no_such_type broken();\nunsigned tiles(")
    driver.build(light_project, exit_code=1)
    rocm = {name: data for name, data in before.items() if name.startswith(ROCM)}
    after = driver.files_of(light_project / "build")
    assert {name: after[name] for name in rocm} == rocm


def test_a_listed_file_that_does_not_exist_is_said_before_anything_is_compiled(light_project):
    driver.replace_in(light_project / "build.toml", '"gemm/gemm_launcher.hip"', '"gemm/gemm_launchre.hip"')
    result = driver.run_kbuild("build", light_project, exit_code=3)
    assert re.search(r"build\.toml:\d+:\d+", result.stderr), result.stderr
    assert "gemm/gemm_launchre.hip" in result.stderr
    assert not driver.compiled_objects(light_project)
    assert not driver.variant_folders(light_project)


def test_a_syntax_error_has_file_line_and_column(light_project):
    driver.replace_in(light_project / "build.toml", "edition = 5", "edition = = 5")
    result = driver.run_kbuild("build", light_project, exit_code=3)
    assert "build.toml:4:" in result.stderr


def test_an_unknown_key_is_named_with_the_nearest_right_one(light_project):
    driver.replace_in(light_project / "build.toml", "rocm-archs", "rocm-arch")
    result = driver.run_kbuild("build", light_project, exit_code=3)
    assert "rocm-arch" in result.stderr and "rocm-archs" in result.stderr


def test_without_a_build_toml_the_file_is_named(tmp_path):
    result = driver.run_kbuild("build", tmp_path, exit_code=3)
    assert "build.toml" in result.stderr


def test_without_sdks_the_command_that_fetches_them_is_said(light_project, tmp_path):
    result = driver.run_kbuild("build", light_project, exit_code=5, XDG_DATA_HOME=str(tmp_path / "nothing here"))
    assert "kbuild toolchain add" in result.stderr
    assert "torch@2.13" in result.stderr
    assert not driver.variant_folders(light_project)


def test_a_filter_that_leaves_nothing_exits_4(light_project):
    driver.run_kbuild("build", light_project, "--torch", "1.0", exit_code=4)


def test_an_unknown_option_exits_2(light_project):
    driver.run_kbuild("build", light_project, "--no-such-option", exit_code=2)


needs_rocm_5_7 = pytest.mark.skipif(not driver.has_rocm("5.7"), reason="no ROCm 5.7 here: kbuild toolchain add rocm@5.7")


@needs_rocm_5_7
def test_rocm_5_7_which_has_no_fp8_header_is_built_on_the_builtins(light_project):
    driver.set_matrix(light_project, torch=["2.13"], rocm=["5.7"])
    report = driver.build(light_project)
    (rocm,) = [variant for variant in report["variants"] if "rocm57" in variant["variant"]]
    assert rocm["result"] == "built" and rocm["archs"] == ["gfx942"] and rocm["kernels"] > 0


@needs_rocm_5_7
def test_rocm_5_7_fails_with_the_reason_where_the_fp8_header_is_included(light_project):
    driver.set_matrix(light_project, torch=["2.13"], rocm=["5.7"])
    driver.replace_in(light_project / "gemm/gemm_launcher.hip", '#include "gemm.h"',
                      '#include <hip/hip_fp8.h>\n\n#include "gemm.h"')
    result = driver.run_kbuild("build", light_project, exit_code=5)
    assert "ROCm 5.7 has no `hip/hip_fp8.h`, which `gemm/gemm_launcher.hip` includes" in result.stderr
    assert driver.variant_folders(light_project) == []
