"""Takes out of a torch wheel what compiling and linking against it needs.

usage: unpack_torch.py WHEEL OUT
OUT gets include/, hipify/ (the wheel's own converter) and lib/ with the libraries whose exported names are wanted;
the text of the wheel's version.py goes to standard output. Nothing of the wheel is run.
"""

import pathlib
import shutil
import sys
import zipfile

FOLDERS = {"torch/include/": "include", "torch/utils/hipify/": "hipify"}
LIBRARIES = ("torch", "torch_cpu", "c10", "torch_cuda", "c10_cuda", "torch_hip", "c10_hip")


def target_of(name):
    for folder, place in FOLDERS.items():
        if name.startswith(folder):
            return pathlib.PurePosixPath(place) / name[len(folder):]
    for library in LIBRARIES:
        if name == f"torch/lib/lib{library}.so":
            return pathlib.PurePosixPath("lib") / f"lib{library}.so"
    return None


def unpack(wheel, out):
    made = set()
    for member in wheel.infolist():
        target = target_of(member.filename)
        if target is None or member.is_dir():
            continue
        if ".." in target.parts:
            sys.exit(f"{member.filename} leads out of the wheel")
        path = out / target
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        with wheel.open(member) as source, open(path, "wb") as sink:
            shutil.copyfileobj(source, sink, 1 << 20)


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        unpack(wheel, pathlib.Path(sys.argv[2]))
        sys.stdout.write(wheel.read("torch/version.py").decode())


main()
