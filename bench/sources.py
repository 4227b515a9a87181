#!/usr/bin/env python3
"""How kbuild itself does on a project with 3,500 sources: the plan, a build in which nothing changed, one changed source, memory.

    bench/sources.py KBUILD [--sources 3500] [--runs 10] [--keep FOLDER]

Two projects in 50 folders, whose sources include headers that include each other:

    hip    .hip files for two torches and two ROCms: `check` and the plan (`build --dry-run`). Nothing is compiled.
    cpu    C++ files of a line for one torch, compiled once, since thousands of HIP compiles would measure the compiler;
           what kbuild does (source facts, hashes, CMake trees, Ninja's files, stages, stamp) is the same.

Time is that of the whole process, median of the runs; bars are for CPU time, which other work on the machine changes less. Memory is
the largest process that took part, so of the builds an upper bound for kbuild. Exits with 1 if a figure is above its bar. Not part of CI, whose machines are too uneven.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

BARS = {"plan": 1.0, "no-op": 0.5}  # seconds
MEMORY = 200  # MB
FOLDERS = 50

BUILD_TOML = """[general]
name = "many"
version = 1
edition = 5
license = "Apache-2.0"
backends = ["{backend}"]

[torch]
src = ["torch-ext/torch_binding.cpp"]

[kernel.many]
backend = "{backend}"
depends = ["torch"]
include = ["src"]
src = [
{sources}]
"""

BINDING = """#include "registration.h"

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""

HIP = """#include "{header}"

#include <hip/hip_runtime.h>

__global__ void kernel_{number}(float* out, int n) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] *= {number}.0f;
}}
"""

CPP = """#include "{header}"
int value_{number}() {{ return {number} + {folder}; }}
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make_project(folder, backend, sources):
    """Every tenth source has a header; a header includes the one before it in its folder, and that of the folder before."""
    ending, text = (".hip", HIP) if backend == "rocm" else (".cpp", CPP)
    names = []
    for number in range(sources):
        group, place = number % FOLDERS, number // FOLDERS
        header = f"group{group}/part{place // 10}.h"
        if place % 10 == 0:
            before = [f"group{group}/part{place // 10 - 1}.h"] if place else []
            before += [f"group{group - 1}/part{place // 10}.h"] if group else []
            lines = "".join(f'#include "{name}"\n' for name in before)
            write(folder / "src" / header, f"#pragma once\n{lines}int value_{number}();\n")
            names.append(f"src/{header}")
        names.append(f"src/group{group}/unit{number}{ending}")
        write(folder / names[-1], text.format(header=header, number=number, folder=group))
    listed = "".join(f'    "{name}",\n' for name in names)
    write(folder / "build.toml", BUILD_TOML.format(backend=backend, sources=listed))
    versions = '["2.13", "2.14"]' if backend == "rocm" else '["2.13"]'
    write(folder / "kbuild.toml", f'[matrix]\ntorch = {versions}\nrocm = ["6.4", "7.2"]\n')
    write(folder / "torch-ext/torch_binding.cpp", BINDING)
    write(folder / "torch-ext/many/__init__.py", "from ._ops import ops\n")
    return folder


class Bench:
    def __init__(self, kbuild, runs):
        self.kbuild, self.runs, self.slow = os.path.abspath(kbuild), runs, False

    def run(self, *arguments):
        """Seconds, seconds of CPU time, and megabytes of the largest process."""
        start = time.perf_counter()
        with tempfile.TemporaryFile() as said:
            process = os.posix_spawn(self.kbuild, [self.kbuild, *map(str, arguments)], os.environ, file_actions=[
                (os.POSIX_SPAWN_DUP2, said.fileno(), 1), (os.POSIX_SPAWN_DUP2, said.fileno(), 2)])
            _, status, used = os.wait4(process, 0)
            seconds = time.perf_counter() - start
            if status != 0:
                said.seek(0)
                sys.exit(f"kbuild {' '.join(map(str, arguments))}: status {status}\n{said.read().decode()[-3000:]}")
        return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024

    def measure(self, name, *arguments, runs=None, prepare=lambda: None):
        figures = []
        for _ in range(runs or self.runs):
            prepare()
            figures.append(self.run(*arguments))
        seconds, cpu, memory = map(statistics.median, zip(*figures))
        bar = BARS.get(name)
        self.slow |= (bar is not None and cpu > bar) or memory > MEMORY
        print(f"{name:14} {seconds:8.3f} s {cpu:8.3f} s {memory:6.0f} MB {bar or '':>6}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kbuild")
    parser.add_argument("--sources", type=int, default=3500)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--keep", type=pathlib.Path, help="make the projects here, and leave them")
    options = parser.parse_args()
    bench = Bench(options.kbuild, options.runs)
    with tempfile.TemporaryDirectory(prefix="kbuild-bench-") as work:
        work = options.keep or pathlib.Path(work)
        hip = make_project(work / "hip", "rocm", options.sources)
        cpu = make_project(work / "cpu", "cpu", options.sources)
        print(f"{'':14} {'waited':>10} {'CPU':>10} {'memory':>9} {'bar':>6}   (median of {options.runs} runs)")
        bench.measure("check", "check", hip)
        bench.measure("plan", "build", hip, "--dry-run")
        bench.measure("first build", "build", cpu, "--launcher", "none", runs=1)
        time.sleep(0.1)
        bench.measure("second build", "build", cpu, "--launcher", "none", runs=1)
        bench.measure("no-op", "build", cpu, "--launcher", "none")
        changed = cpu / "src/group0/unit0.cpp"
        bench.measure("one changed", "build", cpu, "--launcher", "none", runs=3,
                      prepare=lambda: changed.write_text(changed.read_text() + "// changed\n"))
    return 1 if bench.slow else 0


if __name__ == "__main__":
    sys.exit(main())
