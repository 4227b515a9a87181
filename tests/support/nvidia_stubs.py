"""Stub libraries for what a CUDA build of torch links from NVIDIA, so that it can be imported without a GPU.

No call succeeds: a function that returns a status returns 100 ("no device" to the CUDA runtime and driver, a failure to
all other libraries), one that returns a text returns "stub", and registrations, which can't fail, do nothing. So nothing
that a test sees can have been computed by a stub.

The stubs lie where the wheel's own RPATH expects NVIDIA's packages: no LD_LIBRARY_PATH is needed.
"""

import re
import subprocess
from collections import defaultdict
from pathlib import Path

FAILURE = 100  # cudaErrorNoDevice, CUDA_ERROR_NO_DEVICE; not 0, hence a failure, elsewhere
OWN_LIBRARIES = ("libtorch", "libc10", "libcaffe2", "libshm")
NVIDIA_LIBRARY = re.compile(r"lib(cu|nv|nccl)")
NVIDIA_SYMBOL = re.compile(r"_*(cu[A-Z]|cuda|cudnn|cublas|cusparse|cufft|curand|cusolver|cupti|nccl|pnccl|nvrtc"
                           r"|nvJitLink|nvshmem|nvtx)")
RETURNS_TEXT = re.compile(r"[a-zA-Z]+Get(Error|Status)(String|Name)|ncclGetLastError")
TEXT_THROUGH_POINTER = re.compile(r"cu[A-Z]")  # the driver and cupti return the status, the text by pointer
RETURNS_NOTHING = re.compile(r"__cuda(Un)?[rR]egister.*|.*Get(Cudart)?Version")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def dynamic_section(library):
    """The NEEDED names and the RPATH entries."""
    text = output_of("readelf", "-dW", library)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    rpath = re.findall(r"\(R(?:UN)?PATH\).*\[(.*)\]", text)
    return needed, rpath[0].split(":") if rpath else []


def undefined_symbols(library):
    """Pairs of a name and its version; the version is empty where there is none."""
    for line in output_of("nm", "-D", "--undefined-only", "--with-symbol-versions", library).splitlines():
        name, _, version = line.split()[-1].partition("@")
        yield name, version.lstrip("@")


def home_of_stubs(rpath):
    """The last RPATH entry that belongs to NVIDIA, relative to the library: `../../nvidia/cu13/lib`."""
    entries = [entry for entry in rpath if "/nvidia/" in entry]
    if not entries:
        raise SystemExit("nvidia_stubs: this torch has no RPATH to NVIDIA's packages: not a CUDA build?")
    return entries[-1].removeprefix("$ORIGIN/")


def function(name):
    if RETURNS_NOTHING.fullmatch(name):
        return f"void *{name}(void) {{ return 0; }}\n"
    if RETURNS_TEXT.fullmatch(name) and not TEXT_THROUGH_POINTER.match(name):
        return f'const char *{name}(void) {{ return "stub"; }}\n'
    return f"int {name}(void) {{ return {FAILURE}; }}\n"


def make_library(path, symbols_by_version):
    source = "".join(function(name) for names in symbols_by_version.values() for name in sorted(names))
    script = "".join(f"{version} {{ global: {' '.join(name + ';' for name in sorted(names))} }};\n"
                     for version, names in sorted(symbols_by_version.items()))
    script_file = path.with_suffix(".map")
    script_file.write_text(script)
    command = ["gcc", "-x", "c", "-w", "-fno-builtin", "-shared", "-fPIC", "-o", path, f"-Wl,-soname,{path.name}", "-"]
    if symbols_by_version:
        command.insert(-1, f"-Wl,--version-script,{script_file}")
    subprocess.run(command, input=source, text=True, check=True)
    script_file.unlink()


def make_stubs(torch_lib):
    """Writes the stubs for the libraries in the folder `torch_lib`; returns their sonames."""
    sonames, homes = set(), set()
    symbols = defaultdict(set)  # by version
    for library in sorted(torch_lib.iterdir()):
        if not library.name.startswith(OWN_LIBRARIES) or ".so" not in library.name:
            continue
        needed, rpath = dynamic_section(library)
        nvidia = [name for name in needed if NVIDIA_LIBRARY.match(name)]
        sonames.update(nvidia)
        if nvidia:
            homes.add(home_of_stubs(rpath))
        for name, version in undefined_symbols(library):
            if NVIDIA_SYMBOL.match(name):
                symbols[version].add(name)
    for home in homes:
        folder = Path(torch_lib, home).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for soname in sonames:
            make_library(folder / soname, versions_of(soname, symbols))
    return sorted(sonames)


def versions_of(soname, symbols):
    """Most libraries name their symbol version after themselves. Names without a version are found in any library that is
    loaded, and the CUDA runtime always is."""
    versions = {soname: symbols[soname]} if symbols.get(soname) else {}
    if soname.startswith("libnvshmem") and "NVSHMEM" in symbols:
        versions["NVSHMEM"] = symbols["NVSHMEM"]
    if soname.startswith("libcudart") and "" in symbols:
        versions["UNVERSIONED"] = symbols[""]
    return versions
