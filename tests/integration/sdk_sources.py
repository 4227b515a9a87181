"""Small sources of SDKs, served on loopback: apt repositories that real apt reads (signed, if gpg is there) and a Python
index that real pip reads. The ROCms and torches in them have the files that kbuild looks at and no others."""

import contextlib
import hashlib
import os
import shutil
import subprocess
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TRIPLE = "x86_64-linux-gnu" if os.uname().machine == "x86_64" else "aarch64-linux-gnu"
ARCHITECTURE = "amd64" if os.uname().machine == "x86_64" else "arm64"
SUITE = "stable"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def served(folder):
    """The address of a server of the folder's files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def make_library(path, soname, symbols=("one",)):
    path.parent.mkdir(parents=True, exist_ok=True)
    source = "".join(f"void {name}(void) {{}}\n" for name in symbols)
    subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", f"-Wl,-soname,{soname}", "-x", "c", "-", "-o", path],
                   input=source, text=True, check=True)


def hip_version(version):
    major, minor = version.split(".")
    return (f"#define HIP_VERSION_MAJOR {major}\n#define HIP_VERSION_MINOR {minor}\n#define HIP_VERSION_PATCH 4711\n")


def make_deb(pool, name, version, files, depends="", links=()):
    """files: path -> text, or a function that makes the file at a path."""
    tree = pool / f".{name}"
    for path, content in files.items():
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if callable(content):
            content(target)
        else:
            target.write_text(content)
            target.chmod(0o755)
    for path, target in links:
        link = tree / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
    control = tree / "DEBIAN/control"
    control.parent.mkdir(parents=True, exist_ok=True)
    control.write_text(f"Package: {name}\nVersion: {version}\nArchitecture: {ARCHITECTURE}\nMaintainer: nobody\n"
                       + (f"Depends: {depends}\n" if depends else "") + "Description: made for a test\n")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "-b", tree, pool / f"{name}_{version}_{ARCHITECTURE}.deb"],
                   check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)


def packages_index(root, pool):
    stanzas = []
    for deb in sorted(pool.glob("*.deb")):
        control = subprocess.run(["dpkg-deb", "-f", deb], check=True, capture_output=True, text=True).stdout
        data = deb.read_bytes()
        stanzas.append(f"{control}Filename: {deb.relative_to(root)}\nSize: {len(data)}\n"
                       f"SHA256: {hashlib.sha256(data).hexdigest()}\n")
    return "\n".join(stanzas)


def write_release(root, components=("main",)):
    """Lists of what lies in root/pool/<component>, and Release; sign() makes the rest."""
    suite = root / "dists" / SUITE
    lines = []
    for component in components:
        index = suite / component / f"binary-{ARCHITECTURE}/Packages"
        index.parent.mkdir(parents=True, exist_ok=True)
        index.write_text(packages_index(root, root / "pool" / component))
        data = index.read_bytes()
        lines.append(f" {hashlib.sha256(data).hexdigest()} {len(data)} {index.relative_to(suite)}")
    release = suite / "Release"
    release.write_text(f"Origin: Test\nSuite: {SUITE}\nCodename: {SUITE}\nArchitectures: {ARCHITECTURE}\n"
                       f"Components: {' '.join(components)}\nDate: Tue, 01 Dec 2026 00:00:00 UTC\nSHA256:\n"
                       + "\n".join(lines) + "\n")
    return release


class Key:
    """A key of its own home; none where gpg cannot make one."""

    def __init__(self, home):
        self.home = home
        home.mkdir(mode=0o700)
        self.gpg("--passphrase", "", "--quick-gen-key", "test@example.invalid", "rsa2048", "sign", "never")

    def gpg(self, *arguments):
        subprocess.run(["gpg", "--homedir", self.home, "--batch", "--yes", "--quiet", "--pinentry-mode", "loopback",
                        *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def sign(self, release):
        self.gpg("--clearsign", "--output", release.with_name("InRelease"), release)

    def export(self, path):
        self.gpg("--output", path, "--export")
        return path


def make_amd_repository(root, version):
    """As AMD cuts its packages: everything below /opt/rocm-X.Y.0, links with absolute targets among it."""
    pool = root / "pool/main"
    pool.mkdir(parents=True)
    prefix, full = f"opt/rocm-{version}.0", f"{version}.0.4711-1~22.04"
    make_deb(pool, "rocm-core", full, {f"{prefix}/.info/version": f"{version}.0-1\n"})
    make_deb(pool, "rocm-llvm", full, {f"{prefix}/lib/llvm/bin/clang++": "#!/bin/sh\n"},
             links=[(f"{prefix}/llvm", f"/{prefix}/lib/llvm"), (f"{prefix}/bin/amdclang++", "../lib/llvm/bin/clang++")])
    make_deb(pool, "rocm-device-libs", full, {f"{prefix}/amdgcn/bitcode/ocml.bc": "BC"})
    make_deb(pool, "hipcc", full, {f"{prefix}/bin/hipcc": "#!/bin/sh\n"}, depends="rocm-core, rocm-llvm")
    make_deb(pool, "hip-dev", full, {f"{prefix}/include/hip/hip_version.h": hip_version(version),
                                     f"{prefix}/include/hip/hip_runtime.h": "\n"},
             depends="hip-runtime-amd, hipcc", links=[(f"{prefix}/lib/libamdhip64.so", "libamdhip64.so.7")])
    make_deb(pool, "hip-runtime-amd", full,
             {f"{prefix}/lib/libamdhip64.so.7": lambda path: make_library(path, "libamdhip64.so.7")})
    make_deb(pool, "rocprim-dev", full, {f"{prefix}/include/rocprim/rocprim.hpp": "\n"})
    make_deb(pool, "rocwmma-dev", full, {f"{prefix}/include/rocwmma/rocwmma.hpp": "\n"})
    return write_release(root)


def make_debian_repository(root, version, clang):
    """As Debian cuts its packages, with a compiler of any major version."""
    pool = root / "pool/main"
    pool.mkdir(parents=True)
    llvm = f"usr/lib/llvm-{clang}"
    full = f"{version}.1-1"
    make_deb(pool, "hipcc", full, {"usr/bin/hipcc": "#!/bin/sh\n"},
             depends=f"libc6, clang-{clang}, rocm-device-libs-{clang}")
    make_deb(pool, "libamdhip64-dev", full, {"usr/include/hip/hip_version.h": hip_version(version),
                                             "usr/include/hip/hip_runtime.h": "\n"}, depends="libamdhip64-9")
    make_deb(pool, "libamdhip64-9", full,
             {f"usr/lib/{TRIPLE}/libamdhip64.so.9.0": lambda path: make_library(path, "libamdhip64.so.9")})
    make_deb(pool, f"rocm-device-libs-{clang}", full, {f"{llvm}/lib/clang/{clang}/amdgcn/bitcode/ocml.bc": "BC"})
    make_deb(pool, f"clang-{clang}", f"1:{clang}.1.0-1", {f"{llvm}/bin/clang++": "#!/bin/sh\n"},
             depends=f"libclang-cpp{clang}-new, libllvm{clang}-new")
    for name in (f"libclang-cpp{clang}-new", f"libllvm{clang}-new"):
        make_deb(pool, name, f"1:{clang}.1.0-1", {f"usr/lib/{TRIPLE}/{name}.txt": "x"})
    for name in ("clang-tools-{}", "lld-{}", "llvm-{}", "libclang-common-{}-dev", "libclang-rt-{}-dev"):
        make_deb(pool, name.format(clang), f"1:{clang}.1.0-1", {f"usr/share/doc/{name.format(clang)}": "x"})
    return write_release(root)


HIPIFY = """
import os
def hipify(project_directory, **options):
    for folder in ("c10", "ATen"):
        os.makedirs(os.path.join(project_directory, folder, "hip"), exist_ok=True)
    open(os.path.join(project_directory, "c10/hip/HIPStream.h"), "w").close()
"""


def make_torch_index(root, version, version_py, libraries):
    """An index with one wheel of torch; its folder is root/simple."""
    folder = root / "simple/torch"
    folder.mkdir(parents=True)
    name = f"torch-{version}-py3-none-any.whl"
    info = f"torch-{version}.dist-info"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        wheel.writestr("torch/version.py", version_py)
        for header in ("torch/library.h", "c10/core/Device.h", "c10/cuda/CUDAStream.h", "ATen/cuda/CUDAContext.h"):
            wheel.writestr(f"torch/include/{header}", "\n")
        wheel.writestr("torch/utils/hipify/__init__.py", "")
        wheel.writestr("torch/utils/hipify/hipify_python.py", HIPIFY)
        for library in ("torch", "torch_cpu", "c10", *libraries):
            made = root / f"lib{library}.so"
            make_library(made, made.name)
            wheel.write(made, f"torch/lib/{made.name}")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    (folder / "index.html").write_text(f'<!DOCTYPE html><a href="{name}">{name}</a>\n')
    return folder / name
