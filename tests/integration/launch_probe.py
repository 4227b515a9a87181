"""Calls gemm_fp8::gemm_launch of a built ROCm variant against the stand-in libamdhip64, which records the launches.

usage: launch_probe.py TORCH_LIB LIBRARY PROBLEM...
    TORCH_LIB  the folder of torch's own libraries
    PROBLEM    a JSON object: m, n, k, and optionally a_along_rows, b_along_rows, stream
Prints what each call returned, one line each.
"""

import ctypes
import json
import subprocess
import sys

GEMM_LAUNCH = "_ZN8gemm_fp811gemm_launchERKNS_11GemmProblemEPv"


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


def local_function(library, name):
    """A function that the library keeps for itself: at the distance from its exported PyInit_ that its symbol table says."""
    symbols = {}
    for line in subprocess.run(["nm", library], text=True, check=True, capture_output=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3:
            symbols[words[2]] = int(words[0], 16)
    entry = next(symbol for symbol in symbols if symbol.startswith("PyInit_"))
    loaded = ctypes.cast(getattr(ctypes.PyDLL(library), entry), ctypes.c_void_p).value
    prototype = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    return prototype(loaded + symbols[name] - symbols[entry])


def main():
    torch_lib, library, *problems = sys.argv[1:]
    # The extension finds these by their names; `import torch` would take seconds.
    for name in ("libc10.so", "libtorch_cpu.so"):
        ctypes.CDLL(f"{torch_lib}/{name}", ctypes.RTLD_GLOBAL)
    launch = local_function(library, GEMM_LAUNCH)
    for text in problems:
        request = json.loads(text)
        problem = problem_of(request)
        print(launch(ctypes.addressof(problem), ctypes.c_void_p(request.get("stream", 0))))


if __name__ == "__main__":
    main()
