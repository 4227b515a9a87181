#!/usr/bin/env python3
"""check_report.py REPORT: whether `kbuild emulate --report` counts what programs/counted.cpp does.

32 banks of 4 bytes; 32 lanes share a cycle: with all words in one bank that is 31 cycles too many per half of the wave, for
the store and for the load. 64 neighbouring floats touch four segments of 64 bytes; floats 64 bytes apart touch 64.
"""
import json
import sys

WANT = {
    "straight(float const*, float*)": {"conflicts": 0, "segments": 4 + 4},
    "scattered(float const*, float*)": {"conflicts": 2 * 2 * 31, "segments": 64 + 4},
}

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
kernels = {kernel["name"]: kernel for kernel in report["kernels"]}
problems = []
if sorted(kernels) != sorted(WANT):
    problems.append(f"kernels {sorted(kernels)}")
for name, want in WANT.items():
    kernel = kernels.get(name)
    if kernel is None:
        continue
    # Kernel arguments come through scalar loads of one segment each.
    scalar = kernel["by_unit"].get("smem", 0)
    got = {
        "launches": kernel["launches"],
        "lds accesses": kernel["lds"]["accesses"],
        "conflicts": kernel["lds"]["conflict_cycles"],
        "vector accesses": kernel["global"]["accesses"] - scalar,
        "segments": kernel["global"]["segments_of_64_bytes"] - scalar,
        "bytes written": kernel["global"]["bytes_written"],
        "instructions by unit": sum(kernel["by_unit"].values()),
    }
    expected = {"launches": 1, "lds accesses": 2, "vector accesses": 2, "bytes written": 256,
                "instructions by unit": kernel["wave_instructions"], **want}
    if got != expected:
        problems.append(f"{name}: {got}, not {expected}")
if any(one["fidelity"] not in ("exact", "approximate") or not one["oracle"] for one in report["instructions"]):
    problems.append("an instruction without fidelity or oracle")
if report["findings"]:
    problems.append("findings")
print("\n".join(problems) or "the report counts right")
sys.exit(1 if problems else 0)
