"""Publishing against a recorder of the Hub's API, with huggingface_hub and @huggingface/hub as references: the same folder
uploaded by each of them gives the same tree."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kbuild_driver as driver

INTEROP = Path(__file__).resolve().parents[1] / "interop"
sys.path.insert(0, str(INTEROP))
import publish_driver as publish  # noqa: E402
from hub_recorder import Recorder  # noqa: E402

NODE = Path(os.environ.get("KBUILD_TEST_ENV", "/nonexistent"), "interop/node")


@pytest.fixture
def bed(tmp_path):
    with Recorder(tmp_path / "record.jsonl", tmp_path / "objects") as recorder:
        yield recorder


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path):
    return publish.make_project(tmp_path / "a project")


def by_python(bed, **asked):
    request = {"endpoint": bed.url, "token": publish.TOKEN, "branch": "v1", **asked}
    variables = {**os.environ, "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    variables.pop("HF_HUB_OFFLINE", None)
    result = subprocess.run([sys.executable, INTEROP / "hf_client.py", json.dumps(request)], env=variables, text=True,
                            capture_output=True)
    assert result.returncode == 0, result.stderr


def by_javascript(bed, **asked):
    if not (NODE / ".complete").exists() or not shutil.which("node"):
        pytest.skip("@huggingface/hub is not there: tests/interop/make_interop_env")
    request = {"endpoint": bed.url, "token": publish.TOKEN, "branch": "v1", **asked}
    script = NODE / "js_client.mjs"
    shutil.copyfile(INTEROP / "js_client.mjs", script)
    result = subprocess.run(["node", script, json.dumps(request)], text=True, capture_output=True)
    assert result.returncode == 0, result.stderr


REFERENCES = [pytest.param(by_python, id="huggingface_hub"), pytest.param(by_javascript, id="@huggingface/hub")]


def sources(project):
    return {f"build/{path.relative_to(project / 'build')}": str(path)
            for path in sorted((project / "build").rglob("*")) if path.is_file()}


def same_tree(bed, ref="v1", reference_ref=None):
    ours = publish.described(publish.repository(bed).tree(ref))
    theirs = publish.described(publish.repository(bed, "lab/reference").tree(reference_ref or ref))
    assert ours == theirs
    return ours


def objects_put(bed):
    return {entry["path"].split("?")[0] for entry in bed.exchanges if entry["method"] == "PUT"}


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("part_size", [0, 50_000], ids=["basic", "multipart"])
def test_same_tree_as_the_reference(bed, home, project, reference, part_size):
    bed.part_size = part_size
    result = publish.upload(bed, home, project)
    assert result["status"] == "uploaded" and result["objects"]["sent"] == 2
    put_by_us = objects_put(bed)
    assert len(put_by_us) == (2 if part_size == 0 else 6)
    for path in bed.store.folder.iterdir():
        path.unlink()
    bed.exchanges.clear()
    reference(bed, repo="lab/reference", files=sources(project))
    assert objects_put(bed) == put_by_us
    tree = same_tree(bed)
    assert f"build/{publish.CPU}/empty.py" in tree and f"build/{publish.CPU}/layers/a file.py" in tree


@pytest.mark.parametrize("reference", REFERENCES)
def test_replacing_and_deleting(bed, home, project, reference):
    publish.upload(bed, home, project)
    reference(bed, repo="lab/reference", files=sources(project))
    publish.write_variant(project, publish.ROCM, seed=1)
    stale = project / "build" / publish.ROCM / "layers/a file.py"
    stale.unlink()
    publish.upload(bed, home, project)
    reference(bed, repo="lab/reference", files=sources(project),
              delete=[f"build/{publish.ROCM}/layers/a file.py"])
    same_tree(bed)


@pytest.mark.parametrize("reference", REFERENCES)
def test_pull_request(bed, home, project, reference):
    publish.upload(bed, home, project)
    reference(bed, repo="lab/reference", files=sources(project))
    publish.write_variant(project, publish.ROCM, seed=1)
    result = publish.upload(bed, home, project, "--pr")
    reference(bed, repo="lab/reference", files=sources(project), pull_request=True)
    assert result["status"] == "pull_request_created"
    assert [pull["number"] for pull in result["pull_requests"]] == [1]
    same_tree(bed, "refs/pr/1")
    same_tree(bed, "v1")


def test_pull_request_is_updated(bed, home, project):
    publish.upload(bed, home, project)
    publish.write_variant(project, publish.ROCM, seed=1)
    publish.upload(bed, home, project, "--pr")
    publish.write_variant(project, publish.ROCM, seed=2)
    result = publish.upload(bed, home, project, "--update-pr", 1)
    assert [pull["number"] for pull in result["pull_requests"]] == [1]
    repository = publish.repository(bed)
    assert repository.pull_requests == 1
    assert len(repository.history("refs/pr/1")) == len(repository.history("v1")) + 2
    assert publish.published_files(bed, "refs/pr/1") == publish.wanted_files(project)


def test_unchanged_sends_nothing(bed, home, project):
    publish.upload(bed, home, project)
    commits = {ref: publish.repository(bed).history(ref) for ref in ("main", "v1")}
    bed.exchanges.clear()
    assert publish.upload(bed, home, project)["status"] == "no_changes"
    assert {ref: publish.repository(bed).history(ref) for ref in ("main", "v1")} == commits
    assert bed.count("PUT", "") == 0 and bed.count("POST", "commit|preupload|batch") == 0


def test_unchanged_after_the_reference(bed, home, project):
    by_python(bed, repo="lab/k", upload_folder=True, folder=str(project / "build"))
    (project / "CARD.md").unlink()
    assert publish.upload(bed, home, project)["status"] == "no_changes"


def test_one_commit_per_branch_variants_first(bed, home, project):
    publish.upload(bed, home, project)
    repository = publish.repository(bed)
    assert len(repository.history("v1")) == 2 and len(repository.history("main")) == 2
    commits = [entry["path"] for entry in bed.exchanges if "/commit/" in entry["path"]]
    assert commits == ["/api/kernels/lab/k/commit/v1", "/api/kernels/lab/k/commit/main"]
    headers = [entry["body"][0]["value"] for entry in bed.exchanges if "/commit/" in entry["path"]]
    assert all(header["parentCommit"] for header in headers)
    assert repository.tree("main")["README.md"].content == b"# lab/k 1\n- f\n"


def test_token_only_goes_to_the_api(bed, home, project):
    publish.upload(bed, home, project)
    assert not any(entry["authorization"] for entry in bed.exchanges if entry["path"].startswith("/_objects"))
    assert all(entry["authorization"] for entry in bed.exchanges if entry["path"].startswith("/api"))


def test_other_variants_stay_unless_pruned(bed, home, project):
    publish.upload(bed, home, project)
    shutil.rmtree(project / "build" / publish.CPU)
    publish.write_variant(project, publish.ROCM, seed=1)
    publish.upload(bed, home, project)
    assert any(publish.CPU in path for path in publish.published_files(bed))
    publish.upload(bed, home, project, "--prune")
    assert publish.published_files(bed) == publish.wanted_files(project)


def test_dry_run_only_reads(bed, home, project):
    publish.upload(bed, home, project)
    publish.write_variant(project, publish.ROCM, seed=1)
    bed.exchanges.clear()
    plan = publish.upload(bed, home, project, "--dry-run")
    actions = {change["path"]: change["action"] for change in plan["branches"][0]["changes"]}
    assert actions[f"build/{publish.ROCM}/_k_rocm_abc.abi3.so"] == "replace"
    assert actions[f"build/{publish.CPU}/_ops.py"] == "unchanged"
    assert all(entry["method"] == "GET" for entry in bed.exchanges)


def test_private_and_models(bed, home, project):
    publish.upload(bed, home, project, "--repo-type", "model", "--private", "--repo-id", "alice/m")
    assert publish.repository(bed, "alice/m", "model").private
    assert any(entry["path"].startswith("/alice/m.git/info/lfs") for entry in bed.exchanges)


def test_listing_of_many_pages(bed, home, project):
    bed.page_size = 3
    publish.upload(bed, home, project)
    assert publish.upload(bed, home, project)["status"] == "no_changes"


def test_json_file_and_exit_codes(bed, home, project):
    out = project / "result.json"
    publish.upload(bed, home, project, "--output-json", out)
    result = json.loads(out.read_text())
    assert {"status", "repo_id", "branch", "url", "pull_requests"} <= set(result)
    refused = publish.run(bed, home, "upload", project, "--allow-failed-checks", exit_code=6)
    assert "K1004" in refused.stderr


def test_end_to_end(bed, home, example, environment, tmp_path):
    """What kbuild built is uploaded, downloaded into a fresh folder, and loaded by the real loader without a network."""
    variables = {"XDG_DATA_HOME": os.environ.get("XDG_DATA_HOME")}
    project = tmp_path / "project"
    shutil.copytree(example.project, project, ignore=shutil.ignore_patterns(".kbuild"))
    result = publish.run(bed, home, "upload", project, "--repo-id", "lab/gemm", "--allow-dirty", "--allow-sdk-origin",
                         "--format", "json", **variables)
    assert json.loads(result.stdout)["status"] == "uploaded"
    fresh = tmp_path / "fresh"
    publish.run(bed, home, "download", "lab/gemm@1", fresh, "--variant", "torch213-cxx11-cpu-x86_64-linux")
    code = ("import torch, kernels; k = kernels.get_kernel('lab/gemm', version=1, backend='cpu'); "
            "print(k.__name__, callable(k.gemm))")
    loaded = subprocess.run([environment.python, "-c", code], text=True, capture_output=True, env=driver.clean_environment(
        HF_HUB_OFFLINE="1", LOCAL_KERNELS=f"lab/gemm={fresh}", PYTHONPATH=environment.torch["2.13"]["path"]))
    assert loaded.returncode == 0, loaded.stderr
    assert loaded.stdout.split()[-1] == "True"
