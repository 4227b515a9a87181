"""Copies this Python's C headers, so that builds do not depend on what is installed later.

usage: python_headers.py OUT
Exit code 3: this Python has no headers. The version goes to standard output.
"""

import pathlib
import shutil
import sys
import sysconfig

headers = pathlib.Path(sysconfig.get_path("include"))
if not (headers / "Python.h").is_file():
    sys.exit(3)
out = pathlib.Path(sys.argv[1])
shutil.copytree(headers, out, dirs_exist_ok=True)
# Distributions put the real one into a folder of the architecture and leave an include of it here.
shutil.copyfile(sysconfig.get_config_h_filename(), out / "pyconfig.h")
print(sysconfig.get_python_version())
