"""kbuild's verdict on build.toml files beside that of upstream's own parser (`kernels._rust.Build.open`).

tests/corpus/verdicts.tsv is the table: edition, upstream's verdict, kbuild's, what migration does, and why two differ.
With KBUILD_CORPUS=FOLDER the originals that the corpus was made from are compared too, if somebody has them.
"""

import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import kbuild_driver as driver
from kernels import _rust

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
LAST_CODE_ABOUT_THE_FORMAT = "K0149"  # those above it, and K02 to K99, are about more than the format


def table():
    rows = {}
    for line in (CORPUS / "verdicts.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, *cells = line.split("\t")
            keys = ("edition", "upstream", "check", "migrate", "reason")
            rows[name] = dict(zip(keys, cells + [""] * (len(keys) - len(cells))))
    return rows


ROWS = table()


def originals():
    """Originals by the name of their row."""
    folder = os.environ.get("KBUILD_CORPUS")
    if not folder:
        return {}
    return {path.name.replace("__build.toml", ".toml").replace(".toml.draft.toml", ".draft.toml"): path
            for path in Path(folder).iterdir()}


FILES = [pytest.param(CORPUS / name, ROWS[name], id=name) for name in ROWS]
FILES += [pytest.param(path, ROWS[name], id=f"original-{name}") for name, path in sorted(originals().items())]


def upstream_verdict(folder):
    try:
        _rust.Build.open(folder)
        return "accepted"
    except ValueError as error:
        return "legacy" if "unsupported legacy format" in str(error) else "refused"


def lists_of_files(value):
    """Every `src` and `include` anywhere in a parsed file."""
    for key, child in value.items() if isinstance(value, dict) else ():
        if key in ("src", "include") and isinstance(child, list):
            yield key, [name for name in child if isinstance(name, str)]
        else:
            yield from lists_of_files(child)


def make_project(source, folder):
    """A project with that build.toml and an empty file for each that it lists."""
    shutil.copyfile(source, folder / "build.toml")
    try:
        parsed = tomllib.loads(source.read_text())
    except tomllib.TOMLDecodeError:
        return
    for key, names in lists_of_files(parsed):
        for name in names:
            path = folder / name
            if key == "include":
                path.mkdir(parents=True, exist_ok=True)
            elif not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()


def run(folder, *arguments):
    return subprocess.run([driver.kbuild_command(), "--message-format", "json", *arguments], cwd=folder, text=True,
                          capture_output=True, timeout=60, env=driver.clean_environment())


def format_errors(result):
    """`K0104 7:1, …`: the errors about the format of build.toml."""
    assert result.returncode in (0, 1, 3), result.stderr
    places = []
    for line in result.stderr.splitlines():
        finding = json.loads(line) if line.startswith("{") else {}
        if finding.get("severity") == "error" and finding["code"] <= LAST_CODE_ABOUT_THE_FORMAT:
            span = finding["spans"][0]
            places.append(f"{finding['code']} {span['line']}:{span['column']}")
    return ", ".join(places)


def test_the_table_is_complete():
    assert sorted(ROWS) == sorted(path.name for path in CORPUS.glob("*.toml"))
    assert len(ROWS) == 71


@pytest.mark.parametrize("source, row", FILES)
def test_verdicts_are_those_of_the_table(source, row, tmp_path):
    make_project(source, tmp_path)
    assert upstream_verdict(tmp_path) == row["upstream"]
    assert format_errors(run(tmp_path, "check")) == row["check"].replace("accepted", "")
    same = (row["upstream"] == "accepted") == (row["check"] == "accepted")
    assert same or row["reason"], "where the two differ the table has to say why"


@pytest.mark.parametrize("source, row", FILES)
def test_what_migration_writes_is_what_upstream_reads(source, row, tmp_path):
    make_project(source, tmp_path)
    before = (tmp_path / "build.toml").read_bytes()
    result = run(tmp_path, "migrate", "--license", "MIT")
    after = (tmp_path / "build.toml").read_bytes()
    if row["migrate"] != "migrated":
        assert after == before
        assert format_errors(result) == row["migrate"].replace("current", "")
        return
    assert result.returncode == 0, result.stderr
    assert "edition = 5" in after.decode()
    assert upstream_verdict(tmp_path) == ("refused" if "K0125" in row["reason"] else "accepted")
    assert_means_the_same(tomllib.loads(before.decode()), tomllib.loads(after.decode()), int(row["edition"]))
    assert run(tmp_path, "migrate", "--check").returncode == 0


def assert_means_the_same(old, new, edition):
    """By upstream's rules (its own migration fills in just these), told without any code of kbuild's."""
    general = {"edition": 5, "version": 1, "license": "MIT"}
    expected = {**old, "general": {**general, **old["general"]}}
    expected["general"].pop("universal", None)
    if edition <= 3 and not {"torch", "tvm-ffi"} & set(old):
        expected["torch-noarch"] = {}
    if edition == 2:
        expected["general"]["backends"] = sorted({kernel["backend"] for kernel in old.get("kernel", {}).values()})
    assert new == expected
