# SPDX-License-Identifier: Apache-2.0
"""Between the extension and a StateStore: plain tuples on one side, its classes on the other."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, List, Optional, Tuple, Union

from ._pool import CallbackPool
from .state_store import PutRefused, StateStore, StoredObject

if TYPE_CHECKING:
    from ._kingpost import StoreCall

_THREADS = 8


class StateStoreBridge:
    """Lives as long as the extension uses the store, and its threads with it."""

    def __init__(self, store: StateStore) -> None:
        self._store = store
        self._pool = CallbackPool(_THREADS)
        weakref.finalize(self, self._pool.close)

    def submit(self, method: str, arguments: Tuple[Any, ...], call: "StoreCall") -> None:
        """Makes the call on a thread of Python's own, which tells ``call`` what came of it."""
        answer = getattr(self, method)

        def work() -> None:
            try:
                call.answer(answer(*arguments))
            except Exception as error:  # noqa: BLE001 - whatever the user's code raises fails the operation
                call.fail(f"{type(error).__name__}: {error}")

        self._pool.run(work)

    def url(self) -> str:
        return str(self._store.url)

    def get(self, key: str) -> Optional[Tuple[bytes, str, int]]:
        found = self._store.get(key)
        if found is None:
            return None
        if not isinstance(found, StoredObject):
            raise TypeError(f"get must return a kingpost.StoredObject or None, not {type(found).__name__}")
        if not found.tag:
            raise ValueError(f"get answered no tag for {key}")
        return bytes(found.data), str(found.tag), int(found.modified * 1000)

    def put(self, key: str, data: bytes, if_absent: bool, if_tag: Optional[str]) -> Optional[str]:
        """The new tag, None if it was refused."""
        try:
            tag = self._store.put(key, data, if_absent=if_absent, if_tag=if_tag)
        except PutRefused:
            return None
        if not isinstance(tag, str) or not tag:
            raise TypeError(f"put must return the new tag of {key}, a text, not {tag!r}")
        return tag

    def copy(self, source: str, target: str) -> bool:
        """False if there is nothing to copy."""
        try:
            self._store.copy(source, target)
        except KeyError:
            return False
        return True

    def delete(self, key: str) -> None:
        self._store.delete(key)

    def list(self, prefix: str, one_level: bool) -> List[Tuple[str, int, int]]:
        found = [
            (info.key, int(info.size), int(info.modified * 1000))
            for info in self._store.list(prefix)
            if info.key.startswith(prefix) and not (one_level and "/" in info.key[len(prefix) :])
        ]
        return sorted(found, key=lambda info: info[0].encode())


def backend_of(backend: Union[str, StateStore]) -> Union[str, StateStoreBridge]:
    """As the extension takes it. Raises TypeError for what is neither a URL nor a store."""
    if isinstance(backend, str):
        return backend
    if not isinstance(backend, StateStore):
        raise TypeError(f"the backend of a stack is a URL or a kingpost.StateStore, not {type(backend).__name__}")
    return StateStoreBridge(backend)
