"""What the emulator found, with the Python line that caused it."""

import os
import sys
import traceback
from typing import NamedTuple

from kbuild_device import bridge

HERE = os.path.dirname(os.path.abspath(__file__))


class Finding(NamedTuple):
    check: str
    text: str
    lines: tuple  # of Python, the innermost first: "tests/test_relu.py:12"

    def __str__(self):
        return self.text + "".join(f"\n  called from {line}" for line in self.lines)


_found = []
_is_collected = False
_libraries = tuple({os.path.realpath(path) for path in sys.path if path.endswith(("site-packages", "dist-packages"))}
                   | {os.path.dirname(os.__file__), HERE})


def _is_users(frame):
    file = os.path.realpath(frame.filename)
    return os.path.isabs(frame.filename) and not file.startswith(_libraries)


def _users_lines():
    stack = [frame for frame in traceback.extract_stack() if _is_users(frame)]
    lines = [f"{os.path.relpath(frame.filename)}:{frame.lineno}" for frame in reversed(stack)]
    return tuple(dict.fromkeys(lines))[:3]


def add(check, text):
    finding = Finding(check, text, _users_lines())
    if _is_collected and finding not in _found:
        _found.append(finding)
    elif not _is_collected:
        print(f"kbuild emulate: {finding}", file=sys.stderr)


@bridge.HANDLER
def _handler(check, text):
    add(check.decode(), text.decode(errors="replace"))


def collect():
    """From now on findings are kept here, until take() is called, and not printed."""
    global _is_collected
    _is_collected = True
    bridge.LIBRARY.kbuild_device_on_finding(_handler)


def take():
    """The findings since the last call; those of like text once."""
    taken = list(_found)
    _found.clear()
    return taken
