"""Calls gemm_fp8::gemm_launch of a built ROCm variant against the stand-in libamdhip64, which records the launch.

usage: launch_probe.py LIBRARY PROBLEM, a JSON object of the fields of GemmProblem (gemm/gemm_problem.h) that differ from a
small problem; prints what gemm_launch returned.
"""

import ctypes
import json
import sys

import torch  # noqa: F401  its libraries must be loaded before the extension


class Strides(ctypes.Structure):
    _fields_ = [("row", ctypes.c_int64), ("k", ctypes.c_int64)]


class GemmProblem(ctypes.Structure):
    _fields_ = [("m", ctypes.c_int64), ("n", ctypes.c_int64), ("k", ctypes.c_int64),
                ("out", ctypes.c_void_p), ("a", ctypes.c_void_p), ("b", ctypes.c_void_p),
                ("a_scale", ctypes.c_void_p), ("b_scale", ctypes.c_void_p),
                ("a_stride", Strides), ("b_stride", Strides), ("a_scale_stride", Strides), ("b_scale_stride", Strides)]


def main():
    library, problem = ctypes.PyDLL(sys.argv[1]), json.loads(sys.argv[2])
    m, n, k = problem["m"], problem["n"], problem["k"]
    launch = getattr(library, "_ZN8gemm_fp811gemm_launchERKNS_11GemmProblemEPv")
    address = 4096  # nothing is read: the stand-in computes nothing
    a = Strides(1, m) if problem.get("a_along_rows") else Strides(k, 1)
    b = Strides(1, n) if problem.get("b_along_rows") else Strides(k, 1)
    scale = Strides(k // 128, 1)
    arguments = GemmProblem(m, n, k, address, address, address, address, address, a, b, scale, scale)
    print(launch(ctypes.byref(arguments), ctypes.c_void_p(problem.get("stream", 0))))


if __name__ == "__main__":
    main()
