"""The pipelines in docs/ci.md do what they say: their steps are taken from there and run."""

import os
import re
import shutil
import subprocess

import pytest
import yaml

import kbuild_driver as driver

PAGE = driver.REPOSITORY / "docs/ci.md"
MADE_BY_STEPS = ["build", "report.xml"]


def pipelines():
    github, gitlab = (yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL))
    return github, gitlab


def github_steps():
    steps = [step["run"] for step in pipelines()[0]["jobs"]["build"]["steps"] if "run" in step]
    return [step.replace("${{ matrix.rocm }}", "7.2") for step in steps]


def gitlab_steps():
    return pipelines()[1]["kernel"]["script"]


def test_both_pipelines_take_the_same_steps():
    def commands(steps):
        return [" ".join(step.split()[:2]) for step in steps]

    assert commands(github_steps()) == commands(gitlab_steps())


@pytest.mark.parametrize("steps", [pytest.param(github_steps, id="github"),
                                   pytest.param(gitlab_steps, id="gitlab", marks=pytest.mark.full)])
def test_the_steps_run(tmp_path, steps):
    project = tmp_path / "project"
    shutil.copytree(driver.HERE / "cuda_projects/row_sum", project)
    driver.set_matrix(project, torch=["2.13"], rocm=["6.4", "7.2"])
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "kbuild").symlink_to(driver.kbuild_command())
    environment = driver.clean_environment(PATH=f"{programs}:{os.environ['PATH']}", ROCM="7.2")
    for step in steps():
        done = subprocess.run(["bash", "-e", "-c", step], cwd=project, env=environment, text=True, capture_output=True)
        assert done.returncode == 0, f"{step}\n{done.stdout}\n{done.stderr}"
    assert all((project / name).exists() for name in MADE_BY_STEPS)
    assert len(driver.variant_folders(project)) == 1


def test_the_action_builds_and_installs_what_the_presets_build():
    action = yaml.safe_load((driver.REPOSITORY / "action.yml").read_text())
    commands = "\n".join(step.get("run", "") for step in action["runs"]["steps"])
    presets = (driver.REPOSITORY / "CMakePresets.json").read_text()
    for preset in re.findall(r"--preset (\w+)", commands):
        assert f'"name": "{preset}"' in presets
    assert (driver.REPOSITORY / "scripts/packages").is_file() and "scripts/packages' build run" in commands
