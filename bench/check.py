#!/usr/bin/env python3
"""How long `kbuild check` takes: on examples/gemm-fp8, and on a project with 3,500 sources that is made for it.

    bench/check.py KBUILD [--runs 30] [--sources 3500]

Prints the median of all runs, from starting the program to its end: the time that a user waits, and the CPU time, which other
work on the machine changes less and which is what the bar is for (kbuild check runs on one core). Not part of CI, whose machines
are too uneven; docs/benchmarks.md has figures. Exits with 1 if a median is above its bar.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BARS = {"examples/gemm-fp8": 10, "generated project": 300, "10,000 mistakes": 100}  # milliseconds

HEAD = """[general]
name = "many-sources"
version = 1
edition = 5
license = "Apache-2.0"
backends = ["rocm"]

[torch]
src = ["torch-ext/torch_binding.cpp", "torch-ext/torch_binding.h"]
"""

BINDING = """#include <torch/library.h>

#include "registration.h"
#include "torch_binding.h"

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
    ops.def("scale(Tensor! out, Tensor input) -> ()");
    ops.impl("scale", torch::kCUDA, &scale);
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make_project(folder, sources):
    """Half of the files are headers; each source includes one of its own, which includes the one before."""
    names = []
    for number in range(sources // 2):
        stem = f"kernels/group{number % 50}/kernel{number}"
        before = f'#include "../group{(number - 1) % 50}/kernel{number - 1}.h"\n' if number else ""
        write(folder / f"{stem}.h", f"#pragma once\n{before}void launch_{number}(float* out, int n);\n")
        write(folder / f"{stem}.hip",
              f'#include "kernel{number}.h"\n\n#include <hip/hip_runtime.h>\n\n'
              f"__global__ void kernel_{number}(float* out, int n) {{\n"
              "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        out[i] *= 2;\n}\n")
        names += [f"{stem}.h", f"{stem}.hip"]
    listed = "".join(f'    "{name}",\n' for name in names)
    write(folder / "build.toml", f'{HEAD}\n[kernel.many]\nbackend = "rocm"\ndepends = ["torch"]\n'
                                 f'rocm-archs = ["gfx942"]\nsrc = [\n{listed}]\n')
    write(folder / "torch-ext/torch_binding.cpp", BINDING)
    write(folder / "torch-ext/torch_binding.h", "#pragma once\n")
    write(folder / "torch-ext/many_sources/__init__.py", "from ._ops import ops\n")
    return folder


def make_mistakes(folder):
    write(folder / "build.toml", HEAD + "".join(f"key{number} = 1\n" for number in range(10_000)))
    return folder


def cpu_time():
    """Of all processes that were waited for, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(kbuild, project, runs, expected):
    waited, computed = [], []
    for _ in range(runs):
        before, start = cpu_time(), time.perf_counter()
        result = subprocess.run([kbuild, "check", project], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL)
        waited.append((time.perf_counter() - start) * 1000)
        computed.append((cpu_time() - before) * 1000)
        if result.returncode not in expected:
            sys.exit(f"kbuild check {project}: exit code {result.returncode}\n{result.stderr.decode()[:2000]}")
    return statistics.median(waited), statistics.median(computed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kbuild")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--sources", type=int, default=3500)
    options = parser.parse_args()
    kbuild = os.path.abspath(options.kbuild)
    slow = False
    with tempfile.TemporaryDirectory(prefix="kbuild-bench-") as work:
        projects = {"examples/gemm-fp8": (ROOT / "examples/gemm-fp8", {0}),
                    "generated project": (make_project(pathlib.Path(work, "many"), options.sources), {0}),
                    "10,000 mistakes": (make_mistakes(pathlib.Path(work, "mistakes")), {3})}
        print(f"{'kbuild check on':20} {'waited':>9} {'CPU':>9} {'bar':>9}   (median of {options.runs} runs)")
        for name, (project, expected) in projects.items():
            waited, computed = measure(kbuild, project, options.runs, expected)
            slow |= computed > BARS[name]
            print(f"{name:20} {waited:6.1f} ms {computed:6.1f} ms {BARS[name]:6} ms")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
