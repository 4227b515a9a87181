"""Publishing to a Hub that misbehaves, and killed at every step: a documented end, exactly one commit per branch, never half
a set of variants, and the token nowhere."""

import json
import os
import resource
import shutil
import signal
import sys
import threading
from pathlib import Path

import pytest

INTEROP = Path(__file__).resolve().parents[1] / "interop"
sys.path.insert(0, str(INTEROP))
import faults  # noqa: E402
import publish_driver as publish  # noqa: E402
from hub_recorder import Recorder  # noqa: E402

NETWORK = 7
OBJECT, COMMIT = "/_objects/", "/commit/v1"


@pytest.fixture
def bed(tmp_path):
    with Recorder(tmp_path / "record.jsonl", tmp_path / "objects") as recorder:
        yield recorder


@pytest.fixture
def home(tmp_path):
    """Everything that kbuild may write to besides the project; looked through for the token afterwards."""
    home = tmp_path / "home"
    home.mkdir()
    yield home
    assert publish.files_with(home, publish.TOKEN) == []
    assert publish.files_with(tmp_path / "a project", publish.TOKEN) == []
    assert publish.files_with(tmp_path / "a project", "X-Amz-Signature") == []


@pytest.fixture
def project(tmp_path):
    return publish.make_project(tmp_path / "a project")


def own_commits(bed, ref="v1"):
    """Commits of a branch besides the one that main began with."""
    return len(publish.repository(bed).history(ref)) - 1


def published_once(bed, project):
    return own_commits(bed) == 1 and publish.published_files(bed) == publish.wanted_files(project)


def nothing_published(bed):
    return ("kernel", "lab/k") not in bed.hub.repositories or not publish.published_files(bed, _v1_or_main(bed))


def _v1_or_main(bed):
    return "v1" if "v1" in publish.repository(bed).refs else "main"


# -- refusals: no repetition, the server's words, a way out ------------------------------------------------------------------

REFUSALS = [
    ("401 at the start", "GET", "whoami", 401, "the token is not valid"),
    ("403 creating", "POST", "repos/create", 403, "publishing kernels is a right"),
    ("403 committing", "POST", COMMIT, 403, "lacks a right"),
    ("403 for objects", "POST", "objects/batch", 403, "lacks a right"),
    ("404 listing", "GET", "/tree/", 404, "check the repository's name"),
    ("404 preupload", "POST", "preupload", 404, "check the repository's name"),
    ("413 committing", "POST", COMMIT, 413, "no request of this size"),
    ("422 committing", "POST", COMMIT, 422, "does not accept the content"),
]


@pytest.mark.parametrize("method,path,status,words", [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS])
def test_refusal(bed, home, project, method, path, status, words):
    fault = faults.Status(method, path, status, headers=[("X-Error-Message", "the server's words"), ("X-Request-Id", "r-1")])
    bed.faults.append(fault)
    result = publish.upload(bed, home, project, exit_code=NETWORK)
    assert f"status {status}: the server's words (request r-1)" in result.stderr
    assert words in result.stderr
    assert 10**6 - fault.left == 1, "a refusal is not asked for again"
    assert nothing_published(bed)
    bed.faults.clear()
    publish.upload(bed, home, project)
    assert published_once(bed, project)


@pytest.mark.parametrize("token,repo,words", [
    ("hf_read_made_up", "lab/k", "can only read"),
    ("hf_fine_made_up", "alice/k", "fine-grained and may not write"),
    (publish.TOKEN, "club/k", "may only read in `club`"),
    (publish.TOKEN, "other/k", "no member of `other`"),
    (None, "lab/k", "there is no token"),
])
def test_rights_come_first(bed, home, project, token, repo, words):
    result = publish.upload(bed, home, project, "--repo-id", repo, exit_code=NETWORK, HF_TOKEN=token)
    assert words in result.stderr
    assert not [entry for entry in bed.exchanges if "whoami" not in entry["path"]]


def test_wrong_token(bed, home, project):
    result = publish.upload(bed, home, project, exit_code=NETWORK, HF_TOKEN="hf_unknown")
    assert "status 401" in result.stderr and "hf_unknown" not in result.stderr


