"""`[test] programs`: C++ programs that `kbuild test` compiles with the torch at hand and runs with each variant."""

import shutil

import kbuild_driver as driver

OPERATORS = """\
#include <ATen/core/dispatch/Dispatcher.h>
#include <dlfcn.h>
#include <filesystem>
#include <iostream>

int main(int, char** arguments) {
    if (dlopen(arguments[1], RTLD_NOW) == nullptr) {
        std::cerr << dlerror() << "\\n";
        return 1;
    }
    const auto name = std::filesystem::path(arguments[1]).filename().string();
    const auto space = name.substr(0, name.find('.')) + "::";
    for (const auto& op : c10::Dispatcher::singleton().getAllOpNames())
        if (op.name.rfind(space, 0) == 0)
            return 0;
    return 2;
}
"""


def test_programs_run_with_the_variant_and_each_says_how_it_went(example, environment, tmp_path):
    project = tmp_path / "a project"
    shutil.copytree(example.project, project, ignore=shutil.ignore_patterns(".kbuild"))
    shutil.rmtree(project / "tests")
    (project / "tests").mkdir()
    programs = {"operators": OPERATORS, "skips": "int main() { return 77; }\n", "fails": "int main() { return 3; }\n",
                "broken": "int main() { return no_such_name; }\n"}
    for name, text in programs.items():
        (project / f"tests/{name}.cpp").write_text(text)
    listed = ", ".join(f'"tests/{name}.cpp"' for name in programs)
    (project / "kbuild.toml").write_text(f"[test]\nprograms = [{listed}]\n")
    junit = tmp_path / "junit.xml"
    result = driver.run_kbuild("test", project, "--python", environment.python, "--variant", "*cpu*", "--junit", junit,
                               exit_code=1)
    rows = {line.split("  ")[0].rpartition("/")[2]: line for line in result.stdout.splitlines() if ".cpp" in line}
    assert "passed" in rows["operators.cpp"]
    assert "skipped" in rows["skips.cpp"]
    assert "failed" in rows["fails.cpp"] and "exit code 3" in rows["fails.cpp"]
    assert "does not compile or link" in rows["broken.cpp"] and "no_such_name" in result.stderr
    assert junit.read_text().count("<failure") == 2


def test_the_marker_is_known_to_pytest_whether_or_not_the_project_registers_it(example, environment, tmp_path):
    project = tmp_path / "a project"
    shutil.copytree(example.project, project, ignore=shutil.ignore_patterns(".kbuild", "pyproject.toml"))
    shutil.rmtree(project / "tests")
    (project / "tests").mkdir()
    (project / "tests/test_marked.py").write_text("import pytest\n\n@pytest.mark.kernels_ci\ndef test_it():\n    pass\n")
    (project / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    result = driver.run_kbuild("test", project, "--python", environment.python, "--variant", "*cpu*", exit_code=None)
    assert "passed" in result.stdout and result.returncode == 0, result.stderr
    assert "kernels_ci" not in result.stderr
