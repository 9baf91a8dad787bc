# SPDX-License-Identifier: Apache-2.0
"""A provider whose process may die at any moment of any call, and what it has made by then."""

from __future__ import annotations

import inspect
import os
import threading
from pathlib import Path
from typing import Any, Callable, Dict, FrozenSet, List, Optional, Protocol, Tuple

from .. import messages as api
from ..errors import InitializationFailed
from ..journal import Journal
from ..provider import Provider


class ProcessDied(Exception):
    """Every call of a dead process raises it. No caller handles it, because the run that it ends is thrown away."""


class Moments(Protocol):
    """Is called at each moment of a run. Raises ProcessDied when the process has come to its end."""

    def moment(self, where: str) -> None: ...


class Life:
    """One run of a process: its moments, and the one at which it dies. A moment is before or after a call of a provider.

    The journal is opened when it is first seen: its bytes stay readable when its name is gone.
    """

    def __init__(self, path: Path, dies_at: Optional[int] = None) -> None:
        self._path = path
        self._dies_at = dies_at
        self._file: Optional[int] = None
        self._taken: Optional[bytes] = None
        self._lock = threading.Lock()
        self.dead: bool = False
        self.moments: List[Tuple[str, int]] = []  # where, and how many entries the journal had

    def moment(self, where: str) -> None:
        with self._lock:
            if self.dead:
                raise ProcessDied(where)
            data = self._read()
            number = len(self.moments)
            self.moments.append((where, len(Journal.load(data)) if data else 0))
            if number == self._dies_at:
                self.dead = True
                self._taken = data
                raise ProcessDied(where)

    def journal(self) -> bytes:
        """As it was at the death, or at the end."""
        if self._taken is None:
            raise LookupError("the process did not come to that moment: the program does not do the same in each run")
        return self._taken

    def entries(self) -> int:
        return len(Journal.load(self._taken)) if self._taken else 0

    def end(self) -> None:
        if self._taken is None:
            self._taken = self._read()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _read(self) -> bytes:
        """b"" where nothing has been recorded yet."""
        if self._file is None:
            try:
                self._file = os.open(self._path, os.O_RDONLY)
            except FileNotFoundError:
                return b""
        return os.pread(self._file, os.fstat(self._file).st_size, 0)


class Mortal(Provider):
    """Passes on to a provider, as long as the process lives. ``made`` is what exists: ID -> name of the resource."""

    def __init__(self, inner: Provider) -> None:
        self._inner = inner
        self.life: Optional[Moments] = None
        self.made: Dict[str, str] = {}
        for name in dir(Provider):
            if not name.startswith("_") and name not in ("config", "create", "read", "update", "delete"):
                setattr(self, name, getattr(inner, name))

    def _offers(self) -> FrozenSet[str]:
        return self._inner._offers()

    def _pass_on(self, method: str, request: Any, done: Callable[[Any], object]) -> Any:
        life = self.life if not getattr(request, "preview", False) else None
        if life is not None:
            life.moment(f"before {method} {request.name}")

        def end(response: Any) -> Any:
            if not getattr(request, "preview", False):
                done(response)
            if life is not None:
                life.moment(f"after {method} {request.name}")
            return response

        async def later(response: Any) -> Any:
            try:
                found = await response
            except InitializationFailed as partial:
                done(partial)
                raise
            return end(found)

        try:
            response = getattr(self._inner, method)(request)
        except InitializationFailed as partial:
            done(partial)
            raise
        return later(response) if inspect.isawaitable(response) else end(response)

    def _keep(self, name: str) -> Callable[[Any], None]:
        def keep(response: Any) -> None:
            self.made[str(response.id)] = name

        return keep

    # Each answers what the other provider does, which may be a coroutine.

    def create(self, request: api.CreateRequest) -> Any:
        return self._pass_on("create", request, self._keep(request.name))

    def read(self, request: api.ReadRequest) -> Any:
        return self._pass_on("read", request, lambda _: None)

    def update(self, request: api.UpdateRequest) -> Any:
        return self._pass_on("update", request, lambda _: None)

    def delete(self, request: api.DeleteRequest) -> Any:
        return self._pass_on("delete", request, lambda _: self.made.pop(request.id, None))
