# SPDX-License-Identifier: Apache-2.0
"""The API's arguments that help against a failure, where the engine's own text speaks to users of the command."""

from __future__ import annotations

from typing import List, Tuple, Type

from .errors import Error, StackLocked, StateDamaged, WrongPassphrase

# The class of the failure, a part of its text ("": any), and what to do.
_HINTS: Tuple[Tuple[Type[Error], str, str], ...] = (
    (WrongPassphrase, "", "pass the passphrase as kingpost.Stack(..., passphrase=...)"),
    (StackLocked, "is running already", "wait for it, or call stack.cancel()"),
    (StackLocked, "locked by", "if its process is gone for good, stack.cancel() removes the lock"),
    (Error, "--force", "the API's argument is force=True"),
    (Error, "--passphrase", "the API's argument is passphrase=..."),
    (Error, "package acquisition", "a provider of this process is given as kingpost.Stack(..., providers={'PACKAGE': provider})"),
    (Error, "no resource plugin", "a provider of this process is given as kingpost.Stack(..., providers={'PACKAGE': provider})"),
    (Error, "Missing required configuration variable", "settings are given as kingpost.Stack(..., config={'KEY': value})"),
    (Error, "pending operations", "stack.refresh(clear_pending_creates=True) forgets creates that were interrupted"),
    (Error, "--target-dependents", "the API's argument is target_dependents=True"),
    (StateDamaged, "", "kingpost.Snapshot.open(...).repair() mends what is only in disorder"),
)


def hints_for(error: Error) -> List[str]:
    text = str(error)
    return [remedy for kind, part, remedy in _HINTS if isinstance(error, kind) and part in text]