def test_developers_log_shows_requests_but_no_token(bed, home, project):
    log = publish.run(bed, home, "-vv", "upload", project, *publish.LENIENT).stderr
    assert f"PUT {bed.url}/_objects/" in log and "POST" in log  # run() looks for the token and for signatures


# -- trouble that passes ----------------------------------------------------------------------------------------------------

PASSING = [
    ("429 twice", lambda: faults.Status("POST", "preupload", 429, 2, headers=[("Retry-After", "0")])),
    ("503 with Retry-After", lambda: faults.Status("POST", "objects/batch", 503, 2, headers=[("Retry-After", "0")])),
    ("503 for the commit", lambda: faults.Status("POST", COMMIT, 503, 2, headers=[("Retry-After", "0")])),
    ("500 for the commit", lambda: faults.Status("POST", COMMIT, 500, 2)),
    ("500 for an object", lambda: faults.Status("PUT", OBJECT, 500, 3)),
    ("502 for a listing", lambda: faults.Status("GET", "/tree/", 502, 2, b"<html>bad gateway</html>")),
    ("reset in the middle", lambda: faults.Reset("PUT", OBJECT, 10_000, 2)),
    ("reset of the commit", lambda: faults.Reset("POST", COMMIT, 100)),
    ("lost answer of the commit", lambda: faults.LostAnswer("POST", COMMIT)),
    ("lost answer of main's commit", lambda: faults.LostAnswer("POST", "/commit/main")),
    ("HTML for the commit", lambda: faults.Status("POST", COMMIT, 200, 1, b"<html>proxy</html>")),
    ("expired address", lambda: faults.Status("PUT", OBJECT, 403, 2, b"<Code>ExpiredToken</Code>")),
    ("object lost before verify", lambda: faults.Status("POST", "objects/verify", 404, 1)),
    ("409 for the commit, unmoved", lambda: faults.Status("POST", COMMIT, 409, 1)),
]


@pytest.mark.parametrize("part_size", [0, 50_000], ids=["basic", "multipart"])
@pytest.mark.parametrize("fault", [case[1] for case in PASSING], ids=[case[0] for case in PASSING])
def test_passing_trouble(bed, home, project, fault, part_size):
    bed.part_size = part_size
    bed.faults.append(fault())
    publish.upload(bed, home, project)
    assert bed.faults[0].left == 0
    assert published_once(bed, project) and own_commits(bed, "main") == 1


def test_stalled_answer(bed, home, project):
    released = threading.Event()
    bed.faults.append(faults.Stall("GET", "/refs", released))
    publish.upload(bed, home, project)
    released.set()
    assert published_once(bed, project)


def test_wrong_etag_of_a_part(bed, home, project):
    bed.part_size = 50_000
    bed.faults.append(faults.WrongEtag("PUT", OBJECT))
    publish.upload(bed, home, project)
    assert published_once(bed, project)


# -- answers that are none ----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("method,path,body", [
    ("GET", "whoami", b"<html>log in</html>"),
    ("GET", "/refs", b'{"branches": [{"name": "ma'),
    ("GET", "/tree/", b'[{"type": "file", "path": "../../etc/passwd", "size": 1, "oid": "' + b"0" * 40 + b'"}]'),
    ("POST", "preupload", b'{"files": []}'),
    ("POST", "objects/batch", b'{"objects": [{"oid": 7}]}'),
    ("POST", "objects/batch", b'{"transfer": "xet", "objects": []}'),
], ids=["html", "truncated", "path", "missing", "type", "transfer"])
def test_nonsense_with_status_200(bed, home, project, method, path, body):
    bed.faults.append(faults.Status(method, path, 200, body=body))
    result = publish.upload(bed, home, project, exit_code=NETWORK)
    assert f"{method} {bed.url}" in result.stderr
    assert nothing_published(bed)


def test_server_that_stays_in_trouble(bed, home, project):
    fault = faults.Status("POST", "objects/batch", 503, headers=[("X-Request-Id", "r-2")])
    bed.faults.append(fault)
    result = publish.upload(bed, home, project, exit_code=NETWORK)
    assert "status 503" in result.stderr and "request r-2" in result.stderr and "goes on from here" in result.stderr
    assert 10**6 - fault.left == 6


