"""What kbuild links loads on systems older than the one that it was built on, and its verdict is upstream's."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import kbuild_driver as driver

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "portable_sources"
CPU = "torch213-cxx11-cpu-x86_64-linux"
PROJECTS = ["text", "system", "threads"]
COMPILERS = ["g++", "clang++-19"]
POLICY = "manylinux_2_28"

abi_check = pytest.importorskip("kernel_abi_check", reason="kernel-abi-check is not in the test environment")


def upstream_says(library):
    """Violations that upstream's own check finds."""
    file = abi_check.ObjectFile(str(library))
    return [str(finding) for finding in [*file.check_manylinux(POLICY), *file.check_python_abi("3.9")]]


def make_project(folder, name, source=None, settings=""):
    """A kernel for the CPU whose import runs the checks of one source."""
    for part in ("csrc", f"torch-ext/{name}"):
        (folder / part).mkdir(parents=True)
    (folder / "build.toml").write_text(f"""\
[general]
name = "{name}"
version = 1
edition = 5
license = "Apache-2.0"
backends = ["cpu"]

[torch]
src = ["torch-ext/module.cpp"]

[kernel.{name}]
backend = "cpu"
depends = []
src = ["csrc/checks.h", "csrc/{name}.cpp"]
""")
    (folder / "kbuild.toml").write_text('[matrix]\ntorch = ["2.13"]\n[build]\n' + settings)
    shutil.copy(SOURCES / "module.cpp", folder / "torch-ext/module.cpp")
    shutil.copy(SOURCES / "checks.h", folder / "csrc/checks.h")
    (folder / f"csrc/{name}.cpp").write_text(source or (SOURCES / f"{name}.cpp").read_text())
    (folder / f"torch-ext/{name}/__init__.py").write_text("from ._ops import ops\n")
    return folder


def library_of(project):
    (library,) = (project / "build" / CPU).glob("*.so")
    return library


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Each project by each compiler, built once when it is first asked for; the library."""
    made = {}

    def build(name, compiler, policy=POLICY, source=None):
        key = (name, compiler, policy, source)
        if key not in made:
            settings = f'host-cxx = "{compiler}"\npolicy = "{policy}"\n'
            project = make_project(tmp_path_factory.mktemp("portable") / name, name, source, settings)
            driver.build(project)
            made[key] = library_of(project)
        return made[key]

    return build


def made_by(script, *arguments):
    """The folder that a script of tests/support makes of packages, if they can be had."""
    folder = Path(os.environ["KBUILD_TEST_WORK"], "roots", "-".join(arguments))
    made = subprocess.run([sys.executable, HERE.parent / "support" / script, *arguments, folder], text=True,
                          capture_output=True)
    if made.returncode == 77:
        pytest.skip(made.stdout.strip())
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="session", params=["here", "bullseye", "forky"])
def python(request):
    """A Python of this machine, or one of another age with all its own libraries."""
    if request.param == "here":
        return [sys.executable]
    return [str(made_by("make_old_root", request.param) / "run/python")]


# Compilers of later Debians, each with the glibc of its own: suite and version.
LATER_COMPILERS = [("trixie", "13"), ("trixie", "14"), ("forky", "13"), ("forky", "14"), ("forky", "15"), ("forky", "16")]


@pytest.fixture(scope="session", params=LATER_COMPILERS, ids="-".join)
def later_compiler(request):
    suite, version = request.param
    return SimpleNamespace(cxx=made_by("make_compiler", suite, version) / "run/g++", version=int(version))


def run_python(python, code, *arguments):
    return subprocess.run([*python, "-c", code, *map(str, arguments)], text=True, capture_output=True,
                          env=driver.clean_environment())


IMPORT = """
import importlib, sys
def load(path):
    folder, name = path.rsplit("/", 1)
    sys.path.insert(0, folder)
    return importlib.import_module(name.split(".")[0])
