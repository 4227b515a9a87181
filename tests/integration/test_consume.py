"""The consumer's side: versions, download and lock against the recorder, with the `kernels` package as the reference."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from kernels import variants as loader
from kernels.backends import ROCm
from packaging.version import Version

import kbuild_driver as driver

INTEROP = Path(__file__).resolve().parents[1] / "interop"
sys.path.insert(0, str(INTEROP))
import faults  # noqa: E402
import publish_driver as publish  # noqa: E402
from hub_recorder import Recorder  # noqa: E402

NAMES = [publish.ROCM, publish.CPU, "torch214-cxx11-rocm72-x86_64-linux", "torch213-cxx11-rocm71-x86_64-linux",
         "torch-stable-abi210-rocm72-x86_64-linux", "torch-rocm", "torch-universal"]


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


def contents(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def test_decisions_are_those_of_the_loader(bed, home, project):
    for name in NAMES:
        publish.write_variant(project, name, size=1000)
    publish.upload(bed, home, project)
    listed = json.loads(publish.run(bed, home, "versions", "lab/k", "--torch", "2.13", "--rocm", "7.2", "--format",
                                    "json").stdout)
    ours = [(variant["name"], variant["accepted"]) for variant in listed["versions"][0]["variants"]]
    accepted, trace = loader._resolve_variant_for_system(
        [loader.parse_variant(name) for name in NAMES], ROCm(version=Version("7.2")), "x86_64", "linux", Version("2.13"),
        True, None)
    assert [name for name, taken in ours if taken] == [variant.variant_str for variant in accepted]
    assert dict(ours) == {entry.variant.variant_str: isinstance(entry, loader.VariantAccepted) for entry in trace}


def test_download_everything(bed, home, project, tmp_path):
    publish.upload(bed, home, project)
    target = tmp_path / "fetched"
    publish.run(bed, home, "download", "lab/k@1", target, "--all")
    assert contents(target / "build") == contents(project / "build")
    assert not (target / ".kbuild-download").exists()
    bed.exchanges.clear()
    publish.run(bed, home, "download", "lab/k", target, "--all")
    assert bed.count("GET", "/resolve/") == 0


def test_an_audit_of_a_repository_reads_all_its_variants(bed, home, project, tmp_path):
    publish.upload(bed, home, project)
    result = publish.run(bed, home, "audit", "lab/k@1", "--format", "json", exit_code=None)
    report = json.loads(result.stdout)
    assert report["audited"] == "lab/k@1"
    built = sorted(path.name for path in (project / "build").iterdir())
    assert [variant["name"] for variant in report["variants"]] == built
    here = json.loads(publish.run(bed, home, "audit", project, "--format", "json", exit_code=None).stdout)
    assert report["findings"] == here["findings"], "what is said of files does not depend on where they lie"
    assert not list(tmp_path.glob("**/kbuild-audit-*"))


def test_download_replaces_what_is_stale(bed, home, project, tmp_path):
    publish.upload(bed, home, project)
    target = tmp_path / "fetched"
    publish.write(target / "build" / publish.CPU / "stale.py", "x")
    publish.run(bed, home, "download", "lab/k@v1", target, "--variant", publish.CPU)
    assert contents(target / "build" / publish.CPU) == contents(project / "build" / publish.CPU)
    assert [path.name for path in (target / "build").iterdir()] == [publish.CPU]


def test_download_goes_on_after_a_break(bed, home, project, tmp_path):
    publish.write_variant(project, publish.CPU, size=4 << 20)
    publish.upload(bed, home, project)

    class Cut(faults.Counted):
        def act(self, handler):
            handler.send_response(200)
            data = next(path for path in bed.store.folder.iterdir() if path.name in handler.path).read_bytes()
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data[: len(data) // 2])
            handler.close_connection = True

    bed.faults.append(Cut("GET", "/_objects/", times=6))
    target = tmp_path / "fetched"
    publish.run(bed, home, "download", "lab/k@1", target, "--variant", publish.CPU, exit_code=7)
    part = next((target / ".kbuild-download").rglob("*.so"))
    assert part.stat().st_size == 2 << 20
    ranges = []
    bed.faults[:] = [lambda handler: ranges.append(handler.headers.get("Range")) if "/_objects/" in handler.path else None]
    publish.run(bed, home, "download", "lab/k@1", target, "--variant", publish.CPU)
    assert f"bytes={2 << 20}-" in ranges
    assert contents(target / "build" / publish.CPU) == contents(project / "build" / publish.CPU)


def test_download_of_changed_content_is_refused(bed, home, project, tmp_path):
    publish.upload(bed, home, project)
    for stored in bed.store.folder.iterdir():
        stored.write_bytes(bytes(stored.stat().st_size))
    target = tmp_path / "fetched"
    result = publish.run(bed, home, "download", "lab/k@1", target, "--all", exit_code=7)
    assert "does not have the content that the repository lists" in result.stderr
    assert not (target / "build").exists()


def test_token_does_not_follow_to_the_store(bed, home, project, tmp_path):
    with Recorder(tmp_path / "store.jsonl", bed.store.folder) as store:
        bed.object_base = store.url + "/_objects"
        publish.upload(bed, home, project)
        publish.run(bed, home, "download", "lab/k@1", tmp_path / "fetched", "--all")
        assert store.exchanges and not any(entry["authorization"] for entry in store.exchanges)


def test_what_is_not_there(bed, home, project, tmp_path):
    assert "there is no kernel" in publish.run(bed, home, "download", "lab/none", tmp_path / "x", exit_code=7).stderr
    publish.upload(bed, home, project)
    assert "published are 1" in publish.run(bed, home, "download", "lab/k@7", tmp_path / "x", exit_code=7).stderr
    assert publish.ROCM in publish.run(bed, home, "download", "lab/k@1", tmp_path / "x", "--variant", "nope",
                                       exit_code=4).stderr


def write_python_project(folder, dependencies):
    lines = "".join(f'"{name}" = {version}\n' for name, version in dependencies.items())
    publish.write(folder / "pyproject.toml", f'[project]\nname = "p"\n\n[tool.kernels.dependencies]\n{lines}')
    return folder


def publish_dependent(bed, home, project):
    """lab/k, and lab/needy whose CPU variant needs it."""
    publish.upload(bed, home, project)
    metadata = project / "build" / publish.CPU / "metadata.json"
    content = json.loads(metadata.read_text())
    content["kernel-depends"] = [{"repo-id": "lab/k", "version": 1}]
    metadata.write_text(json.dumps(content))
    publish.upload(bed, home, project, "--repo-id", "lab/needy")


def test_lock_is_the_one_that_kernels_writes(bed, home, project, tmp_path):
    publish_dependent(bed, home, project)
    ours = write_python_project(tmp_path / "ours", {"lab/needy": 1})
    theirs = write_python_project(tmp_path / "theirs", {"lab/needy": 1})
    publish.run(bed, home, "lock", ours)
    # What `kernels lock` does (kernels/cli/lock.py); the command itself imports packages for signatures.
    code = ("import sys; from kernels.hf_hub import _get_hf_api; from kernels.locking import extract_dependency_locks; "
            "from kernels._rust import KernelDependency, KernelVersion; "
            "needy = KernelDependency(repo_id='lab/needy', version=KernelVersion.Version(1)); "
            "open(sys.argv[1] + '/kernels.lock', 'w').write(extract_dependency_locks([needy], api=_get_hf_api()).to_json())")
    variables = driver.clean_environment(HF_ENDPOINT=bed.url, HF_HOME=str(home / "hf"))
    variables.pop("HF_HUB_OFFLINE", None)
    result = subprocess.run([sys.executable, "-c", code, theirs], env=variables, text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    assert (ours / "kernels.lock").read_text() == (theirs / "kernels.lock").read_text()
    assert len(json.loads((ours / "kernels.lock").read_text())) == 2


def test_lock_is_checked(bed, home, project, tmp_path):
    publish.upload(bed, home, project)
    folder = write_python_project(tmp_path / "p", {"lab/k": 1})
    publish.run(bed, home, "lock", folder)
    publish.run(bed, home, "lock", folder, "--check")
    publish.write_variant(project, publish.CPU, seed=1)
    publish.upload(bed, home, project)
    assert "lab/k@1 is locked at" in publish.run(bed, home, "lock", folder, "--check", exit_code=1).stdout
