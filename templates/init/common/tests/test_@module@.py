"""Run with LOCAL_KERNELS=@repo_id@=<absolute path of this project> in the environment.

With a GPU (which torch calls "cuda" for HIP too) the ROCm variant is tested, without one the CPU variant.
"""

import kernels
import pytest
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@pytest.fixture(scope="module")
def kernel():
    backend = "cpu" if DEVICE == "cpu" else None
    return kernels.get_kernel("@repo_id@", version=1, backend=backend)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", [(0,), (1,), (255,), (257,), (64, 1000)])
def test_multiply(kernel, shape):
    x = torch.randn(shape, device=DEVICE)
    torch.testing.assert_close(kernel.multiply(x, 3.0), 3.0 * x)


@pytest.mark.kernels_ci
def test_out_is_written_and_returned(kernel):
    x = torch.randn(33, device=DEVICE)
    out = torch.empty_like(x)
    assert kernel.multiply(x, 2.0, out=out) is out
    torch.testing.assert_close(out, 2.0 * x)


@pytest.mark.kernels_ci
def test_other_types_are_refused(kernel):
    with pytest.raises(RuntimeError, match="float32"):
        kernel.multiply(torch.ones(4, dtype=torch.float64, device=DEVICE), 3.0)
