# SPDX-License-Identifier: Apache-2.0
"""The exceptions that operations raise, and those that a provider may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Tuple, Type

if TYPE_CHECKING:
    from .fleet_result import FleetResult
    from .result import Result


class Error(Exception):
    """An operation failed. The text is that of its first error; ``result`` tells what was done all the same.

    ``result`` is None if the operation did not begin; ``urn`` is "" where no single resource is to blame. Where code of
    this process raised, its exception is the ``__cause__``, with the traceback of that code. Notes (``__notes__``, from
    Python 3.11 on) say what may be done.
    """

    def __init__(self, message: str, result: Optional["Result"] = None, urn: str = "") -> None:
        super().__init__(message)
        self.result = result
        self.urn = urn


class FleetFailed(Error):
    """Some stacks of a kingpost.Fleet failed; the text names each with its error. ``fleet`` tells of all."""

    def __init__(self, message: str, fleet: "FleetResult") -> None:
        super().__init__(message)
        self.fleet = fleet

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.fleet)


class StackLocked(Error):
    """Another operation holds the stack. The text names the holder."""


class UnknownStack(Error):
    """There is no such stack to rename, remove or cancel."""


class WrongPassphrase(Error):
    """The passphrase does not open the stack's secrets, or there is none."""


class StateDamaged(Error):
    """The recorded state cannot be read, or is not in order. The text says where, and how it may be repaired."""


class ResourceFailed(Error):
    """A resource could not be checked, created, changed, read or deleted: ``urn`` names it, and the text reads "error in
    NAME (TYPE): what was wrong"."""


class PolicyViolation(Error):
    """A mandatory policy does not allow the resource ``urn``, or the stack as a whole."""

    def __init__(self, message: str, result: Optional["Result"] = None, urn: str = "", policy: str = "") -> None:
        super().__init__(message, result, urn)
        self.policy = policy


class PolicyFailed(Error):
    """A policy raised, or returned what it may not: ``policy`` names it, ``urn`` the resource that it looked at."""

    def __init__(self, message: str, result: Optional["Result"] = None, urn: str = "", policy: str = "") -> None:
        super().__init__(message, result, urn)
        self.policy = policy


class ProgramFailed(Error):
    """The program raised, or could not be run."""


class Cancelled(Error):
    """The operation was cancelled: what was in flight has been finished and recorded."""


class Awaiting(Error):
    """Nothing failed, but some resources wait for something before they can be created or changed: ``result.awaiting`` names
    them. All that does not depend on them has been done; run the operation again later."""


_KINDS: Mapping[str, Type[Error]] = {
    "locked": StackLocked,
    "unknown-stack": UnknownStack,
    "passphrase": WrongPassphrase,
    "damaged": StateDamaged,
    "cancelled": Cancelled,
    "awaiting": Awaiting,
    "program": ProgramFailed,
}


def error_of(kind: str, message: str, result: Optional["Result"] = None) -> Error:
    """The Error that the extension's word stands for."""
    return _KINDS.get(kind, Error)(message, result)


class WrongAnswer(TypeError):
    """The user's code returned, but nothing that the engine can use: what it did is not known."""


#: The reason of a resource that does not work yet, where its provider gives none.
NO_REASON = "the resource did not initialize"


class InitializationFailed(Exception):
    """Raised by a provider's create, read or update: the resource exists, but does not work yet.

    It is recorded with ``outputs`` and ``reasons``, and the next ``up`` updates it.
    """

    def __init__(
        self,
        id: str,
        outputs: Dict[str, Any],
        reasons: Sequence[str],
        inputs: Optional[Dict[str, Any]] = None,
    ) -> None:
        reasons = ([reasons] if isinstance(reasons, str) else list(reasons)) or [NO_REASON]
        super().__init__("; ".join(reasons))
        self.id = id
        self.outputs = outputs
        self.reasons = reasons
        self.inputs = inputs

    def __reduce__(self) -> Tuple[Any, ...]:
        return (InitializationFailed, (self.id, self.outputs, self.reasons, self.inputs))


class AwaitFailed(Exception):
    """Raised by a provider's create or update: nothing was done yet, because the resource waits for something.

    Nothing is recorded of it, what depends on it is left as it is, and the operation ends with kingpost.Awaiting.
    """

    def __init__(self, message: str = "resource is awaiting") -> None:
        super().__init__(message)
