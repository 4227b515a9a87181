#!/usr/bin/env python3
"""Writes mfma_vectors.bin: inputs of MFMA instructions and what MMA-Sim's model of CDNA 3 makes of
them. Needs `pip install mmasim torch`; the file in the repository was made by mmasim 2.1.1.

Per case: name (32 bytes), m, n, k, then A [m][k], B [k][n], C [m][n] and D [m][n] as 32-bit words:
codes of A and B in the low bits (8, 16 or 32 of them), fp32 bits of C and D. fp64 has two words per element, low first.
Instructions with several blocks multiply different matrices in each: the test takes the three cases in turn.
"""
import struct
import subprocess
import sys
import tempfile

import torch
import torch.utils.cpp_extension


def compile_plainly(name, sources, **_):
    """MMA-Sim's fused multiply-add is plain C++; it needs no torch to compile."""
    library = f"{tempfile.mkdtemp()}/{name}.so"
    subprocess.run(["g++", "-O2", "-shared", "-fPIC", "-fopenmp", *sources, "-o", library], check=True)
    return library


torch.utils.cpp_extension.load = compile_plainly
from mmasim.amd import MFMA  # noqa: E402

CASES = [
    ("f32_32x32x16_fp8_fp8", 8), ("f32_16x16x32_fp8_fp8", 8), ("f32_32x32x16_bf8_fp8", 8), ("f32_16x16x32_fp8_bf8", 8),
    ("f32_16x16x32_bf8_bf8", 8), ("f32_32x32x8_f16", 16), ("f32_16x16x16_f16", 16), ("f32_32x32x8_bf16", 16),
    ("f32_16x16x16_bf16", 16), ("f32_4x4x4_16b_f16", 16), ("f32_16x16x8_xf32", 32), ("f32_32x32x4_xf32", 32),
    ("f32_32x32x2_f32", 32), ("f32_16x16x4_f32", 32),
    # Made on 2026-12-02, behind the others, so that those kept their numbers.
    ("f32_16x16x32_bf8_fp8", 8), ("f32_32x32x16_bf8_bf8", 8), ("f32_32x32x16_fp8_bf8", 8),
    ("f32_32x32x4_2b_f16", 16), ("f32_16x16x4_4b_f16", 16),
    ("f32_32x32x4_2b_bf16", 16), ("f32_16x16x4_4b_bf16", 16), ("f32_4x4x4_16b_bf16", 16),
    ("f32_32x32x1_2b_f32", 32), ("f32_16x16x1_4b_f32", 32), ("f32_4x4x1_16b_f32", 32),
    ("f64_16x16x4_f64", 64),
]


def random_codes(shape, bits, generator, kind):
    """kind 0: any code; 1: numbers near 1; 2: any code, with many zeros."""
    limits = (0, 1 << bits) if bits < 64 else (-(1 << 63), (1 << 63) - 1)
    codes = torch.randint(*limits, shape, generator=generator, dtype=torch.int64)
    if kind == 1 and bits == 64:
        codes = (codes & 0x001FFFFFFFFFFFFF) + 0x3FE0000000000000 + ((codes & 1) << 63)
    elif kind == 1:
        exponent = {8: 0x38, 16: 0x3C00, 32: 0x3F000000}[bits]
        spread = {8: 0x0F, 16: 0x07FF, 32: 0x00FFFFFF}[bits]
        codes = (codes & spread) + exponent + (codes & 1) * (1 << (bits - 1))
    if kind == 2:
        codes[torch.rand(shape, generator=generator) < 0.5] = 0
    return codes


def as_type(codes, dtype, bits):
    if bits == 64:
        return codes.view(dtype)
    signed = codes.where(codes < 1 << (bits - 1), codes - (1 << bits))
    return signed.to({8: torch.int8, 16: torch.int16, 32: torch.int32}[bits]).view(dtype)


def main():
    generator = torch.Generator().manual_seed(42)
    with open(sys.argv[1], "wb") as out:
        for name, bits in CASES:
            for kind in range(3):
                op = MFMA("CDNA3", name)
                a = random_codes((op.m, op.k), bits, generator, kind)
                b = random_codes((op.k, op.n), bits, generator, kind)
                wide = 64 if bits == 64 else 32
                c = random_codes((op.m, op.n), wide, generator, kind)
                if kind == 0 and wide == 64:
                    c[0, 0], c[0, 1], c[1, 0] = 0x7FF0000000000000, 1, -(1 << 63)
                elif kind == 0:
                    c[0, 0], c[0, 1], c[1, 0] = 0x7F800000, 0x00000001, 0x80000000
                d = op(as_type(a, op.a_type, bits), as_type(b, op.b_type, bits), as_type(c, op.d_type, wide))
                d = d.contiguous().view(torch.int64 if wide == 64 else torch.int32).to(torch.int64)
                if wide == 32:
                    d = d & 0xFFFFFFFF
                out.write(struct.pack("<32s3I", f"v_mfma_{name}".encode(), op.m, op.n, op.k))
                for matrix in (a, b, c, d):
                    words = matrix.flatten().tolist()
                    out.write(struct.pack(f"<{len(words)}{'q' if wide == 64 else 'I'}", *words))


main()
