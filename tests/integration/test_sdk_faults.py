"""What goes wrong while an SDK is fetched and made: which exit code and words that gives, and that the store is as good as
before. apt and pip are the real ones, on sources on loopback; where one of them is to fail, a program of its name stands
before it on PATH."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import kbuild_driver as driver
import sdk_sources
from test_sdk_sources import ROCM_TORCH, Place, amd_table, key  # noqa: F401  (key is a fixture)

UNSHARE = shutil.which("unshare")


@pytest.fixture(scope="module")
def sources(tmp_path_factory, key):  # noqa: F811
    """ROCm 7.9 in AMD's layout and torch 2.16, on loopback, as the text of a kbuild.toml."""
    root = tmp_path_factory.mktemp("sources")
    key.sign(sdk_sources.make_amd_repository(root / "amd", "7.9"))
    sdk_sources.make_torch_index(root / "index", "2.16.0+rocm7.9", ROCM_TORCH, ["torch_hip", "c10_hip"])
    keyring = key.export(root / "key.gpg")
    with sdk_sources.served(root) as address:
        yield (f'[[toolchain.torch]]\nversion = "2.16"\nindex-url = "{address}/index/simple"\n'
               + amd_table(f"{address}/amd", keyring))


class Faulty(Place):
    """A place whose programs can be told to fail."""

    def __init__(self, folder, settings):
        super().__init__(folder)
        self.settings(settings)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.homes["PATH"] = f"{self.bin}:{os.environ['PATH']}"
        self.store = Path(self.homes["XDG_DATA_HOME"]) / "kbuild/toolchains"

    def program(self, name, script):
        """A program in front of the real one, which `real` starts."""
        file = self.bin / name
        file.write_text(f"#!/bin/sh\nreal() {{ PATH='{os.environ['PATH']}' exec '{shutil.which(name)}' \"$@\"; }}\n{script}\n")
        file.chmod(0o755)

    def names(self):
        """What lies in the store, but for locks."""
        return sorted(path.name for path in self.store.iterdir() if path.name != ".locks") if self.store.exists() else []

    def start(self, *arguments, **more):
        return subprocess.Popen([driver.kbuild_command(), "toolchain", *arguments], cwd=self.project, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=driver.clean_environment(**{**self.homes, **more}))


@pytest.fixture
def faulty(tmp_path, sources):
    return Faulty(tmp_path, sources)


@pytest.mark.parametrize("sdk, programs", [("rocm@7.9", ["apt-get", "apt-cache", "dpkg-deb"]), ("torch@2.16", ["python3", "cc"])])
def test_killed_at_each_step_the_store_has_a_whole_sdk_or_none_and_the_next_run_goes_on(faulty, sdk, programs):
    count = faulty.folder / "count"
    for program in programs:  # kills kbuild, its parent, at the n-th start of any of them
        faulty.program(program, f"""n=$(cat '{count}'); n=$((n - 1)); echo $n > '{count}'
[ $n -ne 0 ] || {{ kill -9 $PPID; exit 1; }}
real "$@" """)
    kills = 0
    for step in range(1, 100):
        count.write_text(str(step))
        result = faulty.run("add", sdk, exit_code=None)
        if result.returncode == 0:
            break
        assert result.returncode == -9, result.stderr
        kills += 1
        assert faulty.sdks("rocm") == faulty.sdks("torch") == []
    assert kills >= 3, "the programs are not started as often as they used to be"
    assert faulty.names() == [sdk.replace("@", "-")]  # what killed runs left is swept
    assert not [name for name in os.listdir(faulty.store / faulty.names()[0]) if name.startswith((".parts-", ".wheel-"))]


def killed_at(faulty, call, count, *arguments):
    """Runs kbuild, which is killed at its `count`-th such system call (as is a program that it starts); the exit code."""
    command = ["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", f"trace={call}",
               "-e", f"inject={call}:signal=KILL:when={count}", driver.kbuild_command(), "toolchain", *map(str, arguments)]
    return subprocess.run(command, cwd=faulty.project, capture_output=True,
                          env=driver.clean_environment(**faulty.homes)).returncode


@pytest.mark.parametrize("call", ["rename", "fchmodat", "unlinkat", "symlink", "mkdir"])
def test_killed_within_kbuilds_own_steps_the_store_has_a_whole_sdk_or_none(faulty, strace, call):
    kept = faulty.folder / "kept"
    faulty.run("add", "rocm@7.9", "--save", kept)
    whole = driver.files_of(faulty.store / "rocm-7.9")
    add = ["--offline", "add", "rocm@7.9", "--from", kept]
    kills = 0
    for count in range(1, 60):
        faulty.run("remove", "rocm@7.9")
        if killed_at(faulty, call, count, *add) == 0:
            break
        kills += 1
        if faulty.sdks("rocm"):  # killed after it was in place
            assert driver.files_of(faulty.store / "rocm-7.9") == whole
        faulty.run(*add)
        assert faulty.names() == ["rocm-7.9"]  # what the killed run left is swept
        assert driver.files_of(faulty.store / "rocm-7.9") == whole
    assert 0 < kills < 59, "kbuild makes an SDK by other calls than it used to"


