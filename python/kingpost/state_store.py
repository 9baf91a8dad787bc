# SPDX-License-Identifier: Apache-2.0
"""State stores in Python: subclass StateStore, and any place that keeps objects under keys holds your stacks.

    class Redis(kingpost.StateStore):
        ...
    stack = kingpost.Stack("site", "dev", program, backend=Redis(), passphrase="...")

The keys, bytes and locks are those of the command and of Pulumi in a bucket, so other stores that reach the same objects
work on the same stacks. ``kingpost.testing.state_store_contract`` says what a store has to promise, and checks it.
"""

from __future__ import annotations

import abc
import threading
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple


@dataclass(frozen=True)
class StoredObject:
    """An object as it was found.

    data:     its bytes
    tag:      names this version of the object, as an ETag does: another write, another tag. Never empty
    modified: seconds since 1970
    """

    data: bytes
    tag: str
    modified: float


@dataclass(frozen=True)
class ObjectInfo:
    """An object in a list.

    key:      whole, from the root of the store
    size:     bytes
    modified: seconds since 1970
    """

    key: str
    size: int
    modified: float


class PutRefused(Exception):
    """The condition of a put does not hold, and nothing was changed."""


class StateStore(abc.ABC):
    """Objects under keys such as ".pulumi/stacks/site/dev.json".

    Every method blocks, and is called on worker threads, several at a time; never with the event loop. What it raises fails
    the operation, with its text. Retry what may be retried, and raise what is left.
    """

    #: As messages name the store: without what is secret in it.
    url: str = "python://"

    @abc.abstractmethod
    def get(self, key: str) -> Optional[StoredObject]:
        """The object, None if there is none."""

    @abc.abstractmethod
    def put(self, key: str, data: bytes, *, if_absent: bool = False, if_tag: Optional[str] = None) -> str:
        """Writes the object, durably and whole or not at all, and answers its new tag.

        ``if_absent``: only where nothing is; ``if_tag``: only over the version of that tag. Otherwise raises PutRefused.
        That test and the write are one: of two who try, one is refused. It is what keeps two operations apart.
        """

    @abc.abstractmethod
    def delete(self, key: str) -> None:
        """A key without an object is deleted already."""

    @abc.abstractmethod
    def list(self, prefix: str) -> Iterable[ObjectInfo]:
        """All whose key begins with ``prefix``, in any order. An object that was put is listed from then on."""

    def copy(self, source: str, target: str) -> None:
        """Raises KeyError if the source is not there."""
        found = self.get(source)
        if found is None:
            raise KeyError(source)
        self.put(target, found.data)


class MemoryStateStore(StateStore):
    """Objects in a dict. Stacks that share the store see each other; it ends with the process."""

    url = "memory://"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._objects: Dict[str, StoredObject] = {}
        self._versions = 0

    def get(self, key: str) -> Optional[StoredObject]:
        with self._lock:
            return self._objects.get(key)

    def put(self, key: str, data: bytes, *, if_absent: bool = False, if_tag: Optional[str] = None) -> str:
        with self._lock:
            current = self._objects.get(key)
            if if_absent and current is not None:
                raise PutRefused(f"{key} exists already, and was to be created")
            if if_tag is not None and (current is None or current.tag != if_tag):
                raise PutRefused(f"{key} was changed meanwhile: read it again")
            self._versions += 1
            self._objects[key] = StoredObject(bytes(data), str(self._versions), time.time())
            return str(self._versions)

    def delete(self, key: str) -> None:
        with self._lock:
            self._objects.pop(key, None)

    def list(self, prefix: str) -> List[ObjectInfo]:
        with self._lock:
            return [
                ObjectInfo(key, len(found.data), found.modified)
                for key, found in self._objects.items()
                if key.startswith(prefix)
            ]


class ObstoreStateStore(StateStore):
    """Any store of the package ``obstore``: S3, Google Cloud Storage, Azure, HTTP, memory (``pip install
    kingpost[obstore]``).

        ObstoreStateStore(obstore.store.from_url("s3://bucket/prefix"))

    The store has to support conditional puts by ETag; obstore's LocalStore does not: use ``file://`` for folders.
    """

    def __init__(self, store: Any, url: str = "") -> None:
        import obstore

        self._obstore = obstore
        self._store = store
        self.url: str = url or f"obstore://{type(store).__name__}"

    def get(self, key: str) -> Optional[StoredObject]:
        try:
            found = self._obstore.get(self._store, key)
        except FileNotFoundError:
            return None
        meta = found.meta
        return StoredObject(bytes(found.bytes()), _tag_of(meta), meta["last_modified"].timestamp())

    def put(self, key: str, data: bytes, *, if_absent: bool = False, if_tag: Optional[str] = None) -> str:
        from obstore.exceptions import AlreadyExistsError, NotModifiedError, PreconditionError

        mode: Any = "create" if if_absent else "overwrite" if if_tag is None else _version_of(if_tag)
        try:
            return _tag_of(self._obstore.put(self._store, key, data, mode=mode))
        except (AlreadyExistsError, PreconditionError, NotModifiedError) as refused:
            raise PutRefused(str(refused).splitlines()[0]) from None
        except FileNotFoundError:
            if if_tag is None:
                raise
            raise PutRefused(f"{key} does not exist, and was to be replaced") from None

    def delete(self, key: str) -> None:
        try:
            self._obstore.delete(self._store, key)
        except FileNotFoundError:
            pass

    def list(self, prefix: str) -> Iterable[ObjectInfo]:
        # A prefix is one of whole folders there.
        folder = prefix.rpartition("/")[0]
        for chunk in self._obstore.list(self._store, prefix=folder or None):
            for found in chunk:
                if found["path"].startswith(prefix):
                    yield ObjectInfo(found["path"], found["size"], found["last_modified"].timestamp())

    def copy(self, source: str, target: str) -> None:
        try:
            self._obstore.copy(self._store, source, target)
        except FileNotFoundError:
            raise KeyError(source) from None


# A version is named by ETag and, where the store has one, a version of its own.
_BETWEEN = "\n"


def _tag_of(meta: Mapping[str, Any]) -> str:
    return (meta.get("e_tag") or "") + _BETWEEN + (meta.get("version") or "")


def _version_of(tag: str) -> Dict[str, str]:
    e_tag, _, version = tag.partition(_BETWEEN)
    named: List[Tuple[str, str]] = [("e_tag", e_tag), ("version", version)]
    return {name: text for name, text in named if text}
