# SPDX-License-Identifier: Apache-2.0
"""Between the extension and a StateStore: plain tuples on one side, its classes on the other."""

from __future__ import annotations

import math
import weakref
from typing import TYPE_CHECKING, Any, List, Optional, Tuple, Union

from ._callback import Causes, clean
from ._pool import CallbackPool
from .state_store import ObjectInfo, PutRefused, StateStore, StoredObject

if TYPE_CHECKING:
    from ._kingpost import StoreCall

_THREADS = 8


class StateStoreBridge:
    """Lives as long as the extension uses the store, and its threads with it."""

    def __init__(self, store: StateStore) -> None:
        self._store = store
        self._pool = CallbackPool(_THREADS)
        self.causes = Causes()
        weakref.finalize(self, self._pool.close)

    def submit(self, method: str, arguments: Tuple[Any, ...], call: "StoreCall") -> None:
        """Makes the call on a thread of Python's own, which gives the outcome to ``call``."""
        answer = getattr(self, method)

        def work() -> None:
            try:
                call.answer(answer(*arguments))
            except BaseException as error:  # noqa: BLE001 - whatever the user's code raises fails the operation
                call.fail(self.causes.note(error, "store"))

        self._pool.run(work)

    def url(self) -> str:
        return clean(str(self._store.url))

    def get(self, key: str) -> Optional[Tuple[bytes, str, int]]:
        found = self._store.get(key)
        if found is None:
            return None
        if not isinstance(found, StoredObject):
            raise TypeError(f"get must return a kingpost.StoredObject or None, not {type(found).__name__}")
        return _bytes(key, found.data), _tag(f"get of {key}", found.tag), _milliseconds(key, found.modified)

    def put(self, key: str, data: bytes, if_absent: bool, if_tag: Optional[str]) -> Optional[str]:
        """The new tag, None if it was refused."""
        try:
            tag = self._store.put(key, data, if_absent=if_absent, if_tag=if_tag)
        except PutRefused:
            return None
        return _tag(f"put of {key}", tag)

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
            (info.key, int(info.size), _milliseconds(info.key, info.modified))
            for info in map(_info, self._store.list(prefix))
            if info.key.startswith(prefix) and not (one_level and "/" in info.key[len(prefix) :])
        ]
        return sorted(found, key=lambda info: info[0].encode())


def _tag(where: str, tag: Any) -> str:
    if not isinstance(tag, str) or not tag or clean(tag) != tag:
        raise TypeError(f"{where} must answer the tag of the object, a text, not {tag!r}")
    return tag


def _bytes(key: str, data: Any) -> bytes:
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"the data of {key} must be bytes, not {type(data).__name__}")
    return bytes(data)


def _milliseconds(key: str, modified: Any) -> int:
    if isinstance(modified, bool) or not isinstance(modified, (int, float)) or not math.isfinite(modified):
        raise TypeError(f"the time of {key} must be seconds since 1970, not {modified!r}")
    return int(modified * 1000)


def _info(info: Any) -> ObjectInfo:
    if not isinstance(info, ObjectInfo) or not isinstance(info.key, str) or clean(info.key) != info.key:
        raise TypeError(f"list must return kingpost.ObjectInfo objects with plain keys, not {info!r}")
    return info


def store_bridge(backend: Union[str, StateStore]) -> Optional[StateStoreBridge]:
    """None for a URL. Raises TypeError for what is neither that nor a store."""
    if isinstance(backend, str):
        return None
    if not isinstance(backend, StateStore):
        raise TypeError(f"the backend of a stack is a URL or a kingpost.StateStore, not {type(backend).__name__}")
    return StateStoreBridge(backend)
