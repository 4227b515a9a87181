"""Libraries, code objects and offload bundles for tests, byte by byte: no compiler is needed, and nothing need be
right."""

import struct

AMDGPU, X86_64 = 224, 62


def message_pack(value):
    """As much of MessagePack as metadata notes need."""
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return struct.pack(">Bq", 0xD3, value) if value < 0 else struct.pack(">BQ", 0xCF, value)
    if isinstance(value, str):
        return struct.pack(">BI", 0xDB, len(value)) + value.encode()
    if isinstance(value, list):
        return struct.pack(">BI", 0xDD, len(value)) + b"".join(map(message_pack, value))
    return struct.pack(">BI", 0xDF, len(value)) + b"".join(
        message_pack(key) + message_pack(item) for key, item in value.items())


def elf(sections, machine=X86_64, os_abi=0, abi_version=0, elf_class=2, data=1, **header):
    """An ELF file of sections (name, type, bytes, link, entry size); header fields as they are given."""
    names = b"\0"
    parts = [*sections, (".shstrtab", 3, b"", 0, 0)]
    offsets = []
    for part in parts:
        offsets.append(len(names))
        names += part[0].encode() + b"\0"
    parts[-1] = (".shstrtab", 3, names, 0, 0)
    body, table = b"", b"\0" * 64
    for at, (_, kind, content, link, entry) in zip(offsets, parts):
        table += struct.pack("<IIQQQQIIQQ", at, kind, 0, 0, 64 + len(body), len(content), link, 0, 8, entry)
        body += content + b"\0" * (-len(content) % 16)
    fields = dict(shoff=64 + len(body), shnum=len(parts) + 1, shstrndx=len(parts))
    fields.update(header)
    ident = b"\x7fELF" + bytes([elf_class, data, 1, os_abi, abi_version]) + b"\0" * 7
    numbers = (3, machine, 1, 0, 0, fields["shoff"], 0, 64, 56, 0, 64, fields["shnum"], fields["shstrndx"])
    return ident + struct.pack("<HHIQQQIHHHHHH", *numbers) + body + table


def kernel(**changes):
    figures = {".name": "gemm", ".symbol": "gemm.kd", ".vgpr_count": 8, ".sgpr_count": 8,
               ".group_segment_fixed_size": 0, ".private_segment_fixed_size": 0, ".kernarg_segment_size": 8,
               ".max_flat_workgroup_size": 256, ".wavefront_size": 64}
    figures.update({"." + key: value for key, value in changes.items()})
    return {key: value for key, value in figures.items() if value is not None}


def note(content, name_size=7, size=None):
    return struct.pack("<III", name_size, len(content) if size is None else size, 32) + b"AMDGPU\0\0" + content


def metadata(kernels=None, **changes):
    document = {"amdhsa.kernels": [kernel()] if kernels is None else kernels,
                "amdhsa.target": "amdgcn-amd-amdhsa--gfx942"}
    document.update({key.replace("_", ".", 1): value for key, value in changes.items()})
    return {key: value for key, value in document.items() if value is not None}


def code_object(document=None, raw_note=None, symbol="gemm.kd", extra=(), **changes):
    content = note(message_pack(metadata() if document is None else document)) if raw_note is None else raw_note
    strings = b"\0" + symbol.encode() + b"\0"
    symbols = b"\0" * 24 + struct.pack("<IBBHQQ", 1, 0x11, 0, 1, 0, 64)
    options = dict(machine=AMDGPU, os_abi=64, abi_version=3)
    options.update(changes)
    return elf([(".note", 7, content, 0, 0), (".dynsym", 11, symbols, 3, 24), (".dynstr", 3, strings, 0, 0),
                *extra], **options)


def bundle(entries, count=None):
    """A clang offload bundle of (target, bytes)."""
    magic = b"__CLANG_OFFLOAD_BUNDLE__"
    size = len(magic) + 8 + sum(24 + len(target) for target, _ in entries)
    at = -(-size // 4096) * 4096
    head, body = magic + struct.pack("<Q", len(entries) if count is None else count), b""
    for target, content in entries:
        head += struct.pack("<QQQ", at + len(body), len(content), len(target)) + target.encode()
        body += content + b"\0" * (-len(content) % 4096)
    return head.ljust(at, b"\0") + body


TARGET = "hipv4-amdgcn-amd-amdhsa--gfx942"


def device(content, target=TARGET):
    return bundle([("host-x86_64-unknown-linux-gnu-", b""), (target, content)])


def library(fatbin):
    return elf([(".hip_fatbin", 1, fatbin, 0, 0)])