@pytest.mark.parametrize("call", ["renameat2", "unlinkat"])
def test_killed_while_an_sdk_is_made_anew_it_is_the_old_or_the_new_one(faulty, strace, call):
    plain, more = faulty.folder / "plain", faulty.folder / "more"
    faulty.run("add", "rocm@7.9", "--save", plain)
    old = driver.files_of(faulty.store / "rocm-7.9")
    faulty.run("add", "rocm@7.9", "--extra", "rocwmma", "--save", more)
    new = driver.files_of(faulty.store / "rocm-7.9")
    assert old != new
    kills = 0
    for count in range(1, 60):
        faulty.run("remove", "rocm@7.9")
        faulty.run("--offline", "add", "rocm@7.9", "--from", plain)
        if killed_at(faulty, call, count, "--offline", "add", "rocm@7.9", "--extra", "rocwmma", "--from", more) == 0:
            break
        kills += 1
        assert driver.files_of(faulty.store / "rocm-7.9") in (old, new)
        faulty.run("--offline", "add", "rocm@7.9", "--extra", "rocwmma", "--from", more)
        assert driver.files_of(faulty.store / "rocm-7.9") == new
    assert 0 < kills < 59, "kbuild makes an SDK anew by other calls than it used to"


@pytest.mark.parametrize("sdk, program, script, code, words", [
    ("rocm@7.9", "apt-get", "kill -9 $$", 7, "killed by SIGKILL"),
    ("rocm@7.9", "apt-get", "echo 'E: the disk is on fire' >&2; exit 100", 7, "the disk is on fire"),
    ("rocm@7.9", "apt-get", 'case "$*" in *" download "*) exit 0 ;; esac; real "$@"', 7, "apt did not fetch"),
    ("rocm@7.9", "apt-cache", "exit 0", 5, "has no package `hip-dev`"),
    ("rocm@7.9", "dpkg-deb", "kill -9 $$", 5, "killed by SIGKILL"),
    ("rocm@7.9", "dpkg-deb", "exit 0", 5, "not laid out as"),
    ("torch@2.16", "python3", 'case "$*" in *"-m pip"*) kill -9 $$ ;; esac; real "$@"', 7, "killed by SIGKILL"),
    ("torch@2.16", "python3", 'case "$*" in *"-m pip"*) exit 0 ;; esac; real "$@"', 7, "pip left no wheel"),
    ("torch@2.16", "python3", 'case "$*" in *"-m pip"*) echo "No module named pip"; exit 1 ;; esac; real "$@"', 5,
     "apt-get install python3-pip"),
    ("torch@2.16", "cc", "echo 'as: no space left' >&2; exit 1", 5, "no space left"),
])
def test_a_program_that_fails_is_named_with_its_words_and_leaves_no_sdk(faulty, sdk, program, script, code, words):
    faulty.program(program, script)
    said = faulty.run("add", sdk, exit_code=code).stderr
    assert words in said
    assert faulty.names() == []
    (faulty.bin / program).unlink()
    faulty.run("add", sdk)


def test_a_wheel_that_came_damaged_is_refused(faulty):
    faulty.program("python3", """case "$*" in *"-m pip"*)
  while [ "$1" != -d ]; do shift; done
  echo damage > "$2/torch-2.16.0+rocm7.9-py3-none-any.whl"; exit 0 ;;
esac
real "$@" """)
    said = faulty.run("add", "torch@2.16", exit_code=5).stderr
    assert "not a zip file" in said
    assert faulty.names() == []


def wait_for(condition):
    for _ in range(1500):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("nothing happened for half a minute")


def test_two_adds_at_once_share_the_work_and_the_second_says_whom_it_waits_for(faulty):
    log, go = faulty.folder / "log", faulty.folder / "go"
    faulty.program("apt-get", f"""echo "$*" >> '{log}'
case "$*" in *update*) while [ ! -e '{go}' ]; do sleep 0.05; done ;; esac
real "$@" """)
    first = faulty.start("add", "rocm@7.9")
    wait_for(lambda: log.exists() and "update" in log.read_text())
    # Who does not want to wait gets the holder and an exit code of its own.
    refused = faulty.run("add", "rocm@7.9", exit_code=8, KBUILD_LOCK_TIMEOUT="0")
    assert f"is held by pid {first.pid}" in refused.stderr
    second = faulty.start("add", "rocm@7.9")
    line = second.stderr.readline()
    assert f"waiting for pid {first.pid}, which works on rocm@7.9" in line
    go.touch()
    assert first.wait() == 0 and second.wait() == 0
    assert "there already" in second.stderr.read() or faulty.names() == ["rocm-7.9"]
    assert log.read_text().count("update") == 1
    for process in (first, second):
        process.stdout.close()
        process.stderr.close()


