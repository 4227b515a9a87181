#!/usr/bin/env python3
"""Runs golden tests of the command line.

    run_cases.py --kbuild PROGRAM [--accept] CASE_OR_FOLDER...

A case is a text file. What stands before its first section says what it shows; then come sections, each begun by
a line `=== KIND ARGUMENT`:

    === file PATH            a file of the project, with the lines that follow; $TMP as for env
    === bytes PATH           the same; the lines are read as a Python string literal's inside: \\x00, \\r, no last newline
    === link PATH TARGET     a symbolic link
    === fifo PATH            a named pipe
    === large PATH BYTES     a file of so many `#`
    === env NAME=VALUE       for the runs that follow; $TMP is the case's own folder
    === in FOLDER            where the runs that follow are started, from the project
    === run COMMAND          a command line of kbuild, split as a shell would; may be repeated
    === exit CODE            what the last run must return (0 if not said)
    === stdout, === stderr   what it must print (nothing if not said)
    === filter REGEX => TEXT what differs from machine to machine, for all runs

Each case gets an empty folder: the project in `project`, and HOME and the XDG folders beside it. Its path is shown as
$TMP. With --accept the expectations of failing cases are replaced by what happened; look at the difference with git.
"""

import argparse
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

KINDS = {"file", "bytes", "link", "fifo", "large", "env", "in", "run", "exit", "stdout", "stderr", "filter"}
EXPECTATIONS = {"exit", "stdout", "stderr"}
TIME_LIMIT = 60  # seconds for one run; a hang is a failure


class Section:
    def __init__(self, kind, argument):
        self.kind = kind
        self.argument = argument
        self.body = ""


def parse(text):
    """The introduction and the sections of a case."""
    intro, sections = "", []
    for line in text.splitlines(keepends=True):
        match = re.match(r"=== (\w+) ?(.*)\n?$", line)
        if match:
            kind, argument = match.groups()
            if kind not in KINDS:
                raise ValueError(f"unknown section `{kind}`")
            sections.append(Section(kind, argument))
        elif sections:
            sections[-1].body += line
        else:
            intro += line
    return intro, sections


def write(intro, sections):
    text = intro
    for section in sections:
        text += f"=== {section.kind} {section.argument}".rstrip() + "\n" + section.body
    return text


def runs_of(sections):
    """Index of each run, with those of its expectations by kind."""
    runs = []
    for index, section in enumerate(sections):
        if section.kind == "run":
            runs.append((index, {}))
        elif section.kind in EXPECTATIONS:
            if not runs:
                raise ValueError(f"`=== {section.kind}` before the first `=== run`")
            runs[-1][1][section.kind] = index
    return runs


class Place:
    """The folder that a case runs in."""

    def __init__(self, root, kbuild, filters):
        self.root = pathlib.Path(root).resolve()
        self.kbuild = kbuild
        self.filters = filters
        self.project = self.root / "project"
        self.here = self.project
        self.project.mkdir()
        self.env = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.root / "home"),
            "XDG_DATA_HOME": str(self.root / "data"),
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "XDG_CONFIG_HOME": str(self.root / "config"),
            "KBUILD_OPT_DIR": str(self.root / "opt"),
            "KBUILD_USR_DIR": str(self.root / "usr"),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LLVM_PROFILE_FILE"):
            if name in os.environ:
                self.env[name] = os.environ[name]

    def prepare(self, section):
        words = section.argument.split()
        if section.kind in ("file", "bytes", "link", "fifo", "large"):
            path = self.project / words[0]
            path.parent.mkdir(parents=True, exist_ok=True)
        if section.kind == "file":
            path.write_text(section.body.replace("$TMP", str(self.root)))
        elif section.kind == "bytes":
            literal = section.body.rstrip("\n").encode("latin-1", "backslashreplace")
            path.write_bytes(literal.decode("unicode_escape").encode("latin-1"))
        elif section.kind == "link":
            path.symlink_to(words[1])
        elif section.kind == "fifo":
            os.mkfifo(path)
        elif section.kind == "large":
            path.write_text("#" * int(words[1]))
        elif section.kind == "env":
            name, value = section.argument.split("=", 1)
            self.env[name] = value.replace("$TMP", str(self.root))
        elif section.kind == "in":
            self.here = self.project / section.argument
            self.here.mkdir(parents=True, exist_ok=True)

    def run(self, command):
        words = shlex.split(command.replace("$TMP", str(self.root)))
        if words[0] != "kbuild":
            raise ValueError("a run starts with `kbuild`")
        result = subprocess.run(
            [self.kbuild, *words[1:]],
            cwd=self.here,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        return {
            "exit": str(result.returncode),
            "stdout": self.shown(result.stdout),
            "stderr": self.shown(result.stderr),
        }

    def shown(self, output):
        text = output.decode("utf-8", "backslashreplace").replace(str(self.root), "$TMP")
        for pattern, replacement in self.filters:
            text = re.sub(pattern, replacement, text)
        return text if not text or text.endswith("\n") else text + "\n\\ no newline at the end\n"


def filters_of(sections):
    pairs = []
    for section in sections:
        if section.kind == "filter":
            pattern, _, replacement = section.argument.partition(" =>")
            pairs.append((pattern, replacement.strip()))
    return pairs


def perform(sections, kbuild):
    """What each run does, in order."""
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="kbuild-case-") as root:
        place = Place(root, kbuild, filters_of(sections))
        for section in sections:
            if section.kind == "run":
                outcomes.append(place.run(section.argument))
            else:
                place.prepare(section)
    return outcomes


