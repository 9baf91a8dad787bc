# SPDX-License-Identifier: Apache-2.0
"""Time and memory limits of the tests. KINGPOST_PATIENCE=8 multiplies waits by eight, for a command that was built with
sanitizers, or a busy machine."""

import mmap
import os

_FACTOR = float(os.environ.get("KINGPOST_PATIENCE") or 1)


def patience(seconds: float) -> float:
    return seconds * _FACTOR


def room(mebibytes: float) -> float:
    """MiB that the command may take. With AddressSanitizer each block has its margins and its shadow, and what is given back
    is kept for a while: 256 MiB of it. ThreadSanitizer remembers four accesses to each word."""
    return 6 * mebibytes + 512 if _is_linked_with(b"libasan.so", b"libtsan.so") else mebibytes


def signals_wait_for_reads() -> bool:
    """True with ThreadSanitizer, which delivers a signal only after the thread leaves its system call, except for a few calls
    such as poll. A read is not among these, so a signal during a question arrives after the answer."""
    return _is_linked_with(b"libtsan.so")


def _is_linked_with(*libraries: bytes) -> bool:
    path = os.environ.get("KINGPOST_BIN")
    if not path:
        return False
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as bytes_:
        # Names of libraries stand near the start of a program, before its code.
        return any(bytes_.find(name, 0, 8 << 20) >= 0 for name in libraries)
