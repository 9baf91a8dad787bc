# SPDX-License-Identifier: Apache-2.0
"""Journal: what an operation began and ended, as it was written while it ran.

    journal = kingpost.Journal.load(".pulumi/journals/site/dev.journal")
    for entry in journal:
        print(entry.sequence, entry.kind, entry.resource and entry.resource.urn)
    after = journal.replay(kingpost.Snapshot.load(".pulumi/stacks/site/dev.json"))
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterator, Optional, Union

from . import _kingpost
from ._checked import optional_text, whole
from ._kingpost import JournalEntry
from .snapshot import Snapshot


class Journal:
    """The entries of a journal, in order. Nothing of a file that is being written is lost or changed by reading it."""

    __slots__ = ("_native",)

    def __init__(self, native: "_kingpost.Journal") -> None:
        """Made by the package; use ``load``."""
        self._native = native

    @classmethod
    def load(cls, source: Union[str, "os.PathLike[str]", bytes], *, passphrase: Optional[str] = None) -> "Journal":
        """A path or bytes. What was written last and not to its end is left out (``torn_tail_bytes``).

        Raises StateDamaged for one that is damaged before its end, with the record; OSError for an unreadable file.
        Without the passphrase secrets stay sealed.
        """
        optional_text("passphrase", passphrase)
        if not isinstance(source, (str, os.PathLike, bytes)):
            raise TypeError(f"a journal is loaded from a path or bytes, not {type(source).__name__}")
        if isinstance(source, bytes):
            return cls(_kingpost.load_journal(source, "the journal", passphrase))
        return cls(_kingpost.load_journal(Path(source).read_bytes(), str(source), passphrase))

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, index: int) -> JournalEntry:
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"an entry of a journal is found by its number, not by {index!r}")
        size = len(self)
        if not -size <= index < size:
            raise IndexError(f"the journal has {size} entries")
        return self._native.entry(index % size)

    def __iter__(self) -> Iterator[JournalEntry]:
        return (self._native.entry(index) for index in range(len(self)))

    @property
    def stack(self) -> str:
        """"organization/project/stack"."""
        return self._native.stack

    @property
    def operation(self) -> str:
        """"update", "refresh", "destroy" or "import"."""
        return self._native.operation

    @property
    def base_hash(self) -> str:
        """The SHA-256 of the checkpoint that the entries count from, "" if there was none."""
        return self._native.base_hash

    @property
    def torn_tail_bytes(self) -> int:
        """How much at the end was never written whole."""
        return self._native.torn_tail_bytes

    def replay(self, base: Snapshot, count: Optional[int] = None) -> Snapshot:
        """The state after the first ``count`` entries, or all. ``base`` is the checkpoint of before, unedited."""
        if not isinstance(base, Snapshot):
            raise TypeError(f"base must be a kingpost.Snapshot, not {type(base).__name__}")
        return Snapshot(self._native.replay(base._native, None if count is None else whole("count", count, 0)))

    def cut(self, count: int) -> bytes:
        """The file as it was when ``count`` entries were in it: what a crash there would have left."""
        return self._native.cut(whole("count", count, 0))

    def __repr__(self) -> str:
        return f"<kingpost.Journal of {self.operation} on {self.stack}, {len(self)} entries>"
