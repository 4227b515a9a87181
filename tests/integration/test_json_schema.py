"""The JSON schema that editors get says of a build.toml what kbuild says of its keys and values."""

import json
import os
import re
import tomllib
from pathlib import Path

import pytest

import kbuild_driver as driver

jsonschema = pytest.importorskip("jsonschema", reason="the test environment has no jsonschema")

CASES = driver.REPOSITORY / "tests/cli/cases/codes"
# What a schema can see: keys, types and values. K0116 is an empty path or one with control characters.
SCHEMA_CODES = {"K0101", "K0102", "K0103", "K0104", "K0105", "K0106", "K0107", "K0110", "K0111", "K0112", "K0116", "K0117"}
# A folder of build.toml files of other projects; without it only kbuild's own are looked at.
CORPUS = os.environ.get("KBUILD_TEST_CORPUS", "")


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(driver.run_kbuild("check", "--schema").stdout)
    assert schema["$schema"] == "http://json-schema.org/draft-04/schema#"
    jsonschema.Draft4Validator.check_schema(schema)
    return jsonschema.Draft4Validator(schema)


def build_files_of_cases():
    for case in sorted(CASES.glob("*.case")):
        match = re.search(r"^=== file build\.toml\n(.*?)(?=^=== )", case.read_text(), re.S | re.M)
        if match:
            yield pytest.param(match[1], id=case.stem)


def corpus_files():
    for file in sorted(Path(CORPUS).iterdir()) if CORPUS else []:
        yield pytest.param(file.read_text(), id=file.name)


def is_edition_5(text):
    try:
        return tomllib.loads(text).get("general", {}).get("edition") == 5
    except tomllib.TOMLDecodeError:
        return False


def codes_of(text, folder):
    (folder / "build.toml").write_text(text)
    report = json.loads(driver.run_kbuild("check", "--format", "json", folder, exit_code=None).stdout)
    return {found["code"] for found in report["diagnostics"] if found["severity"] == "error"}


def agrees(validator, text, folder):
    if not is_edition_5(text):
        pytest.skip("not of edition 5")
    wrong = codes_of(text, folder) & SCHEMA_CODES
    errors = [error.message[:200] for error in validator.iter_errors(tomllib.loads(text))]
    assert bool(wrong) == bool(errors), f"kbuild: {wrong or 'fine'}; schema: {errors or 'fine'}"


@pytest.mark.parametrize("text", list(build_files_of_cases()))
def test_wrong_files(validator, text, tmp_path):
    agrees(validator, text, tmp_path)


@pytest.mark.parametrize("text", list(corpus_files()))
def test_files_of_the_world(validator, text, tmp_path):
    agrees(validator, text, tmp_path)


def test_there_is_a_corpus():
    if not CORPUS:
        pytest.skip("KBUILD_TEST_CORPUS names no folder of build.toml files")
    assert sum(is_edition_5(file.read_text()) for file in Path(CORPUS).iterdir()) > 10


def test_the_example_and_a_new_project(validator, tmp_path):
    driver.run_kbuild("init", "my-org/scale", cwd=tmp_path)
    for project in (driver.EXAMPLE, tmp_path / "scale"):
        validator.validate(tomllib.loads((project / "build.toml").read_text()))
        driver.run_kbuild("check", "--strict", project)
