"""SDKs from sources that a user or a project names: real apt and real pip against repositories and an index on loopback."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import kbuild_driver as driver
import sdk_sources

NO_PROXY = {"http_proxy": "", "HTTP_PROXY": "", "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}


class Place:
    """A project with homes of its own, so that no store of anybody is touched."""

    def __init__(self, folder):
        self.folder = folder / "a place"
        self.project = self.folder / "project"
        self.project.mkdir(parents=True)
        (self.project / "build.toml").write_text('[general]\nname = "none"\nversion = 1\nbackends = ["cpu"]\n')
        self.homes = {"XDG_DATA_HOME": str(self.folder / "data"), "XDG_CACHE_HOME": str(self.folder / "cache"),
                      "XDG_CONFIG_HOME": str(self.folder / "config"), **NO_PROXY}

    def settings(self, text):
        (self.project / "kbuild.toml").write_text(text)

    def run(self, *arguments, exit_code=0, **more):
        return driver.run_kbuild("toolchain", *arguments, cwd=self.project, exit_code=exit_code, **{**self.homes, **more})

    def sdks(self, kind):
        return json.loads(self.run("list", "--format", "json").stdout)[kind]


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.fixture(scope="session")
def key(tmp_path_factory):
    if not shutil.which("gpg"):
        pytest.skip("no gpg to sign a repository with")
    # gpg-agent's socket has to fit into 107 bytes.
    home = Path(subprocess.run(["mktemp", "-d"], text=True, capture_output=True, check=True).stdout.strip())
    key = sdk_sources.Key(home / "g")
    yield key
    subprocess.run(["gpgconf", "--homedir", key.home, "--kill", "all"], check=False, capture_output=True)
    shutil.rmtree(home)


@pytest.fixture
def amd(tmp_path, key):
    """AMD's layout, ROCm 7.9, signed: (address, keyring, root)."""
    root = tmp_path / "amd"
    key.sign(sdk_sources.make_amd_repository(root, "7.9"))
    with sdk_sources.served(root) as address:
        yield address, key.export(root / "key.gpg"), root


def amd_table(address, keyring):
    return (f'[[toolchain.rocm]]\nversion = "7.9"\nlabel = "AMD\'s own"\nlayout = "amd"\nrepository = "{address}"\n'
            f'suites = ["{sdk_sources.SUITE}"]\nkeyring = "{keyring}"\n')


def test_a_rocm_of_amds_own_repository_is_a_release_at_a_place_of_its_own(place, amd):
    place.settings(amd_table(*amd[:2]))
    assert "rocm@7.9" in place.run("list").stderr
    said = place.run("add", "rocm@7.9").stderr
    assert "HIP 7.9.4711, rocm-llvm 7.9.0.4711, from AMD's own (release)" in said
    (sdk,) = place.sdks("rocm")
    root = Path(sdk["root"])
    assert sdk["origin"] == "release" and sdk["provider"] == "apt"
    assert (root / "lib/libamdhip64.so").exists() and (root / "include/rocprim/rocprim.hpp").exists()
    assert os.readlink(root / "llvm") == "lib/llvm"  # in the package it leads to /opt
    assert (root / "bin/amdclang++").resolve() == (root / "lib/llvm/bin/clang++").resolve()
    assert place.run("path", "rocm@7.9", "--bin").stdout.strip() == str(root / "bin")
    assert "there already" in place.run("add", "rocm@7.9").stderr


def test_an_extra_library_of_amds_repository_has_amds_name(place, amd):
    place.settings(amd_table(*amd[:2]))
    place.run("add", "rocm@7.9", "--extra", "rocwmma")
    assert (Path(place.sdks("rocm")[0]["root"]) / "include/rocwmma/rocwmma.hpp").exists()
    missing = place.run("add", "rocm@7.9", "--extra", "rocfft", exit_code=5).stderr
    assert "has no package `rocfft-dev`, which `rocfft` needs" in missing


def test_sources_can_also_stand_in_the_users_own_configuration(place, amd):
    config = place.folder / "config/kbuild/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(amd_table(*amd[:2]))
    place.run("add", "rocm@7.9")
    config.write_text('[toolchain]\nindex-urll = "x"\n')
    said = place.run("list", exit_code=3).stderr
    assert "index-url" in said and "config.toml" in said


def test_a_wrong_signature_is_refused_and_nothing_is_kept_of_it(place, amd):
    address, keyring, root = amd
    release = root / f"dists/{sdk_sources.SUITE}/InRelease"
    release.write_text(release.read_text().replace("Origin: Test", "Origin: Another"))
    place.settings(amd_table(address, keyring))
    said = place.run("add", "rocm@7.9", exit_code=7).stderr
    assert "signature" in said.lower() or "BADSIG" in said
    assert place.sdks("rocm") == []


def test_an_unsigned_repository_is_refused(place, amd):
    address, keyring, root = amd
    (root / f"dists/{sdk_sources.SUITE}/InRelease").unlink()
    place.settings(amd_table(address, keyring))
    said = place.run("add", "rocm@7.9", exit_code=7).stderr
    assert "not signed" in said
    assert place.sdks("rocm") == []


def test_a_keyring_that_is_not_there_is_named(place, amd):
    place.settings(amd_table(amd[0], "/nowhere/rocm.gpg"))
    assert "no keyring `/nowhere/rocm.gpg`" in place.run("add", "rocm@7.9", exit_code=5).stderr


