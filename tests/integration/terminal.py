"""A program on a terminal of its own (a pty), and what stands on its screen: as much of a terminal as `kbuild build` uses."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time


class Screen:
    """The rows of a terminal after all that was written to it. A control sequence that it does not know is an error: nothing
    but these may be sent to a user's terminal."""

    TOKEN = re.compile(r"\x1b\[(?P<arguments>[?0-9;]*)(?P<command>[A-Za-z])|(?P<text>[^\x1b\r\n]+)|(?P<move>[\r\n])|(?P<other>\x1b)")

    def __init__(self, columns, rows):
        self.columns, self.height = columns, rows
        self.rows, self.row, self.column = [""], 0, 0
        self.wraps = True

    def write(self, text):
        for token in self.TOKEN.finditer(text):
            if token["text"]:
                self._put(token["text"])
            elif token["move"] == "\r":
                self.column = 0
            elif token["move"] == "\n":
                self._down()
            else:
                self._control(token["command"], token["arguments"])

    def _down(self):
        self.row += 1
        if self.row == len(self.rows):
            self.rows.append("")

    def _put(self, text):
        for character in text:
            if self.column == self.columns:
                if not self.wraps:
                    continue
                self.column = 0
                self._down()
            row = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = row[:self.column] + character + row[self.column + 1:]
            self.column += 1

    def _control(self, command, arguments):
        if command == "A":
            self.row -= int(arguments or 1)
            assert self.row >= max(0, len(self.rows) - self.height), "the cursor went above the screen"
        elif command == "K" and arguments == "":
            self.rows[self.row] = self.rows[self.row][:self.column]
        elif command == "J" and arguments == "":
            self.rows[self.row] = self.rows[self.row][:self.column]
            del self.rows[self.row + 1:]
        elif arguments == "?7" and command in "lh":
            self.wraps = command == "h"
        else:
            assert command == "m", f"a control sequence of its own: {arguments}{command}"

    def text(self):
        return "\n".join(row.rstrip() for row in self.rows)


class Terminal:
    """Runs a command on a terminal of its own, which is also the command's controlling one."""

    def __init__(self, command, columns=80, rows=24, cwd=None, environment=None):
        self.written = ""  # everything
        self.rest = ""  # the beginning of a control sequence
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.screen = Screen(columns, rows)
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                if cwd:
                    os.chdir(cwd)
                os.execvpe(str(command[0]), [str(word) for word in command], environment)
            finally:
                os._exit(127)

    def read(self, seconds=60):
        """Reads what is written next; false at the end."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            raise AssertionError(f"nothing was written for {seconds} s:\n{self.screen.text()}")
        try:
            data = os.read(self.descriptor, 1 << 16)
        except OSError:  # Linux says so at the end of a pty
            data = b""
        self.written += (text := self.decoder.decode(data))
        self.rest += text
        whole = len(self.rest) - len(re.search(r"(\x1b(\[[?0-9;]*)?)?$", self.rest)[0])
        self.screen.write(self.rest[:whole])
        self.rest = self.rest[whole:]
        return bool(data)

    def read_until(self, part):
        """Reads until the screen shows a text; the screen then."""
        while part not in self.screen.text():
            assert self.read(), f"{part!r} was never shown:\n{self.written}"
        return self.screen.text()

    def resize(self, columns, rows):
        """As a terminal that leaves the rows that are there as they are."""
        self.screen.columns, self.screen.height = columns, rows
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press_ctrl_c(self):
        os.write(self.descriptor, b"\x03")

    def attributes(self):
        return termios.tcgetattr(self.descriptor)

    def finish(self):
        """Reads to the end; the exit code."""
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def close(self):
        """Ends what still runs, when a test failed."""
        try:
            os.kill(self.pid, signal.SIGINT)
            deadline = time.monotonic() + 10
            while time.monotonic() < deadline and os.waitpid(self.pid, os.WNOHANG)[0] == 0:
                time.sleep(0.1)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self.descriptor)
