"""The Hub's repositories in memory: branches, commits and pull requests over content-addressed files. No HTTP here.

The wire format that hub_recorder.py puts around it is the one that huggingface_hub 2.4 and @huggingface/hub 2.17 speak.
"""

import hashlib
import threading
from dataclasses import dataclass, field

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size}\n"


def blob_id(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@dataclass(frozen=True)
class File:
    size: int
    oid: str             # git's id of the blob: the content, or the pointer
    sha256: str = ""     # of LFS files
    content: bytes = b""  # of the others

    @staticmethod
    def regular(content):
        return File(len(content), blob_id(content), content=content)

    @staticmethod
    def lfs(sha256, size):
        return File(size, blob_id(POINTER.format(oid=sha256, size=size).encode()), sha256)


class Refused(Exception):
    """An answer that is no success: status, words, X-Error-Code."""

    def __init__(self, status, words, code=""):
        super().__init__(words)
        self.status, self.words, self.code = status, words, code


@dataclass
class Repository:
    kind: str
    name: str
    private: bool = False
    refs: dict = field(default_factory=dict)     # branch or refs/pr/N -> commit
    trees: dict = field(default_factory=dict)    # commit -> {path: File}
    parents: dict = field(default_factory=dict)  # commit -> commit
    pull_requests: int = 0

    def resolve(self, revision):
        if revision in self.refs:
            return self.refs[revision]
        if revision in self.trees:
            return revision
        raise Refused(404, f"Revision not found: {revision}", "RevisionNotFound")

    def tree(self, revision):
        return self.trees[self.resolve(revision)]

    def add_commit(self, ref, tree):
        parent = self.refs.get(ref, "")
        listing = sorted((path, file.oid) for path, file in tree.items())
        commit = hashlib.sha1(repr((self.name, ref, parent, len(self.trees), listing)).encode()).hexdigest()
        self.trees[commit], self.parents[commit], self.refs[ref] = dict(tree), parent, commit
        return commit

    def history(self, ref):
        """Commits of a ref, the newest first."""
        commit, found = self.refs.get(ref, ""), []
        while commit:
            found.append(commit)
            commit = self.parents[commit]
        return found


class Hub:
    def __init__(self, store):
        self.store = store  # has(oid), size(oid)
        self.repositories = {}
        self.lock = threading.RLock()

    def create(self, kind, name, private):
        if (kind, name) in self.repositories:
            raise Refused(409, f"You already created this {kind} repo")
        repository = Repository(kind, name, private)
        attributes = b"*.so filter=lfs diff=lfs merge=lfs -text\n"
        repository.add_commit("main", {".gitattributes": File.regular(attributes)})
        self.repositories[kind, name] = repository
        return repository

    def get(self, kind, name):
        try:
            return self.repositories[kind, name]
        except KeyError:
            raise Refused(404, "Repository not found", "RepoNotFound") from None

    def branch(self, repository, name, start):
        if name in repository.refs:
            raise Refused(409, "Reference already exists")
        repository.refs[name] = repository.resolve(start)

    def commit(self, repository, revision, parent, operations, create_pr):
        """`operations` are (key, value) as in the NDJSON lines after the header; all or nothing."""
        base = repository.resolve(revision)
        if parent and parent != base:
            raise Refused(412, "A commit has happened since. Please refresh and try again.")
        tree = dict(repository.trees[base])
        for key, value in operations:
            self.apply(tree, key, value)
        ref = revision
        if create_pr:
            repository.pull_requests += 1
            ref = f"refs/pr/{repository.pull_requests}"
            repository.refs[ref] = base
        return ref, repository.add_commit(ref, tree)

    def apply(self, tree, key, value):
        path = value["path"]
        if key == "file":
            tree[path] = File.regular(value["content"])
        elif key == "lfsFile":
            if self.store.size(value["oid"]) != value.get("size", self.store.size(value["oid"])):
                raise Refused(400, f"LFS object {value['oid']} was not uploaded")
            tree[path] = File.lfs(value["oid"], self.store.size(value["oid"]))
        elif key == "deletedFile":
            if tree.pop(path, None) is None:
                raise Refused(400, f"no such file: {path}")
        elif key == "deletedFolder":
            for name in [name for name in tree if name.startswith(path.rstrip("/") + "/")]:
                del tree[name]
        else:
            raise Refused(400, f"unknown key {key}")
