#!/usr/bin/env python3
"""How fast gfx942 code runs on the CPU, on one core.

    bench/emulate.py STAND_IN SDK [--prototype FOLDER] [--runs 5]

STAND_IN is the folder with kbuild's libamdhip64.so.6 of a release build (lib/kbuild/emulate/hip6), SDK the root of ROCm 6.4.
Runs the kernels of bench/emulator/kernels.cpp with and without checks. Beside them:

* with --prototype, the first interpreter of this project (simhip.cpp, a stand-in of its own): the same programs, in turns;
* the bare loop of bench/emulator/mfma_loop.cpp, against which the matrix instruction within a GEMM is measured.

All times are CPU time (user and system) of the process, less that of a launch of one work-group; the median of the runs. Results
have to be equal. Not part of CI, whose machines are too uneven; docs/benchmarks.md has figures.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "emulator"
WORK = [["add", "2000000"], ["gemm", "512", "512", "256"], ["gemm", "512", "512", "4096"]]
LONG_GEMM = WORK[2]
TRIVIAL = ["add", "1"]
SETTINGS = {"exact, all checks": ("all", "exact"), "fast, all checks": ("all", "fast"),
            "exact, no checks": ("none", "exact"), "fast, no checks": ("none", "fast")}


def build(sdk, work, prototype):
    program = work / "kernels"
    subprocess.run([f"{sdk}/llvm/bin/clang++", "-x", "hip", "-isystem", f"{sdk}/include", f"--rocm-path={sdk}", "--offload-arch=gfx942",
                    "-std=c++17", "-O3", "-fPIC", "-mcode-object-version=5", "-c", HERE / "kernels.cpp", "-o", f"{program}.o"], check=True)
    subprocess.run(["g++", f"{program}.o", "-o", program, f"-L{sdk}/lib", "-lamdhip64"], check=True)
    subprocess.run(["g++", "-O3", "-march=x86-64-v3", "-std=c++17", HERE / "mfma_loop.cpp", "-o", work / "mfma_loop"], check=True)
    if prototype:
        subprocess.run(["g++", "-O2", "-std=c++17", "-shared", "-fPIC", f"{prototype}/simhip.cpp", "-o", work / "libamdhip64.so.6",
                        "-Wl,-soname,libamdhip64.so.6", "-pthread"], check=True)
    return program


def run(command, library, **variables):
    """CPU seconds and output of a program."""
    environment = dict(os.environ, LD_LIBRARY_PATH=str(library), KBUILD_EMULATE_THREADS="1", KBUILD_EMULATE_QUIET="1", **variables)
    with subprocess.Popen([str(part) for part in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} ends with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, output


def instructions(program, arguments, stand_in, work):
    report = work / "report.json"
    run([program, *arguments], stand_in, KBUILD_EMULATE_CHECKS="none", KBUILD_EMULATE_MFMA="fast", KBUILD_EMULATE_REPORT=str(report))
    kernel = json.loads(report.read_text())["kernels"][0]
    return kernel["wave_instructions"], kernel["by_unit"].get("mfma", 0)


def measure(program, arguments, ways, runs):
    """Median CPU seconds of each way to run it; one run of each in turn, so that all see the same machine."""
    times = {name: [] for name in ways}
    outputs = set()
    for _ in range(runs):
        for name, (library, variables) in ways.items():
            seconds, output = run([program, *arguments], library, **variables)
            start, _ = run([program, *TRIVIAL], library, **variables)
            times[name].append(max(seconds - start, 1e-6))
            outputs.add(output)
    if len(outputs) != 1:
        sys.exit(f"{' '.join(arguments)}: the results differ")
    return {name: statistics.median(list_) for name, list_ in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stand_in", type=pathlib.Path)
    parser.add_argument("sdk", type=pathlib.Path)
    parser.add_argument("--prototype", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        program = build(options.sdk, work, options.prototype)
        ways = {name: (options.stand_in, {"KBUILD_EMULATE_CHECKS": checks, "KBUILD_EMULATE_MFMA": mfma})
                for name, (checks, mfma) in SETTINGS.items()}
        if options.prototype:
            ways["prototype"] = (work, {"SIMHIP_LLVM_BIN": os.environ.get("SIMHIP_LLVM_BIN", "/usr/lib/llvm-19/bin")})
        for arguments in WORK:
            count, matrix = instructions(program, arguments, options.stand_in, work)
            medians = measure(program, arguments, ways, options.runs)
            print(f"{' '.join(arguments)}: {count} wave instructions, {matrix} of them MFMA")
            for name, seconds in medians.items():
                ratio = f", {medians['prototype'] / seconds:.1f} x the prototype" if options.prototype else ""
                print(f"  {name:20} {seconds:7.3f} s {count / seconds / 1e6:8.2f} million/s{ratio}")
        loop = statistics.median(float(run([work / "mfma_loop"], "")[1]) for _ in range(options.runs))
        whole = medians["fast, no checks"] / matrix * 1e6
        print(f"bare MFMA loop {loop:.2f} us; {' '.join(LONG_GEMM)}: {whole:.2f} us an MFMA with all that is around it, "
              f"{100 * loop / whole:.0f} % of the loop's rate")


if __name__ == "__main__":
    main()
