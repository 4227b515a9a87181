"""A test fails where the emulator found something, at the line of Python that caused it.

Each test runs on a stream of its own, so that a kernel that is launched on the null stream instead of the current one is in
no order with the rest (KBUILD_DEVICE_OWN_STREAM=0 leaves the default stream current).
"""

import contextlib
import os

import pytest
import torch

from kbuild_device import bridge, findings


def _stream():
    if os.environ.get("KBUILD_DEVICE_OWN_STREAM") == "0":
        return contextlib.nullcontext()
    return torch.cuda.stream(torch.cuda.Stream())


def _report(item, when):
    found = findings.take()
    if not found:
        return
    text = "\n".join(map(str, found))
    item.config.stash[COUNT] += len(found)
    pytest.fail(f"the emulated MI300X found {len(found)} in {when}:\n{text}", pytrace=False)


COUNT = pytest.StashKey()


def pytest_configure(config):
    config.stash[COUNT] = 0
    config.addinivalue_line("markers", "kernels_ci: the quick tests of a kernel")
    findings.collect()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    result = yield
    torch.cuda.synchronize()  # what fixtures did is done before the test begins
    _report(item, "the setup")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        with _stream():
            result = yield
        torch.cuda.synchronize()
    except BaseException as error:
        for finding in findings.take():  # the likely cause, beside the failure
            item.config.stash[COUNT] += 1
            error.add_note(f"the emulated MI300X found: {finding}")
        torch.cuda.synchronize()
        raise
    _report(item, "the test")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    result = yield
    _report(item, "the teardown")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    result = yield
    findings.take()  # pytest prints tensors that a failed kernel left undefined: not the test's doing
    return result


def pytest_terminal_summary(terminalreporter, config):
    terminalreporter.section("emulated MI300X")
    terminalreporter.line(bridge.summary())
    if bridge.launches() == 0:
        terminalreporter.line("no kernel was launched on it: these tests say nothing about one")
