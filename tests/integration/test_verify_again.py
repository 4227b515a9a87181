"""`verify --rebuild` and `verify --load`: what is in build/ comes out again, byte by byte, and can be imported."""

import json
import shutil

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