modules = [load(path) for path in sys.argv[1:]]
"""
CATCH = IMPORT + """
print([b.catch_from(a.thrower(), kind) for a, b in [modules, modules[::-1]] for kind in range(4)])
"""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", PROJECTS)
def test_it_is_within_the_policy_for_kbuild_and_for_upstream(built, name, compiler):
    library = built(name, compiler)
    assert upstream_says(library) == []
    exported = subprocess.check_output(["nm", "-D", "-g", "--defined-only", library], text=True).split()[2::3]
    assert exported == [f"PyInit_{library.name.split('.')[0]}"]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", PROJECTS)
def test_it_loads_and_works_on_this_system_an_older_and_a_newer_one(built, python, name, compiler):
    result = run_python(python, IMPORT, built(name, compiler))
    assert result.returncode == 0, result.stderr


def test_exceptions_cross_from_one_library_to_another(built, python):
    libraries = [built("text", "g++"), built("system", "clang++-19")]
    result = run_python(python, CATCH, *libraries)
    assert result.returncode == 0, result.stderr
    caught = ["filesystem", "out_of_range", "own", "3"]
    assert result.stdout.splitlines()[-1] == str(caught * 2)


@pytest.mark.parametrize("name", PROJECTS)
def test_without_the_baseline_the_same_sources_are_refused_by_both(built, name):
    library = built(name, "g++", policy="none")
    assert upstream_says(library) != []
    verified = driver.run_kbuild("verify", library.parent, "--policy", "manylinux_2_28", exit_code=6)
    assert "error[K0620]" in verified.stderr


def test_without_the_baseline_an_older_system_does_not_load_it(built):
    folder = Path(os.environ["KBUILD_TEST_WORK"], "roots/bullseye/run/python")
    if not folder.exists():
        pytest.skip("there is no root of bullseye")
    result = run_python([str(folder)], IMPORT, built("text", "g++", policy="none"))
    assert result.returncode != 0
    assert "not found" in result.stderr


NEWER = """\
#include "checks.h"
#include <cstring>
const char* name_of_error(int error) { return strerrordesc_np(error); }
void run_checks() { CHECK(name_of_error(2) != nullptr); }
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_cannot_be_made_portable_is_refused_with_symbol_function_and_source(tmp_path, compiler):
    project = make_project(tmp_path / "newer", "newer", source=NEWER, settings=f'host-cxx = "{compiler}"\n')
    refused = driver.run_kbuild("build", project, exit_code=6)
    assert "error[K0711]: `strerrordesc_np` of `libc.so.6` came with glibc 2.32" in refused.stderr
    assert "used by `name_of_error(int)` in `" in refused.stderr
    assert "csrc/newer.cpp`" in refused.stderr
    assert not (project / "build").exists()


def later_source(name, compiler):
    text = (SOURCES / f"{name}.cpp").read_text()
    return ("#define WITHOUT_ATOMIC_WAIT\n" if compiler.version >= 16 else "") + text


@pytest.mark.full
@pytest.mark.parametrize("name", [*PROJECTS, "later"])
def test_what_a_later_compiler_links_is_within_the_policy_and_works_everywhere(built, python, name, later_compiler):
    library = built(name, later_compiler.cxx, source=later_source(name, later_compiler))
    assert upstream_says(library) == []
    result = run_python(python, IMPORT, library)
    assert result.returncode == 0, result.stderr


def refused_by(compiler, folder, source):
    project = make_project(folder / "newer", "newer", source=source, settings=f'host-cxx = "{compiler.cxx}"\n')
    return driver.run_kbuild("build", project, exit_code=6).stderr


TIME_ZONE = """\
#include "checks.h"
#include <chrono>
const std::chrono::time_zone* here() { return std::chrono::current_zone(); }
void run_checks() { CHECK(here() != nullptr); }
"""


@pytest.mark.full
def test_state_that_a_process_has_once_is_not_put_into_a_library(later_compiler, tmp_path):
    said = refused_by(later_compiler, tmp_path, TIME_ZONE)
    assert "error[K0711]: `std::chrono::current_zone()` of `libstdc++.so.6` came with GLIBCXX_3.4.31" in said
    assert "used by `here()` in `" in said


@pytest.mark.full
def test_waiting_for_an_atomic_is_refused_where_it_came_into_the_library(later_compiler, tmp_path):
    if later_compiler.version < 16:
        pytest.skip("in its headers until g++ 15")
    said = refused_by(later_compiler, tmp_path, (SOURCES / "threads.cpp").read_text())
    assert "error[K0711]: `std::__detail::__wait_impl(void const*, std::__detail::__wait_args_base&)` of" in said
    assert "used by `run_checks()` in `" in said, "what waits is inlined there"


