#!/usr/bin/env python3
"""Files that are not what they seem: each gets one clear finding and exit code 6, from `inspect` and from `verify`.

    bad_files.py --kbuild PROGRAM [--keep FOLDER] [NAME...]

The files are made here, byte by byte: cut off at every place that matters, for other machines, with counts that no file
can have, with notes that are none, and things that are no files at all. --keep leaves them in a folder.
"""

import argparse
import gzip
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.dont_write_bytecode = True
from code_files import (  # noqa: E402
    TARGET, bundle, code_object, device, elf, kernel, library, message_pack, metadata, note)

CONTENT = 6  # the exit code
TIME_LIMIT = 20
NOBODY = 65534
VARIANT = "torch213-cxx11-rocm72-x86_64-linux"
IDENTITY = "_bad_rocm_1a2b3c4"


def compressed(plain, version=2, method=0, size=None, total=None, packed=None):
    content = zlib.compress(plain) if packed is None else packed
    size = len(plain) if size is None else size
    total = 24 + len(content) if total is None else total
    return b"CCOB" + struct.pack("<HHIIQ", version, method, total, size & 0xFFFFFFFF, 0) + content


GOOD_LIBRARY = library(device(code_object()))

# name -> (bytes, what the finding has to say)
FILES = {
    "empty": (b"", "empty"),
    "one-byte": (b"\x7f", "no ELF file"),
    "magic-alone": (b"\x7fELF", "ELF"),
    "header-cut-off": (GOOD_LIBRARY[:40], "ELF"),
    "text": (b"import torch\n", "no ELF file"),
    "lfs-pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "no ELF file"),
    "archive": (b"!<arch>\nx/              0           0     0     644     0         `\n", "no ELF file"),
    "windows": (b"MZ" + b"\0" * 200, "no ELF file"),
    "macos": (b"\xcf\xfa\xed\xfe" + b"\0" * 200, "no ELF file"),
    "gzip": (gzip.compress(GOOD_LIBRARY, mtime=0), "no ELF file"),
    "32-bit": (elf([], elf_class=1), "32-bit"),
    "big-endian": (elf([], data=2), "ELF"),
    "no-section-table": (elf([], shoff=0, shnum=0, shstrndx=0), "no section table"),
    "section-table-outside": (elf([], shoff=1 << 40), "section"),
    "65535-sections": (elf([], shnum=0xFFFF), "section"),
    "half-a-library": (GOOD_LIBRARY[: len(GOOD_LIBRARY) // 2], "section"),
    "last-byte-missing": (GOOD_LIBRARY[:-1], "section"),
    "section-outside": (GOOD_LIBRARY[:-64 * 2 + 24] + struct.pack("<QQ", 1 << 40, 8) + GOOD_LIBRARY[-64 * 2 + 40 :],
                        "section"),
    "section-of-all-memory": (GOOD_LIBRARY[:-64 * 2 + 24] + struct.pack("<QQ", 64, 2**64 - 8)
                              + GOOD_LIBRARY[-64 * 2 + 40 :], "section"),
    # bundles
    "bundle-magic-alone": (library(b"__CLANG_OFFLOAD_BUNDLE__"), "cut off"),
    "bundle-of-all-memory": (library(bundle([], count=2**63)), "cut off|outside|target name"),
    "bundle-of-a-million": (library(bundle([], count=10**6)), "cut off|outside|target name"),
    "bundle-entry-outside": (library(device(code_object())[:4096]), "outside"),
    "bundle-target-of-all-memory": (library(b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 1, 0, 0, 2**63)),
                                    "target name"),
    "bundle-entries-overlap": (library(b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 2, 0, 250, 2) + b"ab"
                                       + struct.pack("<QQQ", 8, 250, 2) + b"cd" + b"\0" * 200), "overlap"),
    "junk-between-bundles": (library(device(code_object()) + b"junk" * 1024), "neither"),
    "bundle-file-cut-off": (device(code_object())[:4500], "outside"),
    "other-arch-than-said": (library(device(code_object(), TARGET.replace("gfx942", "gfx90a"))), "gfx942"),
    "host-code-as-device-code": (library(device(elf([]))), "no code object"),
    "empty-device-code": (library(device(b"")), "empty"),
    "text-as-device-code": (library(device(b"gfx942")), "no ELF file"),
    # compressed bundles
    "ccob-cut-off": (library(b"CCOB\x02\0"), "cut off"),
    "ccob-version-9": (library(compressed(b"x" * 99, version=9)), "version 9"),
    "ccob-method-7": (library(compressed(b"x" * 99, method=7)), "method 7"),
    "ccob-longer-than-file": (library(compressed(b"x" * 99, total=1 << 30)), "bytes"),
    "ccob-of-all-memory": (library(compressed(device(code_object()), size=0xFFFFFFFF)), "limit|stream|bytes"),
    "ccob-lies-about-size": (library(compressed(device(code_object()), size=64)), "stream|bytes"),
    "ccob-damaged-zlib": (library(compressed(b"", size=99, packed=b"\x78\x9c" + b"\xff" * 50)), "zlib"),
    "ccob-damaged-zstd": (library(compressed(b"", method=1, size=99, packed=b"\x28\xb5\x2f\xfd" + b"\xff" * 50)),
                          "zstd"),
    "ccob-of-no-bundle": (library(compressed(b"x" * 99)), "no bundle"),
    "ccob-bomb": (library(compressed(b"", size=0xFFFFFFF0, packed=zlib.compress(b"\0" * (1 << 24)))),
                  "limit|stream|bytes"),
    # code objects and their notes
    "no-note": (code_object(raw_note=b""), "no AMDGPU metadata note"),
    "note-cut-off": (code_object(raw_note=note(b"\x80", size=1 << 31)), "note"),
    "note-name-of-all-memory": (code_object(raw_note=note(b"\x80", name_size=0xFFFFFFFF)), "note"),
    "note-of-text": (code_object(raw_note=note(b"\xc1 is never used")), "MessagePack"),
    "note-is-a-list": (code_object(raw_note=note(message_pack([1]))), "map"),
    "note-nested-deeply": (code_object(raw_note=note(b"\x91" * 100000)), "MessagePack"),
    "note-says-a-billion": (code_object(raw_note=note(b"\xdf\x3f\xff\xff\xff")), "MessagePack"),
    "note-without-target": (code_object(metadata(amdhsa_target=None)), "amdhsa.target"),
    "target-of-nothing": (code_object(metadata(amdhsa_target="amdgcn-amd-amdhsa--")), "no AMD GPU"),
    "target-of-nvidia": (code_object(metadata(amdhsa_target="nvptx64-nvidia-cuda-sm_90")), "no AMD GPU"),
    "kernels-are-text": (code_object(metadata(kernels="gemm")), "no list"),
    "kernel-is-text": (code_object(metadata(kernels=["gemm"])), "no map"),
    "kernel-without-name": (code_object(metadata(kernels=[kernel(name=None)])), r"\.name"),
    "registers-below-zero": (code_object(metadata(kernels=[kernel(vgpr_count=-1)])), r"\.vgpr_count"),
    "registers-as-text": (code_object(metadata(kernels=[kernel(vgpr_count="8")])), r"\.vgpr_count"),
    "registers-beyond-32-bits": (code_object(metadata(kernels=[kernel(sgpr_count=2**40)])), r"\.sgpr_count"),
    "arguments-are-text": (code_object(metadata(kernels=[kernel(args="x")])), r"\.args"),
    "argument-is-number": (code_object(metadata(kernels=[kernel(args=[1])])), "argument"),
    "kernel-without-descriptor": (code_object(symbol="other.kd"), "no descriptor"),
    "code-object-version-99": (code_object(abi_version=99), "ABI version 99"),
    "code-object-of-pal": (code_object(os_abi=65), "HSA"),
}