def test_a_commit_that_is_never_answered(bed, home, project):
    bed.faults.append(faults.Reset("POST", COMMIT, 10, times=10**6))
    result = publish.upload(bed, home, project, exit_code=NETWORK)
    assert "the commit was not made" in result.stderr
    assert nothing_published(bed)


def test_redirect_to_another_host_goes_without_the_token(bed, home, project, tmp_path):
    with Recorder(tmp_path / "thief.jsonl", tmp_path / "thief") as thief:
        bed.faults.append(faults.Status("GET", "whoami", 307, 1, headers=[("Location", thief.url + "/api/whoami-v2")]))
        publish.upload(bed, home, project, exit_code=NETWORK)
        assert [entry["authorization"] for entry in thief.exchanges] == [False]
        bed.faults.append(faults.Status("POST", "preupload", 307, 1, headers=[("Location", thief.url + "/steal")]))
        publish.upload(bed, home, project, exit_code=NETWORK)
        assert not any(entry["authorization"] for entry in thief.exchanges)
    assert nothing_published(bed)


# -- somebody else ------------------------------------------------------------------------------------------------------------

class Meanwhile(faults.Counted):
    """Somebody else commits just before our commit arrives."""

    def __init__(self, bed, times, path="other/file"):
        super().__init__("POST", COMMIT, times)
        self.bed, self.path = bed, path

    def act(self, handler):
        repository = publish.repository(self.bed)
        tree = dict(repository.tree("v1"))
        from hub_model import File
        tree[f"{self.path}{self.left}"] = File.regular(b"theirs")
        repository.add_commit("v1", tree)
        return False


def test_a_branch_that_moved_is_planned_again_once(bed, home, project):
    bed.faults.append(Meanwhile(bed, 1))
    result = publish.upload(bed, home, project)
    assert result["status"] == "uploaded"
    repository = publish.repository(bed)
    assert own_commits(bed) == 2  # theirs and ours
    assert "other/file0" in repository.tree("v1")
    assert publish.published_files(bed) == publish.wanted_files(project)


def test_a_branch_that_keeps_moving_is_a_conflict(bed, home, project):
    bed.faults.append(Meanwhile(bed, 10))
    result = publish.upload(bed, home, project, exit_code=NETWORK)
    assert "keeps moving" in result.stderr
    assert publish.published_files(bed) == {}


def test_a_listing_that_differs_afterwards_is_an_error(bed, home, project):
    class Lossy(faults.Counted):
        def act(self, handler):
            commit = handler.path.split("/tree/")[1].split("?")[0]
            tree = publish.repository(bed).trees[commit]
            if not any(path.startswith("build/") for path in tree):
                self.left += 1
                return False
            del tree[f"build/{publish.CPU}/_ops.py"]
            return False

    bed.faults.append(Lossy("GET", "/tree/"))
    result = publish.upload(bed, home, project, exit_code=NETWORK)
    assert f"`build/{publish.CPU}/_ops.py` is missing" in result.stderr


# -- interruptions --------------------------------------------------------------------------------------------------------------

def steps_of_a_whole_upload(tmp_path, project, *arguments):
    with Recorder(tmp_path / "count.jsonl", tmp_path / "count") as bed:
        publish.upload(bed, tmp_path / "count-home", project, *arguments)
        return len(bed.exchanges)


def upload_and_die(bed, home, project, number, handled, *arguments, method=""):
    """Whether kbuild came to its n-th request (and was killed then)."""
    fault = faults.KillAt(number, handled, method)
    bed.faults.append(fault)
    fault.process = publish.start(bed, home, "upload", project, *publish.LENIENT, *arguments)
    fault.process.communicate(timeout=60)
    bed.server.settle()
    bed.faults.clear()
    if fault.fired:
        assert fault.process.returncode == -signal.SIGKILL
    return fault.fired


