"""A tiny project whose compiler and CMake do on demand what real ones do only when something goes wrong, and the invariant
that holds after each such fault."""

import fcntl
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import kbuild_driver as driver

BUILD_TOML = """\
[general]
name = "tiny"
version = 1
edition = 5
license = "Apache-2.0"
backends = ["cpu"]

[torch]
src = ["torch-ext/torch_binding.cpp"]

[kernel.tiny]
backend = "cpu"
depends = ["torch"]
src = ["src/one.cpp", "src/two.h"]
"""

# Stands for the compiler and for CMake: notes each step, does what `hook` says, then is the real program. A hook that
# wants to block says `block`: it goes on when the test opens the gate.
PROGRAM = "#!/bin/sh" + """
case "$0 $*" in
    */cmake\\ *) step=configure ;;
    *CMakeScratch* | *CMakeTmp*) step=probe ;;
    *\\ -shared\\ *) step=link ;;
    *) step=compile ;;
esac
block() {{ echo $$ >'{folder}/blocked'; read -r _ <'{folder}/gate'; }}
echo "$step" >>'{folder}/steps'
[ ! -e '{folder}/hook' ] || . '{folder}/hook'
exec {real} "$@"
"""

# Faults of the system calls of kbuild itself: a kill at a chosen rename, a file system without locks.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fault_is(const char* name) {
    const char* fault = getenv("FAULT");
    return fault && strcmp(fault, name) == 0;
}

int renameat2(int old_folder, const char* old, int new_folder, const char* new, unsigned flags) {
    if (flags == 2 && fault_is("before publishing"))
        raise(SIGKILL);
    const int result = (int)syscall(SYS_renameat2, old_folder, old, new_folder, new, flags);
    if (flags == 2 && fault_is("after publishing"))
        raise(SIGKILL);
    return result;
}

int rename(const char* old, const char* new) {
    const char* slash = strrchr(new, '/');
    if (slash && strcmp(slash, "/metadata.json") == 0 && fault_is("staging"))
        raise(SIGKILL);
    return (int)syscall(SYS_rename, old, new);
}

int flock(int fd, int operation) {
    if (fault_is("no locks")) {
        errno = ENOLCK;
        return -1;
    }
    return (int)syscall(SYS_flock, fd, operation);
}
"""


def wait_until(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()


def processes_of(folder):
    """Processes that work in the folder or were started with a name below it."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            works_in = os.readlink(f"/proc/{entry}/cwd") if entry.isdigit() else ""
            words = Path(f"/proc/{entry}/cmdline").read_bytes() if entry.isdigit() else b""
        except OSError:
            continue
        if (works_in.startswith(str(folder)) or os.fsencode(str(folder)) in words) and int(entry) != os.getpid():
            found.append(int(entry))
    return found


def is_running(pid):
    """Also false for one that has ended and that nobody has asked for."""
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())
    except OSError:
        return False