def in_namespace(script, **environment):
    """Runs a script that may mount things, which nobody else sees."""
    command = [UNSHARE, "--mount", "--propagation", "private", "sh", "-euc", script]
    return subprocess.run(command, text=True, capture_output=True, env=driver.clean_environment(**environment))


@pytest.fixture(scope="module")
def mounts():
    if not UNSHARE or in_namespace("mount -t tmpfs tmpfs /mnt").returncode != 0:
        pytest.skip("this user may not mount a tmpfs in a namespace of its own")


def kbuild_line(*arguments):
    return f"'{driver.kbuild_command()}' toolchain " + " ".join(arguments)


@pytest.mark.parametrize("sdk, full", [("rocm@7.9", "XDG_DATA_HOME"), ("rocm@7.9", "XDG_CACHE_HOME"),
                                       ("torch@2.16", "XDG_DATA_HOME"), ("torch@2.16", "XDG_CACHE_HOME")])
def test_a_full_disk_is_told_and_once_there_is_room_the_next_run_works(faulty, mounts, sdk, full):
    disk = Path(faulty.homes[full])
    disk.mkdir()
    result = in_namespace(f"""mount -t tmpfs -o size=24k tmpfs '{disk}'
cd '{faulty.project}'
set +e
{kbuild_line("add", sdk)}; echo "exit $?"
find "$XDG_DATA_HOME/kbuild/toolchains" -name sdk.json
mount -o remount,size=50m '{disk}'
{kbuild_line("add", sdk)} 2>&1; echo "exit $?"
find "$XDG_DATA_HOME/kbuild/toolchains" -name sdk.json
""", **faulty.homes)
    lines = result.stdout.splitlines()
    assert lines[0] in ("exit 1", "exit 5", "exit 7"), result.stdout + result.stderr
    # The program that met it has words of its own, and not always the same.
    assert "the disk is full: make room in" in result.stderr, result.stderr
    assert "check the network" not in result.stderr
    rest = lines[1:]
    assert "exit 0" in rest, rest
    assert [line for line in rest if line.endswith("sdk.json")] == [str(faulty.store / sdk.replace("@", "-") / "sdk.json")]


def test_a_store_that_may_only_be_read_serves_what_is_in_it_and_refuses_more(faulty, mounts):
    faulty.run("add", "rocm@7.9")
    result = in_namespace(f"""mount --bind '{faulty.homes["XDG_DATA_HOME"]}' '{faulty.homes["XDG_DATA_HOME"]}'
mount -o remount,ro,bind '{faulty.homes["XDG_DATA_HOME"]}'
cd '{faulty.project}'
set +e
{kbuild_line("add", "rocm@7.9")}; echo "exit $?"
{kbuild_line("list", "--format", "json")} | grep -c '"name": "rocm@7.9"'
{kbuild_line("add", "torch@2.16")}; echo "exit $?"
{kbuild_line("remove", "rocm@7.9")}; echo "exit $?"
""", **faulty.homes)
    assert result.stdout.splitlines() == ["exit 0", "1", "exit 1", "exit 1"], result.stdout + result.stderr
    assert "Read-only file system" in result.stderr
    assert faulty.names() == ["rocm-7.9"]


def test_an_sdk_that_is_there_stays_whole_while_it_is_made_anew_and_that_fails(faulty):
    faulty.run("add", "rocm@7.9")
    before = driver.files_of(faulty.store / "rocm-7.9")
    faulty.program("dpkg-deb", "exit 2")
    faulty.run("add", "rocm@7.9", "--extra", "rocwmma", exit_code=5)
    assert driver.files_of(faulty.store / "rocm-7.9") == before


def test_misspelt_names_are_told_before_anything_is_fetched(faulty):
    said = faulty.run("add", "torch@2.16", "rocn@7.9", exit_code=2).stderr
    assert "`rocn@7.9` names no SDK" in said
    assert faulty.names() == []


def test_one_that_cannot_be_had_does_not_keep_the_others_away(faulty):
    said = faulty.run("add", "rocm@9.9", "torch@2.16", exit_code=2).stderr
    assert "no provider knows `rocm@9.9`" in said and "rocm@7.9" in said
    assert json.loads(faulty.run("list", "--format", "json").stdout)["torch"][0]["version"] == "2.16.0+rocm7.9"
