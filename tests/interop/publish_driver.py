"""Projects to publish, and kbuild run on them with a made-up token that must never show."""

import hashlib
import json
import os
import random
import subprocess
from pathlib import Path

import kbuild_driver as driver

TOKEN = "hf_write_made_up"
ROCM = "torch213-cxx11-rocm72-x86_64-linux"
CPU = "torch213-cxx11-cpu-x86_64-linux"
LENIENT = ("--allow-dirty", "--allow-sdk-origin", "--allow-failed-checks")

BUILD_TOML = """\
[general]
name = "kk"
version = 1
edition = 5
license = "MIT"
backends = ["rocm", "cpu"]

[general.hub]
repo-id = "lab/k"

[torch-noarch]
"""


def write(path, content=b""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def write_variant(project, name, seed=0, size=120_000):
    """A variant with what uploads have to cope with: a library, text, an empty file, a folder, a name with a blank."""
    folder = project / "build" / name
    backend = "rocm" if "rocm" in name else "cpu"
    library = random.Random(f"{name} {seed}").randbytes(size)
    write(folder / f"_k_{backend}_abc.abi3.so", library)
    write(folder / "__init__.py", "from ._ops import ops\n")
    write(folder / "_ops.py", f"# {seed}\n")
    write(folder / "empty.py")
    write(folder / "layers/a file.py", "x = 1\n")
    write(folder / "metadata.json", json.dumps({
        "name": "kk", "id": f"_k_{backend}_abc", "version": 1, "license": "MIT", "python-depends": [],
        "backend": {"type": backend}}))
    return folder


def make_project(folder, variants=(ROCM, CPU)):
    write(folder / "build.toml", BUILD_TOML)
    write(folder / "torch-ext/kk/__init__.py", '__all__ = ["f"]\n')
    write(folder / "CARD.md", "# {{ repo_id }} {{ version }}\n{% for f in functions %}\n- {{ f }}\n{% endfor %}\n")
    for name in variants:
        write_variant(folder, name)
    return folder


def environment(bed, home, **changes):
    values = {"HOME": str(home), "XDG_CACHE_HOME": f"{home}/cache", "XDG_DATA_HOME": f"{home}/data",
              "HF_ENDPOINT": bed.url, "HF_TOKEN": TOKEN, "KBUILD_HTTP_BACKOFF": "1", "KBUILD_HTTP_TIMEOUT": "1"}
    values.update(changes)
    clean = driver.clean_environment()
    for name in ("HF_HOME", "HF_TOKEN", "HF_HUB_OFFLINE", "HTTP_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        clean.pop(name, None)
    return {**clean, **{name: value for name, value in values.items() if value is not None}}


def start(bed, home, *arguments, preexec=None, **changes):
    return subprocess.Popen([driver.kbuild_command(), *map(str, arguments)], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environment(bed, home, **changes), preexec_fn=preexec)


def run(bed, home, *arguments, exit_code=0, **changes):
    """Runs kbuild; requires the exit code, and that the token shows nowhere."""
    process = start(bed, home, *arguments, **changes)
    stdout, stderr = process.communicate(timeout=120)
    assert exit_code is None or process.returncode == exit_code, f"exit {process.returncode}\n{stdout}\n{stderr}"
    assert TOKEN not in stdout + stderr and "X-Amz-Signature" not in stdout + stderr
    return subprocess.CompletedProcess(arguments, process.returncode, stdout, stderr)


def upload(bed, home, project, *arguments, exit_code=0, **changes):
    result = run(bed, home, "upload", project, *LENIENT, "--format", "json", *arguments, exit_code=exit_code, **changes)
    return json.loads(result.stdout) if result.returncode == 0 else result


def files_with(folder, text):
    """Files below a folder that hold the text."""
    needle = text.encode()
    return [path for path in Path(folder).rglob("*") if path.is_file() and needle in path.read_bytes()]


def repository(bed, name="lab/k", kind="kernel"):
    return bed.hub.repositories[kind, name]


def described(tree):
    """A tree as what any client sees of it."""
    return {path: (file.oid, file.size, file.sha256) for path, file in tree.items()}


def wanted_files(project):
    return {f"build/{path.relative_to(project / 'build')}": hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((project / "build").rglob("*")) if path.is_file()}


def published_files(bed, ref="v1", name="lab/k"):
    tree = repository(bed, name).tree(ref)
    return {path: file.sha256 or hashlib.sha256(file.content).hexdigest()
            for path, file in tree.items() if path.startswith("build/")}


os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
