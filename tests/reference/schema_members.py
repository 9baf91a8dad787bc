# SPDX-License-Identifier: Apache-2.0
"""The members of package schemas: those of the metaschema, which the engine's module carries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from .rows import Row, changes

_METASCHEMA = "codegen/schema/pulumi.json"


def members(source: Path) -> dict[str, str]:
    """"resourceSpec.isComponent" with its type, for each member that the metaschema names."""
    document = json.loads((source / _METASCHEMA).read_text())
    found = dict(_members("package", document))
    for name, definition in document.get("$defs", {}).items():
        found |= dict(_members(name, definition))
    return found


def _members(scope: str, definition: dict) -> Iterator[tuple[str, str]]:
    for name, member in definition.get("properties", {}).items():
        if not isinstance(member, dict):
            continue
        shape = {key: value for key, value in member.items() if key not in ("description", "properties")}
        yield f"{scope}.{name}", json.dumps(shape, sort_keys=True)
        yield from _members(f"{scope}.{name}", member)
    for part in definition.get("allOf", []) + definition.get("oneOf", []):
        yield from _members(scope, part)


def rows(old: Path, new: Path) -> list[Row]:
    return changes("schema", members(old), members(new))
