"""The compiler cache: what was compiled once is taken from it, in every copy of the project, and only if it is the same."""

import json
import shutil
import socket
import subprocess

import pytest

import kbuild_driver as driver


def build(project, cache, *arguments):
    return driver.build(project, "--backend", "rocm", *arguments, XDG_CACHE_HOME=str(cache))


def compiler_runs(report):
    """A HIP unit is compiled in two passes: for its one architecture and for the host."""
    return report["compiles"]["run"] + report["compiles"]["device"]


def libraries(project):
    return {path.name: path.read_bytes() for path in project.glob("build/*/*.so")}


def test_a_copy_elsewhere_is_built_from_the_cache_with_the_same_bytes(light_project, tmp_path):
    first = light_project
    driver.set_matrix(first, torch=["2.13"], rocm=["7.2"])
    report = build(first, tmp_path / "cache")
    runs = compiler_runs(report)
    assert report["cache"] == {"hits": 0, "misses": runs}
    second = tmp_path / "another place/second copy"
    shutil.copytree(first, second, ignore=driver.GENERATED)
    report = build(second, tmp_path / "cache")
    assert report["cache"] == {"hits": runs, "misses": 0}
    assert libraries(second) == libraries(first)
    size = driver.run_kbuild("cache", "size", XDG_CACHE_HOME=str(tmp_path / "cache")).stdout
    assert "precompiled headers: " in size and size.rstrip()[-2:] in ("MB", "GB")
    device = next(second.rglob("*.hip"))
    device.write_text(device.read_text() + "\n__device__ int another;\n")
    assert build(second, tmp_path / "cache")["cache"] == {"hits": 0, "misses": 2}, "both of its passes"
    driver.run_kbuild("cache", "clean", XDG_CACHE_HOME=str(tmp_path / "cache"), XDG_DATA_HOME=str(tmp_path / "data"))
    assert build(first, tmp_path / "cache")["compiles"]["run"] == 0, "what is built needs no cache"
    shutil.rmtree(first / ".kbuild")
    assert build(first, tmp_path / "cache")["cache"] == {"hits": 0, "misses": runs}


def test_no_cache_is_used_where_none_is_wanted(light_project, tmp_path):
    project = light_project
    driver.set_matrix(project, torch=["2.13"], rocm=["7.2"])
    assert build(project, tmp_path / "cache", "--launcher", "none")["cache"] == {"hits": 0, "misses": 0}
    assert not (tmp_path / "cache/kbuild/ccache").exists()
    refused = driver.run_kbuild("build", project, "--launcher", "no-such-ccache", exit_code=5)
    assert "no-such-ccache" in refused.stderr and "--launcher none" in refused.stderr


@pytest.fixture
def redis(tmp_path):
    """A Redis of the test's own; its address."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("there is no redis-server: apt-get install redis-server")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", tmp_path],
                              stdout=subprocess.PIPE, text=True)
    for line in server.stdout:
        if "Ready to accept connections" in line:
            break
    yield f"redis://127.0.0.1:{port}"
    server.terminate()
    server.wait()


def test_a_team_shares_what_was_compiled_through_redis(light_project, tmp_path, redis):
    first = light_project
    driver.set_matrix(first, torch=["2.13"], rocm=["7.2"])
    with (first / "kbuild.toml").open("a") as settings:
        settings.write(f'[cache]\nremote = "{redis}"\n')
    runs = compiler_runs(build(first, tmp_path / "my cache"))
    second = tmp_path / "a colleague's copy"
    shutil.copytree(first, second, ignore=driver.GENERATED)
    assert build(second, tmp_path / "a colleague's cache")["cache"] == {"hits": runs, "misses": 0}
    assert libraries(second) == libraries(first)


def test_timings_tell_each_step(light_project, tmp_path):
    page, data = tmp_path / "timings.html", tmp_path / "timings.json"
    report = build(light_project, tmp_path / "cache", "--timings", page)
    assert "compile and link" in page.read_text() and "gemm_launcher.hip.o" in page.read_text()
    shutil.rmtree(light_project / ".kbuild")
    build(light_project, tmp_path / "cache", "--timings", data)
    steps = json.loads(data.read_text())["steps"]
    assert len([step for step in steps if step["output"].endswith(".o")]) == report["compiles"]["run"]
    assert all(step["begin"] <= step["end"] for step in steps)


def test_a_build_says_why_it_compiles(light_project, tmp_path):
    def explained():
        return driver.run_kbuild("build", light_project, "--backend", "rocm", "--explain").stderr

    assert "gemm_launcher.hip.o: it was not made yet" in explained()
    assert "all inputs are as they were" in explained()
    header = light_project / "gemm/gemm_problem.h"
    header.write_text(header.read_text() + "// edited\n")
    assert "gemm_launcher.hip.gfx942.co: `gemm/gemm_problem.h` is newer" in explained()