@pytest.mark.parametrize("damage", ["other bytes", "truncated", "gone"])
def test_a_package_that_is_damaged_on_the_mirror_is_refused_by_name(place, amd, damage):
    address, keyring, root = amd
    (deb,) = (root / "pool/main").glob("hipcc_*.deb")
    good = deb.read_bytes()
    if damage == "gone":
        deb.unlink()
    else:
        deb.write_bytes(good[:-40] if damage == "truncated" else good[:-40] + b"x" * 40)
    place.settings(amd_table(address, keyring))
    said = place.run("add", "rocm@7.9", exit_code=7).stderr
    assert "hipcc" in said
    assert place.sdks("rocm") == []
    assert not list(Path(place.homes["XDG_DATA_HOME"]).rglob("sdk.json"))
    deb.write_bytes(good)
    place.run("add", "rocm@7.9")  # what was fetched before is used, the damaged one is not


def test_a_suite_that_rolled_on_to_a_newer_compiler_and_other_names_still_gives_an_sdk(place, tmp_path, key):
    root = tmp_path / "debian"
    key.sign(sdk_sources.make_debian_repository(root, "8.1", clang="27"))
    with sdk_sources.served(root) as address:
        table = (f'[[toolchain.rocm]]\nversion = "{{}}"\nrepository = "{address}"\nsuites = ["{sdk_sources.SUITE}"]\n'
                 f'label = "Debian layout, {sdk_sources.SUITE}"\nkeyring = "{key.export(root / "key.gpg")}"\n')
        place.settings(table.format("8.1"))
        said = place.run("add", "rocm@8.1").stderr
        assert "HIP 8.1.4711, clang 27.1.0" in said and "(rebuild)" in said
        (sdk,) = place.sdks("rocm")
        assert (Path(sdk["root"]) / "lib/libamdhip64.so.9").exists()
        place.run("remove", "rocm@8.1")
        # The same suite, where kbuild knows it for the HIP that it had before.
        place.settings(table.format("8.0"))
        said = place.run("add", "rocm@8.0", "--save", tmp_path / "kept").stderr
        assert f"Debian layout, {sdk_sources.SUITE} now carries HIP 8.1, not 8.0: rocm@8.1 is added instead" in said
        assert [sdk["name"] for sdk in place.sdks("rocm")] == ["rocm@8.1"]
        assert "there already" in place.run("add", "rocm@8.0").stderr
        # By its own name, too: from the suite and from what was saved.
        assert "there already" in place.run("--offline", "add", "rocm@8.1").stderr
        place.run("remove", "rocm@8.1")
        place.run("add", "rocm@8.1")
        place.run("remove", "rocm@8.1")
        place.run("--offline", "add", "rocm@8.1", "--from", tmp_path / "kept")
        # What the suite does not have either is as unknown as before, with what it has.
        said = place.run("add", "rocm@8.7", exit_code=2).stderr
        assert "carries HIP 8.1" in said and "no provider knows `rocm@8.7`" in said
        # Locked files are these and no others.
        lock = place.project / "kbuild.lock"
        lock.write_text('format = 1\nvariants = []\n\n[[sdk]]\nname = "rocm@8.0"\nversion = "8.0.1"\nprovider = "apt"\n'
                        'origin = "rebuild"\nfile = [{ name = "hipcc", version = "8.0.1-1", sha256 = "00" }]\n')
        said = place.run("add", "rocm@8.0", "--locked", exit_code=5).stderr
        assert "`hipcc` is 8.1.1-1 now, 8.0.1-1 is wanted" in said


ROCM_TORCH = "__version__ = '2.16.0+rocm7.9'\ncuda: Optional[str] = None\nhip: Optional[str] = '7.9.4711-ab'\n"


def test_a_wheel_of_another_index_is_fetched_by_pip_and_told_by_its_version_file(place, tmp_path):
    sdk_sources.make_torch_index(tmp_path / "index", "2.16.0+rocm7.9", ROCM_TORCH, ["torch_hip", "c10_hip"])
    with sdk_sources.served(tmp_path / "index") as address:
        place.settings(f'[toolchain]\nindex-url = "{address}/simple"\n\n[[toolchain.torch]]\nversion = "2.16"\n')
        place.run("add", "torch@2.16")
        (sdk,) = place.sdks("torch")
        assert (sdk["version"], sdk["build"], sdk["rocm"]) == ("2.16.0+rocm7.9", "ROCm", "7.9")
        said = place.run("add", "torch@2.13", exit_code=7).stderr  # this index has no other
        assert "No matching distribution" in said and address not in (Path(sdk["root"]) / "sdk.json").read_text()


def test_an_index_of_one_torch_counts_before_that_of_all(place, tmp_path):
    sdk_sources.make_torch_index(tmp_path / "index", "2.16.0+rocm7.9", ROCM_TORCH, ["torch_hip", "c10_hip"])
    with sdk_sources.served(tmp_path / "index") as address:
        place.settings('[toolchain]\nindex-url = "http://127.0.0.1:9/simple"\n\n[[toolchain.torch]]\nversion = "2.16"\n'
                       f'index-url = "{address}/simple"\n')
        place.run("add", "torch@2.16")
        assert len(place.sdks("torch")) == 1


def test_saved_files_of_any_source_make_the_same_sdk_without_it(place, amd, tmp_path):
    place.settings(amd_table(*amd[:2]))
    place.run("add", "rocm@7.9", "--save", tmp_path / "kept")
    first = place.sdks("rocm")[0]["fingerprint"]
    place.run("remove", "rocm@7.9")
    shutil.rmtree(amd[2])
    place.run("--offline", "add", "rocm@7.9", "--from", tmp_path / "kept")
    assert place.sdks("rocm")[0]["fingerprint"] == first
