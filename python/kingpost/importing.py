# SPDX-License-Identifier: Apache-2.0
"""Resources that ``Stack.import_resources`` takes over into a stack."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Union

from ._checked import listed, text_argument

@dataclass(frozen=True)
class ImportResource:
    """A resource that exists, to be taken over.

    type, name: as the program will call it
    id:         by which its provider finds it; not of a component
    parent:     the URN or the name of another import; "": the stack
    provider:   a provider reference, or the name of a provider resource; "": the default one
    version:    of the provider
    properties: names of the properties to compare with; [] for the required ones
    component:  it is a component, with no ID
    """

    type: str
    name: str
    id: str = ""
    parent: str = ""
    provider: str = ""
    version: str = ""
    properties: List[str] = field(default_factory=list)
    component: bool = False


Imports = Union[Iterable[ImportResource], "os.PathLike[str]", str]


def import_file(given: Imports) -> str:
    """The JSON of an import file: the content of the one that is named, or of what is listed."""
    if isinstance(given, (str, os.PathLike)):
        with open(given, encoding="utf-8") as file:
            return file.read()
    names: Dict[str, str] = {}
    entries = [_entry(resource, names) for resource in listed("resources", given)]
    return json.dumps({"nameTable": names, "resources": entries})


def _entry(resource: Any, names: Dict[str, str]) -> Dict[str, Any]:
    if not isinstance(resource, ImportResource):
        raise TypeError(f"what is imported must be kingpost.ImportResource, not {type(resource).__name__}")
    for part in ("type", "name", "id", "parent", "provider", "version"):
        text_argument(f"ImportResource.{part}", getattr(resource, part))
    entry: Dict[str, Any] = {"type": resource.type, "name": resource.name}
    if resource.id:
        entry["id"] = resource.id
    for key, value in (("parent", resource.parent), ("provider", resource.provider)):
        if value:
            entry[key] = _name_of(value, names)
    if resource.version:
        entry["version"] = resource.version
    if resource.properties:
        entry["properties"] = list(resource.properties)
    if resource.component:
        entry["component"] = True
    return entry


def _name_of(value: str, names: Dict[str, str]) -> str:
    if not value.startswith("urn:"):
        return value
    name: Optional[str] = next((known for known, urn in names.items() if urn == value), None)
    if name is None:
        name = f"resource-{len(names) + 1}"
        names[name] = value
    return name
