"""Equal inputs give equal bytes, whatever the driver, the folder or the history of a build; ids tell states apart."""

import re
import os
import subprocess

import pytest

import kbuild_driver as driver

ROCM = "torch213-cxx11-rocm64-x86_64-linux"
CPU = "torch213-cxx11-cpu-x86_64-linux"


def device_objects(project):
    objects = {file.relative_to(project): file.read_bytes() for file in (project / ".kbuild").rglob("*.hip.o")}
    assert objects
    return objects


def test_all_drivers_give_the_same_objects(light_project):
    if " " in os.environ.get("XDG_DATA_HOME", os.path.expanduser("~")):
        pytest.skip("hipcc does not work in a path with blanks, so kbuild does not offer it there")
    driver.set_matrix(light_project, torch=["2.13"], rocm=["6.4", "7.2"])
    driver.build(light_project, "--driver", "hipcc", "--launcher", "none")
    with_hipcc, published = device_objects(light_project), driver.files_of(light_project / "build")
    assert len(with_hipcc) == 2
    report = driver.build(light_project, "--driver", "clang++", "--launcher", "none")
    assert report["compiles"]["run"] >= 2, "another driver compiles again"
    assert device_objects(light_project) == with_hipcc
    assert driver.files_of(light_project / "build") == published


def test_another_folder_gives_the_same_bytes(example, project):
    driver.set_matrix(project, torch=["2.13"], rocm=["6.4"])
    driver.build(project, "--launcher", "none")
    built = {path.name: path for path in driver.variant_folders(project)}
    assert sorted(built) == [CPU, ROCM]
    for name, path in built.items():
        assert driver.files_of(path) == driver.files_of(example.variants[name]), name


def git(project, *arguments):
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *identity, *arguments], cwd=project, check=True, text=True,
                          capture_output=True).stdout.strip()


def test_in_a_repository_the_id_is_the_tree_and_a_change_makes_it_dirty(light_project):
    git(light_project, "init", "-q")
    git(light_project, "add", ".")
    git(light_project, "commit", "-q", "-m", "first")
    tree = git(light_project, "rev-parse", "HEAD^{tree}")[:7]

    report = driver.build(light_project, "--variant", CPU)
    assert [variant["id"] for variant in report["variants"]] == [f"_gemm_cpu_{tree}"]
    assert git(light_project, "status", "--porcelain") == "", "what kbuild writes is ignored"

    with open(light_project / "gemm_cpu/gemm_cpu.cpp", "a") as file:
        file.write("// changed\n")
    report = driver.build(light_project, "--variant", CPU)
    assert [variant["id"] for variant in report["variants"]] == [f"_gemm_cpu_{tree}_dirty"]
    assert sorted(driver.files_of(light_project / "build" / CPU)) == [
        "__init__.py", f"_gemm_cpu_{tree}_dirty.abi3.so", "_ops.py", "build-provenance.json", "metadata.json"
    ], "the older library is gone"


def test_outside_a_repository_the_id_changes_with_the_binding_and_comes_back_with_it(light_project):
    def identity():
        (variant,) = driver.build(light_project, "--variant", CPU)["variants"]
        return variant["id"]

    source = light_project / "torch-ext/torch_binding.cpp"
    text = source.read_text()
    first = identity()
    source.write_text(text + "// changed\n")
    second = identity()
    source.write_text(text)
    assert re.fullmatch(r"_gemm_cpu_[0-9a-z]+", first)
    assert first != second
    assert identity() == first


@pytest.mark.full
def test_a_build_from_scratch_equals_one_with_a_history(light_project):
    driver.build(light_project)
    published = driver.files_of(light_project / "build")
    driver.replace_in(light_project / "gemm/gemm_launcher.hip", "unsigned tiles(", "// changed\nunsigned tiles(")
    driver.build(light_project)
    driver.replace_in(light_project / "gemm/gemm_launcher.hip", "// changed\nunsigned tiles(", "unsigned tiles(")
    driver.build(light_project)
    assert driver.files_of(light_project / "build") == published
