"""Faults for hub_recorder.Recorder: each is asked before a request is handled and answers in its place, or not."""

import os
import re
import signal
import socket
import struct
import threading


def matches(handler, method, pattern):
    return handler.command == method and re.search(pattern, handler.path)


def drain(handler):
    handler.read_body()


def send(handler, status, body=b"", headers=()):
    handler.send_response(status)
    for name, value in headers:
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


class Counted:
    """A fault for the first `times` requests of a method and path."""

    def __init__(self, method, pattern, times=1):
        self.method, self.pattern, self.left = method, pattern, times

    def __call__(self, handler):
        if self.left == 0 or not matches(handler, self.method, self.pattern):
            return False
        self.left -= 1
        return self.act(handler) is not False


class Status(Counted):
    def __init__(self, method, pattern, status, times=10**6, body=b"{}", headers=()):
        super().__init__(method, pattern, times)
        self.status, self.body, self.headers = status, body, headers

    def act(self, handler):
        drain(handler)
        send(handler, self.status, self.body, self.headers)


class Reset(Counted):
    """Reads some of the body, then resets the connection."""

    def __init__(self, method, pattern, after=1000, times=1):
        super().__init__(method, pattern, times)
        self.after = after

    def act(self, handler):
        handler.rfile.read(min(self.after, int(handler.headers.get("Content-Length") or 0)))
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.close_connection = True
        handler.connection.close()


class LostAnswer(Counted):
    """Handles the request, then the connection breaks before the answer."""

    def act(self, handler):
        handler.reply = lambda answer: Reset("", "", 0).act(handler)
        return False


class Stall(Counted):
    """Promises a body and sends it a byte at a time until the client has had enough."""

    def __init__(self, method, pattern, released, times=1):
        super().__init__(method, pattern, times)
        self.released = released  # an Event

    def act(self, handler):
        drain(handler)
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        try:
            while not self.released.wait(0.2):
                handler.wfile.write(b" ")
        except OSError:
            pass
        handler.close_connection = True


class WrongEtag(Counted):
    """Takes a part, and tells a wrong ETag."""

    def act(self, handler):
        drain(handler)
        send(handler, 200, headers=[("ETag", '"0123456789abcdef0123456789abcdef"')])


class KillAt:
    """SIGKILLs the client when it sends its n-th request: before that is handled, or after (the answer is lost)."""

    def __init__(self, number, handled, method=""):
        self.number, self.handled, self.method, self.seen, self.process = number, handled, method, 0, None
        self.fired, self.lock = False, threading.Lock()

    def __call__(self, handler):
        with self.lock:  # requests come from several connections at once
            self.seen += self.method in ("", handler.command)
            if self.seen != self.number or self.fired:
                return False
            self.fired = True
        if not self.handled:
            self.kill()
            return True
        handler.reply = lambda answer: self.kill()
        return False

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
