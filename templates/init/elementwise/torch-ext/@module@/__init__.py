"""@name@: one op, `multiply`."""

import torch

from ._ops import ops

__all__ = ["multiply"]


def multiply(input: torch.Tensor, factor: float, out: torch.Tensor | None = None) -> torch.Tensor:
    """Returns `factor * input` (float32, any shape, contiguous), in `out` if given."""
    if out is None:
        out = torch.empty_like(input)
    ops.multiply(out, input, factor)
    return out
