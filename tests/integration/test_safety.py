"""Killed at any instant, build/ holds old or new variants, never half of one, and the next run goes on."""

import os
import signal
import subprocess
import time

import pytest

import kbuild_driver as driver


def kill_build(project, seconds):
    """Starts a build and kills it, as SIGKILL does it: kbuild alone, whatever its children are doing. Returns whether
    it was still running."""
    process = subprocess.Popen([driver.kbuild_command(), "build", project, "--format", "json"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=driver.clean_environment())
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True


def children_in(project):
    """Processes that work in the project's folder."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.readlink(f"/proc/{entry}/cwd").startswith(str(project)):
                found.append(int(entry))
        except OSError:
            pass
    return found


def wait_until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()


def change(project, number):
    with open(project / "gemm/gemm_launcher.hip", "a") as file:
        file.write(f"// change {number}\n")


def assert_all_whole(project):
    for variant in driver.variant_folders(project):
        assert driver.is_whole(variant), variant


def test_a_first_build_that_was_killed_is_finished_by_the_next(light_project):
    assert kill_build(light_project, 1.0)
    assert_all_whole(light_project)
    driver.build(light_project)
    assert len(driver.variant_folders(light_project)) == 2
    assert_all_whole(light_project)


def test_nothing_goes_on_compiling_after_kbuild_was_killed(light_project):
    assert kill_build(light_project, 1.0)
    wait_until(lambda: not children_in(light_project))


@pytest.mark.parametrize("moments", [
    [0.05, 0.3, 0.8, 1.5],
    pytest.param([0.02 * step for step in range(1, 100)], marks=pytest.mark.full, id="many"),
])
def test_a_rebuild_that_was_killed_leaves_old_or_new_variants(light_project, moments):
    driver.build(light_project)
    published = {path.name for path in driver.variant_folders(light_project)}
    for number, moment in enumerate(moments):
        change(light_project, number)
        kill_build(light_project, moment)
        assert {path.name for path in driver.variant_folders(light_project)} == published
        assert_all_whole(light_project)
    driver.build(light_project)
    driver.run_kbuild("verify", light_project)
    assert not list((light_project / ".kbuild").rglob("*.part"))


def test_ctrl_c_stops_with_130_and_the_next_run_goes_on(light_project):
    process = subprocess.Popen([driver.kbuild_command(), "build", light_project], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=driver.clean_environment(), start_new_session=True)
    try:
        wait_until(lambda: list((light_project / ".kbuild").rglob("CMakeFiles")))
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(20) == 130
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
