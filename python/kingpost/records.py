# SPDX-License-Identifier: Apache-2.0
"""The record of a stack: read, replaced, renamed, removed."""

from __future__ import annotations

import json
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, TypeVar

from . import _kingpost
from ._checked import flag, optional_text, text_argument, whole
from ._operation import RunningOperation, twin_of
from ._process import claim_process
from ._settings import Alone, error_from
from ._store_bridge import StateStoreBridge
from .errors import Error, StateDamaged
from .result import HistoryEntry, make_history_entry

T = TypeVar("T")


class StackRecords:
    """The part of kingpost.Stack that runs no program."""

    name: str
    _session: "_kingpost.Session"
    _store: Optional[StateStoreBridge]
    _busy: threading.Lock
    _running: Optional[RunningOperation]

    def export(self, *, show_secrets: bool = False) -> Dict[str, Any]:
        """The recorded state as ``kingpost stack export`` writes it. Secrets are encrypted, unless they are to show."""
        flag("show_secrets", show_secrets)
        document: Dict[str, Any] = json.loads(self._ask(lambda: self._session.export_state(show_secrets)))
        return document

    def import_state(self, document: Mapping[str, Any], *, force: bool = False) -> List[str]:
        """Replaces what is recorded by what ``export`` gave. The warnings.

        force: in spite of errors, of names of another stack, and of a record that cannot be read
        """
        if not isinstance(document, Mapping):
            raise TypeError(f"the document must be a dict, as stack.export() gives it, not {type(document).__name__}")
        if not any(key in document for key in ("deployment", "checkpoint", "resources", "version")):
            raise StateDamaged("the document is no state of a stack: it has no deployment; stack.export() gives one")
        flag("force", force)
        with self._alone():
            return self._ask(lambda: self._session.import_state(json.dumps(document), force))

    def outputs(self) -> Dict[str, Any]:
        """The stack's outputs as recorded; secret ones are kingpost.Secret. {} if it was never deployed."""
        return self._ask(self._session.outputs)

    def history(self, *, limit: Optional[int] = None, page: int = 1) -> List[HistoryEntry]:
        """The operations on the stack, newest first; ``limit`` entries of it, as page ``page``."""
        size = 0 if limit is None else whole("limit", limit)
        whole("page", page)
        records = self._ask(lambda: self._session.history(size, page))
        last = len(records) if limit is None else 0  # how many there are before a page is not known
        return [make_history_entry(json.loads(record), max(0, last - index)) for index, record in enumerate(records)]

    def cancel(self) -> None:
        """Cancels the operation of this object that is under way. If there is none: removes the locks that a process
        which is gone for good left behind."""
        running = self._running
        if running is not None:
            running.cancel()
        else:
            self._ask(self._session.break_locks)

    def rename(self, name: str) -> None:
        """Gives the stack another name: in its URNs, its history and wherever else it stands."""
        text_argument("name", name)
        with self._alone():
            self._ask(lambda: self._session.rename(name))
            self.name = name

    def remove(self, *, force: bool = False, remove_backups: bool = False) -> None:
        """Forgets the stack. One that still has resources only with ``force``; they then stay, unrecorded."""
        flag("force", force)
        flag("remove_backups", remove_backups)
        with self._alone():
            self._ask(lambda: self._session.remove(force, remove_backups))

    def change_secrets_provider(self, provider: str, *, passphrase: Optional[str] = None) -> None:
        """Encrypts the recorded secrets anew, and those of the settings file where the program is a project's folder, as
        ``kingpost stack change-secrets-provider`` does.

        provider:   "passphrase", or the URL of a key service: awskms://, azurekeyvault://, gcpkms://, hashivault://
        passphrase: the new one; by default the one that the stack was opened with, or PULUMI_CONFIG_PASSPHRASE
        """
        text_argument("provider", provider)
        optional_text("passphrase", passphrase)
        with self._alone():
            folder = self._project_folder()
            self._ask(lambda: self._session.change_secrets_provider(provider, passphrase, folder))

    @twin_of(export)
    def export_async(self) -> None: ...

    @twin_of(import_state)
    def import_state_async(self) -> None: ...

    @twin_of(outputs)
    def outputs_async(self) -> None: ...

    @twin_of(history)
    def history_async(self) -> None: ...

    @twin_of(cancel)
    def cancel_async(self) -> None: ...

    @twin_of(rename)
    def rename_async(self) -> None: ...

    @twin_of(remove)
    def remove_async(self) -> None: ...

    @twin_of(change_secrets_provider)
    def change_secrets_provider_async(self) -> None: ...

    # --- for kingpost itself ----------------------------------------------------------------------

    def _project_folder(self) -> str:
        raise NotImplementedError

    def _alone(self) -> "Alone":
        return Alone(self._busy, self.name)

    def _interrupt(self) -> None:
        running = self._running
        if running is not None:
            running.cancel()

    def _is_held_up(self) -> bool:
        running = self._running
        return running is not None and running.is_heard

    def _ask(self, question: Callable[[], T]) -> T:
        __tracebackhide__ = True
        claim_process()
        try:
            return question()
        except _kingpost.Failure as failure:
            error = self._error_from(failure)
            raise error from error.__cause__

    def _error_from(self, failure: Exception) -> Error:
        return error_from(failure, None if self._store is None else self._store.causes)
