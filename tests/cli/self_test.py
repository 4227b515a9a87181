#!/usr/bin/env python3
"""Tests of run_cases.py itself: a runner that passes everything would prove nothing."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).with_name("run_cases.py")

FAKE = """#!/bin/sh
case "$1" in
    say) echo "$2"; echo talk >&2 ;;
    cat) cat "$2" ;;
    where) pwd ;;
    *) exit 3 ;;
esac
"""

GOOD = """says what it is told
=== run kbuild say hello
=== exit 0
=== stdout
hello
=== stderr
talk
"""


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.kbuild = self.root / "fake"
        self.kbuild.write_text(FAKE)
        self.kbuild.chmod(0o755)

    def tearDown(self):
        self.folder.cleanup()

    def run_case(self, text, *options):
        self.case = self.root / "a.case"
        self.case.write_text(text)
        return subprocess.run(
            [sys.executable, RUNNER, "--kbuild", self.kbuild, *options, self.case],
            capture_output=True,
            text=True,
            check=False,
        )

    def test_a_case_that_holds_passes(self):
        result = self.run_case(GOOD)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("1 of 1 cases passed", result.stdout)

    def test_a_difference_in_each_stream_and_in_the_code_fails(self):
        for old, new in (("hello\n=== stderr", "hallo\n=== stderr"), ("talk", "silence"), ("exit 0", "exit 1")):
            result = self.run_case(GOOD.replace(old, new))
            self.assertEqual(result.returncode, 1)
            self.assertIn("failed:", result.stdout)

    def test_output_that_is_not_expected_fails(self):
        result = self.run_case(GOOD.replace("=== stderr\ntalk\n", ""))
        self.assertEqual(result.returncode, 1)

    def test_accepting_makes_what_happens_the_expectation(self):
        result = self.run_case(GOOD.replace("hello\n=== stderr", "hallo\n=== stderr"), "--accept")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(self.case.read_text(), GOOD)

    def test_files_are_there_with_their_bytes_and_the_folder_is_hidden(self):
        result = self.run_case(
            "x\n=== bytes b\na\\x00b\\n\n=== run kbuild cat b\n=== stdout\na\0b\n"
            "=== run kbuild where\n=== stdout\n$TMP/project\n"
        )
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_case_without_a_run_or_a_title_is_no_case(self):
        self.assertEqual(self.run_case("x\n").returncode, 1)
        self.assertEqual(self.run_case(GOOD.split("\n", 1)[1]).returncode, 1)
        self.assertEqual(self.run_case("x\n=== nonsense\n").returncode, 1)

    def test_no_case_at_all_fails(self):
        empty = self.root / "empty"
        empty.mkdir()
        result = subprocess.run(
            [sys.executable, RUNNER, "--kbuild", self.kbuild, empty], capture_output=True, check=False
        )
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()
