import pytest
import torch
from kernels import get_kernel

relu = get_kernel("kernels-test/relu", version=1)


@pytest.mark.kernels_ci
@pytest.mark.parametrize("shape", [(1,), (64,), (1000,), (33, 65), (3, 5, 7), (0,)], ids=str)
def test_relu(shape):
    x = torch.randn(shape, device="cuda")
    torch.testing.assert_close(relu.relu(x), torch.nn.functional.relu(x))


@pytest.mark.kernels_ci
def test_on_another_stream():
    x = torch.randn(1000, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        got = relu.relu(x)
    torch.cuda.current_stream().wait_stream(stream)
    torch.testing.assert_close(got, x.clamp(min=0))


@pytest.mark.kernels_ci
@pytest.mark.parametrize("bad", [lambda x: x.t(), lambda x: x.double(), lambda x: x[:, ::2]], ids=["t", "double", "strided"])
def test_refused(bad):
    with pytest.raises(RuntimeError, match="relu wants"):
        relu.relu(bad(torch.randn(6, 10, device="cuda")))


@pytest.mark.kernels_ci
def test_opcheck():
    x = torch.randn(100, device="cuda")
    torch.library.opcheck(relu.ops.relu.default, (torch.empty_like(x), x),
                          test_utils=("test_schema", "test_autograd_registration"))
