#!/usr/bin/env python3
"""Times `kbuild upload` beside huggingface_hub's upload_folder (LFS mode) in the same run: 200 files of 1 MB and one of 1 GB, to the
recorder on loopback, objects stored by nginx. Prints a table; exits 1 if kbuild takes more than 1.1 times as long, or 100 MB.

usage: bench/upload.py KBUILD [--python PYTHON] [--rounds 5] [--big-mb 1024] [--folder FOLDER]

PYTHON has huggingface_hub (tests/support/make_test_env makes one). Needs nginx with its dav module.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

INTEROP = Path(__file__).resolve().parents[1] / "tests/interop"
sys.path.insert(0, str(INTEROP))
from git_bed import free_port, listens, wait_for, worker_user  # noqa: E402
from hub_recorder import Recorder  # noqa: E402

TOKEN = "hf_write_made_up"
VARIANT = "torch213-cxx11-rocm72-x86_64-linux"
NGINX = """\
{user}worker_processes 2; daemon off; pid {dir}/nginx.pid; error_log {dir}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off; client_max_body_size 0; client_body_temp_path {dir}/objects/.temp; proxy_temp_path {dir}/t1;
  fastcgi_temp_path {dir}/t2; uwsgi_temp_path {dir}/t3; scgi_temp_path {dir}/t4;
  server {{ listen 127.0.0.1:{port}; root {dir}/objects; location / {{ dav_methods PUT; }} }}
}}
"""


def make_project(folder, big_mb):
    variant = folder / "build" / VARIANT
    variant.mkdir(parents=True)
    for number in range(200):
        (variant / f"part{number:03}.so").write_bytes(os.urandom(1_000_000))
    with open(variant / "big.so", "wb") as big:
        for _ in range(big_mb):
            big.write(os.urandom(1 << 20))
    (variant / "__init__.py").write_text("")
    (variant / "metadata.json").write_text(json.dumps({
        "name": "bench", "id": "_bench_rocm_1", "version": 1, "license": "MIT", "python-depends": [],
        "backend": {"type": "rocm"}}))
    return folder


def timed(command, environment):
    """Seconds and peak memory in MB of a command."""
    started = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit {process.returncode}\n{errors}")
    return time.monotonic() - started, usage.ru_maxrss / 1000


def clear(store):
    for path in store.iterdir():
        if path.is_file():
            path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kbuild")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--big-mb", type=int, default=1024)
    parser.add_argument("--folder", default=None)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kbuild-bench-", dir=asked.folder))
    store = folder / "objects"
    store.mkdir()
    port = free_port()
    (folder / "nginx.conf").write_text(NGINX.format(user=worker_user(), dir=folder, port=port))
    nginx = subprocess.Popen(["nginx", "-e", f"{folder}/error.log", "-p", folder, "-c", f"{folder}/nginx.conf"],
                             env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"})
    try:
        wait_for(lambda: listens(port), "nginx")
        project = make_project(folder / "project", asked.big_mb)
        with Recorder(folder / "record.jsonl", store, object_base=f"http://127.0.0.1:{port}") as bed:
            run(asked, bed, store, project, folder)
    finally:
        nginx.terminate()
        nginx.wait()
        shutil.rmtree(folder)


def run(asked, bed, store, project, folder):
    environment = {**os.environ, "HF_ENDPOINT": bed.url, "HF_TOKEN": TOKEN, "HF_HUB_DISABLE_XET": "1",
                   "HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_HOME": str(folder / "hf"), "XDG_CACHE_HOME": str(folder / "cache")}
    environment.pop("HF_HUB_OFFLINE", None)
    results = {"kbuild": [], "huggingface_hub": []}
    for number in range(asked.rounds):
        ours = [asked.kbuild, "upload", project, "--repo-id", f"lab/ours{number}", "--allow-dirty", "--allow-failed-checks"]
        request = {"endpoint": bed.url, "token": TOKEN, "repo": f"lab/theirs{number}", "branch": "v1", "upload_folder": True,
                   "folder": str(project / "build")}
        theirs = [asked.python, INTEROP / "hf_client.py", json.dumps(request)]
        for name, command in (("kbuild", ours), ("huggingface_hub", theirs)):
            clear(store)
            results[name].append(timed(command, environment))
    for name, runs in results.items():
        print(f"{name:<16} median {statistics.median(s for s, _ in runs):6.2f} s, "
              f"runs {' '.join(f'{s:.2f}' for s, _ in runs)}, peak memory {max(m for _, m in runs):.0f} MB")
    medians = {name: statistics.median(s for s, _ in runs) for name, runs in results.items()}
    ratio = medians["kbuild"] / medians["huggingface_hub"]
    memory = max(m for _, m in results["kbuild"])
    print(f"ratio {ratio:.2f} (at most 1.1), memory {memory:.0f} MB (at most 100)")
    sys.exit(0 if ratio <= 1.1 and memory < 100 else 1)


if __name__ == "__main__":
    main()
