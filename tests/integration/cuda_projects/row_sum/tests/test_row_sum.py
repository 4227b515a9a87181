import pytest
import torch
from kernels import get_kernel

row_sum = get_kernel("kernels-test/row-sum", version=1)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", [(1, 1), (5, 255), (7, 256), (3, 5000), (100, 3), (0, 4)], ids=str)
def test_row_sum(shape):
    x = torch.randn(shape, device="cuda")
    torch.testing.assert_close(row_sum.row_sum(x), x.sum(1), rtol=1e-4, atol=1e-4)


@pytest.mark.kernels_ci
def test_whole_numbers_are_exact():
    x = torch.randint(-50, 50, (9, 1000), device="cuda").float()
    assert torch.equal(row_sum.row_sum(x), x.sum(1))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("bad", [lambda x: x.t(), lambda x: x.half(), lambda x: x[0]], ids=["t", "half", "vector"])
def test_refused(bad):
    with pytest.raises(RuntimeError, match="row_sum wants"):
        row_sum.row_sum(bad(torch.randn(6, 10, device="cuda")))