def make_link_to_nothing(path):
    path.symlink_to("not-there")


def make_link_to_itself(path):
    path.symlink_to(path.name)


def make_link_to_device(path):
    path.symlink_to("/dev/zero")


def make_unreadable(path):
    path.write_bytes(GOOD_LIBRARY)
    path.chmod(0)


def make_socket(path):
    here = os.getcwd()
    os.chdir(path.parent)  # socket names are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)
    os.chdir(here)


THINGS = {
    "link-to-nothing": (make_link_to_nothing, "no file|is no regular file"),
    "link-to-itself": (make_link_to_itself, "no file|is no regular file"),
    "link-to-a-device": (make_link_to_device, "no regular file"),
    "pipe": (os.mkfifo, "no regular file"),
    "socket": (make_socket, "no regular file"),
    "unreadable": (make_unreadable, "Permission denied"),
}


def make(name, path):
    if name in THINGS:
        THINGS[name][0](path)
    else:
        path.write_bytes(FILES[name][0])


def make_variant(folder, name):
    """A variant whose library is that file."""
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from ._ops import ops\n")
    (folder / "_ops.py").write_text(f"from . import {IDENTITY}\n")
    (folder / "metadata.json").write_text(json.dumps({
        "name": "bad", "id": IDENTITY, "version": 1, "license": "MIT", "python-depends": [],
        "backend": {"type": "rocm", "archs": ["gfx942"]}}))
    make(name, folder / f"{IDENTITY}.abi3.so")


