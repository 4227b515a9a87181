#!/usr/bin/env python3
"""Writes what fuzzing of code files starts from, so that no binary file is in the repository: make_seeds.py FOLDER"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
sys.dont_write_bytecode = True
import bad_files  # noqa: E402
from code_files import code_object, device, kernel, library, message_pack, metadata  # noqa: E402


def write(folder, name, content):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def main():
    root = pathlib.Path(sys.argv[1])
    argument = {".offset": 0, ".size": 8, ".value_kind": "global_buffer"}
    for name, document in {
        "plain": metadata(),
        "full": metadata(kernels=[kernel(args=[argument], agpr_count=8, uses_dynamic_stack=True)]),
        "none": metadata(kernels=[]),
        "two": metadata(kernels=[kernel(), kernel(name="relu")], amdhsa_target="amdgcn-amd-amdhsa--gfx90a:xnack-"),
    }.items():
        write(root / "note", name, message_pack(document))
        write(root / "device_code", f"object-{name}", b"\1" + code_object(document))
    bundle = device(code_object())
    write(root / "elf", "library", library(bundle))
    write(root / "elf", "object", code_object())
    write(root / "device_code", "bundle", b"\0" + bundle)
    for method in (0, 1):
        write(root / "device_code", f"compressed-{method}", b"\0" + bad_files.compressed(bundle, method=method))
    # Bad ones are near to other bad ones.
    for name, (content, _) in bad_files.FILES.items():
        if len(content) < 20_000:
            write(root / "elf", f"bad-{name}", content)


if __name__ == "__main__":
    main()
