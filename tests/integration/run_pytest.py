"""ctest's entry: runs pytest in the test environment, or says why it can't and exits 77 (skipped).

usage: run_pytest.py KBUILD WORK ARGUMENT...
    KBUILD    the executable under test
    WORK      a folder for what test programs share
    ARGUMENT  for pytest

KBUILD_TEST_ENV names the environment (default: where tests/support/make_test_env puts it). With KBUILD_TEST_REQUIRED=1,
as in CI, what is missing is a failure.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parents[1] / "examples/gemm-fp8"
SKIPPED = 77
EXIT_TOOLCHAIN = 5


def skip(reason, remedy):
    print(f"{reason}; {remedy}")
    sys.exit(1 if os.environ.get("KBUILD_TEST_REQUIRED") == "1" else SKIPPED)


def environment_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("KBUILD_TEST_ENV") or Path(cache, "kbuild-tests"))


def main():
    kbuild, work = (str(Path(path).absolute()) for path in sys.argv[1:3])
    arguments = sys.argv[3:]
    folder = environment_folder()
    try:
        python = json.loads((folder / "complete.json").read_text())["python"]
    except OSError:
        skip(f"SKIPPED: no test environment in {folder}", f'make it with tests/support/make_test_env "{folder}"')
    plan = subprocess.run([kbuild, "build", EXAMPLE, "--dry-run"], text=True, capture_output=True)
    if plan.returncode == EXIT_TOOLCHAIN:
        skip("SKIPPED: SDKs are missing", "kbuild toolchain add rocm@6.4 rocm@7.2 torch@2.13 torch@2.14")
    variables = {**os.environ, "KBUILD": kbuild, "KBUILD_TEST_WORK": work, "KBUILD_TEST_ENV": str(folder),
                 "PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1"}
    command = [python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--durations=5", *arguments]
    sys.exit(subprocess.run(command, cwd=HERE, env=variables).returncode)


if __name__ == "__main__":
    main()
