#!/usr/bin/env python3
"""How many deliberate faults the emulator finds.

kill_rate.py KBUILD FOLDER [PROGRAM...]: for each device program named (with KBUILD_TEST_FULL=1 all of PROGRAMS, else the
first), deletes each s_waitcnt, s_nop and s_barrier of its assembly in turn, widens the address of each store to memory and LDS,
and runs the result with `kbuild emulate`. Uses the newest SDK of the toolchain store, or the one in KBUILD_SDK. Prints what was found, by which check,
and why what was not found does no harm (harmless.py). Exit code 1: a fault that is neither found nor harmless, or both, or a
finding in an unmodified program; 77: no SDK.
"""
import collections
import json
import os
import re
import struct
import subprocess
import sys

import harmless

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ["transpose", "reduce", "mfma_types", "scan"]
FAULTS = {"s_waitcnt": r"^\ts_waitcnt\b", "s_nop": r"^\ts_nop\b", "s_barrier": r"^\ts_barrier\b",
          "store": r"^\t(global_store|ds_write)_?\w+ .*"}
TARGETS = (b"host-x86_64-unknown-linux-gnu", b"hipv4-amdgcn-amd-amdhsa--gfx942")
ROOM = 1 << 18  # bytes that a program has for its device code


def sdk_folder():
    if os.environ.get("KBUILD_SDK"):
        return os.environ["KBUILD_SDK"]
    store = os.path.join(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "kbuild", "toolchains")
    for name in ("rocm-7.2", "rocm-6.4"):
        if os.access(f"{store}/{name}/llvm/bin/clang++", os.X_OK):
            return f"{store}/{name}"
    return None


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def must_run(command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")


def bundle(code_object):
    """A bundle of device code as clang embeds it, filled up to the room that the program has."""
    header_size = 32 + sum(24 + len(target) for target in TARGETS)
    start = (header_size + 4095) // 4096 * 4096
    header = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(TARGETS))
    for target, size in zip(TARGETS, (0, len(code_object))):
        header += struct.pack("<QQQ", start, size, len(target)) + target
    data = header.ljust(start, b"\0") + code_object
    if len(data) > ROOM:
        sys.exit(f"{len(data)} bytes of device code; there is room for {ROOM}")
    return data.ljust(ROOM, b"\0")


class Program:
    """A device program whose host part is compiled once; device code is put into the finished file."""

    def __init__(self, sdk, name, folder):
        self.sdk, self.name, self.folder = sdk, name, folder
        source = f"{HERE}/programs/{name}.cpp"
        compiler = [f"{sdk}/llvm/bin/clang++", f"--rocm-path={sdk}", "--offload-arch=gfx942", "-x", "hip", "-isystem",
                    f"{sdk}/include", "-std=c++17", "-fPIC", "-I", f"{HERE}/programs", source]
        must_run(compiler + ["-O3", "--cuda-device-only", "-S", "-o", f"{folder}/{name}.s"])
        with open(f"{folder}/{name}.s", encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        with open(f"{folder}/{name}.fb", "wb") as file:
            file.write(bundle(b""))
        must_run(compiler + ["-O2", "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", f"{folder}/{name}.fb",
                             "-c", "-o", f"{folder}/{name}.o"])
        must_run([os.environ.get("CXX", "g++"), f"{folder}/{name}.o", "-o", f"{folder}/{name}", f"-L{sdk}/lib", "-lamdhip64"])
        with open(f"{folder}/{name}", "rb") as file:
            self.host = file.read()
        self.place = self.host.index(bundle(b"")[:200])

    def put(self, lines):
        """The program with this device code; none if it cannot be assembled."""
        base = f"{self.folder}/{self.name}.fault"
        with open(f"{base}.s", "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        for command in ([f"{self.sdk}/llvm/bin/clang", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-c", f"{base}.s", "-o",
                         f"{base}.o"],
                        [f"{self.sdk}/llvm/bin/lld", "-flavor", "gnu", "-shared", f"{base}.o", "-o", f"{base}.co"]):
            if run(command).returncode != 0:
                return None
        with open(f"{base}.co", "rb") as file:
            device = bundle(file.read())
        with open(base, "wb") as file:
            file.write(self.host[:self.place] + device + self.host[self.place + ROOM:])
        os.chmod(base, 0o755)
        return base


def emulate(kbuild, program):
    """The checks that found something."""
    report = f"{program}.json"
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


def excuse_in_text(program, number, kind):
    """Why a deletion does no harm in any run; none if nobody knows."""
    excuses = {"s_waitcnt": harmless.wait, "s_nop": harmless.nop, "s_barrier": harmless.barrier}
    return excuses[kind](program.lines, number) if kind in excuses else None


def excuse(kbuild, program, number, kind):
    """Why a fault that nothing was found of does no harm; none if nobody knows."""
    traps = program.lines[:number] + ["\ts_trap 2"] + program.lines[number:]
    reached = program.put(traps)
    if reached and not emulate(kbuild, reached):
        return "is never reached in this run"
    return excuse_in_text(program, number, kind)


def main():
    kbuild, folder = sys.argv[1:3]
    sdk = sdk_folder()
    if sdk is None:
        print("no ROCm SDK in the toolchain store")
        return 77
    os.makedirs(folder, exist_ok=True)
    failed = False
    totals = collections.Counter()
    full = os.environ.get("KBUILD_TEST_FULL") == "1"
    for name in sys.argv[3:] or PROGRAMS[:None if full else 1]:
        program = Program(sdk, name, folder)
        clean = emulate(kbuild, program.put(program.lines))
        print(f"{name}: unmodified: {', '.join(clean) or 'no findings'}", flush=True)
        failed = failed or bool(clean)
        found_by = collections.Counter()
        kinds = collections.Counter()
        excuses = collections.Counter()
        for number, line in enumerate(program.lines):
            kind = next((kind for kind, pattern in FAULTS.items() if re.match(pattern, line)), None)
            changed = kind and program.put(program.lines[:number] + [faulty(kind, line)] + program.lines[number + 1:])
            if not changed:
                continue
            kinds[kind] += 1
            found = emulate(kbuild, changed)
            if found and excuse_in_text(program, number, kind):
                print(f"  line {number + 1}: {line.strip()}: {', '.join(found)}, but it {excuse_in_text(program, number, kind)}")
                failed = True
            if found:
                found_by[found[0]] += 1
                totals[kind, found[0]] += 1
                continue
            reason = excuse(kbuild, program, number, kind)
            excuses[reason or "NOT EXPLAINED"] += 1
            totals[kind, "harmless" if reason else "missed"] += 1
            failed = failed or reason is None
            print(f"  line {number + 1}: {line.strip()}: {reason or 'NOT FOUND, NOT EXPLAINED'}", flush=True)
        counts = [f"{kind} {count}" for kind, count in sorted(kinds.items())]
        print(f"{name}: {sum(kinds.values())} faults ({', '.join(counts)}), {sum(found_by.values())} found by "
              f"{', '.join(f'{check} {count}' for check, count in sorted(found_by.items()))}; "
              f"{', '.join(f'{count} {reason}' for reason, count in sorted(excuses.items())) or 'none survived'}", flush=True)
    for kind in FAULTS:
        parts = [f"{check} {count}" for (k, check), count in sorted(totals.items()) if k == kind]
        if parts:
            print(f"{kind}: {', '.join(parts)}")
    return 1 if failed else 0


sys.exit(main())