class Runner:
    def __init__(self, kbuild, root):
        self.kbuild, self.root = kbuild, root
        self.env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(root), "XDG_DATA_HOME": str(root),
                    "KBUILD_OPT_DIR": str(root), "KBUILD_USR_DIR": str(root), "LC_ALL": "C.UTF-8"}
        self.sanitizers = {key: value for key, value in os.environ.items() if key.endswith("SAN_OPTIONS")}

    def run(self, *arguments):
        return self.start(self.kbuild, {**self.env, **self.sanitizers}, arguments)

    def run_as_somebody(self, *arguments):
        """What nobody may read root reads all the same; so root lets somebody else try, with a program of his own."""
        if os.geteuid() != 0:
            return self.run(*arguments)
        copy = self.root / "kbuild"
        if not copy.exists():
            shutil.copy(self.kbuild, copy)
            copy.chmod(0o755)
        return self.start(copy, {**self.env, "ASAN_OPTIONS": "detect_leaks=0"}, arguments,
                          user=NOBODY, group=NOBODY, extra_groups=[])

    def start(self, program, env, arguments, **user):
        return subprocess.run([program, "--message-format", "json", *map(str, arguments)], cwd=self.root, text=True,
                              env=env, capture_output=True, timeout=TIME_LIMIT, **user)


def findings(result):
    lines = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    return [line for line in lines if line["reason"] == "error" or line.get("severity") == "error"]


def text_of(finding):
    return " ".join([finding["message"], *finding.get("context", []), *finding.get("notes", [])])


def check(runner, name):
    """What is wrong with how kbuild takes the file; empty: nothing."""
    expected = (THINGS.get(name) or FILES[name])[1]
    path = runner.root / f"{name}.so"
    make(name, path)
    run = runner.run_as_somebody if name == "unreadable" else runner.run
    result = run("inspect", path)
    found = findings(result)
    if result.returncode != CONTENT or len(found) != 1:
        return f"inspect: exit {result.returncode}, {len(found)} findings\n{result.stdout}{result.stderr}"
    if not re.search(expected, text_of(found[0])) or not re.search(name, text_of(found[0])):
        return f"inspect says nothing of `{expected}` or of the file: {text_of(found[0])}"
    folder = runner.root / name / VARIANT
    make_variant(folder, name)
    result = run("verify", folder)
    if result.returncode != CONTENT or not findings(result):
        return f"verify: exit {result.returncode}, no finding\n{result.stdout}{result.stderr}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kbuild", required=True, type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = options.names or [*FILES, *THINGS]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="kbuild-bad-files-") as folder:
        root = pathlib.Path(folder).resolve()
        root.chmod(0o755)
        runner = Runner(options.kbuild.resolve(), root)
        for name in names:
            problem = check(runner, name)
            if problem:
                failed += 1
                print(f"failed: {name}: {problem}")
        if options.keep:
            shutil.copytree(root, options.keep, symlinks=True,
                            ignore=shutil.ignore_patterns("kbuild", "pipe*", "socket*"))
    print(f"{len(names) - failed} of {len(names)} bad files are taken as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
