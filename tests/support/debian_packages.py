"""Packages of another Debian, fetched through a private state of apt and unpacked; nothing is installed, no package's scripts
run. They come from the mirror that this machine's apt uses."""

import os
import re
import subprocess
import sys
from pathlib import Path

SKIPPED = 77


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIPPED)


def mirror():
    """The first Debian mirror of this machine's sources, in either of apt's formats."""
    for file in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        text = file.read_text() if file.is_file() else ""
        found = re.search(r"^(?:URIs: *|deb +(?:\[[^]]*\] +)?)(\S+/debian)/?(?:\s|$)", text, re.MULTILINE)
        if found:
            return found[1]
    skip("no Debian mirror among this machine's sources of apt")


def configuration(folder, suite):
    keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
    for name in ("state/lists/partial", "cache/archives/partial", "debs/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "status").write_text("")
    (folder / "sources.list").write_text(f"deb [signed-by={keyring}] {mirror()} {suite} main\n")
    config = folder / "apt.conf"
    config.write_text(f"""#clear APT::Update;
#clear DPkg;
APT::Architecture "amd64";
APT::Architectures {{ "amd64"; }};
APT::Install-Recommends "false";
APT::Sandbox::User "";
APT::Update::Error-Mode "any";
Acquire::Languages {{ "none"; }};
Acquire::Check-Valid-Until "false";
Debug::NoLocking "true";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "{folder}/state";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
Dir::Cache::archives "{folder}/debs";
""")
    return config


def unpack(folder, suite, packages, with_dependencies=False):
    """Packages of a suite (`bullseye`, `sid`) in `folder`/root; leaves the process, saying why, if they cannot be had."""
    fetch = ["install", "-y", "--download-only"] if with_dependencies else ["download"]
    environment = {**os.environ, "APT_CONFIG": str(configuration(folder, suite)), "LC_ALL": "C"}
    for command in (["apt-get", "update", "-qq"], ["apt-get", *fetch, "-qq", *packages]):
        result = subprocess.run(command, cwd=folder / "debs", env=environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
        if result.returncode != 0:
            skip(f"`{' '.join(command[:2])}` cannot get {packages[0]} of {suite}: {result.stdout.strip()[-300:]}")
    for deb in sorted((folder / "debs").glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", deb, folder / "root"], check=True)
        deb.unlink()
    return folder / "root"


def write_launchers(folder, launchers):
    """Scripts by name in `folder`, the last of which says that all is there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in launchers.items():
        part = folder / f"{name}.part"
        part.write_text(text)
        part.chmod(0o755)
        part.rename(folder / name)
