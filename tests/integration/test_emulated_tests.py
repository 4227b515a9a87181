"""A project's own pytest on the emulated MI300X: unchanged tests, the published library, a real torch and the real loader."""

import json
import shutil
import xml.etree.ElementTree as ElementTree

import pytest

import kbuild_driver as driver

PROJECTS = driver.HERE / "emulated_projects"
CUDA_PROJECTS = driver.HERE / "cuda_projects"


def run_tests(project, report, *arguments, exit_code=0):
    """Runs `kbuild test --emulate`; the outcome of each test by its name: None, or the text of its failure."""
    result = driver.run_kbuild("test", project, "--emulate", "--junit", report, *arguments, exit_code=exit_code)
    outcomes = {}
    for case in ElementTree.parse(report).iter("testcase"):
        bad = [part for part in case if part.tag in ("failure", "error")]
        outcomes[case.get("name")] = "\n".join((part.get("message") or "") + (part.text or "") for part in bad) or None
    return result, outcomes


def make_project(folder, source, torch, rocm):
    project = folder / "a project"
    shutil.copytree(source, project)
    driver.set_matrix(project, torch=torch, rocm=rocm)
    driver.build(project)
    return project


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("twins"), PROJECTS / "twins", ["2.13"], ["7.2"])


@pytest.fixture(scope="module")
def outcomes(twins):
    return run_tests(twins, twins.parent / "report.xml", "--devices", "2", exit_code=1)


@pytest.mark.parametrize("rocm", ["64", "72"])
def test_the_examples_own_tests_pass_on_the_published_libraries(example, tmp_path, rocm):
    result, outcomes = run_tests(example.project, tmp_path / "report.xml", "--variant", f"torch213-*-rocm{rocm}-*")
    assert len(outcomes) > 40 and not any(outcomes.values()), outcomes
    assert f"torch213-cxx11-rocm{rocm}-x86_64-linux  passed" in result.stdout
    assert "findings: 0" in result.stderr
    assert "kernels" in result.stderr and "not compared with an MI300X" in result.stderr


# The test, the operator with the mistake, what has to be said of it.
MISTAKES = [
    ("test_stream", "scale_on_null_stream", "on the null stream"),
    ("test_two_streams", "scale_without_waiting", "nothing puts the two in an order"),
    ("test_second_device", "scale_without_guard", "of device 1, but the kernel runs on device 0"),
    ("test_cpu_tensor_is_refused", "scale_of_any_device", "memory: read of 4 bytes"),
    ("test_strided_input_is_refused_or_right", "scale_of_any_strides", "Tensor-likes are not close"),
    ("test_double_is_refused", "scale_of_any_type", "DID NOT RAISE"),
    ("test_other_shape_is_refused", "scale_of_any_type", "0 bytes behind the end of 200 bytes"),
    ("test_any_count", "scale_without_bounds", "0 bytes behind the end of 400 bytes"),
    ("test_all_of_the_result", "scale_but_the_last", "reads 4 bytes that nothing wrote"),
    ("test_is_there_for_the_gpu", "scale_for_the_cpu", "from the 'CUDA' backend"),
]


@pytest.mark.parametrize("test, operator, text", MISTAKES, ids=[operator for _, operator, _ in MISTAKES])
def test_a_mistake_is_found_in_the_broken_twin(outcomes, test, operator, text):
    assert text in (outcomes[1][f"{test}[{operator}]"] or "")


def test_nothing_is_found_in_the_right_twins(outcomes):
    right = {name: text for name, text in outcomes[1].items() if name.endswith(("[scale]", "[scale_on_side_stream]"))}
    assert len(right) == len(MISTAKES)
    assert not any(right.values()), right


def test_nothing_is_found_where_torch_waits(outcomes):
    quiet = {name: text for name, text in outcomes[1].items()
             if name.startswith(("test_torch_waits", "test_copies_between_devices", "test_rows_that_were_written"))}
    assert len(quiet) == 14
    assert not any(quiet.values()), quiet


@pytest.mark.parametrize("name", ["arithmetic", "indices", "copy_to_pinned_memory"])
def test_something_is_found_where_torch_does_not_wait(outcomes, name):
    assert "nothing puts the two in an order" in (outcomes[1][f"test_torch_does_not_wait[{name}]"] or "")


def test_structs_have_hips_layout_for_rocm_code(outcomes):
    assert outcomes[1]["test_the_device_is_an_mi300x"] is None


def test_a_finding_names_the_python_line(outcomes):
    assert "called from tests/test_twins.py:" in outcomes[1]["test_any_count[scale_without_bounds]"]


def test_torchs_own_operators_have_the_cpus_results_or_are_refused_by_name(twins):
    result = driver.run_kbuild("shell", "--project", twins, "--emulate", "--", "python3",
                               driver.HERE / "emulated_operators.py")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) >= 90
    assert [row for row in rows if row["state"] == "wrong"] == []
    assert sum(row["state"] == "works" for row in rows) >= 90


def test_a_torch_without_its_sdk_is_named(twins, tmp_path):
    result = driver.run_kbuild("test", twins, "--emulate", exit_code=4, XDG_DATA_HOME=str(tmp_path))
    assert "kbuild toolchain add torch@2.13" in result.stdout


def test_pytests_arguments_follow_two_dashes(twins, tmp_path):
    result = driver.run_kbuild("test", "--emulate", "--", "-k", "test_all_of_the_result and not last", cwd=twins)
    assert "1 passed" in result.stderr and "38 deselected" in result.stderr


@pytest.mark.parametrize("name", ["row_sum", pytest.param("relu", marks=pytest.mark.full),
                                  pytest.param("silu_and_mul", marks=pytest.mark.full)])
def test_a_project_in_the_usual_cuda_form_passes_its_own_tests(tmp_path, name):
    project = make_project(tmp_path, CUDA_PROJECTS / name, ["2.13"], ["7.2"])
    _, outcomes = run_tests(project, tmp_path / "report.xml")
    assert len(outcomes) >= 7 and not any(outcomes.values()), outcomes


@pytest.mark.parametrize("arguments, text", [
    (["--emulate", "--devices", "0"], "1 to 16"),
    (["--emulate", "--device-memory", "5G"], "not a number of bytes"),
    (["--emulate", "--checks", "memory,foo"], "foo"),
    (["--devices", "2"], "add `--emulate`"),
], ids=["devices", "memory", "checks", "without"])
def test_an_option_that_makes_no_sense_is_refused(twins, arguments, text):
    assert text in driver.run_kbuild("test", twins, *arguments, exit_code=2).stderr


def test_what_is_built_is_listed_where_nothing_fits(twins):
    said = driver.run_kbuild("test", twins, "--emulate", "--variant", "torch999*", exit_code=4).stderr
    assert "torch213-cxx11-rocm72-x86_64-linux" in said


def test_files_of_tests_may_be_named(twins):
    result = driver.run_kbuild("test", "--emulate", "--", "-k", "scale-", "tests/test_nothing.py", cwd=twins, exit_code=1)
    assert "test_nothing.py" in result.stderr
