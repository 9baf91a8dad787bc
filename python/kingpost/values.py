# SPDX-License-Identifier: Apache-2.0
"""Resource properties for which Python has no type.

The extension converts values by these classes; its C++ side (python/bindings/values.cc) knows their attributes.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Tuple


class Secret:
    """A value that is stored encrypted and never shown: not in state, logs, errors, nor by ``repr``."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value: Any = value.value if isinstance(value, Secret) else value

    def __repr__(self) -> str:
        return "Secret([secret])"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self.value == other.value

    def __hash__(self) -> int:
        return hash(("kingpost.Secret", self.value))

    def __copy__(self) -> "Secret":
        return Secret(self.value)

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Secret":
        return Secret(copy.deepcopy(self.value, memo))

    def __reduce__(self) -> Tuple[object, ...]:
        """In a pickle its value is left out; see ``kingpost.secrets_in_pickles``."""
        from ._pickles import are_secrets_kept

        return (Secret, (self.value if are_secrets_kept() else Sealed(LEFT_OUT),))


#: In place of the ciphertext of a secret that a pickle left out. Nothing takes it for a secret again.
LEFT_OUT = "[left out]"


@dataclass(frozen=True)
class Sealed:
    """The content of a Secret in a snapshot that was loaded without its passphrase; in a pickle that left it out, its
    ``ciphertext`` is LEFT_OUT."""

    ciphertext: str

    def __repr__(self) -> str:
        return "Sealed()"


class Unknown:
    """The type of UNKNOWN."""

    _instance: Optional["Unknown"] = None

    def __new__(cls) -> "Unknown":
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> Tuple[object, ...]:
        return (Unknown, ())


#: A value that a preview cannot know, because the resource it comes from does not exist yet.
UNKNOWN = Unknown()


@dataclass(frozen=True)
class TextAsset:
    text: str
    hash: str = ""


@dataclass(frozen=True)
class FileAsset:
    path: str
    hash: str = ""


@dataclass(frozen=True)
class RemoteAsset:
    uri: str
    hash: str = ""


@dataclass(frozen=True)
class AssetArchive:
    """Assets and archives by their path inside the archive."""

    assets: Dict[str, Any] = field(default_factory=dict)
    hash: str = ""


@dataclass(frozen=True)
class FileArchive:
    path: str
    hash: str = ""


@dataclass(frozen=True)
class RemoteArchive:
    uri: str
    hash: str = ""


@dataclass(frozen=True)
class ResourceReference:
    """A resource as a property. ``id`` is None for components, and UNKNOWN before there is one."""

    urn: str
    id: Any = None
    package_version: str = ""


def unwrap(value: Any) -> Any:
    """The value with every secret, at any depth, replaced by what it holds."""
    if isinstance(value, Secret):
        return unwrap(value.value)
    if isinstance(value, dict):
        return {key: unwrap(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [unwrap(item) for item in value]
    return value


_PLAIN = (bool, int, float, str, bytes)
_ENGINE = (Unknown, Sealed, TextAsset, FileAsset, RemoteAsset, AssetArchive, FileArchive, RemoteArchive, ResourceReference)


def unfit_type(value: Any) -> Optional[str]:
    """The type of the first value in it that a property cannot have, or None if there is none."""
    if isinstance(value, Secret):
        return unfit_type(value.value)
    if isinstance(value, (dict, list, tuple)):
        parts = value.values() if isinstance(value, dict) else value
        return next((odd for odd in map(unfit_type, parts) if odd is not None), None)
    return None if value is None or isinstance(value, (*_PLAIN, *_ENGINE)) else type(value).__name__


def contains_unknowns(value: Any) -> bool:
    """True if UNKNOWN occurs in the value at any depth."""
    if isinstance(value, Secret):
        return contains_unknowns(value.value)
    if isinstance(value, dict):
        return any(contains_unknowns(item) for item in value.values())
    if isinstance(value, (list, tuple)):
        return any(contains_unknowns(item) for item in value)
    return isinstance(value, Unknown)
