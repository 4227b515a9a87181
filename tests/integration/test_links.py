"""kbuild-link, which stands before each link: libraries cut to the names of the objects link as the whole ones do."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

import kbuild_driver as driver

LINK = "./kbuild-link "


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """An example with a torch binding and device code, one variant of it built; in a folder that needs quotes."""
    project = driver.copy_example(tmp_path_factory.mktemp("link") / "it's a kernel")
    driver.set_matrix(project, torch=["2.13"], rocm=["6.4"])
    driver.build(project)
    return project


def work(project):
    return project / ".kbuild/work"


def link_commands(project):
    """The commands as Ninja runs them, each with the file that it links; the CPU variant's first."""
    said = subprocess.run(["ninja", "-C", work(project), "-t", "commands"], capture_output=True, text=True, check=True)
    commands = [line.removeprefix(": && ").removesuffix(" && :") for line in said.stdout.splitlines()
                if " -shared " in line]
    assert len(commands) == 2 and all(command.startswith(LINK) for command in commands)
    return [(command, re.search(r" -o (\S+)", command).group(1))
            for command in sorted(commands, key=lambda command: "libamdhip64" in command)]


def link_command(project):
    """Of the ROCm variant."""
    return link_commands(project)[1]


def run(project, command):
    return subprocess.run(["/bin/sh", "-c", command], cwd=work(project), capture_output=True, text=True,
                          env=driver.clean_environment())


def linked(project, command, output):
    """Links into another file; its bytes."""
    result = run(project, f"{command} -o {shlex.quote(str(output))}")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    return output.read_bytes()


def sorted_output(*command):
    return sorted(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())


def described(library):
    """What a library needs and exports, and what it is made of, whatever the order of its dynamic symbols."""
    dynamic = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
    sections = subprocess.run(["objdump", "-hw", library], capture_output=True, text=True, check=True).stdout
    return {"needed": re.findall(r"\((NEEDED|SONAME|FLAGS|FLAGS_1)\)\s+(.*)", dynamic),
            "names": sorted_output("nm", "-D", "--with-symbol-versions", library),
            "sections": re.findall(r"^\s*\d+ (\S+)\s+(\S+)", sections, re.MULTILINE)}


def test_what_is_published_was_linked_with_cut_libraries_and_is_as_if_linked_with_whole_ones(built, tmp_path):
    for command, output in link_commands(built):
        whole = tmp_path / "whole.so"
        linked(built, command.removeprefix(LINK), whole)
        assert described(work(built) / output) == described(whole)
        assert any("torch" in name for name in described(whole)["names"])


def test_libraries_are_cut_to_what_objects_name(built):
    _, output = link_command(built)
    stubs = work(built) / f"{output}.stubs"
    assert sorted(path.name for path in stubs.iterdir()) == [
        "libamdhip64.so", "libc10.so", "libc10_hip.so", "libtorch_cpu.so", "libtorch_hip.so"]
    offered = sorted_output("nm", "-D", "--defined-only", stubs / "libtorch_cpu.so")
    assert 0 < len(offered) < 1000
    assert any("hipLaunchKernel" in name for name in sorted_output("nm", "-D", stubs / "libamdhip64.so"))


def test_a_name_that_no_library_has_is_told_as_without_it(built, tmp_path):
    command, _ = link_command(built)
    strict = f" -Wl,--no-undefined -o {shlex.quote(str(tmp_path / 'x.so'))}"
    with_it, without = run(built, command + strict), run(built, command.removeprefix(LINK) + strict)
    assert with_it.returncode == without.returncode == 1
    assert "undefined reference to `PyModule_Create2'" in with_it.stderr  # Python's own, no library's
    assert with_it.stderr.count("undefined reference") == 1
    assert with_it.stderr == without.stderr


def test_a_command_in_a_file_of_arguments_links_the_same_bytes(built, tmp_path):
    command, output = link_command(built)
    program, *arguments = shlex.split(command.removeprefix(LINK))
    folder = tmp_path / "with a blank"
    folder.mkdir()
    file = folder / "arguments.rsp"
    file.write_text("\n".join(re.sub(r"([\s'\"\\])", r"\\\1", argument) for argument in arguments))
    long = f"{LINK}{program} {shlex.quote(f'@{file}')}"
    assert linked(built, long, folder / "x.so") == (work(built) / output).read_bytes()
    assert (folder / "x.so.stubs/arguments.rsp").is_file()


def test_what_is_wrong_is_the_linkers_to_say(built, tmp_path):
    command, _ = link_command(built)
    broken = tmp_path / "broken.o"
    broken.write_text("no object\n")
    elsewhere = f" -o {shlex.quote(str(tmp_path / 'x.so'))}"
    for object_file in (broken, tmp_path / "missing.o"):
        result = run(built, f"{command} {shlex.quote(str(object_file))}{elsewhere}")
        expected = run(built, f"{command.removeprefix(LINK)} {shlex.quote(str(object_file))}{elsewhere}")
        assert (result.returncode, result.stderr) == (expected.returncode, expected.stderr)
        assert result.returncode == 1 and object_file.name in result.stderr


def test_a_linker_that_is_not_there_is_named(built):
    program = work(built) / "kbuild-link"
    result = subprocess.run([program, "/nowhere/c++", "-o", "x.so"], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (
        127, "kbuild-link: cannot start /nowhere/c++: No such file or directory\n")
    usage = subprocess.run([program], capture_output=True, text=True)
    assert (usage.returncode, usage.stderr) == (64, "usage: kbuild-link COMMAND...\n")


def test_the_link_to_the_program_leads_to_the_one_beside_kbuild(built):
    expected = Path(driver.kbuild_command()).parent.parent / "libexec/kbuild/kbuild-link"
    assert os.readlink(work(built) / "kbuild-link") == os.path.realpath(expected)
