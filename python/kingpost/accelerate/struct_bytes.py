# SPDX-License-Identifier: Apache-2.0
"""Plain values as the bytes of a google.protobuf.Value, written in one go.

    Value    { 1: null, 2: double, 3: string, 4: bool, 5: Struct, 6: ListValue }      one of them
    Struct   { 1: repeated entry { 1: key, 2: Value } }
    ListValue{ 1: repeated Value }

Setting a Struct through protobuf's Python interface costs several calls and objects for each number and text in it.
"""

from __future__ import annotations

import struct
from typing import Iterable, Tuple

NULL = b"\x08\x00"
TRUE = b"\x20\x01"
FALSE = b"\x20\x00"

_number = struct.Struct("<Bd").pack
_lengths = [bytes((n,)) for n in range(128)]


def number(value: float) -> bytes:
    return _number(0x11, value)


def text(value: str) -> bytes:
    raw = str.encode(value)
    return b"\x1a" + _length(len(raw)) + raw


def list_value(values: Iterable[bytes]) -> bytes:
    inner = b"".join([b"\x0a" + _length(len(value)) + value for value in values])
    return b"\x32" + _length(len(inner)) + inner


def struct_value(fields: Iterable[Tuple[str, bytes]]) -> bytes:
    inner = b"".join([field(name, value) for name, value in fields])
    return b"\x2a" + _length(len(inner)) + inner


def field(name: str, value: bytes) -> bytes:
    """One entry of a Struct. Entries in a row are a Struct."""
    raw = str.encode(name)
    entry = b"\x0a" + _length(len(raw)) + raw + b"\x12" + _length(len(value)) + value
    return b"\x0a" + _length(len(entry)) + entry


def _length(value: int) -> bytes:
    if value < 128:
        return _lengths[value]
    out = bytearray()
    while value >= 128:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
