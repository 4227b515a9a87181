#!/usr/bin/env python3
"""How long `kbuild inspect` takes for a library of 500 MB, and how much memory.

    bench/inspect.py KBUILD [--runs 10] [--megabytes 500]

The library is made here: a sparse file whose `.hip_fatbin` has bundles with code objects for two architectures, 400
kernels in all, and between them sections of zeros, as large data is in real ones. A second one is of one bundle with a
code object of half its size. Prints the median and the peak memory of the program, pages of the mapped file included.
Exits with 1 if a figure is above its bar.
"""

import argparse
import multiprocessing
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/support"))
sys.dont_write_bytecode = True
from code_files import bundle, code_object, elf, kernel, metadata  # noqa: E402

SECONDS, MEGABYTES = 2.0, 100
TARGET = "hipv4-amdgcn-amd-amdhsa--"


def objects(arch, kernels, padding):
    """A code object with that many kernels and so many bytes of other content."""
    names = [f"_Z{6 + len(str(number))}kernel{number}Pf" for number in range(kernels)]
    document = metadata(kernels=[kernel(name=name, symbol="gemm.kd") for name in names],
                        amdhsa_target=f"amdgcn-amd-amdhsa--{arch}")
    return code_object(document, extra=[(".rodata", 1, b"\0" * padding, 0, 0)])


def many_bundles(megabytes):
    """50 bundles of small code objects, each for two architectures, and the rest zeros in a section of its own."""
    fatbin = b"".join(bundle([("host-x86_64-unknown-linux-gnu-", b"")] + [
        (TARGET + arch, objects(arch, 4, 100_000)) for arch in ("gfx90a", "gfx942")]) for _ in range(50))
    rest = megabytes * 1_000_000 - len(fatbin)
    return elf([(".hip_fatbin", 1, fatbin, 0, 0), (".data", 1, b"\0" * rest, 0, 0)])


def one_large_object(megabytes):
    size = megabytes * 1_000_000 // 2
    return elf([(".hip_fatbin", 1, bundle([(TARGET + "gfx942", objects("gfx942", 400, size))]), 0, 0),
                (".data", 1, b"\0" * size, 0, 0)])


def write_sparse(path, make, megabytes):
    """Zeros take no place on the disk, but are read like any other bytes."""
    content = make(megabytes)
    with open(path, "wb") as file:
        for at in range(0, len(content), 1 << 20):
            block = content[at : at + (1 << 20)]
            if block.strip(b"\0"):
                file.seek(at)
                file.write(block)
        file.truncate(len(content))


def measure(kbuild, path):
    """Seconds and megabytes of one run."""
    begin = time.monotonic()
    child = subprocess.Popen([kbuild, "inspect", path], stdout=subprocess.DEVNULL, cwd=path.parent)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - begin
    assert status == 0, f"{path.name}: exit status {status}"
    return seconds, usage.ru_maxrss / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kbuild", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--megabytes", type=int, default=500)
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory(prefix="kbuild-bench-") as folder:
        for make in (many_bundles, one_large_object):
            path = pathlib.Path(folder, f"{make.__name__}.so")
            # In a process of its own: a child's peak memory begins with what its parent has when it starts it.
            maker = multiprocessing.Process(target=write_sparse, args=(path, make, options.megabytes))
            maker.start()
            maker.join()
            runs = [measure(options.kbuild.resolve(), path) for _ in range(options.runs)]
            seconds = statistics.median(run[0] for run in runs)
            memory = max(run[1] for run in runs)
            good = good and seconds < SECONDS and memory < MEGABYTES
            print(f"{make.__name__}: {path.stat().st_size / 1e6:.0f} MB, {seconds:.3f} s, {memory:.0f} MB of memory")
    return 0 if good else 1


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
