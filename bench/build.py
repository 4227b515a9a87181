#!/usr/bin/env python3
"""How long `kbuild build` takes beside what people do today (bench/baseline), as ratios within one run.

    bench/build.py KBUILD --python PYTHON [--rows first,warm,…] [--projects ten-2x2,…] [--json FILE]

PYTHON is one that can `import torch`. Rows (all of a project: the default):

    first     kbuild, with nothing remembered at all: precompiled headers (those of this user's SDKs) are made again, no cache
    warm      kbuild, with precompiled headers from the row before; no cache
    no-pch    kbuild --no-pch
    noop      kbuild, nothing changed: CPU time of the median of 20 runs
    touched   kbuild, one .hip file changed
    torch     kbuild, a torch version added
    ccache    kbuild, a clean rebuild, all objects from ccache
    ninja     bare Ninja over the files that kbuild generated, all objects deleted: what the scheduler could do at best

The baseline is measured once for each project. Each row says how often compilers ran, the time waited, the ratio to the baseline and the seconds
of each stage. Not part of CI, whose machines are too uneven. SDKs must be there (`kbuild toolchain add`). A row that this kbuild does not know is left out.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROWS = ["first", "warm", "no-pch", "noop", "touched", "torch", "ccache", "ninja"]
FOUR_ARCHS = ["gfx90a", "gfx942", "gfx1100", "gfx1201"]

KERNEL = """#include <hip/hip_runtime.h>
{include}
__global__ void scale_{number}(float* out, const float* in, float factor, int n) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * factor + {number}.0f;
}}

void launch_{number}(float* out, const float* in, float factor, int n, hipStream_t stream) {{
    scale_{number}<<<(n + 255) / 256, 256, 0, stream>>>(out, in, factor, n);
}}
"""

BINDING = """#include <torch/all.h>
#include <torch/library.h>

#include "registration.h"

namespace {

void check(torch::Tensor& out, const torch::Tensor& in) {
    TORCH_CHECK(out.sizes() == in.sizes(), "out and in differ");
}

} // namespace

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
    ops.def("check(Tensor! out, Tensor input) -> ()");
    ops.impl("check", torch::kCUDA, &check);
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""