@pytest.mark.parametrize("handled", [False, True], ids=["before", "after"])
def test_killed_at_every_step(tmp_path, project, handled):
    steps = steps_of_a_whole_upload(tmp_path, project)
    assert steps > 10
    home = tmp_path / "home"
    for number in range(1, steps + 1):
        shutil.rmtree(project / ".kbuild", ignore_errors=True)
        with Recorder(tmp_path / f"{number}.jsonl", tmp_path / f"objects-{number}") as bed:
            assert upload_and_die(bed, home, project, number, handled)
            if ("kernel", "lab/k") in bed.hub.repositories and "v1" in publish.repository(bed).refs:
                assert publish.published_files(bed) in ({}, publish.wanted_files(project))
            there = len(list(bed.store.folder.iterdir()))
            bed.exchanges.clear()
            publish.upload(bed, home, project)
            assert bed.count("PUT", OBJECT) == 2 - there, "only what is missing is sent"
            assert published_once(bed, project) and own_commits(bed, "main") == 1, number
    assert publish.files_with(project, publish.TOKEN) == [] and publish.files_with(home, publish.TOKEN) == []


@pytest.mark.parametrize("handled", [False, True], ids=["before", "after"])
def test_killed_pull_request_is_opened_once(tmp_path, project, handled):
    home = tmp_path / "home"
    for number in range(1, 30):
        shutil.rmtree(project / ".kbuild", ignore_errors=True)
        with Recorder(tmp_path / f"{number}.jsonl", tmp_path / f"objects-{number}") as bed:
            publish.upload(bed, home, project)
            changed = shutil.copytree(project, tmp_path / f"changed-{number}")
            publish.write_variant(changed, publish.ROCM, seed=number)
            died = upload_and_die(bed, home, changed, number, handled, "--pr")
            if not died:
                return
            publish.upload(bed, home, changed, "--pr")
            repository = publish.repository(bed)
            assert repository.pull_requests == 1, number
            assert publish.published_files(bed, "refs/pr/1") == publish.wanted_files(changed)
            assert publish.published_files(bed, "v1") == publish.wanted_files(project)
    pytest.fail("the upload has no end")


def test_resumed_in_the_middle_of_many_objects(bed, home, project):
    for seed in range(40):
        publish.write(project / "build" / publish.ROCM / f"extra{seed}.so", os.urandom(70_000))
    assert upload_and_die(bed, home, project, 10, False, method="PUT")
    there = {path.name for path in bed.store.folder.iterdir() if not path.name.startswith(".")}
    assert 0 < len(there) < 42
    bed.exchanges.clear()
    result = publish.run(bed, home, "upload", project, *publish.LENIENT)
    assert "going on with an upload that was interrupted" in result.stderr
    sent = {entry["path"].split("/")[2].split("?")[0] for entry in bed.exchanges if entry["method"] == "PUT"}
    assert not sent & there and len(sent | there) == 42
    assert published_once(bed, project)


def test_interrupted_by_the_user(bed, home, project):
    released, process = threading.Event(), None

    class Interrupt(faults.Counted):
        def act(self, handler):
            os.kill(process.pid, signal.SIGINT)
            released.wait(20)
            return True

    bed.faults.append(Interrupt("POST", "preupload"))
    process = publish.start(bed, home, "upload", project, *publish.LENIENT, KBUILD_HTTP_TIMEOUT="30")
    process.communicate(timeout=30)
    released.set()
    assert process.returncode == 130
    bed.faults.clear()
    publish.upload(bed, home, project)
    assert published_once(bed, project)


def test_journal_without_room(bed, home, project):
    """A file system that is full: no file can grow. The upload goes on, and says that it could not be resumed."""

    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    publish.upload(bed, home, project)  # makes the work folder
    publish.write_variant(project, publish.ROCM, seed=1)
    process = publish.start(bed, home, "upload", project, *publish.LENIENT, preexec=no_room)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 0 and "no journal was kept" in stderr, stderr
    assert publish.published_files(bed) == publish.wanted_files(project) and own_commits(bed) == 2


def test_two_uploads_at_a_time_wait_for_each_other(bed, home, project):
    processes = [publish.start(bed, home, "upload", project, *publish.LENIENT, "--format", "json") for _ in range(2)]
    results = sorted(json.loads(process.communicate(timeout=60)[0])["status"] for process in processes)
    assert results == ["no_changes", "uploaded"]
    assert published_once(bed, project)
