#!/usr/bin/env python3
"""How many deliberate faults the emulator finds.

kill_rate.py KBUILD SDK WORK_FOLDER: for each kernel program below, deletes each s_waitcnt, s_nop and
s_barrier of its assembly in turn, widens the address of each store to memory and LDS, and runs the result with
`kbuild emulate`. Prints a table of what was found, by which check, and every survivor.
"""
import collections
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ["reduce", "transpose", "mfma_types", "scan"]
FAULTS = {"s_waitcnt": r"^\ts_waitcnt\b", "s_nop": r"^\ts_nop\b", "s_barrier": r"^\ts_barrier\b",
          "store": r"^\t(global_store|ds_write)_?\w+ .*"}


def compiler(sdk):
    return [f"{sdk}/llvm/bin/clang++", f"--rocm-path={sdk}", "--offload-arch=gfx942"]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def device_assembly(sdk, source, output):
    run(compiler(sdk) + ["-x", "hip", "-isystem", f"{sdk}/include", "-std=c++17", "-O3", "-fPIC", "-I", f"{HERE}/programs",
                         "--cuda-device-only", "-S", source, "-o", output]).check_returncode()


def program_with(sdk, source, assembly, output):
    """The host part of `source` with the device part assembled from `assembly`."""
    steps = [
        [f"{sdk}/llvm/bin/clang", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-c", assembly, "-o", f"{output}.dev.o"],
        [f"{sdk}/llvm/bin/lld", "-flavor", "gnu", "-shared", f"{output}.dev.o", "-o", f"{output}.co"],
        [f"{sdk}/llvm/bin/clang-offload-bundler", "--type=o", "--bundle-align=4096",
         "--targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx942", "--input=/dev/null", f"--input={output}.co",
         f"--output={output}.fb"],
        compiler(sdk) + ["-x", "hip", "-isystem", f"{sdk}/include", "-std=c++17", "-O2", "-fPIC", "-I", f"{HERE}/programs",
                         "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", f"{output}.fb", "-c", source,
                         "-o", f"{output}.o"],
        ["g++", f"{output}.o", "-o", output, f"-L{sdk}/lib", "-lamdhip64"],
    ]
    for step in steps:
        done = run(step)
        if done.returncode != 0:
            return f"{step[0]}: {done.stderr[:300]}"
    return None


def emulate(kbuild, program, report):
    if os.path.exists(report):
        os.remove(report)
    try:
        done = run([kbuild, "emulate", "--report", report, "--budget", "3000000", "--", program], timeout=120)
    except subprocess.TimeoutExpired:
        return ["time-out"]
    checks = []
    if os.path.exists(report):
        with open(report, encoding="utf-8") as file:
            checks = sorted({finding["check"] for finding in json.load(file)["findings"]})
    return checks or (["wrong result"] if done.returncode != 0 else [])


def faulty(kind, line):
    """The line without what it does, or a store that goes far behind where it went."""
    if kind != "store":
        return "\t; " + line.strip()
    if "ds_write2" in line:
        return re.sub(r" offset[01]:\d+", "", line.rstrip()) + " offset0:254 offset1:255"
    far = "offset:65520" if "ds_write" in line else "offset:4095"
    return re.sub(r"offset:(-?\d+)", far, line) if "offset:" in line else f"{line.rstrip()} {far}"


def main():
    kbuild, sdk, work = sys.argv[1:4]
    os.makedirs(work, exist_ok=True)
    table = collections.Counter()
    survivors = []
    for name in PROGRAMS:
        source = f"{HERE}/programs/{name}.cpp"
        device_assembly(sdk, source, f"{work}/{name}.s")
        with open(f"{work}/{name}.s", encoding="utf-8") as file:
            lines = file.read().split("\n")
        problem = program_with(sdk, source, f"{work}/{name}.s", f"{work}/{name}")
        clean = problem or emulate(kbuild, f"{work}/{name}", f"{work}/report.json")
        print(f"{name}: unmodified: {clean or 'no findings'}", flush=True)
        for number, line in enumerate(lines):
            for kind, pattern in FAULTS.items():
                if not re.match(pattern, line):
                    continue
                changed = lines[:number] + [faulty(kind, line)] + lines[number + 1:]
                with open(f"{work}/fault.s", "w", encoding="utf-8") as file:
                    file.write("\n".join(changed))
                if program_with(sdk, source, f"{work}/fault.s", f"{work}/fault"):
                    continue
                found = emulate(kbuild, f"{work}/fault", f"{work}/report.json")
                table[kind, found[0] if found else "survived"] += 1
                print(f"  {name}:{number + 1} {kind}: {', '.join(found) or 'survived'}", flush=True)
                if not found:
                    survivors.append(f"{name}:{number + 1}: {line.strip()}")
    for kind in FAULTS:
        total = sum(count for (k, _), count in table.items() if k == kind)
        parts = ", ".join(f"{check} {count}" for (k, check), count in sorted(table.items()) if k == kind)
        print(f"{kind}: {total - table[kind, 'survived']} of {total} found ({parts})")
    print("survivors:")
    print("\n".join(survivors))


main()
