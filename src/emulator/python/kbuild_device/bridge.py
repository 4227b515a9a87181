"""Calls into the stand-in libamdhip64, which has the device's memory, streams and findings."""

import ctypes
import os

READ, WRITE = 0, 1

HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)


class Access(ctypes.Structure):
    """A range of memory that an operation reads or writes."""

    _fields_ = [("address", ctypes.c_void_p), ("bytes", ctypes.c_size_t), ("write", ctypes.c_int)]


def load():
    library = ctypes.CDLL(f"libamdhip64.so.{os.environ['KBUILD_DEVICE_ROCM'].split('.')[0]}")
    library.kbuild_device_operation.restype = ctypes.c_uint64
    library.kbuild_device_operation.argtypes = [
        ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(Access), ctypes.c_size_t]
    library.kbuild_device_on_finding.argtypes = [HANDLER]
    library.kbuild_device_on_finding.restype = None
    library.kbuild_device_summary.restype = ctypes.c_char_p
    library.kbuild_device_launches.restype = ctypes.c_uint64
    return library


LIBRARY = load()


def operation(name, stream, device, accesses):
    """What the host did for a stream: its order is followed. Returns how many bytes were read that nobody wrote."""
    array = (Access * len(accesses))(*accesses)
    return LIBRARY.kbuild_device_operation(name.encode(), stream, device, array, len(accesses))


def launches():
    return LIBRARY.kbuild_device_launches()


def summary():
    return LIBRARY.kbuild_device_summary().decode()
