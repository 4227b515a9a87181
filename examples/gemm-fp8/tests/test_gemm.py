"""Tests of the built kernel, loaded the way its users load it: by the `kernels` package.

The package takes it from the Hub or, where LOCAL_KERNELS is set, from a local build:

    kbuild build
    LOCAL_KERNELS=kernels-test/gemm-fp8=build pytest tests               # all
    LOCAL_KERNELS=kernels-test/gemm-fp8=build pytest tests -m kernels_ci # the quick ones

With a GPU (which torch calls "cuda" for HIP too) the ROCm variant is tested, without one the CPU
variant. KERNEL_BACKEND=cpu selects the latter on a machine with a GPU.
"""

import os

import pytest
import torch
from kernels import get_kernel

REPO_ID = "kernels-test/gemm-fp8"
BLOCK = 128

ON_CPU = os.environ.get("KERNEL_BACKEND") == "cpu" or not torch.cuda.is_available()
DEVICE = "cpu" if ON_CPU else "cuda"

# Without `backend` the package looks at how torch was built, not at whether there is a GPU.
kernel = get_kernel(REPO_ID, version=1, **({"backend": "cpu"} if ON_CPU else {}))

# (M, N, K), the tests of the challenge this problem is from; quick ones first.
QUICK_SHAPES = [(64, 64, 128), (96, 7168, 256), (64, 3072, 1536), (64, 576, 7168)]
LONG_SHAPES = [
    (64, 1536, 7168),
    (96, 7168, 2048),
    (96, 4608, 7168),
    (128, 7168, 2304),
    (128, 512, 7168),
    (512, 4096, 512),
    (512, 1536, 7168),
]
# Edges of a tile in all directions; N that ends within a scale block.
EDGE_SHAPES = [(1, 8, 128), (8, 136, 256), (97, 200, 256), (129, 128, 384), (136, 72, 128)]
LAYOUTS = ["k", "rows"]


def lay_out(matrix, layout):
    """The same matrix, contiguous along its last or along its first dimension."""
    return matrix.contiguous() if layout == "k" else matrix.t().contiguous().t()


