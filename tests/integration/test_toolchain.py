"""`kbuild toolchain add` at its edges: what is there already, and what cannot be had. (That it fetches working SDKs is
shown by every other test here.)"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import kbuild_driver as driver

NO_INDEX = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_EXTRA_INDEX_URL": "", "PIP_RETRIES": "0",
            "PIP_NO_INPUT": "1", "PIP_CONFIG_FILE": "/dev/null", "PIP_FIND_LINKS": ""}


def listed(**environment):
    return json.loads(driver.run_kbuild("toolchain", "list", "--format", "json", **environment).stdout)


def traced(trace, *arguments):
    """Runs kbuild; its system calls on files and sockets and its starts of programs, as (name, rest of the line)."""
    subprocess.run(["strace", "-f", "-qq", "-s", "4096", "-o", trace, "-e", "trace=%file,%network,%process",
                    driver.kbuild_command(), "toolchain", *arguments], check=True, capture_output=True,
                   env=driver.clean_environment())
    calls = [re.match(r"\d+ +(\w+)\((.*)", line) for line in trace.read_text().splitlines()]
    return [call.groups() for call in calls if call]


def test_adding_what_is_there_reads_the_manifests_and_nothing_else(tmp_path, strace):
    names = ["rocm@6.4", "rocm@7.2", "torch@2.13", "torch@2.14"]
    before = listed()
    # Offline, as one that is not seen to be there would otherwise be made again in the store that all tests share.
    calls = traced(tmp_path / "trace", "add", "--offline", *names)
    assert listed() == before
    assert [name for name, _ in calls if name in ("execve", "execveat")] == ["execve"]  # kbuild itself
    assert not [rest for name, rest in calls if name in ("socket", "connect")]
    store = driver.data_home() / "kbuild/toolchains"
    opened = [rest for name, rest in calls if name.startswith("open") and f'"{store}/' in rest]
    assert {re.search(r'"([^"]*)"', rest)[1] for rest in opened} == {
        str(store / name.replace("@", "-") / "sdk.json") for name in names}
    assert not [rest for rest in opened if "O_WRONLY" in rest or "O_RDWR" in rest]
    changing = ("mkdir", "rename", "unlink", "rmdir", "link", "symlink", "chmod", "utime", "truncate")
    assert not [(name, rest) for name, rest in calls if name.startswith(changing)]


def test_a_download_that_fails_exits_7_and_leaves_nothing_that_looks_like_an_sdk(tmp_path):
    data = tmp_path / "data home"
    result = driver.run_kbuild("toolchain", "add", "torch@2.13", exit_code=7, XDG_DATA_HOME=str(data),
                               XDG_CACHE_HOME=str(tmp_path / "cache"), **NO_INDEX)
    assert "torch" in result.stderr
    assert "torch@2.13" in listed(XDG_DATA_HOME=str(data))["not_fetched"]
    assert not list(Path(data).rglob("sdk.json"))


def test_an_sdk_that_nobody_knows_is_refused_with_the_known_ones(tmp_path):
    result = driver.run_kbuild("toolchain", "add", "rocm@1.0", exit_code=None, XDG_DATA_HOME=str(tmp_path))
    assert result.returncode in (2, 5)
    assert "rocm@6.4" in result.stderr


def test_path_prints_the_folders_of_a_rocm(tmp_path):
    (root,) = [sdk["root"] for sdk in listed()["rocm"] if sdk["name"] == "rocm@6.4"]
    for option, folder in [("--root", root), ("--bin", f"{root}/bin"), ("--cmake", f"{root}/lib/cmake")]:
        assert driver.run_kbuild("toolchain", "path", option, "rocm@6.4").stdout == folder + "\n"
    said = driver.run_kbuild("toolchain", "path", "--bin", "torch@2.14", exit_code=2).stderr
    assert "`--bin` and `--cmake` are of a ROCm" in said
    driver.run_kbuild("toolchain", "path", "--bin", "--cmake", "rocm@6.4", exit_code=2)


def test_hipcc_works_in_the_shell_of_a_variant(project):
    (project / "one.hip").write_text("#include <hip/hip_runtime.h>\n__global__ void one(float* out) { *out = 1; }\n")
    for version in ("6.4", "7.2"):
        driver.run_kbuild("shell", "--rocm", version, "--torch", "2.14", "--", "hipcc", "--offload-arch=gfx942", "-c",
                          "one.hip", "-o", f"one-{version}.o", cwd=project)
        assert b"gfx942" in (project / f"one-{version}.o").read_bytes()
    assert driver.run_kbuild("shell", "--", "sh", "-c", "exit 7", cwd=project, exit_code=7).returncode == 7


def test_a_name_of_torch_that_the_stubs_lack_is_named_by_verify(tmp_path):
    (sdk,) = [sdk for sdk in listed()["torch"] if sdk["name"] == "torch@2.14"]
    rocm = max(listed()["rocm"], key=lambda rocm: rocm["version"])["root"]
    copy = tmp_path / "data/kbuild/toolchains/torch-2.14"
    copy.mkdir(parents=True)
    for entry in Path(sdk["root"]).iterdir():
        (copy / entry.name).symlink_to(entry)
    (copy / "sdk.json").unlink()  # it names its place
    (copy / "sdk.json").write_text((Path(sdk["root"]) / "sdk.json").read_text().replace(sdk["root"], str(copy)))
    (copy / "stubs").unlink()
    shutil.copytree(Path(sdk["root"]) / "stubs", copy / "stubs")
    shutil.copy(copy / "stubs/libtorch.so", copy / "stubs/libc10_hip.so")  # which has none of its names
    said = driver.run_kbuild("toolchain", "verify", "torch@2.14", exit_code=5, XDG_DATA_HOME=str(tmp_path / "data"),
                             ROCM_PATH=rocm).stderr
    assert "compiling and linking a binding with torch@2.14" in said
    assert "undefined reference to `c10::cuda::" in said
