"""Block-scaled FP8 matrix multiplication for the MI300X, and its CPU reference."""

from typing import Optional

import torch

from ._ops import ops


def gemm(
    a: torch.Tensor,
    b: torch.Tensor,
    a_scale: torch.Tensor,
    b_scale: torch.Tensor,
    out: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    """Compute ``dequantized(a) @ dequantized(b).T``, rounded to bfloat16::

        out[m, n] = sum over k of a[m, k] * a_scale[m, k // 128]
                                * b[n, k] * b_scale[n // 128, k // 128]

    Sums are float32 on the GPU and float64 in the CPU reference.

    Args:
        a: ``[M, K]``, ``torch.float8_e4m3fnuz``. K is a multiple of 128, M any number. Either K is
            contiguous (the default layout, or rows of a larger matrix) or M is, as in the transpose
            of a contiguous ``[K, M]``; the latter needs M to be a multiple of 8.
        b: ``[N, K]``, ``torch.float8_e4m3fnuz``, in either layout. N is a multiple of 8.
        a_scale: ``[M, K / 128]``, ``torch.float32``, any strides.
        b_scale: ``[ceil(N / 128), K / 128]``, ``torch.float32``, any strides.
        out: ``[M, N]``, ``torch.bfloat16``, contiguous; allocated if missing. Must not overlap the
            inputs.

    All tensors are on the same device, and each extends over less than 2 GiB. Scales may be of any
    sign. A NaN in ``a`` makes its row of ``out`` NaN, one in ``b`` its column. ``e4m3fn`` is refused
    rather than converted, as the same bytes mean other numbers there.

    Returns:
        ``out``. The call does not wait for the GPU; the work is on the current stream.
    """
    if out is None:
        out = torch.empty((a.shape[0], b.shape[0]), dtype=torch.bfloat16, device=a.device)
    ops.gemm(out, a, b, a_scale, b_scale)
    return out


__all__ = ["gemm"]
