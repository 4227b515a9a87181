#!/usr/bin/env python3
"""How long `kbuild toolchain add` takes when everything is there already, which build scripts run each time.

    bench/add.py KBUILD [NAME...] [--runs 10]

Adds each SDK alone and all together (default: ROCm 6.4 and 7.2, torch 2.13, 2.14 and 2.15), in turns, with `--offline`: one
that is missing is an error. Prints the median of all runs, from starting the program to its end, and the CPU time. Not part
of CI, whose machines are too uneven; docs/benchmarks.md has figures. Exits with 1 if all together are above the bar.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time

SDKS = ["rocm@6.4", "rocm@7.2", "torch@2.13", "torch@2.14", "torch@2.15"]
BAR = 100  # milliseconds, waited, for all together


def cpu_time():
    """Of all processes that were waited for, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(kbuild, names):
    """Milliseconds: waited, computed."""
    before, start = cpu_time(), time.perf_counter()
    result = subprocess.run([kbuild, "toolchain", "add", "--offline", *names], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    waited = (time.perf_counter() - start) * 1000
    if result.returncode != 0 or result.stderr.count("there already") != len(names):
        sys.exit(f"these are to be there already: {' '.join(names)}\n{result.stderr}")
    return waited, (cpu_time() - before) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kbuild")
    parser.add_argument("names", nargs="*", default=SDKS, metavar="NAME")
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    kbuild = os.path.abspath(options.kbuild)
    rows = [[name] for name in options.names] + [options.names]
    figures = [[] for _ in rows]
    for _ in range(options.runs):
        for row, names in enumerate(rows):
            figures[row].append(run(kbuild, names))
    print(f"{'kbuild toolchain add':20} {'waited':>9} {'CPU':>9} {'longest':>9}   (median of {options.runs} runs)")
    for names, runs in zip(rows, figures):
        waited, computed = zip(*runs)
        label = names[0] if len(names) == 1 else f"all {len(names)}"
        print(f"{label:20} {statistics.median(waited):6.1f} ms {statistics.median(computed):6.1f} ms {max(waited):6.1f} ms")
    return 1 if statistics.median(waited for waited, _ in figures[-1]) > BAR else 0


if __name__ == "__main__":
    sys.exit(main())
