"""What `kbuild build` shows while it builds: on a terminal (terminal.py), in a log, on GitHub."""

import json
import re

import pytest

import kbuild_driver as driver
from terminal import Terminal

ROCM = "torch213-cxx11-rocm64-x86_64-linux"
CPU = "torch213-cxx11-cpu-x86_64-linux"
MISTAKE = "no_such_type broken();"


class Gate:
    """In the place of ccache: compiles wait until it is opened."""

    def __init__(self, folder):
        self.launcher, self.opened = folder / "gate", folder / "open"
        self.launcher.write_text(f"#!/bin/sh\nwhile [ ! -e '{self.opened}' ]; do sleep 0.05; done\nexec \"$@\"\n")
        self.launcher.chmod(0o755)

    def open(self):
        self.opened.touch()

    def close(self):
        self.opened.unlink()


@pytest.fixture
def gate(tmp_path):
    return Gate(tmp_path)


@pytest.fixture
def on_terminal(light_project, gate):
    """Starts a build behind the gate on a terminal; `environment` changes that of the tests."""
    terminals = []

    def start(*arguments, columns=120, rows=24, **environment):
        variables = driver.clean_environment(**{"TERM": "xterm", "CI": "", "NO_COLOR": "", **environment})
        command = [driver.kbuild_command(), "build", light_project, "--launcher", gate.launcher, *arguments]
        terminals.append(Terminal(command, columns, rows, light_project.parent, variables))
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close()


def break_kernel(project):
    driver.replace_in(project / "gemm/gemm_launcher.hip", "unsigned tiles(", f"{MISTAKE}\nunsigned tiles(")


def test_a_block_shows_the_variants_what_runs_and_how_much_is_done(on_terminal, gate):
    terminal = on_terminal()
    screen = terminal.read_until("compiling 0/")
    assert re.search(rf"^{CPU} +0/\d  (compiling|waiting)$", screen, re.MULTILINE), screen
    assert re.search(rf"^{ROCM} +0/\d  (compiling|waiting)$", screen, re.MULTILINE), screen
    screen = terminal.read_until(" for 0:01")
    assert re.search(r"^  \S+\.(cpp|hip\.gfx942) \(\w+\) for 0:01$", screen, re.MULTILINE), screen
    gate.open()
    assert terminal.finish() == 0
    assert re.match(rf"variant .*\n{CPU} +built .*\n{ROCM} +built ", terminal.screen.text()), "only the report is left"
    assert terminal.screen.wraps


def test_each_redraw_is_one_change_of_what_is_there(on_terminal, gate):
    terminal = on_terminal()
    terminal.read_until("compiling 0/")
    terminal.read_until(", 0:02")
    gate.open()
    terminal.finish()
    redraws = terminal.written.split("\x1b[?7l")[1:]
    assert len(redraws) > 2
    assert all(before != after for before, after in zip(redraws, redraws[1:]))
    assert "\x1b[2J" not in terminal.written and "\x1b[?25l" not in terminal.written, "no flicker, no hidden cursor"


def test_the_time_left_is_known_from_the_last_time(on_terminal, gate, light_project):
    gate.open()
    assert on_terminal().finish() == 0
    gate.close()
    launcher = light_project / "gemm/gemm_launcher.hip"
    launcher.write_text(launcher.read_text() + "\nstatic int one_more_line = 1;\n")
    terminal = on_terminal()
    screen = terminal.read_until(" left")
    assert re.search(r"^compiling 0/\d+, 0:0\d, about 0:\d\d left$", screen, re.MULTILINE), screen
    assert re.search(rf"^{CPU} +compiled$", screen, re.MULTILINE), screen
    gate.open()
    assert terminal.finish() == 0


def test_ctrl_c_leaves_the_terminal_in_order(on_terminal):
    terminal = on_terminal()
    before = terminal.attributes()
    terminal.read_until("compiling 0/")
    terminal.press_ctrl_c()
    assert terminal.finish() == 130
    screen = terminal.screen
    assert not re.search("compiling|waiting", screen.text()), screen.text()
    assert screen.text().endswith("interrupted\n") and screen.column == 0 and screen.wraps
    assert terminal.attributes() == before


def test_lines_fit_a_narrow_terminal_and_one_that_becomes_narrower(on_terminal, gate):
    terminal = on_terminal(columns=50, rows=12)
    screen = terminal.read_until("compiling 0/")
    assert "torch213-cxx11-rocm64" in screen
    terminal.resize(30, 12)
    drawn = len(terminal.written)
    while terminal.written[drawn:].count("\x1b[?7h") < 2:  # the first may have been under way
        assert terminal.read()
    last = terminal.written.split("\x1b[?7l")[-1]
    lines = [re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", line) for line in re.split("[\r\n]+", last)]
    assert len(lines) > 2 and all(len(line) <= 30 for line in lines), lines
    gate.open()
    assert terminal.finish() == 0


def test_a_low_terminal_shows_the_summary(on_terminal, gate):
    terminal = on_terminal(rows=2)
    assert terminal.read_until("compiling 0/").startswith("compiling 0/")
    gate.open()
    assert terminal.finish() == 0


def test_without_colour_the_block_has_none(on_terminal, gate, light_project):
    break_kernel(light_project)
    gate.open()
    terminal = on_terminal(NO_COLOR="1")
    assert terminal.finish() == 1
    assert "\x1b[?7l" in terminal.written and not re.search(r"\x1b\[[0-9;]*m", terminal.written)


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"CI": "true"}, {"KBUILD_MESSAGE_FORMAT": "json"}])
def test_where_lines_cannot_be_written_over_there_are_plain_ones(on_terminal, gate, environment):
    gate.open()
    terminal = on_terminal(NO_COLOR="1", **environment)
    assert terminal.finish() == 0
    assert "\x1b" not in terminal.written
    assert re.search(r"^compiling: \d+ steps", terminal.written, re.MULTILINE)


