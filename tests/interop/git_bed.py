"""A real git server with a real LFS server beside it, on loopback: nginx, git http-backend and giftless, at one origin as on the
Hub. `GitBed` is a context manager; it starts the three servers and ends exactly these."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

USER, TOKEN = "kbuild", "git_token_made_up"

NGINX = """\
{user}worker_processes 1; daemon off; pid {dir}/nginx.pid; error_log {dir}/error.log info;
events {{ worker_connections 256; }}
http {{
  access_log {dir}/access.log;
  client_max_body_size 0;
  client_body_temp_path {dir}/t1; fastcgi_temp_path {dir}/t2; proxy_temp_path {dir}/t3; uwsgi_temp_path {dir}/t4;
  scgi_temp_path {dir}/t5;
  server {{
    listen 127.0.0.1:{port};
    location ~ \\.git/info/lfs/objects/storage/ {{
      proxy_pass http://127.0.0.1:{lfs_port}; proxy_set_header Host $http_host; proxy_request_buffering off; }}
    location ~ \\.git/info/lfs/ {{
      auth_basic "git"; auth_basic_user_file {dir}/htpasswd; add_header LFS-Authenticate 'Basic realm="git"' always;
      proxy_pass http://127.0.0.1:{lfs_port}; proxy_set_header Host $http_host; proxy_set_header Authorization ""; }}
    location ~ ^/.*\\.git(/.*)?$ {{
      auth_basic "git"; auth_basic_user_file {dir}/htpasswd;
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME /usr/lib/git-core/git-http-backend;
      fastcgi_param GIT_HTTP_EXPORT_ALL "1";
      fastcgi_param GIT_PROJECT_ROOT {dir}/root;
      fastcgi_param PATH_INFO $uri;
      fastcgi_param REMOTE_USER $remote_user;
      fastcgi_param GIT_PROTOCOL $http_git_protocol;
      fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
      fastcgi_pass unix:{dir}/fcgi.sock;
    }}
  }}
}}
"""

GIFTLESS = """\
LEGACY_ENDPOINTS: false
AUTH_PROVIDERS: ["giftless.auth.allow_anon:read_write"]
PRE_AUTHORIZED_ACTION_PROVIDER:
  factory: "giftless.auth.jwt:factory"
  options: {{algorithm: HS256, private_key: made-up-key-made-up-key-made-up-key-00, default_lifetime: 300, key_id: test}}
TRANSFER_ADAPTERS:
  basic:
    factory: "giftless.transfer.basic_streaming:factory"
    options:
      storage_class: "giftless.storage.local_storage:LocalStorage"
      storage_options: {{path: {dir}/objects}}
      action_lifetime: 900
"""


def missing(tools):
    """What of the bed is not installed; empty if nothing."""
    needed = ["nginx", "fcgiwrap", "git-lfs", "/usr/lib/git-core/git-http-backend", str(tools / "gunicorn")]
    return [name for name in needed if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")]


def worker_user():
    """Test folders are for their owner only: where nginx is started by root, its workers stay root."""
    return "user root; " if os.geteuid() == 0 else ""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(check, what, seconds=30):
    end = time.monotonic() + seconds
    while not check():
        if time.monotonic() > end:
            raise RuntimeError(f"{what} does not start")
        time.sleep(0.05)


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class GitBed:
    def __init__(self, folder, tools):
        self.dir, self.tools = Path(folder), Path(tools)
        self.port, self.lfs_port, self.processes = free_port(), free_port(), []
        self.url = f"http://127.0.0.1:{self.port}/lab/k.git"

    def __enter__(self):
        self.dir.mkdir(parents=True)
        repository = self.dir / "root/lab/k.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", repository], check=True)
        subprocess.run(["git", "-C", repository, "config", "http.receivepack", "true"], check=True)
        password = subprocess.run(["openssl", "passwd", "-apr1", TOKEN], check=True, text=True, capture_output=True)
        (self.dir / "htpasswd").write_text(f"{USER}:{password.stdout}")
        (self.dir / "nginx.conf").write_text(NGINX.format(user=worker_user(), dir=self.dir, port=self.port, lfs_port=self.lfs_port))
        (self.dir / "giftless.yaml").write_text(GIFTLESS.format(dir=self.dir))
        path = os.environ["PATH"] + ":/usr/sbin"
        self.start(["fcgiwrap", "-c", "2", "-s", f"unix:{self.dir}/fcgi.sock"], PATH=path)
        wait_for((self.dir / "fcgi.sock").exists, "fcgiwrap")
        os.chmod(self.dir / "fcgi.sock", 0o666)
        self.start(["nginx", "-e", f"{self.dir}/error.log", "-p", str(self.dir), "-c", f"{self.dir}/nginx.conf"], PATH=path)
        self.start([str(self.tools / "gunicorn"), "-w", "1", "--threads", "4", "-b", f"127.0.0.1:{self.lfs_port}",
                    "giftless.wsgi_entrypoint:app"], GIFTLESS_CONFIG_FILE=f"{self.dir}/giftless.yaml")
        wait_for(lambda: listens(self.port), "nginx")
        wait_for(lambda: listens(self.lfs_port), "giftless")
        return self

    def start(self, command, **variables):
        log = open(self.dir / f"{Path(command[0]).name}.log", "w")
        self.processes.append(subprocess.Popen(command, env={**os.environ, **variables}, stdout=log, stderr=log,
                                               stdin=subprocess.DEVNULL, cwd=self.dir, start_new_session=True))

    def __exit__(self, *error):
        for process in reversed(self.processes):
            try:
                os.killpg(process.pid, 15)  # its own session: the server and what it forked
            except ProcessLookupError:
                pass
            process.wait(timeout=60)

    def clone_url(self):
        return self.url.replace("://", f"://{USER}:{TOKEN}@")

    def commits(self, branch):
        result = subprocess.run(["git", "-C", self.dir / "root/lab/k.git", "rev-list", branch], text=True, capture_output=True)
        return result.stdout.split()
