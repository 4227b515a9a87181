"""Makes the ROCm view of a CUDA torch's headers with the wheel's own hipify; torch is not imported.

usage: rocm_view.py UNPACKED OUT
UNPACKED holds include/ and hipify/ as unpack_torch.py leaves them; OUT gets c10/hip and ATen/hip.
"""

import contextlib
import pathlib
import shutil
import sys
import tempfile

VIEWS = ("c10/hip", "ATen/hip")
CONVERTED = ("c10/cuda", "ATen/cuda")


def convert(headers, hipify, work):
    # hipify writes beside its input, so it gets a copy of those folders that it looks into.
    shutil.copytree(headers / "c10", work / "c10")
    for folder in ("cuda", "hip"):
        if (headers / "ATen" / folder).is_dir():
            shutil.copytree(headers / "ATen" / folder, work / "ATen" / folder)
    shutil.copytree(hipify, work / "converter" / "hipify")
    sys.path.insert(0, str(work / "converter"))
    from hipify import hipify_python

    with contextlib.redirect_stdout(sys.stderr):
        hipify_python.hipify(
            project_directory=str(work),
            output_directory=str(work),
            includes=[f"*{folder}/*" for folder in CONVERTED],
            header_include_dirs=(),
            extensions=(".h", ".cuh", ".hpp"),
            out_of_place_only=True,
            show_detailed=False,
            hip_clang_launch=True,
        )


def main():
    sys.dont_write_bytecode = True
    unpacked, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".view-") as folder:
        work = pathlib.Path(folder)
        convert(unpacked / "include", unpacked / "hipify", work)
        for view in VIEWS:
            shutil.copytree(work / view, out / view)
    if not (out / "c10/hip/HIPStream.h").is_file():
        sys.exit("hipify made no c10/hip/HIPStream.h")


main()