def test_the_report_as_json_is_nothing_but_json(on_terminal, gate, light_project):
    gate.open()
    report = light_project.parent / "report.json"
    terminal = on_terminal("--format", "json", "--timings", report)
    assert terminal.finish() == 0
    assert terminal.screen.text().startswith("{") and terminal.screen.text().rstrip().endswith("}")


def test_a_log_has_lines_without_control_sequences(light_project):
    result = driver.run_kbuild("build", light_project)
    assert "\x1b" not in result.stderr + result.stdout
    assert re.search(r"^compiling: \d+ steps", result.stderr, re.MULTILINE)


def test_v_has_a_line_for_each_step_and_q_none(light_project):
    result = driver.run_kbuild("-v", "build", light_project)
    assert re.search(r"^\[1/\d+\] \w+ ", result.stderr, re.MULTILINE)
    break_kernel(light_project)
    result = driver.run_kbuild("-q", "build", light_project, exit_code=1)
    assert result.stderr.startswith("error[K0501]")


def test_the_output_of_a_failing_step_is_told_once_with_command_and_log(light_project):
    driver.set_matrix(light_project, torch=["2.13"], rocm=["6.4", "7.2"])
    (light_project / "gemm/broken.h").write_text(f"#pragma once\n{MISTAKE}\n")
    driver.replace_in(light_project / "build.toml", '"gemm/gemm.h",', '"gemm/broken.h", "gemm/gemm.h",')
    driver.replace_in(light_project / "gemm/gemm_launcher.hip", '#include "gemm.h"', '#include "gemm.h"\n#include "broken.h"')
    said = driver.run_kbuild("build", light_project, exit_code=1).stderr
    assert said.count("error[K0501]") == 1, "both ROCm versions and all passes have the same error"
    assert "note: in rocm64, rocm72\n" in said
    assert len(re.findall(r"In file included from .*gemm_launcher\.hip", said)) == 1
    (command,) = re.findall(r"note: command: (.*)", said)
    assert "--offload-arch=gfx942" in command and "gemm_launcher.hip" in command
    (log,) = re.findall(r"note: log: `(.*)`", said)
    assert MISTAKE in open(log).read()


def test_on_github_steps_are_folded_errors_annotated_and_the_job_has_a_summary(light_project, tmp_path):
    break_kernel(light_project)
    line = (light_project / "gemm/gemm_launcher.hip").read_text().splitlines().index(MISTAKE) + 1
    summary = tmp_path / "summary.md"
    result = driver.run_kbuild("build", light_project, exit_code=1, GITHUB_ACTIONS="true",
                               GITHUB_WORKSPACE=str(light_project), GITHUB_STEP_SUMMARY=str(summary))
    commands = re.findall(r"^::(\w+)(?: (.*?))?::(.*)", result.stderr, re.MULTILINE)
    names = [command[0] for command in commands]
    assert names == ["group", "endgroup", "error"], result.stderr
    assert commands[2][1].startswith(f"file=gemm/gemm_launcher.hip,line={line},endLine={line},col=1,")
    assert "unknown type name 'no_such_type'%0A" in commands[2][2]
    folded = result.stderr[result.stderr.index("::group::"):result.stderr.index("::endgroup::")]
    assert re.search(r"^\[\d+/\d+\] ", folded, re.MULTILINE) and "\nfailed: rocm64/" in folded
    text = summary.read_text()
    assert f"| {ROCM} | compile failed |" in text and f"| {CPU} | built |" in text
    assert f"gemm/gemm_launcher.hip:{line}" in text and "unknown type name" in text


def test_events_tell_what_happens_in_its_order(light_project, tmp_path):
    events_file = tmp_path / "events.jsonl"
    driver.run_kbuild("build", light_project, "--events", events_file)
    events = [json.loads(line) for line in events_file.read_text().splitlines()]
    assert [event["stage"] for event in events if event["reason"] == "stage-began"] == ["headers", "configure", "compile", "publish"]
    assert [event["time"] for event in events] == sorted(event["time"] for event in events)
    (expected,) = [event for event in events if event["reason"] == "steps-expected"]
    ended = [event for event in events if event["reason"] == "step-ended"]
    assert sorted(step["output"] for step in expected["steps"]) == sorted(event["output"] for event in ended)
    seen = {event["output"] for event in events if event["reason"] == "step-seen"}
    assert seen and seen <= {event["output"] for event in ended}, "what runs is named as Ninja names it"
    assert {event["variant"]: event["result"] for event in events if event["reason"] == "variant-ended"} == {
        CPU: "built", ROCM: "built"}
    assert events[-1]["reason"] == "build-ended" and events[-1]["exit_code"] == 0
    driver.run_kbuild("build", light_project, "--events", events_file)
    assert events_file.read_text().count('"result":"fresh"') == 2, "a build without changes has events too"


def test_a_build_that_is_stopped_has_a_last_event(on_terminal, tmp_path):
    events_file = tmp_path / "events.jsonl"
    terminal = on_terminal("--events", events_file)
    terminal.read_until("compiling 0/")
    terminal.press_ctrl_c()
    assert terminal.finish() == 130
    last = json.loads(events_file.read_text().splitlines()[-1])
    assert last["reason"] == "build-ended" and last["exit_code"] == 130
