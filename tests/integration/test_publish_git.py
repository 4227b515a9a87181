"""Publishing over git and LFS to a real server (nginx, git http-backend, giftless); what kbuild pushed is cloned by git-lfs."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

INTEROP = Path(__file__).resolve().parents[1] / "interop"
sys.path.insert(0, str(INTEROP))
import git_bed  # noqa: E402
import publish_driver as publish  # noqa: E402

TOOLS = Path(os.environ.get("KBUILD_TEST_ENV", "/nonexistent"), "interop/venv/bin")


@pytest.fixture
def bed(tmp_path):
    missing = git_bed.missing(TOOLS)
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (scripts/packages interop, tests/interop/make_interop_env)")
    with git_bed.GitBed(tmp_path / "bed", TOOLS) as started:
        yield started


@pytest.fixture
def home(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    yield home
    for folder in (home, tmp_path / "a project"):
        assert publish.files_with(folder, git_bed.TOKEN) == []


@pytest.fixture
def project(tmp_path):
    return publish.make_project(tmp_path / "a project")


def push(bed, home, project, *arguments, exit_code=0, token=git_bed.TOKEN):
    hub = SimpleNamespace(url="http://127.0.0.1:9")
    result = publish.run(hub, home, "upload", project, *publish.LENIENT, "--via", "git", "--remote", bed.url, "--format", "json",
                         *arguments, exit_code=exit_code, KBUILD_GIT_TOKEN=token, KBUILD_GIT_USER=git_bed.USER)
    assert git_bed.TOKEN not in result.stdout + result.stderr
    return json.loads(result.stdout) if exit_code == 0 else result


def git(*arguments, cwd=None):
    result = subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@localhost", *map(str, arguments)], cwd=cwd, text=True,
                            capture_output=True, env={**os.environ, "GIT_TERMINAL_PROMPT": "0"})
    assert result.returncode == 0, result.stderr
    return result.stdout


def clone(bed, target, branch):
    git("-c", "filter.lfs.process=git-lfs filter-process", "-c", "filter.lfs.smudge=git-lfs smudge -- %f",
        "-c", "filter.lfs.required=true", "clone", "-q", "-b", branch, bed.clone_url(), target)
    return target


def hashes(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((folder / "build").rglob("*")) if path.is_file()}


def pointers(bed, branch):
    """What git holds, without LFS: path -> blob id."""
    lines = git("-C", bed.dir / "root/lab/k.git", "ls-tree", "-r", "-z", branch).split("\0")
    return {line.split("\t")[1]: line.split()[2] for line in lines if line}


def test_pushed_by_kbuild_cloned_by_git_lfs(bed, home, project, tmp_path):
    result = push(bed, home, project)
    assert result["status"] == "uploaded" and result["objects"]["sent"] == 2
    assert hashes(clone(bed, tmp_path / "clone", "v1")) == hashes(project)
    assert len(bed.commits("v1")) == 1 and len(bed.commits("main")) == 1
    assert (clone(bed, tmp_path / "main", "main") / "README.md").read_text() == "# lab/k 1\n- f\n"


def test_same_objects_as_git_add(bed, home, project, tmp_path):
    push(bed, home, project)
    checkout = tmp_path / "by hand"
    git("init", "-q", "-b", "v1", checkout)
    for key, value in (("process", "git-lfs filter-process"), ("clean", "git-lfs clean -- %f"), ("required", "true")):
        git("-C", checkout, "config", f"filter.lfs.{key}", value)
    hub = SimpleNamespace(url="http://127.0.0.1:9")
    publish.run(hub, home, "upload", project, *publish.LENIENT, "--to", checkout)
    (checkout / "README.md").unlink()
    git("-C", checkout, "add", ".")
    git("-C", checkout, "commit", "-q", "-m", "by hand")
    lines = git("-C", checkout, "ls-tree", "-r", "-z", "HEAD").split("\0")
    assert pointers(bed, "v1") == {line.split("\t")[1]: line.split()[2] for line in lines if line}


def test_replaced_deleted_and_unchanged(bed, home, project, tmp_path):
    push(bed, home, project)
    assert push(bed, home, project)["status"] == "no_changes"
    assert len(bed.commits("v1")) == 1
    publish.write_variant(project, publish.ROCM, seed=1)
    (project / "build" / publish.ROCM / "empty.py").unlink()
    result = push(bed, home, project)
    assert result["objects"]["sent"] == 1
    assert hashes(clone(bed, tmp_path / "clone", "v1")) == hashes(project)
    assert len(bed.commits("v1")) == 2


def test_attributes_of_the_repository_decide(bed, home, project, tmp_path):
    seed = tmp_path / "seed"
    git("init", "-q", "-b", "main", seed)
    (seed / ".gitattributes").write_text("*.py filter=lfs diff=lfs merge=lfs -text\n")
    git("-C", seed, "add", ".")
    git("-C", seed, "commit", "-q", "-m", "seed")
    git("-C", seed, "push", "-q", bed.clone_url(), "main")
    result = push(bed, home, project)
    assert result["objects"]["sent"] >= 1
    tree = pointers(bed, "v1")
    python = git("-C", bed.dir / "root/lab/k.git", "cat-file", "-p", tree[f"build/{publish.CPU}/_ops.py"])
    library = subprocess.run(["git", "-C", bed.dir / "root/lab/k.git", "cat-file", "-s",
                              tree[f"build/{publish.CPU}/_k_cpu_abc.abi3.so"]], text=True, capture_output=True).stdout
    assert python.startswith("version https://git-lfs") and int(library) == 120_000


def test_dry_run(bed, home, project):
    push(bed, home, project)
    publish.write_variant(project, publish.ROCM, seed=1)
    plan = push(bed, home, project, "--dry-run")
    actions = {change["path"]: change["action"] for change in plan["branches"][0]["changes"]}
    assert actions[f"build/{publish.ROCM}/_k_rocm_abc.abi3.so"] == "replace"
    assert len(bed.commits("v1")) == 1


def test_wrong_token(bed, home, project):
    result = push(bed, home, project, exit_code=7, token="git_wrong_made_up")
    assert "does not accept the user and token" in result.stderr and "git_wrong_made_up" not in result.stderr


def test_hub_token_is_not_sent_to_another_remote(bed, home, project):
    result = push(bed, home, project, exit_code=7, token=None)
    assert "does not accept the user and token" in result.stderr
    log = (bed.dir / "access.log").read_text()
    assert all(line.split()[2] == "-" for line in log.splitlines())


def test_a_password_in_the_address_is_refused(bed, home, project):
    hub = SimpleNamespace(url="http://127.0.0.1:9")
    publish.run(hub, home, "upload", project, *publish.LENIENT, "--via", "git", "--remote", bed.clone_url(), exit_code=2)