class FaultyBuild:
    """The project and what stands around it."""

    def __init__(self, folder, name="tiny project"):
        self.folder = folder
        self.project = folder / name
        self.tools = folder / "tools"
        self.tools.mkdir()
        os.mkfifo(self.tools / "gate")
        for program, real in (("c++", shutil.which("g++")), ("cmake", shutil.which("cmake"))):
            self.write_program(self.tools / program, real)
        self.write_sources()
        self.set_torch("2.13")
        self.sources = self.source_files()

    def write_program(self, path, real):
        path.write_text(PROGRAM.format(folder=self.tools, real=real))
        path.chmod(0o755)

    def write_sources(self):
        for name, text in {"build.toml": BUILD_TOML,
                           "torch-ext/torch_binding.cpp": driver.LIGHT_BINDING,
                           "torch-ext/tiny/__init__.py": "from ._ops import ops\n",
                           "src/two.h": "#define TWO 2\n"}.items():
            file = self.project / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.change(1)

    def set_torch(self, *versions):
        driver.set_matrix(self.project, torch=versions, rocm=[])
        with open(self.project / "kbuild.toml", "a") as settings:
            settings.write(f'\n[build]\nhost-cxx = "{self.tools}/c++"\n')

    def change(self, number):
        """Another kernel: its library differs."""
        (self.project / "src/one.cpp").write_text(
            '#include "two.h"\n\n[[gnu::used, gnu::visibility("default")]] int one() '
            f"{{\n    return {number} * TWO;\n}}\n")

    def source_files(self):
        """All that is not kbuild's own."""
        return {name: data for name, data in driver.files_of(self.project).items()
                if not name.startswith((".kbuild/", "build/"))}

    def hook(self, text):
        (self.tools / "hook").write_text(text + "\n")

    def unhook(self):
        (self.tools / "hook").unlink(missing_ok=True)
        (self.tools / "blocked").unlink(missing_ok=True)

    def steps(self, step):
        """How often a step was run."""
        file = self.tools / "steps"
        return file.read_text().split().count(step) if file.exists() else 0

    def environment(self, **more):
        return driver.clean_environment(PATH=f"{self.tools}:{os.environ['PATH']}", KBUILD_LAUNCHER="none", **more)

    def command(self, *arguments):
        return [driver.kbuild_command(), arguments[0], str(self.project), *arguments[1:]]

    def run(self, *arguments, exit_code=0, before=(), **more):
        """Runs kbuild; `before` are words in front of it, as of unshare or sh."""
        self.sources = self.source_files()
        result = subprocess.run([*before, *self.command(*arguments)], text=True, errors="surrogateescape",
                                capture_output=True, env=self.environment(**more), timeout=100)
        assert exit_code is None or result.returncode == exit_code, (result.returncode, result.stdout, result.stderr)
        return result

    def start(self, *arguments, **more):
        """Starts kbuild as the leader of a process group, as a shell does."""
        self.sources = self.source_files()
        return subprocess.Popen(self.command(*arguments), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=self.environment(**more), start_new_session=True)

    def start_blocked(self, step, *arguments):
        """A build that stands in a step; its process and that of the step."""
        self.hook(f"[ $step != {step} ] || block")
        process = self.start("build", *arguments)
        blocked = self.tools / "blocked"
        wait_until(lambda: blocked.exists() and blocked.read_text().strip())
        return process, int(blocked.read_text())

    def open_gate(self):
        """Lets go on what is blocked; nothing blocks from now on."""
        self.unhook()
        with open(self.tools / "gate", "w") as gate:
            gate.write("\n")

    def shim(self):
        """The library of faults, for LD_PRELOAD."""
        library = self.tools / "faults.so"
        if not library.exists():
            subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=SHIM, text=True, check=True)
        return str(library)

    def variants(self):
        return {path.name: driver.files_of(path) for path in driver.variant_folders(self.project)
                if not path.name.startswith(".")}

    def leftovers(self):
        """What a stage or an unfinished write leaves behind."""
        stages = [self.project / ".kbuild/stage", self.project / "build/.kbuild-stage"]
        return [str(path) for stage in stages if stage.exists() for path in stage.iterdir()]

    def assert_no_process(self):
        wait_until(lambda: not processes_of(self.project), seconds=5)

    def assert_no_lock(self):
        for name in ("lock", "trees.lock"):
            with open(self.project / ".kbuild" / name, "a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def assert_sound(self, old, torch=1):
        """The invariant. `old`: the variants before the fault. What stands now is, variant for variant, what stood there
        or what the next run makes; that run succeeds and the one after it finds nothing to do; nothing else is left."""
        self.unhook()
        now = self.variants()
        self.assert_no_process()
        assert self.source_files() == self.sources, "sources were touched"
        self.run("build")
        new = self.variants()
        assert len(new) == torch
        for name, files in now.items():
            assert files in (old.get(name), new[name]), f"{name} is neither the old nor the new one"
        assert old.keys() <= now.keys(), "a variant is gone"
        for path in driver.variant_folders(self.project):
            assert driver.is_whole(path), path
        assert not self.leftovers()
        self.assert_no_lock()
        compiled = self.steps("compile")
        self.run("build")
        assert self.steps("compile") == compiled and self.variants() == new


def stop(process, signal_number=signal.SIGKILL):
    """As the kernel or a user does it: kbuild alone, whatever its children are doing."""
    process.send_signal(signal_number)


def kill(process):
    stop(process)
    process.communicate()
