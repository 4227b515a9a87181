"""Tests as one writes them for a GPU. Each runs with the right operator and with a twin that has one mistake."""

import pytest
import torch
from kernels import get_kernel

pytestmark = pytest.mark.kernels_ci

twins = get_kernel("kernels-test/twins", version=1)


def with_twin(broken, right="scale"):
    return pytest.mark.parametrize("name", [right, broken])


def check(name, count=100, device="cuda"):
    x = torch.randn(count, device=device)
    torch.testing.assert_close(twins.call(name, torch.empty_like(x), x), 2 * x)


@with_twin("scale_on_null_stream")
def test_stream(name):
    check(name)


@with_twin("scale_without_waiting", right="scale_on_side_stream")
def test_two_streams(name):
    check(name)


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
@with_twin("scale_without_guard")
def test_second_device(name):
    check(name, device="cuda:1")


@with_twin("scale_of_any_device")
def test_cpu_tensor_is_refused(name):
    with pytest.raises(RuntimeError, match="must be on one GPU"):
        twins.call(name, torch.empty(100, device="cuda"), torch.randn(100))


@with_twin("scale_of_any_strides")
def test_strided_input_is_refused_or_right(name):
    x = torch.randn(100, 2, device="cuda")[:, 1]
    try:
        got = twins.call(name, torch.empty(100, device="cuda"), x)
    except RuntimeError as error:
        assert "contiguous" in str(error)
    else:
        torch.testing.assert_close(got, 2 * x)


@with_twin("scale_of_any_type")
def test_double_is_refused(name):
    x = torch.randn(100, device="cuda", dtype=torch.float64)
    with pytest.raises(RuntimeError, match="must be float32"):
        twins.call(name, torch.empty_like(x), x)


@with_twin("scale_of_any_type")
def test_other_shape_is_refused(name):
    with pytest.raises(RuntimeError, match="one shape"):
        twins.call(name, torch.empty(50, device="cuda"), torch.randn(100, device="cuda"))


@with_twin("scale_without_bounds")
def test_any_count(name):
    check(name, count=100)


@with_twin("scale_but_the_last")
def test_all_of_the_result(name):
    check(name)


@with_twin("scale_for_the_cpu")
def test_is_there_for_the_gpu(name):
    check(name)


def test_the_device_is_an_mi300x():
    """What C++ code reads out of HIP's structs, and what torch says."""
    assert twins.device_facts() == {"arch": "gfx942:sramecc+:xnack-", "multi_processor_count": 304, "warp_size": 64,
                                    "max_threads_per_block": 1024, "active_groups": 32, "kernel_max_threads": 1024}
    properties = torch.cuda.get_device_properties(0)
    assert properties.gcnArchName == "gfx942:sramecc+:xnack-"
    assert properties.multi_processor_count == 304
    assert properties.warp_size == 64
    assert (properties.major, properties.minor) == (9, 4)
    assert torch.version.hip and torch.version.cuda is None


def test_a_refusal_of_another_library_is_not_the_next_launchs_error():
    with pytest.raises(RuntimeError, match="cuDNN"), torch.backends.cudnn.flags(enabled=True):
        torch.nn.functional.conv2d(torch.ones(1, 1, 4, 4, device="cuda"), torch.ones(1, 1, 2, 2, device="cuda"))
    check("scale")
