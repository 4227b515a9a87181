#!/usr/bin/env python3
"""A Hub to test against, on loopback: the API that publishing and loading use, every exchange recorded.

    hub_recorder.py PORT RECORD.jsonl [--part-size BYTES] [--store DIR] [--object-base URL]

By hand it runs until it is stopped; tests use `Recorder` as a context manager and give it `faults`: functions that are asked
before every request and may answer in its place (see faults.py).
"""

import argparse
import base64
import hashlib
import json
import re
import socket
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from hub_model import Hub, Refused

TOKENS = {
    "hf_write_made_up": {"displayName": "ci", "role": "write"},
    "hf_read_made_up": {"displayName": "reader", "role": "read"},
    "hf_fine_made_up": {"displayName": "fine", "role": "fineGrained", "fineGrained": {"scoped": [
        {"entity": {"type": "org", "name": "lab"}, "permissions": ["repo.content.read", "repo.write"]}]}},
}
ORGANISATIONS = [{"name": "lab", "roleInOrg": "write"}, {"name": "club", "roleInOrg": "read"}]
KINDS = {"kernels": "kernel", "models": "model", "datasets": "dataset"}
LFS_MEDIA = "application/vnd.git-lfs+json"


class Store:
    """LFS objects in a folder, one file each."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.parts, self.lock = {}, threading.Lock()

    def path(self, oid):
        return self.folder / oid

    def size(self, oid):
        return self.path(oid).stat().st_size if self.path(oid).is_file() else None

    def put(self, oid, data):
        if hashlib.sha256(data).hexdigest() != oid:
            raise Refused(400, "the content is not what its name says")
        part = self.folder / f".{oid}.{threading.get_ident()}"
        part.write_bytes(data)
        part.rename(self.path(oid))

    def put_part(self, oid, number, data):
        with self.lock:
            self.parts.setdefault(oid, {})[number] = data
        return hashlib.md5(data).hexdigest()

    def complete(self, oid, parts):
        with self.lock:
            staged = self.parts.pop(oid, {})
        for part in parts:
            data = staged.get(part["partNumber"])
            if data is None or part["etag"].strip('"') != hashlib.md5(data).hexdigest():
                raise Refused(400, "InvalidPart: one or more of the specified parts could not be found")
        self.put(oid, b"".join(staged[part["partNumber"]] for part in parts))


class Answer:
    def __init__(self, status=200, body=None, headers=None, file=None, media="application/json"):
        self.status, self.headers, self.file, self.media = status, dict(headers or {}), file, media
        self.body = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def read_body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            data = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                data += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return data
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def handle_any(self):
        bed = self.server.bed
        for fault in bed.faults:
            if fault(self):
                bed.record(self, b"", None)
                return
        body = self.read_body()
        try:
            with bed.hub.lock:
                answer = bed.route(self, body)
        except Refused as refused:
            headers = {"X-Error-Message": refused.words, "X-Request-Id": "test-request"}
            if refused.code:
                headers["X-Error-Code"] = refused.code
            answer = Answer(refused.status, {"error": refused.words, "message": refused.words}, headers)
        bed.record(self, body, answer)
        self.reply(answer)

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = handle_any

    def reply(self, answer):
        size = answer.file.stat().st_size if answer.file else len(answer.body)
        start = 0
        if (wanted := re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")) and answer.status == 200:
            start = int(wanted[1])
            answer.status = 206
            answer.headers["Content-Range"] = f"bytes {start}-{size - 1}/{size}"
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.media, **answer.headers, "Content-Length": size - start}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command == "HEAD":
            return
        if not answer.file:
            self.wfile.write(answer.body[start:])
            return
        with open(answer.file, "rb") as file:
            file.seek(start)
            while data := file.read(1 << 20):
                self.wfile.write(data)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address, handler):
        super().__init__(address, handler)
        self.served, self.open, self.changed = set(), set(), threading.Condition()

    def process_request(self, request, client_address):
        with self.changed:
            self.open.add(client_address)
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        super().process_request_thread(request, client_address)
        with self.changed:
            self.open.discard(client_address)
            self.served.add(client_address)
            self.changed.notify_all()

    def settle(self):
        """Waits until all that clients sent before they died is handled: the connections that they left behind are open
        until then, and one of our own, the last in the queue, shows that none is still waiting to be accepted."""
        with socket.create_connection(self.server_address) as last:
            own = last.getsockname()
        with self.changed:
            assert self.changed.wait_for(lambda: own in self.served and not self.open, timeout=60)

    def handle_error(self, request, client_address):
        pass  # clients that go away are part of the tests


class Recorder:
    def __init__(self, record, store, port=0, part_size=0, object_base=None, page_size=1000):
        self.store = Store(store)
        self.hub = Hub(self.store)
        self.part_size, self.page_size, self.faults = part_size, page_size, []
        self.exchanges, self.record_file = [], Path(record).open("a")
        self.record_lock = threading.Lock()
        self.server = Server(("127.0.0.1", port), Handler)
        self.server.bed = self
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.object_base = object_base or self.url + "/_objects"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
        self.record_file.close()

    # -- recording ------------------------------------------------------------------------------------------------

    def record(self, handler, body, answer):
        media = handler.headers.get("Content-Type") or ""
        shown = None
        if "ndjson" in media:
            shown = [json.loads(line) for line in body.splitlines() if line]
        elif "json" in media and body:
            shown = json.loads(body)
        elif body:
            shown = {"bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
        entry = {"method": handler.command, "path": handler.path, "status": answer.status if answer else None,
                 "authorization": "Authorization" in handler.headers, "agent": handler.headers.get("User-Agent"),
                 "body": shown}
        with self.record_lock:
            self.exchanges.append(entry)
            self.record_file.write(json.dumps(entry) + "\n")
            self.record_file.flush()

    def count(self, method, pattern):
        return sum(1 for entry in self.exchanges if entry["method"] == method and re.search(pattern, entry["path"]))

    # -- rights ---------------------------------------------------------------------------------------------------

    @staticmethod
    def token(handler):
        text = handler.headers.get("Authorization") or ""
        if text.startswith("Bearer "):
            return TOKENS.get(text[7:])
        if text.startswith("Basic "):
            return TOKENS.get(base64.b64decode(text[6:]).decode().split(":", 1)[-1])
        return None

    def require(self, handler, write):
        token = self.token(handler)
        if token is None:
            raise Refused(401, "Invalid username or password.")
        if write and token["role"] == "read":
            raise Refused(403, "Forbidden: this token cannot write")
        return token

    # -- routes ---------------------------------------------------------------------------------------------------

    def route(self, handler, body):
        parts = urlsplit(handler.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        for pattern, method, function in self.ROUTES:
            if method == handler.command and (match := re.fullmatch(pattern, parts.path)):
                return function(self, handler, match, query, body)
        raise Refused(404, f"no route for {handler.command} {parts.path}")

    def whoami(self, handler, match, query, body):
        token = self.require(handler, write=False)
        return Answer(body={"type": "user", "name": "alice", "orgs": ORGANISATIONS,
                            "auth": {"type": "access_token", "accessToken": token}})

    def create(self, handler, match, query, body):
        self.require(handler, write=True)
        asked = json.loads(body)
        kind = asked.get("type", "model")
        name = f"{asked.get('organization') or 'alice'}/{asked['name']}"
        url = f"{self.url}/{'' if kind == 'model' else kind + 's/'}{name}"
        try:
            self.hub.create(kind, name, asked.get("visibility") == "private" or asked.get("private", False))
        except Refused as refused:
            return Answer(refused.status, {"error": refused.words, "url": url})
        return Answer(body={"url": url, "name": name, "id": "0" * 24})

    def repository(self, match):
        return self.hub.get(KINDS[match["kinds"]], match["name"])

    def info(self, handler, match, query, body):
        repository = self.repository(match)
        revision = unquote(match.groupdict().get("revision") or "main")
        files = [{"rfilename": path} for path in sorted(repository.tree(revision))]
        return Answer(body={"id": repository.name, "_id": "0" * 24, "sha": repository.resolve(revision), "tags": [],
                            "author": repository.name.split("/")[0], "private": repository.private, "siblings": files,
                            "downloads": 0, "likes": 0, "trustedPublisher": True})

    def refs(self, handler, match, query, body):
        repository = self.repository(match)

        def entry(name, commit):
            return {"name": name, "ref": name if name.startswith("refs/") else f"refs/heads/{name}", "targetCommit": commit}

        found = [entry(name, commit) for name, commit in repository.refs.items()]
        answer = {"branches": [ref for ref in found if not ref["name"].startswith("refs/")], "tags": [], "converts": []}
        if query.get("include_prs"):
            answer["pullRequests"] = [ref for ref in found if ref["name"].startswith("refs/pr/")]
        return Answer(body=answer)

    def create_branch(self, handler, match, query, body):
        self.require(handler, write=True)
        start = json.loads(body or b"{}").get("startingPoint") or "main"
        self.hub.branch(self.repository(match), unquote(match["revision"]), start)
        return Answer(body={})

    def preupload(self, handler, match, query, body):
        self.require(handler, write=True)
        repository = self.repository(match)
        tree = repository.tree(unquote(match["revision"]))
        files = []
        for asked in json.loads(body)["files"]:
            lfs = asked["size"] > 0 and (asked["path"].endswith(".so") or asked["size"] > 10 << 20)
            there = tree.get(asked["path"])
            files.append({"path": asked["path"], "uploadMode": "lfs" if lfs else "regular", "shouldIgnore": False,
                          "oid": (there.sha256 or there.oid) if there else None})
        return Answer(body={"files": files, "commitOid": repository.resolve(unquote(match["revision"]))})

    def tree(self, handler, match, query, body):
        repository = self.repository(match)
        revision, _, folder = match["revision"].partition("/")
        files = repository.tree(unquote(revision))
        prefix = unquote(folder) + "/" if folder else ""
        entries = []
        for path, file in sorted(files.items()):
            if not path.startswith(prefix):
                continue
            entry = {"type": "file", "path": path, "size": file.size, "oid": file.oid}
            if file.sha256:
                entry["lfs"] = {"oid": file.sha256, "size": file.size, "pointerSize": 130}
            entries.append(entry)
        if query.get("recursive", "false").lower() not in ("true", "1"):
            entries = self.top_entries(entries, prefix)
        return self.page(handler, entries, int(query.get("cursor", 0)))

    @staticmethod
    def top_entries(entries, prefix):
        folders = sorted({prefix + entry["path"][len(prefix):].split("/")[0]
                          for entry in entries if "/" in entry["path"][len(prefix):]})
        return ([{"type": "directory", "path": folder, "size": 0, "oid": "0" * 40} for folder in folders] +
                [entry for entry in entries if "/" not in entry["path"][len(prefix):]])

    def page(self, handler, entries, start):
        headers = {}
        if start + self.page_size < len(entries):
            separator = "&" if "?" in handler.path else "?"
            address = re.sub(r"[?&]cursor=\d+", "", handler.path)
            headers["Link"] = f'<{self.url}{address}{separator}cursor={start + self.page_size}>; rel="next"'
        return Answer(body=entries[start:start + self.page_size], headers=headers)

    def commit(self, handler, match, query, body):
        self.require(handler, write=True)
        repository = self.repository(match)
        lines = [json.loads(line) for line in body.splitlines() if line]
        operations = []
        for line in lines[1:]:
            value = dict(line["value"])
            if line["key"] == "file":
                value["content"] = base64.b64decode(value["content"])
            operations.append((line["key"], value))
        revision = unquote(match["revision"])
        ref, commit = self.hub.commit(repository, revision, lines[0]["value"].get("parentCommit"), operations,
                                      bool(query.get("create_pr")))
        page = f"{self.url}/{match['kinds'] + '/' if match['kinds'] != 'models' else ''}{repository.name}"
        answer = {"success": True, "commitOid": commit, "commitUrl": f"{page}/commit/{commit}", "hookOutput": ""}
        if query.get("create_pr"):
            answer["pullRequestUrl"] = f"{page}/discussions/{ref.rsplit('/', 1)[1]}"
        return Answer(body=answer)

    def lfs_batch(self, handler, match, query, body):
        self.require(handler, write=True)
        self.hub.get(KINDS[match["kinds"]] if match["kinds"] else "model", match["name"])
        asked = json.loads(body)
        multipart, objects = False, []
        for wanted in asked["objects"]:
            entry = {"oid": wanted["oid"], "size": wanted["size"]}
            if self.store.size(wanted["oid"]) != wanted["size"]:
                upload = {"href": f"{self.object_base}/{wanted['oid']}?X-Amz-Signature=signed"}
                if self.part_size and wanted["size"] > self.part_size and "multipart" in asked.get("transfers", []):
                    multipart = True
                    count = -(-wanted["size"] // self.part_size)
                    upload["header"] = {"chunk_size": str(self.part_size), **{
                        f"{i:05}": f"{self.object_base}/{wanted['oid']}/{i}?X-Amz-Signature=signed" for i in range(1, count + 1)}}
                verify = f"{self.url}{handler.path.replace('objects/batch', 'objects/verify')}"
                entry["actions"] = {"upload": upload, "verify": {"href": verify}}
            objects.append(entry)
        return Answer(body={"transfer": "multipart" if multipart else "basic", "objects": objects}, media=LFS_MEDIA)

    def lfs_verify(self, handler, match, query, body):
        self.require(handler, write=True)
        asked = json.loads(body)
        if self.store.size(asked["oid"]) != asked["size"]:
            raise Refused(404, "no such object")
        return Answer(body={})

    def put_object(self, handler, match, query, body):
        if "Authorization" in handler.headers:
            raise Refused(400, "Only one auth mechanism allowed")
        if query.get("X-Amz-Signature") != "signed":
            raise Refused(403, "SignatureDoesNotMatch")
        if handler.command == "POST":
            self.store.complete(match["oid"], json.loads(body)["parts"])
            return Answer(body={})
        if match["part"]:
            return Answer(headers={"ETag": f'"{self.store.put_part(match["oid"], int(match["part"]), body)}"'})
        self.store.put(match["oid"], body)
        return Answer(headers={"ETag": f'"{hashlib.md5(body).hexdigest()}"'})

    def resolve(self, handler, match, query, body):
        kind = KINDS[match["kinds"]] if match["kinds"] else "model"
        repository = self.hub.get(kind, match["name"])
        revision = unquote(match["revision"])
        file = repository.tree(revision).get(unquote(match["path"]))
        if file is None:
            raise Refused(404, "Entry not found", "EntryNotFound")
        headers = {"X-Repo-Commit": repository.resolve(revision), "ETag": f'"{file.sha256 or file.oid}"'}
        if not file.sha256:
            return Answer(body=file.content, headers=headers, media="application/octet-stream")
        headers.update({"X-Linked-Size": file.size, "X-Linked-Etag": f'"{file.sha256}"',
                        "Location": f"{self.object_base}/{file.sha256}?X-Amz-Signature=signed"})
        return Answer(302, headers=headers)

    def get_object(self, handler, match, query, body):
        if query.get("X-Amz-Signature") != "signed" or self.store.size(match["oid"]) is None:
            raise Refused(403, "AccessDenied")
        return Answer(file=self.store.path(match["oid"]), media="application/octet-stream")

    def validate_yaml(self, handler, match, query, body):
        return Answer(body={"errors": [], "warnings": []})

    def organisation(self, handler, match, query, body):
        return Answer(body={"name": match["name"], "trustedKernelPublisher": True})

    API = r"/api/(?P<kinds>kernels|models|datasets)/(?P<name>[^/]+/[^/]+)"
    GIT = r"/(?:(?P<kinds>kernels|datasets)/)?(?P<name>[^/]+/[^/]+)"
    OBJECT = r"/_objects/(?P<oid>[0-9a-f]{64})(?:/(?P<part>\d+))?"
    ROUTES = [
        (r"/api/whoami-v2", "GET", whoami),
        (r"/api/repos/create", "POST", create),
        (r"/api/validate-yaml", "POST", validate_yaml),
        (r"/api/organizations/(?P<name>[^/]+)/overview", "GET", organisation),
        (API, "GET", info),
        (API + r"/revision/(?P<revision>.+)", "GET", info),
        (API + r"/refs", "GET", refs),
        (API + r"/branch/(?P<revision>[^/]+)", "POST", create_branch),
        (API + r"/preupload/(?P<revision>[^/]+)", "POST", preupload),
        (API + r"/tree/(?P<revision>.+)", "GET", tree),
        (API + r"/commit/(?P<revision>[^/]+)", "POST", commit),
        (GIT + r"\.git/info/lfs/objects/batch", "POST", lfs_batch),
        (GIT + r"\.git/info/lfs/objects/verify", "POST", lfs_verify),
        (GIT + r"/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "GET", resolve),
        (GIT + r"/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "HEAD", resolve),
        (OBJECT, "PUT", put_object),
        (OBJECT, "POST", put_object),
        (OBJECT, "GET", get_object),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int)
    parser.add_argument("record")
    parser.add_argument("--part-size", type=int, default=0, help="larger objects go in parts of this size")
    parser.add_argument("--store", default=None, help="folder of the objects (default: a temporary one)")
    parser.add_argument("--object-base", default=None, help="where objects are put, if not here")
    arguments = parser.parse_args()
    store = arguments.store or tempfile.mkdtemp(prefix="hub-objects-")
    recorder = Recorder(arguments.record, store, arguments.port, arguments.part_size, arguments.object_base)
    print(recorder.url, file=sys.stderr, flush=True)
    recorder.server.serve_forever()


if __name__ == "__main__":
    main()
