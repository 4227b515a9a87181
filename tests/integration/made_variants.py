"""Variant folders, good and bad, for comparing kbuild's verdicts with those of upstream's own tools.

A case is a name, the variant's folder name, and what is changed in a folder that is good. Libraries are real ones, made
by the compiler and linked by GNU ld, which is what upstream's check of symbols reads correctly.
"""

import base64
import hashlib
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

CPU = "torch213-cxx11-cpu-x86_64-linux"
IDENTITY = "_made_cpu_1a2b3c4"
OPS = f'import torch\nfrom . import {IDENTITY}\nops = torch.ops.{IDENTITY}\n'

METADATA = {
    "name": "made",
    "id": IDENTITY,
    "version": 1,
    "license": "Apache-2.0",
    "python-depends": [],
    "backend": {"type": "cpu"},
}

# What the extension calls besides being one: the verdicts are about these.
SOURCES = {
    "plain": "",
    "memory": "#include <stdlib.h>\nvoid *take(void) { return malloc(3); }\n",
    "math": "#include <math.h>\ndouble power(double x) { return pow(x, x); }\n",
    "stat": "#include <sys/stat.h>\nint size(const char *f) { struct stat s; return stat(f, &s); }\n",
    "thread": "#include <pthread.h>\nvoid *go(void *p) { return p; }\n"
              "int start(pthread_t *t) { return pthread_create(t, 0, go, 0); }\n",
    "dlopen": "#include <dlfcn.h>\nvoid *more(const char *f) { return dlopen(f, 1); }\n",
    "limited": "void *PyLong_FromLong(long); void *one(void) { return PyLong_FromLong(1); }\n",
    "python_3_10": "int Py_Is(void *, void *); int same(void *x) { return Py_Is(x, x); }\n",
    "python_3_12": "void *PyObject_Vectorcall(void *, void *, long, void *);\n"
                   "void *call(void *f) { return PyObject_Vectorcall(f, 0, 0, 0); }\n",
    "python_private": "int _PyArg_ParseStack(void *, long, const char *);\n"
                      "int parse(void *p) { return _PyArg_ParseStack(p, 0, \"\"); }\n",
    "python_unlimited": "void *PyUnicode_AsUTF8(void *); void *text(void *p) { return PyUnicode_AsUTF8(p); }\n",
}


def make_libraries(folder):
    """One shared library per source; their paths by name."""
    libraries = {}
    for name, text in SOURCES.items():
        source = folder / f"{name}.c"
        source.write_text(f"void *PyInit_{IDENTITY}(void) {{ return 0; }}\n" + text)
        libraries[name] = folder / f"{name}.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-fuse-ld=bfd", "-fno-builtin", source, "-o", libraries[name],
                        "-lm", "-Wl,-z,relro"], check=True)
    return libraries


@dataclass
class Case:
    name: str
    library: str = "plain"
    change: Callable[[Path], None] = lambda folder: None
    metadata: dict = field(default_factory=dict)  # keys to replace; None: to leave out
    raw: str | None = None  # the whole of metadata.json
    digest: bool = False


def digest_of(folder):
    files = {str(path.relative_to(folder)): base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
             for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "metadata.json"}
    return {"algorithm": "sha256", "files": files}


def make_variant(case, folder, libraries):
    """The variant of a case below `folder`."""
    variant = folder / CPU
    variant.mkdir(parents=True)
    (variant / "__init__.py").write_text("from ._ops import ops\n")
    (variant / "_ops.py").write_text(OPS)
    (variant / f"{IDENTITY}.abi3.so").write_bytes(libraries[case.library].read_bytes())
    metadata = {key: value for key, value in {**METADATA, **case.metadata}.items() if value is not None}
    if case.digest:
        metadata["digest"] = digest_of(variant)
    (variant / "metadata.json").write_text(case.raw if case.raw is not None else json.dumps(metadata, indent=2))
    case.change(variant)
    return variant


def remove(name):
    return lambda folder: (folder / name).unlink()


def write(name, text):
    def change(folder):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return change


def without(key):
    return Case(f"no-{key}", metadata={key: None})