class Project:
    """What is built: so many .hip files, with torch's headers or without, for these versions."""

    def __init__(self, name, kernels, torch_headers, torch, rocm, archs):
        self.name, self.torch, self.rocm, self.archs = name, torch, rocm, archs
        self.kernels, self.torch_headers = kernels, torch_headers

    def write(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        include = "#include <torch/all.h>\n" if self.torch_headers else ""
        sources = []
        for number in range(self.kernels):
            sources.append(f"src/kernel{number}.hip")
            write(folder / sources[-1], KERNEL.format(number=number, include=include))
        write(folder / "torch-ext/torch_binding.cpp", BINDING)
        write(folder / "torch-ext/bench/__init__.py", "from ._ops import ops\n")
        write(folder / "build.toml", f"""[general]
name = "bench"
version = 1
edition = 5
license = "Apache-2.0"
backends = ["rocm"]

[torch]
src = ["torch-ext/torch_binding.cpp"]

[kernel.bench]
backend = "rocm"
depends = ["torch"]
rocm-archs = {json.dumps(self.archs)}
src = {json.dumps(sources)}
""")
        self.write_matrix(folder, self.torch)

    def write_matrix(self, folder, torch):
        write(folder / "kbuild.toml", f"[matrix]\ntorch = {json.dumps(torch)}\nrocm = {json.dumps(self.rocm)}\n")


PROJECTS = [
    Project("ten-2x2", 10, False, ["2.13", "2.14"], ["6.4", "7.2"], ["gfx942"]),
    Project("ten-3x2", 10, False, ["2.13", "2.14", "2.15"], ["6.4", "7.2"], ["gfx942"]),
    Project("torch-2x2", 1, True, ["2.13", "2.14"], ["6.4", "7.2"], ["gfx942"]),
    Project("torch-2x2-4-archs", 1, True, ["2.13", "2.14"], ["6.4", "7.2"], FOUR_ARCHS),
    Project("small", 1, False, ["2.13"], ["6.4"], ["gfx942"]),  # to try this script out
]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def timed(command, **options):
    start = time.perf_counter()
    result = subprocess.run(list(map(str, command)), text=True, capture_output=True, **options)
    seconds = time.perf_counter() - start
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {result.returncode}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
    return seconds, result


def cpu_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Bench:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.kbuild = os.path.abspath(options.kbuild)
        self.help = subprocess.run([self.kbuild, "build", "--help"], text=True, capture_output=True).stdout
        data = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share"
        self.store = pathlib.Path(data, "kbuild/toolchains")
        self.results = []

    def sdk(self, kind, version):
        return self.store / f"{kind}-{version}"

    def build(self, folder, *arguments):
        """One run of kbuild, with caches of its own: seconds, `--timings` and the report."""
        report = self.work / "timings.json"
        report.unlink(missing_ok=True)
        seconds, result = timed([self.kbuild, "build", folder, "-j", self.options.jobs, "--format", "json", "--timings", report,
                                 *arguments], env={**os.environ, "XDG_CACHE_HOME": str(self.work / "cache")})
        return seconds, json.loads(report.read_text()), json.loads(result.stdout)

    def baseline(self, project, folder):
        """All variants, one after the other; seconds."""
        total = 0
        for torch in project.torch:
            for rocm in project.rocm:
                out = self.work / "baseline"
                shutil.rmtree(out, ignore_errors=True)
                environment = {**os.environ, "CCACHE_DISABLE": "1"}
                total += timed(["cmake", "-G", "Ninja", "-S", ROOT / "bench/baseline", "-B", out, "-DCMAKE_BUILD_TYPE=Release",
                                "-DCMAKE_CXX_COMPILER=g++", f"-DPROJECT={folder}", f"-DROCM={self.sdk('rocm', rocm)}",
                                f"-DTORCH={self.sdk('torch', torch)}", f"-DARCHS={';'.join(project.archs)}",
                                f"-DPYTHON={self.options.python}", f"-DREGISTRATION={folder}/.kbuild/include"], env=environment)[0]
                total += timed(["ninja", "-C", out, "-j", "2"], env=environment)[0]
        return total

    def bare_ninja(self, folder, arguments):
        """The same steps without kbuild around Ninja: everything that Ninja made is deleted, then made again."""
        self.clean(folder)
        self.build(folder, *arguments)
        work = folder / ".kbuild/work"
        targets = [str(path.relative_to(work)) for path in work.rglob("*.so") if path.parent.name.startswith("module_")]
        timed(["ninja", "-C", work, "-t", "clean"])
        seconds = timed(["ninja", "-C", work, "-j", self.options.jobs, *targets])[0]
        return seconds

    def clean(self, folder):
        for path in (folder / ".kbuild", folder / "build"):
            shutil.rmtree(path, ignore_errors=True)

    def noop(self, folder):
        used = []
        for _ in range(20):
            before = cpu_time()
            timed([self.kbuild, "build", folder, "--launcher", "none"],
                  env={**os.environ, "XDG_CACHE_HOME": str(self.work / "cache")})
            used.append(cpu_time() - before)
        return statistics.median(used)

    def row(self, project, folder, row):
        """Seconds and what kbuild says of itself; nothing for a row that this kbuild does not know."""
        uncached = ["--launcher", "none"]
        if row == "no-pch" and "--no-pch" not in self.help:
            return None
        if row == "first":
            # Precompiled headers lie beside the SDKs, for all projects: kbuild makes them again when they are wanted.
            shutil.rmtree(self.work / "cache", ignore_errors=True)
            shutil.rmtree(self.store.parent / "precompiled", ignore_errors=True)
        if row in ("first", "warm", "no-pch"):
            self.clean(folder)
            return self.build(folder, *uncached, *(["--no-pch"] if row == "no-pch" else []))
        if row == "ccache":
            self.clean(folder)
            self.build(folder)
            self.clean(folder)
            return self.build(folder)
        if row == "ninja":
            return self.bare_ninja(folder, uncached), {}, {}
        self.build(folder, *uncached)
        if row == "noop":
            time.sleep(0.05)
            self.build(folder, *uncached)
            return self.noop(folder), {}, {}
        if row == "touched":
            source = folder / "src/kernel0.hip"
            source.write_text(source.read_text() + "// changed\n")
            return self.build(folder, *uncached)
        if len(project.torch) < 2:
            return None
        self.clean(folder)
        project.write_matrix(folder, project.torch[:-1])
        self.build(folder, *uncached)
        project.write_matrix(folder, project.torch)
        return self.build(folder, *uncached)

    def measure(self, project):
        folder = self.work / project.name
        project.write(folder)
        self.build(folder, "--launcher", "none")  # the headers that kbuild generates, and SDKs tried out
        baseline = self.baseline(project, folder)
        self.add(project, "baseline", baseline, baseline, {}, {})
        for row in self.options.rows:
            measured = self.row(project, folder, row)
            if measured is not None:
                self.add(project, row, measured[0], baseline, *measured[1:])

    def add(self, project, row, seconds, baseline, timings, report):
        stages = {name: value for name, value in timings.items() if isinstance(value, (int, float))}
        compiles = sum(step["output"].endswith(".o") for step in timings.get("steps", []))
        self.results.append({"project": project.name, "row": row, "seconds": seconds, "ratio": seconds / baseline,
                             "compiles": compiles, "stages": stages})
        shown = "  ".join(f"{name} {value:.2f}" for name, value in stages.items())
        print(f"{project.name:18} {row:9} {seconds:9.3f} s {seconds / baseline:8.4f} {compiles:9}  {shown}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kbuild")
    parser.add_argument("--python", default="python3", help="one that can import torch")
    parser.add_argument("--rows", default=",".join(ROWS), type=lambda text: text.split(","))
    parser.add_argument("--projects", default=",".join(project.name for project in PROJECTS[:-1]), type=lambda text: text.split(","))
    parser.add_argument("-j", "--jobs", default="2")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    unknown = set(options.rows) - set(ROWS) | set(options.projects) - {project.name for project in PROJECTS}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="kbuild-bench-") as work:
        bench = Bench(options, pathlib.Path(work))
        print(f"{'project':18} {'row':9} {'waited':>11} {'ratio':>8} {'compiles':>9}  stages in seconds")
        for project in PROJECTS:
            if project.name in options.projects:
                bench.measure(project)
    if options.json:
        options.json.write_text(json.dumps(bench.results, indent=2) + "\n")


if __name__ == "__main__":
    main()
