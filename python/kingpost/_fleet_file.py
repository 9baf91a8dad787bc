# SPDX-License-Identifier: Apache-2.0
"""kingpost.yaml: which stacks belong together, where that is not simply every project below a folder. As the command
reads it, with stack, config, members and groups."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List

from .errors import Error

NAME = "kingpost.yaml"


@dataclass
class ListedMember:
    """A member as the file names it: ``folder`` may be a pattern."""

    folder: str
    stack: str = ""
    after: List[str] = field(default_factory=list)
    groups: List[str] = field(default_factory=list)

    @property
    def is_pattern(self) -> bool:
        return any(sign in self.folder for sign in "*?[")


@dataclass
class FleetFile:
    """The content of kingpost.yaml; empty if the folder has none."""

    path: str = ""
    stack: str = ""
    config: Dict[str, str] = field(default_factory=dict)
    members: List[ListedMember] = field(default_factory=list)
    groups: Dict[str, List[str]] = field(default_factory=dict)


def load_yaml(path: Path) -> Any:
    """Reads a file that has to be YAML."""
    try:
        import yaml
    except ImportError:
        raise Error(f"reading {path} needs the package PyYAML; install it with: pip install 'kingpost[program]'") from None
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise Error(f"{path} is no YAML: {error}") from error


def load_fleet_file(folder: Path) -> FleetFile:
    path = folder / NAME
    if not path.is_file():
        return FleetFile()
    return _Reader(path).read(load_yaml(path))


class _Reader:
    def __init__(self, path: Path) -> None:
        self._file = FleetFile(str(path))

    def read(self, document: Any) -> FleetFile:
        if document is None:
            return self._file
        for key, value in self._map(document, "the file", "stack, config, members and groups").items():
            if key == "stack":
                self._file.stack = self._text(value, "stack")
            elif key == "config":
                self._read_config(value)
            elif key == "members":
                self._file.members = [self._member(item) for item in self._list(value, "members")]
            elif key == "groups":
                groups = self._map(value, "groups", "lists")
                self._file.groups = {name: self._texts(items, f"the group {name}") for name, items in groups.items()}
            else:
                raise self._wrong(f"'{key}' is not known here: stack, config, members and groups are")
        return self._file

    def _read_config(self, value: Any) -> None:
        for key, setting in self._map(value, "config", "settings").items():
            if setting is None or not isinstance(setting, (str, bool, int, float)):
                raise self._wrong(f"config {key} has to be a text, a number, true or false")
            self._file.config[key] = setting if isinstance(setting, str) else json.dumps(setting)

    def _member(self, given: Any) -> ListedMember:
        if isinstance(given, str) and given:
            return ListedMember(given)
        if not isinstance(given, dict):
            raise self._wrong("a member has to be a folder, or a map with folder, stack, after and groups")
        member = ListedMember("")
        for key, value in given.items():
            if key in ("folder", "stack"):
                setattr(member, key, self._text(value, f"{key} of a member"))
            elif key in ("after", "groups"):
                setattr(member, key, self._texts(value, f"{key} of a member"))
            else:
                raise self._wrong(f"'{key}' of a member is not known here: folder, stack, after and groups are")
        if not member.folder:
            raise self._wrong("a member needs a folder")
        return member

    def _map(self, value: Any, what: str, of_what: str) -> Dict[str, Any]:
        if not isinstance(value, dict):
            raise self._wrong(f"{what} has to be a map with {of_what}")
        return {str(key): part for key, part in value.items()}

    def _list(self, value: Any, what: str) -> List[Any]:
        if not isinstance(value, list):
            raise self._wrong(f"{what} has to be a list")
        return value

    def _text(self, value: Any, what: str) -> str:
        if not isinstance(value, str) or not value:
            raise self._wrong(f"{what} has to be a text")
        return value

    def _texts(self, value: Any, what: str) -> List[str]:
        return [self._text(item, f"each of {what}") for item in self._list(value, what)]

    def _wrong(self, what: str) -> Error:
        return Error(f"{self._file.path}: {what}")
