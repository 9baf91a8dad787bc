# SPDX-License-Identifier: Apache-2.0
"""The patience of all tests that wait: KINGPOST_PATIENCE=8 is eight times as long, for a command that was built with
sanitizers, or a busy machine. And how much memory the command may take."""

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
    """ThreadSanitizer keeps a signal back until the thread that got it leaves the system call in which it waits, but for
    the few that it knows to wait, as poll. A read is none of them: what comes at a question is heard after its answer."""
    return _is_linked_with(b"libtsan.so")


def _is_linked_with(*libraries: bytes) -> bool:
    path = os.environ.get("KINGPOST_BIN")
    if not path:
        return False
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as bytes_:
        # Names of libraries stand near the start of a program, before its code.
        return any(bytes_.find(name, 0, 8 << 20) >= 0 for name in libraries)
