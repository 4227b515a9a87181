"""Builds the stand-in libamdhip64 (hip_standin.c) under the sonames that ROCm 5, 6 and 7 use.

usage: make_hip_standin.py OUT LIBRARY...

The HIP names of each LIBRARY, imported ones (an extension) or exported ones (an SDK's libamdhip64), are exported by the
stand-in: those that hip_standin.c does not define answer hipErrorNoDevice.
"""

import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("hip_standin.c")
SONAMES = [f"libamdhip64.so.{major}" for major in (5, 6, 7)]


def dynamic_names(library, which):
    listing = subprocess.run(["nm", "-D", which, library], check=True, capture_output=True, text=True).stdout
    names = (line.split()[-1].split("@")[0] for line in listing.splitlines())
    return {name for name in names if name.startswith(("hip", "__hip"))}


def make_standin(out, libraries):
    """Writes the three libraries to the folder `out`."""
    out.mkdir(parents=True, exist_ok=True)
    wanted = set()
    for library in libraries:
        wanted |= dynamic_names(library, "--undefined-only") | dynamic_names(library, "--defined-only")
    written = out / "written.so"
    command = ["gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run([*command, SOURCE, "-o", written], check=True)
    missing = sorted(wanted - dynamic_names(written, "--defined-only"))
    written.unlink()
    rest = out / "rest.c"
    rest.write_text("".join(f"int {name}(void) {{ return 100; }}\n" for name in missing))
    for soname in SONAMES:
        subprocess.run([*command, SOURCE, rest, "-o", out / soname, f"-Wl,-soname,{soname}"], check=True)
    rest.unlink()


if __name__ == "__main__":
    make_standin(Path(sys.argv[1]), sys.argv[2:])
