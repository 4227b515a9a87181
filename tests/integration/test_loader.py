"""The real `kernels` package loads what kbuild built: the right variant, with every op where it was registered."""

import os
import platform
import subprocess
from pathlib import Path

import pytest
from kernels import _rust, backends, variants
from packaging.version import Version

import kbuild_driver as driver
from conftest import ROCM_FULL

REPO_ID = "kernels-test/gemm-fp8"
EXPECTED_KEYS = {"cpu": ["CPU", "Meta"], "rocm": ["CUDA", "Meta"]}  # torch calls HIP devices "cuda"


def torch_versions():
    return ["2.13", pytest.param("2.14", marks=pytest.mark.full)]


def need_torch(environment, version):
    if version not in environment.torch:
        pytest.skip(f"torch {version} is not in the test environment: make_test_env --torch {version}")


def name_of(torch, backend):
    return f"torch{torch.replace('.', '')}-cxx11-{backend}-x86_64-linux"


@pytest.mark.parametrize("torch", torch_versions())
@pytest.mark.parametrize("rocm", ["6.4", "7.2"])
def test_a_rocm_torch_imports_its_own_variant_and_the_op_is_where_it_was_registered(
        example, environment, probe, torch, rocm):
    need_torch(environment, torch)
    got = probe(torch=torch, path=str(example.project), hip=ROCM_FULL[rocm], ops=["gemm"])
    expected = example.variants[name_of(torch, "rocm" + rocm.replace(".", ""))] / "__init__.py"
    assert got.get("file") == str(expected), got
    assert got["registered"] == {"gemm": EXPECTED_KEYS["rocm"]}


@pytest.mark.parametrize("torch", torch_versions())
def test_the_cpu_variant_is_loaded_through_local_kernels(example, environment, probe, torch):
    need_torch(environment, torch)
    got = probe(torch=torch, path=str(example.project), repo_id=REPO_ID, backend="cpu", ops=["gemm"])
    assert got.get("file") == str(example.variants[name_of(torch, "cpu")] / "__init__.py"), got
    assert got["registered"] == {"gemm": EXPECTED_KEYS["cpu"]}


def test_a_rocm_version_that_was_not_built_is_refused_by_name(example, probe):
    got = probe(path=str(example.project), hip="7.1.52802")
    assert got["error"] == "FileNotFoundError"
    assert f"{name_of('2.13', 'rocm72')}: backend (rocm72) does not match selected backend (rocm71)" in got["message"]


def choose(example, backend, torch="2.13", cpu="x86_64", abi=True):
    accepted, trace = variants._resolve_variant_for_system(
        variants.get_variants_local(example.build), backend, cpu, "linux", Version(torch), abi, None)
    return [variant.variant_str for variant in accepted], variants.variants_trace_str(trace)


@pytest.mark.parametrize("torch", ["2.13", "2.14"])
@pytest.mark.parametrize("rocm", ["6.4", "7.2"])
def test_the_loader_picks_exactly_one_variant_on_each_rocm_system(example, torch, rocm):
    chosen, _ = choose(example, backends.ROCm(Version(rocm)), torch)
    assert chosen == [name_of(torch, "rocm" + rocm.replace(".", ""))]


@pytest.mark.parametrize("torch", ["2.13", "2.14"])
def test_the_loader_picks_the_cpu_variant_of_the_same_torch(example, torch):
    chosen, _ = choose(example, backends.CPU(), torch)
    assert chosen == [name_of(torch, "cpu")]


@pytest.mark.parametrize("variant, system, reason", [
    (name_of("2.14", "rocm72"), {},
     "Torch version (2.14) does not match environment Torch version (2.13)"),
    (name_of("2.13", "rocm64"), {}, "backend (rocm64) does not match selected backend (rocm72)"),
    (name_of("2.13", "cpu"), {}, "backend (cpu) does not match selected backend (rocm72)"),
    (name_of("2.13", "rocm72"), {"cpu": "aarch64"}, "CPU (x86_64) does not match system CPU (aarch64)"),
    (name_of("2.13", "rocm72"), {"abi": False}, "Torch CXX11 ABI (True) does not match"),
], ids=["other torch", "other ROCm", "cpu variant", "other CPU", "other ABI"])
def test_the_loader_refuses_the_others_for_the_right_reason(example, variant, system, reason):
    _, trace = choose(example, backends.ROCm(Version("7.2")), **system)
    (line,) = [line for line in trace.splitlines() if line.startswith(variant + ":")]
    assert reason in line


def test_upstreams_parser_accepts_the_build_file(example):
    build = _rust.Build.open(example.project)
    assert build.general.backends == [_rust.Backend.ROCm, _rust.Backend.CPU]


def test_upstreams_reader_reads_the_metadata(example):
    for name, path in example.variants.items():
        metadata = _rust.Metadata.read_from_file(path / "metadata.json")
        (library,) = path.glob("*.so")
        assert f"{metadata.id}.abi3.so" == library.name
        assert str(metadata.name) == "gemm"
        assert ("gfx942" in repr(metadata.backend)) == ("rocm" in name)
        assert metadata.provenance is not None


def test_upstreams_digest_agrees(example):
    for path in example.variants.values():
        recorded = _rust.Metadata.read_from_file(path / "metadata.json").digest
        computed = _rust.Digest.hash_variant(_rust.DigestAlgorithm.SHA256, path)
        assert recorded.files == computed.files
        recorded.validate(computed)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the variants are for x86_64")
def test_the_examples_own_tests_pass_on_the_cpu_variant(example, environment):
    marker = [] if os.environ.get("KBUILD_TEST_FULL", "0") not in ("", "0") else ["-m", "kernels_ci"]
    result = subprocess.run(
        [environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *marker, example.project / "tests"],
        text=True, capture_output=True,
        env=driver.clean_environment(LOCAL_KERNELS=f"{REPO_ID}={example.build}", HF_HUB_OFFLINE="1",
                                     KERNEL_BACKEND="cpu", PYTHONDONTWRITEBYTECODE="1"))
    assert result.returncode == 0, result.stdout + result.stderr
    assert " passed" in result.stdout


def bfloat16_step(value):
    """The distance of neighbouring bfloat16 numbers at a value: 8 significant bits."""
    import torch

    return torch.ldexp(torch.ones_like(value), torch.frexp(value).exponent - 8)


def test_gemm_agrees_with_a_float64_reference_to_the_last_bit_of_bfloat16(example):
    import torch
    from kernels import get_local_kernel

    kernel = get_local_kernel(Path(example.build), backend="cpu")
    m, n, k = 72, 136, 384
    generator = torch.Generator().manual_seed(7)
    a = torch.randn(m, k, generator=generator).to(torch.float8_e4m3fnuz)
    b = torch.randn(n, k, generator=generator).to(torch.float8_e4m3fnuz)
    a_scale = torch.rand(m, k // 128, generator=generator) + 0.5
    b_scale = torch.rand(2, k // 128, generator=generator) - 2.0

    expected = torch.zeros(m, n, dtype=torch.float64)
    for block in range(k // 128):
        columns = slice(128 * block, 128 * (block + 1))
        product = a[:, columns].double() @ b[:, columns].double().t()
        rows_of_b = b_scale[:, block].double().repeat_interleave(128)[:n]
        expected += product * a_scale[:, block].double()[:, None] * rows_of_b
    error = (kernel.gemm(a, b, a_scale, b_scale).double() - expected).abs()
    assert (error <= 0.5 * bfloat16_step(expected) * (1 + 1e-9)).all()
