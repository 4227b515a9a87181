"""`kbuild build --emulate`: the project's own C++ tests run on the CPU, with the machine code that the variants hold."""

import subprocess

import kbuild_driver as driver

CPP = "tests/emulated.cpp"


def set_tests(project, rocm, sources):
    driver.set_matrix(project, torch=["2.13"], rocm=rocm)
    with open(project / "kbuild.toml", "a") as file:
        file.write(f"\n[test]\nemulate = {sources}\n".replace("'", '"'))


def device_code(file, folder):
    """The bytes of the code objects in a library or a program."""
    out = folder / "code.bin"
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.hip_fatbin", file, out], check=True)
    return out.read_bytes()


def test_the_tests_pass_and_hold_the_bytes_of_the_variants(project, tmp_path):
    driver.make_light(project)
    set_tests(project, ["6.4", "7.2"], [CPP])
    result = driver.run_kbuild("build", "--emulate", project)
    for sdk in ["6.4", "7.2"]:
        assert f"{CPP} with rocm@{sdk}: passed" in result.stderr
        (library,) = project.glob(f"build/torch213-*-rocm{sdk.replace('.', '')}-*/*.so")
        program = project / ".kbuild/work" / f"emulated/rocm@{sdk}/emulated"
        assert device_code(program, tmp_path) == device_code(library, tmp_path)


def test_a_test_that_gives_the_kernel_too_little_memory_fails(project):
    driver.make_light(project)
    source = (project / CPP).read_text()
    smaller = source.replace("hipMalloc(&out, result.size() * 2)", "hipMalloc(&out, result.size())")
    assert smaller != source
    (project / CPP).write_text(smaller)
    set_tests(project, ["7.2"], [CPP])
    result = driver.run_kbuild("build", "--emulate", project, exit_code=6)
    assert f"{CPP} with rocm@7.2: exit code" in result.stderr
    assert "memory: write of" in result.stderr


def test_nothing_to_run_is_told(project):
    driver.make_light(project)
    set_tests(project, ["7.2"], [])
    result = driver.run_kbuild("build", "--emulate", project, exit_code=2)
    assert "`--emulate` has nothing to run" in result.stderr