COMMIT = "0123456789abcdef0123456789abcdef01234567"
PROVENANCE = {"kernel-builder": {"version": "1.0"}, "kernel": {"commit": COMMIT, "dirty": False}}

CASES = [
    # metadata.json
    Case("good"),
    Case("no-metadata", change=remove("metadata.json")),
    Case("empty-metadata", raw=""),
    Case("no-json", raw="{"),
    Case("a-list", raw="[]"),
    Case("bytes-behind", raw=json.dumps(METADATA) + "x"),
    without("name"), without("id"), without("version"), without("license"), without("python-depends"),
    without("backend"),
    Case("bad-name", metadata={"name": "Made_It"}),
    Case("text-version", metadata={"version": "1"}),
    Case("negative-version", metadata={"version": -1}),
    Case("huge-version", metadata={"version": 2**64 - 1}),
    Case("half-version", metadata={"version": 1.5}),
    Case("unknown-backend", metadata={"backend": {"type": "hip"}}),
    Case("backend-as-text", metadata={"backend": "cpu"}),
    Case("unknown-key", metadata={"later": {"x": 1}}),
    Case("null-upstream", raw=json.dumps({**METADATA, "upstream": None})),
    Case("depends-on-number", metadata={"python-depends": [1]}),
    Case("minver", metadata={"kernels-minver": "0.15.0"}),
    Case("bad-minver", metadata={"kernels-minver": "new"}),
    Case("provenance", metadata={"provenance": PROVENANCE}),
    Case("provenance-of-nothing", metadata={"provenance": {}}),
    Case("bad-commit", metadata={"provenance": {**PROVENANCE, "kernel": {"commit": "abc", "dirty": False}}}),
    Case("twice", raw=json.dumps(METADATA)[:-1] + ', "version": 2}'),
    Case("unknown-key-twice", raw=json.dumps(METADATA)[:-1] + ', "later": 1, "later": 2}'),
    # digest
    Case("digest", digest=True),
    Case("digest-changed", digest=True, change=write("__init__.py", "from ._ops import ops  # changed\n")),
    Case("digest-missing-file", digest=True, change=remove("__init__.py")),
    Case("digest-one-more", digest=True, change=write("more.py", "")),
    Case("digest-bytecode", digest=True, change=write("__pycache__/x.pyc", "")),
    Case("digest-signature", digest=True, change=write("metadata.json.sigstore", "{}")),
    Case("digest-signature-below", digest=True, change=write("below/metadata.json.sigstore", "{}")),
    Case("digest-unknown-algorithm", metadata={"digest": {"algorithm": "md5", "files": {}}}),
    Case("digest-no-base64", metadata={"digest": {"algorithm": "sha256", "files": {"__init__.py": "???"}}}),
    # symbols
    *(Case(f"symbols-{name}", library=name) for name in SOURCES if name != "plain"),
]

# Names for the choice of a variant: what the loader knows, and what it does not.
NAMES = [
    f"torch{torch}-{abi}{backend}-{cpu}-linux"
    for torch in ("212", "213", "214")
    for abi in ("cxx11-", "")
    for backend, cpu in (("cpu", "x86_64"), ("cpu", "aarch64"), ("rocm71", "x86_64"), ("rocm72", "x86_64"))
] + [
    "torch213-cxx98-cpu-x86_64-linux", "torch213-cxx11-cu126-x86_64-linux", "torch213-cxx11-cu130-x86_64-linux",
    "torch213-cxx11-xpu20260-x86_64-linux", "torch213-metal-aarch64-darwin", "torch213-cxx11-cpu-x86_64-windows",
    "torch-stable-abi210-cpu-x86_64-linux", "torch-stable-abi29-cpu-x86_64-linux",
    "torch-stable-abi214-rocm72-x86_64-linux", "torch-stable-abi210-rocm72-x86_64-linux",
    "tvm-ffi01-cpu-x86_64-linux", "torch-cpu", "torch-rocm", "torch-cuda", "torch-universal", "torch-npu",
    "torch213", "torch213-cxx11", "torchx-cxx11-cpu-x86_64-linux", "jax213-cpu-x86_64-linux", "x",
    "torch213-cxx11-hip-x86_64-linux",
]