# Small libraries, each linked by GNU ld against this machine's own: a body, and what it needs.
SMALL = {
    "nothing": ("int f() { return 1; }", ""),
    "strlen": ("extern \"C\" unsigned long strlen(const char*); unsigned long f(const char* x) { return strlen(x); }", ""),
    "getrandom": ("#include <sys/random.h>\nlong f(char* x) { return getrandom(x, 1, 0); }", ""),
    "exp": ("#include <cmath>\ndouble f(double x) { return std::exp(x); }", ""),
    "sin": ("#include <cmath>\ndouble f(double x) { return std::sin(x); }", ""),
    "pthread_create": ("#include <pthread.h>\nint f(pthread_t* x) { return pthread_create(x, 0, 0, 0); }", ""),
    "fstat": ("#include <sys/stat.h>\nint f(struct stat* x) { return fstat(0, x); }", ""),
    "dlopen": ("#include <dlfcn.h>\nvoid* f(const char* x) { return dlopen(x, 0); }", ""),
    "strerrordesc_np": ("#include <cstring>\nconst char* f(int x) { return strerrordesc_np(x); }", ""),
    "strtof128": ("#include <cstdlib>\ndouble f(const char* x) { return double(strtof128(x, 0)); }", "-std=gnu++20"),
    "to_chars": ("#include <charconv>\nchar* f(char* x) { return std::to_chars(x, x + 9, 0.1).ptr; }", ""),
    "filesystem": ("#include <filesystem>\nauto f() { return std::filesystem::current_path(); }", ""),
    "iostream": ("#include <iostream>\nvoid f() { std::cout << 1 << std::endl; }", ""),
    "throw": ("#include <stdexcept>\nvoid f() { throw std::logic_error(\"x\"); }", ""),
    "shared_ptr": ("#include <memory>\nvoid f(std::shared_ptr<int> x, std::shared_ptr<int>* y) { *y = x; }", ""),
    "limited": ("extern \"C\" void* PyModule_Create2(void*, int); void* f() { return PyModule_Create2(0, 3); }", ""),
    "unlimited": ("extern \"C\" const char* PyUnicode_AsUTF8(void*); auto f(void* x) { return PyUnicode_AsUTF8(x); }", ""),
    "private": ("extern \"C\" int _PyDict_SetItem_KnownHash(void*); int f() { return _PyDict_SetItem_KnownHash(0); }", ""),
    "python310": ("extern \"C\" void* PyObject_CallNoArgs(void*); auto f(void* x) { return PyObject_CallNoArgs(x); }", ""),
    "python39": ("extern \"C\" void* PyType_GetModule(void*); auto f(void* x) { return PyType_GetModule(x); }", ""),
}
ABI_CODES = {"K0620", "K0622"}

# Where kbuild is stricter than upstream's check: what is done to a library that is otherwise good or bad, and kbuild's code.
STRICTER = {
    "no symbol table (strip)": ("exp", ["strip"], "K0620"),
    "packed relocations": ("iostream", ["-Wl,-z,pack-relative-relocs"], "K0613"),
    "executable stack": ("nothing", ["-Wl,-z,execstack"], "K0624"),
    "run path": ("nothing", ["-Wl,-rpath,/home/me/lib"], "K0612"),
}


def make_variant(folder, body, flags=()):
    """A variant whose library is one body linked the usual way."""
    variant = folder / "build" / CPU
    variant.mkdir(parents=True)
    source = folder / "body.cpp"
    source.write_text(body + '\nextern "C" void* PyInit__x_cpu_1() { return nullptr; }\n'
                      "namespace { struct S { void* a; }; S s[] = {{s}, {s + 1}}; }\nvoid* g(int i) { return s[i].a; }\n")
    library = variant / "_x_cpu_1.abi3.so"
    strip = "strip" in flags
    subprocess.run(["g++", "-std=c++20", "-shared", "-fPIC", "-O1", "-o", library, source,
                    *[flag for flag in flags if flag != "strip"]], check=True)
    if strip:
        subprocess.run(["strip", "--strip-all", library], check=True)
    (variant / "__init__.py").write_text("from ._ops import ops\n")
    (variant / "_ops.py").write_text("from . import _x_cpu_1\n")
    (variant / "metadata.json").write_text(json.dumps({
        "name": "x", "id": "_x_cpu_1", "version": 1, "license": "MIT", "python-depends": [], "backend": {"type": "cpu"}}))
    return library


def kbuild_codes(library):
    result = driver.run_kbuild("verify", library.parent, "--format", "json", exit_code=None)
    (variant,) = json.loads(result.stdout)["variants"]
    return {finding["code"] for finding in variant["findings"] if finding["severity"] == "error"}


@pytest.mark.parametrize("name", SMALL)
def test_the_verdict_on_what_gnu_ld_linked_is_upstreams(tmp_path, name):
    body, flags = SMALL[name]
    library = make_variant(tmp_path, body, flags.split())
    assert bool(kbuild_codes(library) & ABI_CODES) == bool(upstream_says(library)), upstream_says(library)


def test_there_are_good_and_bad_ones_among_them(tmp_path):
    verdicts = []
    for name, (body, flags) in SMALL.items():
        verdicts.append(bool(upstream_says(make_variant(tmp_path / name, body, flags.split()))))
    assert verdicts.count(True) >= 8 and verdicts.count(False) >= 8


@pytest.mark.parametrize("what", STRICTER)
def test_where_upstream_sees_nothing_kbuild_does(tmp_path, what):
    name, flags, code = STRICTER[what]
    body, more = SMALL[name]
    library = make_variant(tmp_path, body, [*more.split(), *flags])
    assert upstream_says(library) == []
    assert code in kbuild_codes(library)
