"""Calls gemm_fp8::gemm_launch of a built ROCm variant against the stand-in libamdhip64, which records the launches.

usage: launch_probe.py TORCH_LIB LIBRARY PROBLEM...
    TORCH_LIB  the folder of torch's own libraries
    PROBLEM    a JSON object: m, n, k, and optionally a_along_rows, b_along_rows, stream
Prints what each call returned, one line each.
"""

import ctypes
import json
import sys


class Strides(ctypes.Structure):
    _fields_ = [("row", ctypes.c_int64), ("k", ctypes.c_int64)]


class GemmProblem(ctypes.Structure):
    _fields_ = [("m", ctypes.c_int64), ("n", ctypes.c_int64), ("k", ctypes.c_int64),
                ("out", ctypes.c_void_p), ("a", ctypes.c_void_p), ("b", ctypes.c_void_p),
                ("a_scale", ctypes.c_void_p), ("b_scale", ctypes.c_void_p),
                ("a_stride", Strides), ("b_stride", Strides), ("a_scale_stride", Strides), ("b_scale_stride", Strides)]


def problem_of(request):
    m, n, k = request["m"], request["n"], request["k"]
    address = 4096  # nothing is read: the stand-in computes nothing
    a = Strides(1, m) if request.get("a_along_rows") else Strides(k, 1)
    b = Strides(1, n) if request.get("b_along_rows") else Strides(k, 1)
    scale = Strides(k // 128, 1)
    return GemmProblem(m, n, k, address, address, address, address, address, a, b, scale, scale)


def main():
    torch_lib, library, *problems = sys.argv[1:]
    # The extension finds these by their names; `import torch` would take seconds.
    for name in ("libc10.so", "libtorch_cpu.so"):
        ctypes.CDLL(f"{torch_lib}/{name}", ctypes.RTLD_GLOBAL)
    launch = getattr(ctypes.PyDLL(library), "_ZN8gemm_fp811gemm_launchERKNS_11GemmProblemEPv")
    for text in problems:
        request = json.loads(text)
        print(launch(ctypes.byref(problem_of(request)), ctypes.c_void_p(request.get("stream", 0))))


if __name__ == "__main__":
    main()
