# Written by `kbuild generate`: lets pip build the kernel with CMake, for the torch of this Python.
import os
import shlex
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
MODULE = "@module@"


class BuildKernel(build_ext):
    """Runs CMake, which puts the library and _ops.py into the package: where it will be installed from, or, for an
    editable install, into torch-ext/."""

    editable_mode = False

    def run(self):
        in_place = self.inplace or self.editable_mode
        package = HERE / "torch-ext" / MODULE if in_place else Path(self.build_lib, MODULE).absolute()
        build = Path(self.build_temp).absolute()
        arguments = shlex.split(os.environ.get("CMAKE_ARGS", ""))
        subprocess.run(["cmake", "-S", HERE, "-B", build, f"-DPython3_EXECUTABLE={sys.executable}",
                        f"-DKERNEL_OUTPUT={package}", *arguments], check=True)
        jobs = os.environ.get("MAX_JOBS") or str(len(os.sched_getaffinity(0)))
        subprocess.run(["cmake", "--build", build, "--parallel", jobs], check=True)

    def get_outputs(self):
        return []

    def get_output_mapping(self):
        return {}


setup(
    ext_modules=[Extension(f"{MODULE}._kernel", [])],  # makes the wheel one for this platform
    cmdclass={"build_ext": BuildKernel},
)
