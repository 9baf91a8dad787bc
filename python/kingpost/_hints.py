# SPDX-License-Identifier: Apache-2.0
"""The API's arguments that help against a failure, where the engine's own text speaks to users of the command."""

from __future__ import annotations

import re
from typing import List, Tuple, Type

from .errors import Error, StackLocked, StateDamaged, WrongPassphrase

_UNPROTECT = (
    "remove protect=True from the options of the resource in the program, and run stack.up(); "
    "stack.destroy(exclude_protected=True) leaves protected resources as they are"
)

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
    (
        Error,
        "pending operations",
        "if an interrupted create made its resource, stack.refresh(import_pending_creates={urn: id}) takes it over; if not, "
        "stack.refresh(clear_pending_creates=True) forgets the create",
    ),
    (Error, "is currently marked for protection", _UNPROTECT),
    (Error, "because it is protected", _UNPROTECT),
    (Error, "could not be found in the stack", "targets, excludes and replace take URNs, and patterns such as '**::NAME'"),
    (Error, "--target-dependents", "the API's argument is target_dependents=True"),
    (StateDamaged, "", "kingpost.Snapshot.open(...).repair() mends what is only in disorder"),
)


# Of the engine's messages: a command and what does the same here.
_COMMANDS: Tuple[Tuple[str, str], ...] = (
    ("`kingpost refresh --import-pending-creates URN --import-pending-creates ID`", "`stack.refresh(import_pending_creates={URN: ID})`"),
    ("`kingpost refresh --clear-pending-creates`", "`stack.refresh(clear_pending_creates=True)`"),
    ("`kingpost refresh`", "`stack.refresh()`"),
)
_COMMAND = re.compile("|".join(re.escape(command) for command, _ in _COMMANDS))


def hints_for(error: Error) -> List[str]:
    text = str(error)
    told = [diagnostic.message for diagnostic in error.result.diagnostics] if error.result is not None else []
    if any("records a pending operation" in message for message in told):
        text += "\npending operations"
    return [remedy for kind, part, remedy in _HINTS if isinstance(error, kind) and part in text]


def in_python(message: str) -> str:
    """A message of the engine with calls of this module in place of commands."""
    if "`kingpost refresh" not in message:
        return message
    calls = dict(_COMMANDS)
    return _COMMAND.sub(lambda found: calls[found.group()], message)
