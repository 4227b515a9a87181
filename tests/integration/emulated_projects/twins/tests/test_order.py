"""Right programs whose streams are in an order because torch waits, or orders devices, by itself: nothing may be found."""

import pytest
import torch

pytestmark = pytest.mark.kernels_ci

# What makes the caller wait for the stream.
WAITS = {
    "cpu": lambda x: x.cpu(),
    "tolist": lambda x: x.tolist(),
    "item": lambda x: x.sum().item(),
    "equal": lambda x: torch.equal(x, x),
    "nonzero": lambda x: x.nonzero(),
    "mask": lambda x: x[x > 0],
    "mask_assignment": lambda x: x.__setitem__(x > 0, 2.0),
    "unique": lambda x: x.unique(),
    "copy_from_the_cpu": lambda x: x.copy_(torch.ones(100)),
    "copy_to_pageable_memory": lambda x: torch.empty(100).copy_(x, non_blocking=True),
}
if torch.__version__ >= "2.15":
    del WAITS["mask_assignment"]  # since then it is a fill under the mask, for which nobody waits


def on_a_side_stream(function):
    with torch.cuda.stream(torch.cuda.Stream()):
        x = torch.ones(100, device="cuda")
        function(x)
    return x


@pytest.mark.parametrize("name", WAITS)
def test_torch_waits(name):
    assert on_a_side_stream(WAITS[name]).sum().item() in (100, 200)


# None of these does, so what follows needs an event.
DOES_NOT_WAIT = {
    "arithmetic": lambda x: x + 1,
    "indices": lambda x: x[torch.tensor([1, 2])],
    "copy_to_pinned_memory": lambda x: torch.empty(100, pin_memory=True).copy_(x, non_blocking=True),
}


@pytest.mark.parametrize("name", DOES_NOT_WAIT)
def test_torch_does_not_wait(name):
    on_a_side_stream(DOES_NOT_WAIT[name]).sum().item()


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_copies_between_devices_are_in_order():
    x = torch.arange(4.0, device="cuda:0")
    there = (x + 1).to("cuda:1") * 2
    back = there.to("cuda:0", non_blocking=True)
    x.zero_()
    assert (back + x).tolist() == [2, 4, 6, 8]


@pytest.mark.parametrize("function", [lambda x, i: x[i], lambda x, i: x.index_select(0, i), lambda x, i: x[torch.tensor([True, False])]],
                         ids=["indices", "index_select", "mask"])
def test_rows_that_were_written_are_picked_from_others(function):
    x = torch.empty(2, 3, device="cuda")
    x[0] = 1
    assert function(x, torch.tensor([0], device="cuda")).sum().item() == 3
