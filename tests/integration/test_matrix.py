"""The whole matrix of the example: what is built, how often something is compiled, what lies in build/."""

import json

import kbuild_driver as driver

ROCM = ["torch213-cxx11-rocm64-x86_64-linux", "torch213-cxx11-rocm72-x86_64-linux",
        "torch214-cxx11-rocm64-x86_64-linux", "torch214-cxx11-rocm72-x86_64-linux"]
CPU = ["torch213-cxx11-cpu-x86_64-linux", "torch214-cxx11-cpu-x86_64-linux"]
ALL = sorted(ROCM + CPU)

TORCH_VERSIONS, ROCM_VERSIONS = 2, 2
DEVICE_FILES = 1  # gemm/gemm_launcher.hip
CPU_UNITS = 1 + TORCH_VERSIONS  # gemm_cpu.cpp includes no torch header; the binding is compiled per torch


def test_every_pair_and_the_cpu_variants_are_built(example):
    assert driver.states(example.reports["first"]) == {name: "built" for name in ALL}
    assert sorted(example.variants) == ALL


def test_device_code_is_compiled_once_per_rocm_and_a_binding_once_per_torch(example):
    compiles = example.reports["first"]["compiles"]
    expected = ROCM_VERSIONS * DEVICE_FILES + TORCH_VERSIONS + CPU_UNITS
    assert compiles == {"device": ROCM_VERSIONS * DEVICE_FILES, "device-torch": 0, "binding": TORCH_VERSIONS,
                        "cpu": CPU_UNITS, "total": expected, "run": expected}
    objects = example.reports["objects"]
    assert len(objects) == expected, "Ninja's log counts otherwise:\n" + "\n".join(objects)
    assert sum("gemm_launcher.hip" in name for name in objects) == ROCM_VERSIONS * DEVICE_FILES
    assert sum("torch_binding.cpp" in name for name in objects) == 2 * TORCH_VERSIONS  # rocm and cpu
    assert example.reports["first"]["links"] >= len(ALL)


def test_the_table_has_the_count_and_every_variant(example):
    text = example.reports["text"]
    assert all(name in text for name in ALL)
    assert "7 compiles" in text
    assert "built 2 of 4 published pairs" in text
    assert "gfx942" in text


def test_rocm_6_4_is_named_as_what_no_published_torch_can_load(example):
    variants = {variant["variant"]: variant for variant in example.reports["first"]["variants"]}
    for name in ROCM:
        assert ("remark" in variants[name]) == ("rocm64" in name), name


def test_an_unchanged_project_compiles_nothing(example):
    report = example.reports["second"]
    assert driver.states(report) == {name: "fresh" for name in ALL}
    assert report["compiles"]["run"] == 0
    assert report["links"] == 0


def test_a_touched_file_changes_nothing_and_starts_nothing(example):
    report = example.reports["touched"]
    assert driver.states(report) == {name: "fresh" for name in ALL}
    assert report["compiles"]["run"] == 0
    assert not report["started-ninja"]


def test_an_edited_device_file_is_compiled_once_per_rocm_and_nothing_else_is(example):
    report = example.reports["edited"]
    assert report["compiles"]["run"] == ROCM_VERSIONS
    assert report["links"] == len(ROCM)
    assert driver.states(report) == {name: "built" for name in ALL}, "provenance names the new source"


def test_a_variant_holds_the_package_and_nothing_else(example):
    for name, path in example.variants.items():
        identity = json.loads((path / "metadata.json").read_text())["id"]
        assert sorted(driver.files_of(path)) == sorted(
            ["__init__.py", "_ops.py", f"{identity}.abi3.so", "build-provenance.json", "metadata.json"]), name


def test_ids_name_the_backend_and_are_the_same_for_all_torch_and_rocm_versions(example):
    identities = {variant["variant"]: variant["id"] for variant in example.reports["first"]["variants"]}
    cpu, rocm = {identities[name] for name in CPU}, {identities[name] for name in ROCM}
    assert len(cpu) == len(rocm) == 1
    (cpu,), (rocm,) = cpu, rocm
    assert cpu.startswith("_gemm_cpu_")
    assert rocm == cpu.replace("_cpu_", "_rocm_")


def test_metadata_has_upstreams_keys_in_upstreams_order(example):
    for name, path in example.variants.items():
        metadata = json.loads((path / "metadata.json").read_text())
        assert list(metadata) == ["name", "id", "version", "license", "python-depends", "kernel-depends", "backend",
                                  "digest", "provenance"], name
        assert metadata["name"] == "gemm"
        assert metadata["version"] == 1
        assert metadata["license"] == "Apache-2.0"
        assert metadata["python-depends"] == metadata["kernel-depends"] == []
        if "cpu" in name:
            assert metadata["backend"] == {"type": "cpu"}
        else:
            assert metadata["backend"] == {"type": "rocm", "archs": ["gfx942"]}
        assert metadata["digest"]["algorithm"] == "sha256"
        assert "version" in metadata["provenance"]["kernel-builder"]
        assert "kernel" not in metadata["provenance"], "the project is in no repository"


def test_every_digest_fits_its_files(example):
    assert all(driver.is_whole(path) for path in example.variants.values())


def test_verify_accepts_what_was_built(example):
    driver.run_kbuild("verify", example.project)


def test_no_path_of_this_machine_is_in_a_published_file(example):
    for path in example.variants.values():
        for name, data in driver.files_of(path).items():
            for place in (example.project, example.project.parent):
                assert str(place).encode() not in data, f"{path.name}/{name}"
