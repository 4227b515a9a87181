"""Loads a kernel with the real `kernels` package and says what came of it, as JSON; its own process, as torch can be told
only once what it is and a library can't be unloaded.

usage: loader_probe.py REQUEST, a JSON object:
    path     a project, or a folder of variants
    repo_id  load it by this name through LOCAL_KERNELS instead of by path
    hip      torch is told to be a build for this HIP version
    backend  what the caller asks for
    ops      names of ops whose registrations are wanted
"""

import json
import os
import sys
import warnings
from pathlib import Path

DISPATCH_KEYS = ["CPU", "CUDA", "Meta", "HIP", "CompositeImplicitAutograd", "PrivateUse1", "XPU"]


def load(request):
    import kernels

    backend = request.get("backend")
    if "repo_id" in request:
        os.environ["LOCAL_KERNELS"] = f"{request['repo_id']}={request['path']}"
        return kernels.get_kernel(request["repo_id"], version=1, backend=backend)
    return kernels.get_local_kernel(Path(request["path"]), backend=backend)


def registrations(namespace, ops):
    import torch

    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    return {op: [key for key in DISPATCH_KEYS if has_kernel(f"{namespace}::{op}", key)] for op in ops}


def answer(request):
    import torch

    if request.get("hip"):
        torch.version.cuda, torch.version.hip = None, request["hip"]
    kernel = load(request)
    namespace = kernel.__name__
    return {
        "file": kernel.__file__,
        "module": namespace,
        "registered": registrations(namespace, request.get("ops", [])),
    }


def main():
    warnings.simplefilter("ignore")
    try:
        result = answer(json.loads(sys.argv[1]))
    except Exception as error:  # whatever it is, it is the answer
        result = {"error": type(error).__name__, "message": str(error), "notes": getattr(error, "__notes__", [])}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
