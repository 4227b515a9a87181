"""Killed at any instant, build/ holds old or new variants, never half of one, and the next run goes on."""

import os
import signal
import subprocess
import time

import pytest

import kbuild_driver as driver


def start_build(project):
    return subprocess.Popen([driver.kbuild_command(), "build", project, "--format", "json"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=driver.clean_environment())


def kill(process):
    """As SIGKILL does it: kbuild alone, whatever its children are doing."""
    process.send_signal(signal.SIGKILL)
    process.wait()


def kill_after(project, seconds):
    process = start_build(project)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        kill(process)


def processes_in(project):
    """Processes that work in the project's folder."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.readlink(f"/proc/{entry}/cwd").startswith(str(project)):
                found.append(int(entry))
        except OSError:
            pass
    return found


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()


def kill_while_compiling(project):
    process = start_build(project)
    wait_until(lambda: list((project / ".kbuild").rglob(".ninja_log")) and len(processes_in(project)) > 1)
    kill(process)


def change(project, number):
    with open(project / "gemm/gemm_launcher.hip", "a") as file:
        file.write(f"// change {number}\n")


def assert_all_whole(project):
    for variant in driver.variant_folders(project):
        assert driver.is_whole(variant), variant


def test_a_first_build_that_was_killed_while_compiling_is_finished_by_the_next(light_project):
    kill_while_compiling(light_project)
    assert_all_whole(light_project)
    driver.build(light_project)
    assert len(driver.variant_folders(light_project)) == 2
    assert_all_whole(light_project)


def test_nothing_goes_on_compiling_after_kbuild_was_killed(light_project):
    kill_while_compiling(light_project)
    wait_until(lambda: not processes_in(light_project), seconds=2)


@pytest.mark.parametrize("moments", [
    [0.05, 0.3, 0.8, 1.5],
    pytest.param([0.05 * step for step in range(1, 50)], marks=pytest.mark.full, id="many"),
])
def test_a_rebuild_that_was_killed_leaves_old_or_new_variants(light_project, moments):
    driver.build(light_project)
    published = {path.name for path in driver.variant_folders(light_project)}
    for number, moment in enumerate(moments):
        change(light_project, number)
        kill_after(light_project, moment)
        assert {path.name for path in driver.variant_folders(light_project)} == published
        assert_all_whole(light_project)
    driver.build(light_project)
    driver.run_kbuild("verify", light_project)
    assert not list((light_project / ".kbuild").rglob("*.part"))


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_stop_signal_ends_with_its_exit_code_and_the_next_run_goes_on(light_project, stop):
    process = subprocess.Popen([driver.kbuild_command(), "build", light_project], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=driver.clean_environment(), start_new_session=True)
    try:
        wait_until(lambda: list((light_project / ".kbuild").rglob("CMakeFiles")))
        os.killpg(process.pid, stop)
        assert process.wait(20) == 128 + stop
    finally:
        process.kill()
    assert_all_whole(light_project)
    driver.build(light_project)


def test_two_builds_at_once_wait_for_each_other(light_project):
    command = [driver.kbuild_command(), "build", light_project, "--format", "json"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env=driver.clean_environment()) for _ in range(2)]
    outputs = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert_all_whole(light_project)
