"""Prints the `torch/version.py` of a torch wheel; nothing of the wheel is run.

usage: torch_version.py WHEEL
"""

import sys
import zipfile

try:
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        sys.stdout.write(wheel.read("torch/version.py").decode())
except (KeyError, OSError, zipfile.BadZipFile) as error:
    sys.exit(str(error))
