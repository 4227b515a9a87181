"""@name@: one op, `multiply`, in Python."""

import torch

from ._ops import add_op_namespace_prefix, ops

__all__ = ["multiply"]


@torch.library.custom_op(add_op_namespace_prefix("multiply"), mutates_args=("out",))
def _multiply(out: torch.Tensor, input: torch.Tensor, factor: float) -> None:
    if input.dtype != torch.float32 or out.dtype != torch.float32:
        raise RuntimeError("multiply: tensors must be float32")
    torch.mul(input, factor, out=out)


@torch.library.register_fake(add_op_namespace_prefix("multiply"))
def _multiply_fake(out: torch.Tensor, input: torch.Tensor, factor: float) -> None:
    pass


def multiply(input: torch.Tensor, factor: float, out: torch.Tensor | None = None) -> torch.Tensor:
    """Returns `factor * input` (float32, any shape), in `out` if given."""
    if out is None:
        out = torch.empty_like(input)
    ops.multiply(out, input, factor)
    return out
