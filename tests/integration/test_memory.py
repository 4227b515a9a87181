"""kbuild-step, which stands before each compile: heavy ones take turns, one that is killed is tried again alone."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import kbuild_driver as driver

MIB = 1 << 20

# Compilers of these tests: `COMPILER -o OUTPUT`, in a folder of their own.
HEAVY = "import os, time; held = bytearray(40 << 20); os.mkdir('taken'); time.sleep(0.3); os.rmdir('taken')"
LIGHT = """
import pathlib, sys, time
pathlib.Path(sys.argv[2] + ".here").touch()
deadline = time.monotonic() + 20
while len(list(pathlib.Path().glob("*.here"))) < 2:
    assert time.monotonic() < deadline, "alone for 20 s"
    time.sleep(0.01)
"""
KILLED_ONCE = """
import os, pathlib
if not pathlib.Path("tried").exists():
    pathlib.Path("tried").touch()
    print("half of a warning", flush=True)
    os.kill(os.getpid(), 9)
print("made")
"""
KILLED_BELOW = "import sys; sys.exit('clang: error: unable to execute command: Killed')"


def step_program():
    return str(Path(driver.kbuild_command()).parent.parent / "libexec/kbuild/kbuild-step")


def start(folder, script, output, **options):
    (folder / "memory").mkdir(exist_ok=True)
    return subprocess.Popen([step_program(), "memory", sys.executable, "-c", script, "-o", output], cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def set_budget(folder, mib):
    (folder / "memory").mkdir(exist_ok=True)
    (folder / "memory/budget").write_text(f"{mib * MIB}\n")


def finish(processes):
    results = [(process.communicate(timeout=60)[0], process.returncode) for process in processes]
    return [code for _, code in results], [said for said, _ in results]


def test_heavy_units_take_turns(tmp_path):
    for name in "ab":
        assert finish([start(tmp_path, HEAVY, name)])[0] == [0]
    assert all(int(file.read_text().split()[0]) > 40 * MIB for file in (tmp_path / "memory/peaks").iterdir())
    set_budget(tmp_path, 60)
    codes, said = finish([start(tmp_path, HEAVY, name) for name in "abab"])
    assert codes == [0] * 4, said


def test_a_unit_larger_than_the_budget_runs_by_itself(tmp_path):
    assert finish([start(tmp_path, HEAVY, "a")])[0] == [0]
    set_budget(tmp_path, 20)
    assert finish([start(tmp_path, HEAVY, "a")])[0] == [0]


def test_light_units_run_together_whatever_heavy_ones_wait_for(tmp_path):
    set_budget(tmp_path, 20000)
    codes, said = finish([start(tmp_path, LIGHT, name) for name in "ab"])
    assert codes == [0, 0], said


def test_what_died_with_its_share_blocks_nobody(tmp_path):
    set_budget(tmp_path, 100)
    process = start(tmp_path, "import time; time.sleep(60)", "a")
    while not list((tmp_path / "memory").glob("running/*")):
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert list((tmp_path / "memory").glob("running/*"))
    assert finish([start(tmp_path, HEAVY, "b")])[0] == [0]
    assert not list((tmp_path / "memory").glob("running/*"))


def test_a_unit_that_is_killed_is_tried_once_more_and_named(tmp_path):
    codes, said = finish([start(tmp_path, KILLED_ONCE, "a b.o")])
    assert codes == [0]
    assert said[0].startswith("kbuild-step: killed once ") and said[0].endswith(" a b.o\nmade\n"), said


def test_a_unit_whose_inner_compiler_is_killed_again_keeps_its_exit_code(tmp_path):
    codes, said = finish([start(tmp_path, KILLED_BELOW, "a.o")])
    assert codes == [1]
    assert "kbuild-step: killed again " in said[0] and said[0].count("unable to execute") == 1


def test_streams_and_exit_code_are_the_compilers(tmp_path):
    (tmp_path / "memory").mkdir()
    script = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    result = subprocess.run([step_program(), "memory", sys.executable, "-c", script], cwd=tmp_path, capture_output=True,
                            text=True)
    assert (result.returncode, result.stdout, result.stderr) == (3, "out\n", "err\n")


@pytest.mark.parametrize("stubborn", [False, True])
def test_a_stop_ends_the_compiler_too(tmp_path, stubborn):
    script = "import signal, time, pathlib\n" + ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if stubborn else "") + \
        "pathlib.Path('pid').write_text(str(__import__('os').getpid()))\ntime.sleep(60)"
    process = start(tmp_path, script, "a.o", start_new_session=True)
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        time.sleep(0.01)
    compiler = int((tmp_path / "pid").read_text())
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) in (-signal.SIGTERM, -signal.SIGKILL)
    deadline = time.monotonic() + 2
    while os.path.exists(f"/proc/{compiler}") and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not os.path.exists(f"/proc/{compiler}")


def test_a_build_tells_the_memory_of_each_compile_and_is_the_same_from_elsewhere(light_project, tmp_path):
    data = tmp_path / "timings.json"
    driver.build(light_project, "--backend", "rocm", "--timings", data, XDG_CACHE_HOME=str(tmp_path / "cache"))
    steps = json.loads(data.read_text())["steps"]
    assert all(step["peak-bytes"] > 32 * MIB for step in steps if step["output"].endswith(".o"))
    assert os.readlink(light_project / ".kbuild/work" / "kbuild-step") == os.path.realpath(step_program())