def make_problem(m, n, k, a_layout="k", b_layout="k", seed=0):
    generator = torch.Generator().manual_seed(seed)

    def randn(*shape):
        return torch.randn(shape, generator=generator)

    return {
        "a": lay_out(randn(m, k).to(torch.float8_e4m3fnuz), a_layout).to(DEVICE),
        "b": lay_out(randn(n, k).to(torch.float8_e4m3fnuz), b_layout).to(DEVICE),
        "a_scale": lay_out(randn(m, k // BLOCK), a_layout).to(DEVICE),
        "b_scale": lay_out(randn(-(-n // BLOCK), k // BLOCK), b_layout).to(DEVICE),
    }


def dequantize(matrix, scale, rows_per_scale):
    scale = scale.cpu().double().repeat_interleave(rows_per_scale, 0)[: matrix.shape[0]]
    return matrix.cpu().float().double() * scale.repeat_interleave(BLOCK, 1)


def reference(problem):
    a = dequantize(problem["a"], problem["a_scale"], 1)
    b = dequantize(problem["b"], problem["b_scale"], BLOCK)
    return a @ b.t()


def assert_close(got, expected):
    assert got.dtype == torch.bfloat16
    torch.testing.assert_close(
        got.cpu().double(), expected, rtol=2e-2, atol=1e-3, equal_nan=True
    )


@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", QUICK_SHAPES, ids=str)
def test_quick_shapes_of_the_challenge(shape):
    problem = make_problem(*shape, "rows", "rows")
    assert_close(kernel.gemm(**problem), reference(problem))


@pytest.mark.parametrize("shape", LONG_SHAPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_long_shapes_of_the_challenge(shape, layout):
    problem = make_problem(*shape, layout, layout)
    assert_close(kernel.gemm(**problem), reference(problem))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("b_layout", LAYOUTS)
@pytest.mark.parametrize("a_layout", LAYOUTS)
@pytest.mark.parametrize("shape", EDGE_SHAPES, ids=str)
def test_edges(shape, a_layout, b_layout):
    if a_layout == "rows" and shape[0] % 8 != 0:
        pytest.skip("M must be a multiple of 8 where it is contiguous")
    problem = make_problem(*shape, a_layout, b_layout)
    assert_close(kernel.gemm(**problem), reference(problem))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("b_layout", LAYOUTS)
@pytest.mark.parametrize("a_layout", LAYOUTS)
def test_every_element_has_its_place(a_layout, b_layout):
    """A single 1 in each row of a picks one element of b: exact, and no error can cancel out."""
    m, n, k = 136, 264, 256
    problem = make_problem(m, n, k, a_layout, b_layout)
    picked = torch.randint(k, (m,), generator=torch.Generator().manual_seed(1))
    one_hot = torch.nn.functional.one_hot(picked, k).float().to(torch.float8_e4m3fnuz)
    problem["a"] = lay_out(one_hot, a_layout).to(DEVICE)
    problem["a_scale"] = torch.ones_like(problem["a_scale"])
    problem["b_scale"] = torch.ones_like(problem["b_scale"])
    expected = problem["b"].cpu().float()[:, picked].t()
    assert torch.equal(kernel.gemm(**problem).cpu().float(), expected)


@pytest.mark.kernels_ci
def test_every_fp8_value():
    """All 256 codes, NaN among them, times 1: the products are exact in bfloat16."""
    codes = torch.arange(256, dtype=torch.uint8).view(torch.float8_e4m3fnuz)
    a = torch.zeros(256, 128).to(torch.float8_e4m3fnuz)
    a[:, 0] = codes
    b = torch.zeros(8, 128)
    b[:, 0] = 1
    got = kernel.gemm(
        a.to(DEVICE),
        b.to(torch.float8_e4m3fnuz).to(DEVICE),
        torch.ones(256, 1, device=DEVICE),
        torch.ones(1, 1, device=DEVICE),
    )
    expected = codes.float()[:, None].expand(256, 8)
    torch.testing.assert_close(got.cpu().float(), expected, rtol=0, atol=0, equal_nan=True)


@pytest.mark.kernels_ci
def test_nan_stays_in_its_row_and_column():
    problem = make_problem(136, 72, 256)
    problem["a"].view(torch.uint8)[3, 200] = 0x80
    problem["b"].view(torch.uint8)[70, 5] = 0x80
    expected = torch.zeros(136, 72, dtype=torch.bool)
    expected[3] = True
    expected[:, 70] = True
    assert torch.equal(kernel.gemm(**problem).isnan().cpu(), expected)


@pytest.mark.kernels_ci
def test_rows_of_a_larger_matrix():
    problem = make_problem(40, 64, 256)
    wide = torch.zeros(40, 512).to(torch.float8_e4m3fnuz).to(DEVICE)
    wide[:, 256:] = problem["a"]
    expected = reference(problem)
    problem["a"] = wide[:, 256:]
    assert_close(kernel.gemm(**problem), expected)


@pytest.mark.kernels_ci
def test_out_is_written_and_returned():
    problem = make_problem(32, 64, 128)
    out = torch.full((32, 64), float("nan"), dtype=torch.bfloat16, device=DEVICE)
    assert kernel.gemm(**problem, out=out) is out
    assert_close(out, reference(problem))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", [(0, 64, 128), (32, 0, 128), (32, 64, 0)], ids=str)
def test_empty(shape):
    got = kernel.gemm(**make_problem(*shape))
    assert got.shape == shape[:2]
    assert (got == 0).all()


def with_changes(**changes):
    return {**make_problem(32, 64, 256), **changes}


def fp8(*shape):
    return torch.zeros(shape).to(torch.float8_e4m3fnuz).to(DEVICE)


def f32(*shape):
    return torch.zeros(shape, device=DEVICE)


def bf16(*shape):
    return torch.zeros(shape, dtype=torch.bfloat16, device=DEVICE)


@pytest.mark.kernels_ci
@pytest.mark.parametrize(
    "changes, message",
    [
        ({"a": torch.zeros(32, 256).to(torch.float8_e4m3fn).to(DEVICE)}, "Float8_e4m3fn,"),
        ({"a": bf16(32, 256)}, "a must be Float8_e4m3fnuz"),
        ({"b": fp8(64)}, "b must have 2 dimensions"),
        ({"b": fp8(64, 128)}, "b must have the shape"),
        ({"b": fp8(60, 256)}, "N must be a multiple of 8"),
        ({"a": fp8(32, 192), "b": fp8(64, 192)}, "K must be a multiple of 128"),
        ({"a": fp8(32, 512)[:, ::2]}, "a has the strides"),
        ({"a": fp8(256, 36).t()[:32]}, "a has the strides"),
        ({"a": fp8(32, 264)[:, 8:]}, "a has the strides"),
        ({"a": fp8(32, 272)[:, 1:257]}, "a has the strides"),
        ({"a_scale": f32(2, 32)}, "a_scale must have the shape"),
        ({"a_scale": f32(32, 2).double()}, "a_scale must be Float"),
        ({"b_scale": f32(2, 2)}, "b_scale must have the shape"),
        ({"out": f32(32, 64)}, "out must be BFloat16"),
        ({"out": bf16(64, 32)}, "out must have the shape"),
        ({"out": bf16(64, 32).t()}, "out must be contiguous"),
    ],
)
def test_refused(changes, message):
    with pytest.raises(RuntimeError, match=message):
        kernel.gemm(**with_changes(**changes))


@pytest.mark.kernels_ci
def test_overlap_of_out_and_input_is_refused():
    memory = torch.zeros(32 * 256, dtype=torch.uint8, device=DEVICE)
    a = memory.view(torch.float8_e4m3fnuz).view(32, 256)
    out = memory[: 32 * 64 * 2].view(torch.bfloat16).view(32, 64)
    with pytest.raises(RuntimeError, match="memory location"):
        kernel.gemm(**with_changes(a=a, out=out))


@pytest.mark.kernels_ci
def test_fake_tensors():
    """What torch.compile does before it compiles."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    problem = make_problem(32, 64, 128)
    with FakeTensorMode() as mode:
        fake = {name: mode.from_tensor(tensor) for name, tensor in problem.items()}
        got = kernel.gemm(**fake)
    assert got.shape == (32, 64)
    assert got.dtype == torch.bfloat16


@pytest.mark.kernels_ci
def test_opcheck():
    """The fake op tells the truth about shapes. (test_schema multiplies its inputs, which no torch can for fp8.)"""
    problem = make_problem(32, 64, 128)
    out = torch.empty(32, 64, dtype=torch.bfloat16, device=DEVICE)
    torch.library.opcheck(
        kernel.ops.gemm.default,
        (out, *problem.values()),
        test_utils=("test_autograd_registration", "test_faketensor"),
    )


@pytest.mark.kernels_ci
def test_compile():
    problem = make_problem(32, 64, 128)
    compiled = torch.compile(kernel.gemm, backend="eager", fullgraph=True)
    assert_close(compiled(**problem), reference(problem))
