"""What goes wrong during `kbuild build`, by number as in the list of faults of docs/reference/faults.md. The compiler and CMake are
the real ones behind a program that fails on demand (faulty_build.py); after each fault the same invariant is checked."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

import kbuild_driver as driver
from faulty_build import FaultyBuild, is_running, kill, stop, wait_until

VARIANT = "torch213-cxx11-cpu-x86_64-linux"
UNSHARE = shutil.which("unshare")
mounts = pytest.mark.skipif(not UNSHARE or os.getuid() != 0, reason="only root may mount file systems")


@pytest.fixture
def faulty(tmp_path):
    return FaultyBuild(tmp_path)


@pytest.fixture
def built(faulty):
    """Built once; then the source changed, so that a build has all steps before it."""
    faulty.run("build")
    faulty.old = faulty.variants()
    faulty.change(2)
    return faulty


@pytest.mark.parametrize("step", ["configure", "compile", "link"])
def test_1_and_2_after_a_kill_the_next_run_names_what_is_still_at_work_and_waits_for_it(built, step):
    if step == "configure":
        driver.replace_in(built.project / "build.toml", 'backend = "cpu"', 'backend = "cpu"\ncxx-flags = ["-DX=1"]')
        built.change(2)
    process, orphan = built.start_blocked(step)
    kill(process)
    assert built.variants() == built.old
    following = built.start("build")
    said = following.stderr.readline()
    assert "left by a build that was killed" in said and f"(pid {orphan})" in said
    built.open_gate()
    assert following.communicate()[1] is not None and following.returncode == 0
    built.assert_sound(built.old)


def test_2_what_a_killed_build_left_and_does_not_end_is_named_in_an_error(built):
    process, orphan = built.start_blocked("compile")
    kill(process)
    said = built.run("build", exit_code=8, KBUILD_LOCK_TIMEOUT="0").stderr
    assert f"(pid {orphan})" in said and "end them, then build again" in said
    built.open_gate()
    built.assert_sound(built.old)


@pytest.mark.parametrize("step", ["compile", "link"])
def test_2_with_fresh_trees_nobody_is_waited_for_and_what_is_left_does_no_harm(built, step):
    process, orphan = built.start_blocked(step)
    kill(process)
    built.unhook()
    compiled = built.steps("compile")
    built.run("build", "--fresh", KBUILD_LOCK_TIMEOUT="0")
    assert built.steps("compile") > compiled, "the trees are new"
    new = built.variants()
    assert is_running(orphan), "it was not waited for"
    built.open_gate()
    built.assert_sound(new)
    assert not (built.project / ".kbuild/aside").exists()


def test_2_with_fresh_trees_a_cmake_that_is_left_is_ended(built):
    driver.replace_in(built.project / "build.toml", 'backend = "cpu"', 'backend = "cpu"\ncxx-flags = ["-DX=1"]')
    blocked = built.tools / "blocked"
    built.hook(f"[ $step != configure ] || {{ echo $$ >'{blocked}'; exec bash -c 'exec -a cmake sleep 60'; }}")
    process = built.start("build")
    wait_until(lambda: blocked.exists() and blocked.read_text().strip())
    orphan = int(blocked.read_text())
    kill(process)
    assert is_running(orphan)
    built.unhook()
    built.run("build", "--fresh", KBUILD_LOCK_TIMEOUT="0")
    wait_until(lambda: not is_running(orphan), seconds=1)
    built.assert_sound(built.variants())


@pytest.mark.parametrize("moment", ["staging", "before publishing", "after publishing"])
def test_1_killed_while_a_variant_is_published_the_old_or_the_new_one_stands_and_the_stage_is_swept_once(built, moment):
    built.run("build", exit_code=-signal.SIGKILL, LD_PRELOAD=built.shim(), FAULT=moment)
    assert built.leftovers()
    changed = built.variants() != built.old
    assert changed == (moment == "after publishing")
    now = built.variants()
    assert "removed what a build that was killed left half-made" in built.run("build").stderr
    assert not built.leftovers()
    assert "left half-made" not in built.run("build").stderr
    assert not changed or now == built.variants()
    built.assert_sound(built.old if not changed else now)


def test_3_one_stop_ends_all_and_says_what_stands(built):
    built.set_torch("2.13", "2.14")
    process, _ = built.start_blocked("compile")
    stop(process, signal.SIGINT)
    said = process.communicate(timeout=5)[1]
    assert process.returncode == 130
    assert f"kept {VARIANT}\n" in said
    assert "not built: torch214-cxx11-cpu-x86_64-linux\n" in said
    built.assert_sound(built.old, torch=2)


@pytest.mark.parametrize("step, stops", [("compile", 1), ("configure", 1), ("configure", 2)])
def test_4_what_ignores_the_stop_is_killed_after_a_while_or_at_once_at_the_second_stop(built, step, stops):
    driver.replace_in(built.project / "build.toml", 'backend = "cpu"', 'backend = "cpu"\ncxx-flags = ["-DX=1"]')
    built.hook(f"trap '' TERM INT HUP; [ $step != {step} ] || {{ echo $$ >'{built.tools}/blocked'; while :; do sleep 0.1; done; }}")
    process = built.start("build")
    wait_until((built.tools / "blocked").exists)
    for _ in range(stops):
        stop(process, signal.SIGINT)
        time.sleep(0.2)  # two signals at once are one
    process.communicate(timeout=4 if stops == 2 else 20)
    assert process.returncode == 130
    built.assert_sound(built.old)


def test_5_a_daemon_that_a_program_leaves_behind_does_not_hold_the_build_up_and_is_named_by_the_next(faulty):
    faulty.hook(f"[ $step != configure ] || {{ sleep 60 & echo $! >'{faulty.tools}/daemon'; }}")
    faulty.run("build")
    faulty.change(2)
    daemon = int((faulty.tools / "daemon").read_text())
    said = faulty.run("build", exit_code=8, KBUILD_LOCK_TIMEOUT="0").stderr
    assert f"sleep (pid {daemon})" in said
    os.kill(daemon, signal.SIGTERM)
    faulty.assert_sound(faulty.variants())


def test_5_nor_does_one_that_a_compiler_leaves(built):
    built.hook(f"[ $step != compile ] || {{ sleep 60 & echo $! >'{built.tools}/daemon'; }}")
    built.run("build")
    os.kill(int((built.tools / "daemon").read_text()), signal.SIGTERM)  # it is still there
    built.assert_sound(built.variants())


def test_6_a_gigabyte_without_a_newline_takes_little_memory_and_the_log_says_that_it_is_cut(faulty):
    faulty.hook("[ $step != configure ] || { head -c 1G /dev/zero | tr '\\0' x; exit 1; }")
    process = faulty.start("build")
    process.stdout.close()
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 5
    assert usage.ru_maxrss < 150_000, "kilobytes"
    assert len(said) < 1_000_000
    log = (faulty.project / ".kbuild/logs/configure-host.log").read_text()
    assert len(log) < 40_000_000 and "only the end of a long output is kept" in log[:2000]
    faulty.assert_sound({})


def test_7_what_a_compiler_writes_cannot_control_the_terminal_and_is_raw_in_the_log(built):
    built.hook("[ $step != compile ] || { printf 'a\\033[2J\\033]0;title\\007b\\377\\000c: error: \\033[1mx\\n'; exit 1; }")
    said = built.run("build", exit_code=1).stderr
    assert "title" in said and not {"\033", "\007", "\0"} & set(said)
    said.encode("utf-8")
    lines = built.run("build", "--message-format", "json", exit_code=1).stderr.splitlines()
    assert any("title" in json.loads(line)["message"] + str(json.loads(line)) for line in lines if line.startswith("{"))
    assert b"]0;title\007b\377\000c" in (built.project / ".kbuild/logs/ninja.log").read_bytes()
    built.assert_sound(built.old)


def test_8_a_compiler_that_dies_without_a_word_is_said_to_be_killed_by_its_signal(built):
    built.hook("[ $step != compile ] || kill -SEGV $$")
    said = built.run("build", exit_code=1).stderr
    assert "killed by SIGSEGV" in said and "139" not in said
    built.assert_sound(built.old)


def test_8_a_compiler_that_was_killed_once_is_started_again(built):
    built.hook(f"[ $step != compile ] || [ -e '{built.tools}/once' ] || {{ : >'{built.tools}/once'; kill -KILL $$; }}")
    said = built.run("build").stderr
    assert "was started once more" in said
    assert built.variants() != built.old
    built.assert_sound(built.variants())


@pytest.mark.parametrize("kind, words", [("missing", "does not exist"), ("folder", "is a folder"),
                                         ("plain", "is not executable"), ("foreign", "no program for this machine")])
def test_9_a_compiler_that_cannot_be_started_is_named_with_the_reason(built, kind, words):
    path = built.tools / f"{kind}-c++"
    if kind == "folder":
        path.mkdir()
    elif kind != "missing":
        path.write_bytes(b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\x02\x00\xf3\x00" + b"\0" * 44)
        path.chmod(0o755 if kind == "foreign" else 0o644)
    settings = (built.project / "kbuild.toml").read_text()
    driver.replace_in(built.project / "kbuild.toml", f"{built.tools}/c++", str(path))
    said = built.run("build", exit_code=5).stderr
    assert str(path) in said and words in said
    (built.project / "kbuild.toml").write_text(settings)
    built.sources = built.source_files()
    built.assert_sound(built.old)


def in_mounts(built, setup, *arguments, exit_code):
    """kbuild with file systems of its own: `setup` mounts them, with the project as $1."""
    script = f'set -e; project=$1; shift; {setup}; exec "$@"'
    return built.run(*arguments, exit_code=exit_code, before=[UNSHARE, "-m", "sh", "-c", script, "sh", str(built.project)])


@mounts
def test_10_a_disk_that_is_full_at_any_write_of_a_variant_leaves_the_old_one(built):
    failures = set()
    for room in range(0, 80, 8):  # kilobytes left
        out = built.folder / "seen"
        shutil.rmtree(out, ignore_errors=True)
        setup = (f'cp -a "$project/build" "{built.folder}/saved"; mount -t tmpfs -o size=1m none "$project/build"; '
                 f'cp -a "{built.folder}/saved/." "$project/build"; rm -r "{built.folder}/saved"; '
                 f'free=$(df --output=avail -k "$project/build" | tail -n1); '
                 f'head -c $(((free - {room}) * 1024)) /dev/zero >"$project/build/filler"; '
                 f'status=0; "$@" || status=$?; rm "$project/build/filler"; cp -a "$project/build" "{out}"; exit $status')
        result = in_mounts(built, setup, "build", exit_code=None)
        seen = {path.name: driver.files_of(path) for path in out.iterdir() if path.name == VARIANT}
        if result.returncode == 0:
            assert seen != built.old
            break
        assert result.returncode == 1, result.stderr
        assert "No space left on device" in result.stderr and "make room there" in result.stderr
        assert seen == built.old
        failures.add(result.stderr.split("`")[1].rsplit("/", 1)[-1])
    else:
        raise AssertionError("never enough room")
    assert len(failures) >= 2, failures
    built.assert_sound(built.old)


@mounts
def test_10_a_log_that_cannot_be_written_is_a_warning(built):
    setup = ('mount -t tmpfs -o size=16k none "$project/.kbuild/logs"; '
             'head -c 16k /dev/zero >"$project/.kbuild/logs/filler" || true')
    said = in_mounts(built, setup, "build", exit_code=0).stderr
    assert "warning: cannot" in said and "ninja.log" in said and "No space left" in said
    assert built.variants() != built.old
    built.assert_sound(built.variants())


def test_11_a_limit_on_the_size_of_files_is_an_error_that_names_it(built):
    built.run("build")
    old = built.variants()
    shutil.rmtree(built.project / "build")
    said = built.run("build", exit_code=1, before=["sh", "-c", 'ulimit -f 16; exec "$@"', "sh"]).stderr
    assert "File too large" in said and "ulimit -f" in said
    built.assert_sound({})
    assert built.variants() == old


@pytest.mark.parametrize("output", ["text", "json"])
def test_11_a_report_that_cannot_be_written_is_an_error(built, output):
    said = built.run("build", "--format", output, exit_code=1, before=["sh", "-c", 'exec "$@" >/dev/full', "sh"]).stderr
    assert "cannot write to standard output" in said
    built.assert_sound(built.variants())


@mounts
def test_12_a_folder_that_may_not_be_written_to_is_named(built):
    setup = 'mount --bind "$project/build" "$project/build"; mount -o remount,bind,ro "$project/build"'
    said = in_mounts(built, setup, "build", exit_code=1).stderr
    assert "Read-only file system" in said and "build" in said
    assert built.variants() == built.old
    built.assert_sound(built.old)


@mounts
def test_12_a_stage_on_another_mount_is_copied(built):
    in_mounts(built, 'mount --bind "$project/build" "$project/build"', "build", exit_code=0)
    assert built.variants() != built.old
    built.assert_sound(built.variants())


def test_13_two_builds_at_once_compile_once_and_the_second_names_the_first(built):
    before = built.steps("compile"), built.steps("link")
    first, _ = built.start_blocked("compile")
    second = built.start("build", "--format", "json")
    assert f"waiting for pid {first.pid} to finish" in second.stderr.readline()
    built.open_gate()
    first.communicate()
    report = json.loads(second.communicate()[0])
    assert (first.returncode, second.returncode) == (0, 0)
    assert driver.states(report) == {VARIANT: "fresh"}
    assert (built.steps("compile"), built.steps("link")) == (before[0] + 1, before[1] + 1)
    built.assert_sound(built.variants())


def test_14_builds_of_different_variants_at_once_do_not_disturb_each_other(faulty):
    faulty.set_torch("2.13", "2.14")
    both = [faulty.start("build", "--torch", version) for version in ("2.13", "2.14")]
    outputs = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert sorted(faulty.variants()) == [VARIANT, VARIANT.replace("213", "214")]
    faulty.assert_sound(faulty.variants(), torch=2)


@pytest.mark.parametrize("patience, exit_code", [("0", 8), ("60", 0)])
def test_15_clean_deletes_nothing_from_under_a_build(built, patience, exit_code):
    build, _ = built.start_blocked("compile")
    clean = built.start("clean", KBUILD_LOCK_TIMEOUT=patience)
    assert f"waiting for pid {build.pid}" in clean.stderr.readline()
    if exit_code == 8:
        clean.communicate()
    assert (built.project / ".kbuild/work" / "build.ninja").exists()
    built.open_gate()
    assert build.communicate() and build.returncode == 0
    clean.communicate()
    assert clean.returncode == exit_code
    assert (built.project / ".kbuild").exists() == (exit_code == 8)
    built.assert_sound(built.variants())


def test_15_a_build_that_waited_for_clean_has_a_folder_of_its_own(built):
    with open(built.project / ".kbuild/lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build = built.start("build")
        assert "waiting" in build.stderr.readline()
        shutil.rmtree(built.project / ".kbuild")
    assert build.communicate() and build.returncode == 0
    built.assert_sound(built.variants())


def test_16_a_lock_is_free_when_its_holder_is_killed(built):
    hold = f"import fcntl, time; f = open({str(built.project / '.kbuild/lock')!r}); fcntl.flock(f, 2); print(flush=True); time.sleep(60)"
    holder = subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE)
    holder.stdout.readline()
    waiting = built.start("build")
    assert "waiting" in waiting.stderr.readline()
    kill(holder)
    waiting.communicate(timeout=30)
    assert waiting.returncode == 0
    built.assert_sound(built.variants())


@pytest.mark.parametrize("arguments", [(), ("--fresh",)])
def test_17_a_file_system_without_locks_is_a_warning(built, arguments):
    said = built.run("build", *arguments, LD_PRELOAD=built.shim(), FAULT="no locks").stderr
    assert said.count("has no locks") == 1
    assert built.variants() != built.old
    built.assert_sound(built.variants())


def test_18_a_damaged_stamp_is_none(faulty):
    faulty.run("build")
    faulty.run("build")  # files of this very moment may change unseen, so that the first build left no stamp
    old = faulty.variants()
    stamp = faulty.project / ".kbuild/stamp"
    whole = stamp.read_bytes()
    for damaged in (b"", whole[:-1], whole[:100], b"\xff" * 100, whole[:200] + b"X" + whole[201:]):
        stamp.write_bytes(damaged)
        assert driver.states(json.loads(faulty.run("build", "--format", "json").stdout)) == {VARIANT: "fresh"}
        assert faulty.variants() == old
    faulty.assert_sound(old)


def test_18_a_damaged_metadata_file_is_an_error_of_verify_and_mended_by_the_next_build(faulty):
    faulty.run("build")
    old = faulty.variants()
    file = faulty.project / "build" / VARIANT / "metadata.json"
    whole = file.read_bytes()
    damages = [whole[:length] for length in range(0, len(whole) - 1, 40)]
    damages += [whole[:at] + bytes([whole[at] ^ 0x80]) + whole[at + 1:] for at in range(0, len(whole), 40)]
    for damaged in damages:
        file.write_bytes(damaged)
        faulty.run("verify", exit_code=6)
    faulty.run("build")
    assert faulty.variants() == old
    faulty.assert_sound(old)


AWKWARD = ["with blanks", "quote'd", 'double"quoted', "dollar$HOME", "semi;colon", "bracket]]", "[=[", "-dash", "per%cent", "back\\slash",
           "hash#tag", "at@sign", "ünï", "x" * 255, "new\nline", b"latin\xe9".decode("utf-8", "surrogateescape")]


@pytest.mark.parametrize("name", AWKWARD, ids=[ascii(name)[:20] for name in AWKWARD])
def test_20_a_folder_with_an_awkward_name_is_built_or_refused_with_the_reason(tmp_path, name):
    faulty = FaultyBuild(tmp_path, name=name)
    result = faulty.run("build", exit_code=None)
    if result.returncode == 0:
        return faulty.assert_sound(faulty.variants())
    assert result.returncode == 2, result.stderr
    assert "folder" in result.stderr or "path" in result.stderr
    assert not faulty.variants() and not faulty.steps("compile")


@pytest.mark.parametrize("launcher", ["none", "auto"])
@pytest.mark.parametrize("name", ["quote'd", "and & so on", "what?", "kernel (copy)", "hash#tag", "a~b"])
def test_20_ninja_reads_what_compilers_say_of_a_folder_that_it_cannot_name(tmp_path, name, launcher):
    """CMake 3.25 names the dependency file as for a shell, Ninja 1.11 takes such a path apart in it: a changed header would not
    be seen, or everything be compiled each time."""
    faulty = FaultyBuild(tmp_path, name=name)
    more = ("--launcher", launcher)
    faulty.run("build", *more, XDG_CACHE_HOME=str(tmp_path / "cache"))
    faulty.change(2)
    assert "1 run now" in faulty.run("build", *more, XDG_CACHE_HOME=str(tmp_path / "cache")).stdout
    (faulty.project / "src/two.h").write_text("#define TWO 3\n")
    assert "1 run now" in faulty.run("build", *more, XDG_CACHE_HOME=str(tmp_path / "cache")).stdout
    faulty.run("build")
    faulty.assert_sound(faulty.variants())


@pytest.mark.parametrize("name", AWKWARD[:-2], ids=[ascii(name)[:20] for name in AWKWARD[:-2]])
def test_20_a_source_with_an_awkward_name_is_built_or_refused_with_its_place(faulty, name):
    source = faulty.project / "src" / (name[:251] + ".cpp")
    source.write_text("int more() {\n    return 3;\n}\n")
    driver.replace_in(faulty.project / "build.toml", '"src/one.cpp"', f'"src/one.cpp", {json.dumps("src/" + source.name, ensure_ascii=False)}')
    result = faulty.run("build", exit_code=None)
    if result.returncode == 0:
        return faulty.assert_sound(faulty.variants())
    assert result.returncode == 3, result.stderr
    assert "build.toml:14:" in result.stderr
    assert not faulty.variants() and not faulty.steps("compile")


def test_22_another_compiler_of_the_same_name_compiles_everything_again(built):
    built.run("build")
    compiled = built.steps("compile")
    built.run("build")
    assert built.steps("compile") == compiled
    with open(built.tools / "c++", "a") as program:
        program.write("# another release with the same name and the same version\n")
    assert "2 run now" in built.run("build").stdout
    built.assert_sound(built.variants())


def test_22_a_flag_that_moves_from_one_list_to_another_is_a_change(built):
    flagged = 'backend = "cpu"\ncxx-flags = ["-DA"]'
    driver.replace_in(built.project / "build.toml", 'backend = "cpu"', flagged)
    built.run("build")
    compiled = built.steps("compile")
    driver.replace_in(built.project / "build.toml", 'cxx-flags = ["-DA"]', 'cxx-flags = ["-D", "A"]')
    built.run("build")
    assert built.steps("compile") > compiled
    built.assert_sound(built.variants())


@pytest.mark.parametrize("years", [-20, 20])
@pytest.mark.parametrize("name", ["src/one.cpp", "src/two.h"])
def test_23_times_say_nothing_about_content(built, years, name):
    """A file from a clock that is wrong, or put there by `cp -p` and `git stash`."""
    built.run("build")
    file = built.project / name
    when = time.time() + years * 365 * 86400

    os.utime(file, (when, when))
    built.run("build")
    compiled, same = built.steps("compile"), built.variants()
    built.run("build")
    assert (built.steps("compile"), built.variants()) == (compiled, same), "touched, and not another file"

    file.write_text(file.read_text().replace("2", "5"))
    os.utime(file, (when, when))
    built.run("build")
    assert built.variants() != same, "the change was missed"
    built.assert_sound(built.variants())


def test_25_three_variants_with_64_open_files(faulty):
    faulty.set_torch("2.13", "2.14", "2.15")
    faulty.run("build", "-j", "8", before=["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"])
    faulty.assert_sound(faulty.variants(), torch=3)