def expected_of(sections, run):
    _, expectations = run
    expected = {"exit": "0", "stdout": "", "stderr": ""}
    for kind, index in expectations.items():
        section = sections[index]
        expected[kind] = section.argument if kind == "exit" else section.body
    return expected


def with_outcomes(sections, outcomes):
    """The sections with their expectations replaced by the outcomes; runs get exit, stdout, stderr in this order."""
    result, number = [], 0
    for section in sections:
        if section.kind in EXPECTATIONS:
            continue
        result.append(section)
        if section.kind != "run":
            continue
        outcome = outcomes[number]
        number += 1
        result.append(Section("exit", outcome["exit"]))
        for kind in ("stdout", "stderr"):
            if outcome[kind]:
                stream = Section(kind, "")
                stream.body = outcome[kind]
                result.append(stream)
    return result


def differences(sections, outcomes):
    lines = []
    for run, outcome in zip(runs_of(sections), outcomes):
        expected = expected_of(sections, run)
        for kind in ("exit", "stdout", "stderr"):
            if expected[kind] != outcome[kind]:
                lines.append(f"  $ {sections[run[0]].argument}\n")
                lines.extend(
                    "  " + line.rstrip("\n") + "\n"
                    for line in difflib.unified_diff(
                        expected[kind].splitlines(),
                        outcome[kind].splitlines(),
                        f"expected {kind}",
                        f"actual {kind}",
                        lineterm="",
                    )
                )
    return "".join(lines)


def check_case(path, kbuild, accept):
    """Whether the case holds."""
    try:
        intro, sections = parse(path.read_text())
        if not intro.strip():
            raise ValueError("a case begins with a line that says what it shows")
        if not runs_of(sections):
            raise ValueError("there is no `=== run`")
        outcomes = perform(sections, kbuild)
    except (ValueError, OSError, subprocess.TimeoutExpired) as error:
        print(f"not run: {path}: {error}")
        return False
    difference = differences(sections, outcomes)
    if not difference:
        return True
    if accept:
        path.write_text(write(intro, with_outcomes(sections, outcomes)))
        print(f"accepted: {path}")
        return True
    print(f"failed: {path}: {intro.strip().splitlines()[0]}\n{difference}")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kbuild", required=True, help="the program under test")
    parser.add_argument("--accept", action="store_true", help="make what happens the expectation")
    parser.add_argument("cases", nargs="+", type=pathlib.Path, help="cases, or folders of them")
    options = parser.parse_args()
    paths = []
    for entry in options.cases:
        paths.extend(sorted(entry.rglob("*.case")) if entry.is_dir() else [entry])
    kbuild = str(pathlib.Path(options.kbuild).resolve())
    passed = [check_case(path, kbuild, options.accept) for path in paths]
    print(f"{sum(passed)} of {len(passed)} cases passed")
    return 0 if passed and all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
