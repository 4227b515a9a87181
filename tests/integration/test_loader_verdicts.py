"""kbuild's verdicts on finished variants beside those of upstream's own tools: which variant is taken, what is wrong
with metadata.json, whether the digest holds, which symbols are too new.

Where kbuild is stricter, STRICTER says why; anything else that differs fails.
"""

import json
from types import SimpleNamespace

import kernel_abi_check
import kernels.variants as upstream
import pytest
from kernels import _rust
from kernels.backends import CPU as Cpu
from kernels.backends import ROCm
from packaging.version import Version

import kbuild_driver as driver
import made_variants as made

# Cases on which kbuild says more than upstream.
STRICTER = {
    "unknown-key-twice": "a key that stands there twice means different things to different readers of JSON",
}

SYSTEMS = {
    "cpu-2.12": dict(torch="2.12"),
    "cpu-2.13": dict(torch="2.13"),
    "cpu-2.14": dict(torch="2.14"),
    "rocm-7.1": dict(torch="2.13", rocm="7.1"),
    "rocm-7.2": dict(torch="2.13", rocm="7.2"),
    "rocm-7.2-torch-2.14": dict(torch="2.14", rocm="7.2"),
    "rocm-6.4": dict(torch="2.13", rocm="6.4"),
    "no-torch": dict(rocm="7.2"),
    "free-threaded": dict(torch="2.13", rocm="7.2", python="3.14t"),
    "free-threaded-3.15": dict(torch="2.13", python="3.15t"),
}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    return made.make_libraries(tmp_path_factory.mktemp("libraries"))


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A build folder with all names, each a folder with a metadata.json."""
    build = tmp_path_factory.mktemp("named") / "build"
    for name in made.NAMES:
        (build / name).mkdir(parents=True)
        (build / name / "metadata.json").write_text(json.dumps(made.METADATA))
    return build


def upstream_choice(build, system, monkeypatch):
    """Names that upstream's loader accepts, best first, and those it rejects."""
    free_threaded = system.get("python", "").endswith("t") and Version(system["python"][:-1]) < Version("3.15")
    monkeypatch.setattr(upstream, "_is_unsupported_free_threaded_build", lambda: free_threaded)
    torch = Version(system["torch"]) if "torch" in system else None
    accepted, trace = upstream._resolve_variant_for_system(
        variants=upstream.get_variants_local(build),
        selected_backend=ROCm(Version(system["rocm"])) if "rocm" in system else Cpu(),
        cpu="x86_64", os="linux", torch_version=torch, torch_cxx11_abi=True if torch else None, tvm_ffi_version=None)
    rejected = {decision.variant.variant_str for decision in trace if isinstance(decision, upstream.VariantRejected)}
    return [variant.variant_str for variant in accepted], rejected


def kbuild_choice(build, system):
    options = [word for key, value in system.items() for word in (f"--{key}", value)]
    result = driver.run_kbuild("explain", *options, build, "--format", "json", exit_code=None)
    assert result.returncode in (0, 4, 6), result.stderr
    verdicts = json.loads(result.stdout)["variants"]
    return SimpleNamespace(accepted=[entry["name"] for entry in verdicts if entry["accepted"]],
                           rejected={entry["name"]: entry["reason"] for entry in verdicts if not entry["accepted"]},
                           taken=[entry["name"] for entry in verdicts if entry["taken"]])


def test_there_are_enough_folders_to_compare():
    assert len(made.CASES) >= 30
    assert len(made.NAMES) >= 30


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_the_same_variants_are_accepted_in_the_same_order(named, system, monkeypatch):
    accepted, rejected = upstream_choice(named, system, monkeypatch)
    choice = kbuild_choice(named, system)
    assert choice.accepted == accepted
    assert choice.taken == accepted[:1]
    # Upstream leaves out what it cannot parse, and compiled variants on free-threaded Pythons; kbuild says why.
    assert rejected <= set(choice.rejected)
    assert set(choice.accepted) | set(choice.rejected) == set(made.NAMES)
    assert all(choice.rejected.values())


def upstream_verdict(variant):
    """What upstream's own functions have against a folder."""
    against = set()
    try:
        metadata = _rust.Metadata.read_from_file(variant / "metadata.json")
    except (ValueError, OSError):
        return {"metadata"}
    if metadata.digest is not None:
        try:
            found = _rust.Digest.hash_variant(metadata.digest.algorithm, variant)
            metadata.digest.validate(found)
        except (ValueError, _rust.DigestValidationError):
            against.add("digest")
    library = variant / f"{made.IDENTITY}.abi3.so"
    checked = kernel_abi_check.ObjectFile(library)
    if checked.check_manylinux("manylinux_2_28"):
        against.add("manylinux")
    if checked.check_python_abi("3.9"):
        against.add("python")
    return against


KINDS = {"K0702": "metadata", "K0703": "metadata", "K0709": "digest", "K0620": "manylinux", "K0622": "python"}


def kbuild_verdict(variant):
    result = driver.run_kbuild("verify", variant, "--format", "json", exit_code=None)
    assert result.returncode in (0, 6), result.stderr
    (report,) = json.loads(result.stdout)["variants"]
    errors = {KINDS[finding["code"]] for finding in report["findings"]
              if finding["severity"] == "error" and finding["code"] in KINDS}
    return {"metadata"} if "metadata" in errors else errors


@pytest.mark.parametrize("case", made.CASES, ids=[case.name for case in made.CASES])
def test_the_verdict_is_upstreams(case, libraries, tmp_path):
    variant = made.make_variant(case, tmp_path, libraries)
    theirs, ours = upstream_verdict(variant), kbuild_verdict(variant)
    if case.name in STRICTER:
        assert ours > theirs, f"no longer stricter: {STRICTER[case.name]}"
    else:
        assert ours == theirs


def test_a_written_digest_is_the_one_that_upstream_computes(libraries, tmp_path):
    variant = made.make_variant(made.Case("plain"), tmp_path, libraries)
    (variant / "below").mkdir()
    (variant / "below/data.json").write_text("{}")
    driver.run_kbuild("verify", variant, "--write-digest")
    metadata = _rust.Metadata.read_from_file(variant / "metadata.json")
    metadata.digest.validate(_rust.Digest.hash_variant(metadata.digest.algorithm, variant))
    assert set(metadata.digest.files) == {"__init__.py", "_ops.py", f"{made.IDENTITY}.abi3.so", "below/data.json"}
