"""A pytest plugin: the marker that `kbuild test` selects by is known, whether or not the project registers it."""

import os


def pytest_configure(config):
    marker = os.environ.get("KBUILD_TEST_MARKER", "")
    if marker.isidentifier():  # and no expression of several
        config.addinivalue_line("markers", f"{marker}: run by `kbuild test`")
