"""Precompiled headers and compiles in passes change no object: each is compared with what one command on the text makes."""

import os
import shutil

import pytest

import awkward_sources
import kbuild_driver as driver

TEXTUAL = ("--no-pch", "--no-split")


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """A store and a cache of these tests' own over the SDKs that are there: what they precompile, they make."""
    folder = tmp_path_factory.mktemp("store")
    (folder / "kbuild").mkdir()
    (folder / "kbuild/toolchains").symlink_to(driver.data_home() / "kbuild/toolchains")
    return folder


def make_project(folder, components=None, rocm=("6.4",)):
    project = folder / "it's a project, twice"
    project.mkdir()
    driver.set_matrix(awkward_sources.write(project, components), torch=["2.13"], rocm=rocm)
    return project


def build(project, store, *arguments):
    return driver.build(project, *arguments, XDG_DATA_HOME=str(store), XDG_CACHE_HOME=str(store / "cache"))


def products(project):
    """All objects, and all published libraries."""
    made = {**driver.files_of(project / ".kbuild/work"), **driver.files_of(project / "build")}
    return {name: data for name, data in made.items() if name.endswith((".o", ".so"))}


def built_anew(project, store, *arguments):
    shutil.rmtree(project / ".kbuild", ignore_errors=True)
    shutil.rmtree(project / "build", ignore_errors=True)
    build(project, store, "--launcher", "none", *arguments)
    return products(project)


def compare(project, store, *arguments):
    """Builds as usual and from the text by one command a unit; the same objects, and how many."""
    usual = built_anew(project, store, *arguments)
    textual = built_anew(project, store, *arguments, *TEXTUAL)
    assert sorted(usual) == sorted(textual)
    assert [name for name in usual if usual[name] != textual[name]] == []
    return len([name for name in usual if name.endswith(".o")])


# What a wrong precompiled header shows in at once; all cases take minutes.
TELLING = ["basic", "macro_before", "guard_of_sdk", "guard_met", "continued", "comment_in_text", "windows_continued", "counter",
           "place", "statics"]
TELLING_COMPONENTS = ["mentioned", "unmentioned", "guard_defined", "shadow_hip", "shadow_inner", "many_archs", "xarch"]


def telling_components():
    def is_telling(path):
        return path.rsplit("/", 1)[1].rsplit(".", 1)[0] in TELLING

    plain = {path: text for path, text in awkward_sources.PLAIN.items() if is_telling(path)}
    return [("plain", "", plain),
            *[component for component in awkward_sources.COMPONENTS if component[0] in TELLING_COMPONENTS]]


def test_awkward_headers_mean_the_same_precompiled(tmp_path, store):
    components = telling_components()
    sources = sum(path.endswith(".hip") for _, _, files in components for path in files)
    assert compare(make_project(tmp_path, components), store) == sources + 1  # the binding


@pytest.mark.full
@pytest.mark.parametrize("rocm", ["5.7", "6.4", "7.2"])
def test_all_awkward_headers_mean_the_same_precompiled(tmp_path, store, rocm):
    if not driver.has_rocm(rocm):
        pytest.skip(f"rocm@{rocm} is missing")
    project = make_project(tmp_path, rocm=[rocm])
    sources = len(list(project.rglob("*.hip")))
    assert sources > 20
    assert compare(project, store) == sources + 1  # the binding
    usual = built_anew(project, store)
    for arguments in ("--no-pch",), ("--no-split",):
        other = built_anew(project, store, *arguments)
        assert [name for name in usual if usual[name] != other[name]] == []


@pytest.mark.full
@pytest.mark.parametrize("name", ["clang++", "hipcc"])
@pytest.mark.parametrize("rocm", ["5.7", "6.4", "7.2"])
def test_every_driver_makes_the_same_objects_in_passes(tmp_path, store, name, rocm):
    if not driver.has_rocm(rocm):
        pytest.skip(f"rocm@{rocm} is missing")
    project = make_project(tmp_path, telling_components(), rocm=[rocm])
    with (project / "kbuild.toml").open("a") as settings:
        settings.write(f'[build]\ndriver = "{name}"\n')
    compare(project, store)


SMALL = [("one", "", {"one/a.hip": '#include <hip/hip_runtime.h>\n#include "a.h"\n'
                      + awkward_sources.code("one", "out[0] = VALUE;"),
                      "one/a.h": "#define VALUE 1.0f\n",
                      "one/b.hip": awkward_sources.HIP + awkward_sources.code("other")})]


def compiled(project, store, *arguments):
    """Builds; which passes ran: the names of objects that are newer than before."""
    work = project / ".kbuild/work"

    def times():
        return {str(path.relative_to(work)): path.stat().st_mtime_ns
                for path in work.rglob("*") if path.suffix in (".o", ".co")}

    before = times()
    build(project, store, *arguments)
    return sorted(name.rsplit("/", 1)[1] for name, time in times().items() if before.get(name) != time)


def test_each_pass_knows_what_it_depends_on(tmp_path, store):
    project = make_project(tmp_path, SMALL)
    build(project, store, "--launcher", "none")
    header = project / "one/a.h"
    header.write_text(header.read_text() + "// a comment\n")
    assert compiled(project, store, "--launcher", "none") == ["0-a.hip.gfx942.co", "a.hip.o"]
    assert compiled(project, store, "--launcher", "none") == []
    header.write_text("#define VALUE 2.0f\n")
    assert compiled(project, store, "--launcher", "none") == ["0-a.hip.gfx942.co", "a.hip.o"]
    changed = products(project)
    assert built_anew(project, store, *TEXTUAL) == changed


def test_the_cache_knows_the_device_code_that_a_host_pass_embeds(tmp_path, store):
    """Only device code changes: a host pass that is taken for the former one would embed the former code."""
    project = make_project(tmp_path, SMALL)
    build(project, store)
    source = project / "one/a.h"
    source.write_text("#ifdef __HIP_DEVICE_COMPILE__\n#define VALUE 3.0f\n#else\n#define VALUE 1.0f\n#endif\n")
    build(project, store)
    cached = products(project)
    assert built_anew(project, store, *TEXTUAL) == cached


def test_copies_and_headers_precompiled_anew_hit_the_cache(tmp_path, store):
    project = make_project(tmp_path, SMALL)
    build(project, store)
    (tmp_path / "elsewhere").mkdir()
    copy = make_project(tmp_path / "elsewhere", SMALL)
    report = build(copy, store)
    assert report["cache"]["misses"] == 0 and report["cache"]["hits"] > 0
    made = sorted(products(project).values())  # names of objects hold the project's path
    assert sorted(products(copy).values()) == made
    shutil.rmtree(store / "kbuild/precompiled")
    shutil.rmtree(project / ".kbuild")
    report = build(project, store)
    assert report["cache"]["misses"] == 0 and report["cache"]["hits"] > 0
    assert sorted(products(project).values()) == made


def test_what_a_killed_build_leaves_is_not_taken_for_a_precompiled_header(tmp_path, store):
    project = make_project(tmp_path, SMALL)
    usual = built_anew(project, store)
    for folder in (store / "kbuild/precompiled").iterdir():
        (folder / "index").unlink()
        os.truncate(folder / "headers.pch", 1000)
    assert built_anew(project, store) == usual
