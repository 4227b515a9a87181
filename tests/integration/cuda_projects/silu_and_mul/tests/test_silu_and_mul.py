import pytest
import torch
from kernels import get_kernel

activation = get_kernel("kernels-test/silu-and-mul", version=1)


def reference(x):
    gate, up = x.float().chunk(2, dim=-1)
    return (torch.nn.functional.silu(gate) * up).to(x.dtype)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("shape", [(1, 2), (7, 130), (3, 4, 512), (2, 4096), (0, 8)], ids=str)
def test_silu_and_mul(shape, dtype):
    x = torch.randn(shape, device="cuda", dtype=dtype)
    tolerance = {torch.float32: 1e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}[dtype]
    torch.testing.assert_close(activation.silu_and_mul(x), reference(x), rtol=tolerance, atol=tolerance)


@pytest.mark.kernels_ci
def test_integers_are_refused():
    with pytest.raises(RuntimeError, match="not implemented for 'Int'"):
        activation.silu_and_mul(torch.ones(2, 4, device="cuda", dtype=torch.int32))


@pytest.mark.kernels_ci
def test_strided_input_is_refused():
    with pytest.raises(RuntimeError, match="contiguous"):
        activation.silu_and_mul(torch.randn(4, 16, device="cuda")[:, ::2])
