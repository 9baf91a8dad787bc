# SPDX-License-Identifier: Apache-2.0
"""The schema of properties: what a package says of its types to programs in other languages."""

from __future__ import annotations

import enum
from typing import Any, Dict, List, Literal, Sequence, Tuple, Type, Union

from .property_types import ARCHIVES, ASSETS, SIMPLE, Field, allowed, fields_of, is_enum, is_map, is_object, parts_of


def _kind_of(value: Any) -> str:
    return "boolean" if isinstance(value, bool) else "string" if isinstance(value, str) else "number"


class SchemaTypes:
    """The types of a package that properties refer to, by their tokens."""

    def __init__(self, package: str) -> None:
        self._package = package
        self.types: Dict[str, Any] = {}

    def of(self, hint: Any) -> Dict[str, Any]:
        origin, args = parts_of(hint)
        if hint is Any or origin is Any:
            return {"$ref": "pulumi.json#/Any"}
        if origin in SIMPLE:
            return {"type": SIMPLE[origin][0]}
        if origin is Literal:
            kinds = sorted({_kind_of(value) for value in allowed(origin, args) if value is not None}) or ["string"]
            return {"type": kinds[0]} if len(kinds) == 1 else {"oneOf": [{"type": kind} for kind in kinds]}
        if is_enum(origin) or is_object(origin):
            return {"$ref": f"#/types/{self._token(origin)}"}
        if origin in ASSETS or (origin is Union and set(args) <= ASSETS):
            return {"$ref": "pulumi.json#/Asset"}
        if origin in ARCHIVES or (origin is Union and set(args) <= ARCHIVES):
            return {"$ref": "pulumi.json#/Archive"}
        if origin is Union:
            return {"oneOf": [self.of(arg) for arg in args]}
        if is_map(origin):
            return {"type": "object", "additionalProperties": self.of(args[1] if len(args) > 1 else Any)}
        return {"type": "array", "items": self.of(args[0] if args else Any)}

    def _token(self, cls: Type[Any]) -> str:
        token = f"{self._package}:index:{cls.__name__}"
        if token not in self.types:
            self.types[token] = {}  # it may refer to itself
            self.types[token] = self._enum(cls) if issubclass(cls, enum.Enum) else self.object(cls)
        return token

    @staticmethod
    def _enum(members: Type[enum.Enum]) -> Dict[str, Any]:
        values = [member.value for member in members]
        kind = "string" if all(isinstance(value, str) for value in values) else "number"
        return {"type": kind, "enum": [{"name": member.name, "value": member.value} for member in members]}

    def object(self, cls: Type[Any]) -> Dict[str, Any]:
        properties, required = self.properties(fields_of(cls))
        return {"type": "object", "properties": properties, **({"required": required} if required else {})}

    def properties(self, fields: Sequence[Field], with_defaults: bool = True) -> Tuple[Dict[str, Any], List[str]]:
        found = {field.name: self._property(field, with_defaults) for field in fields}
        return found, sorted(field.name for field in fields if field.required)

    def _property(self, field: Field, with_default: bool) -> Dict[str, Any]:
        schema = self.of(field.type)
        if field.options.description:
            schema["description"] = field.options.description
        if field.options.secret:
            schema["secret"] = True
        if field.options.replace_on_change:
            schema["willReplaceOnChanges"] = True
        if (
            with_default
            and isinstance(field.default, (bool, int, float, str))
            and not isinstance(field.default, enum.Enum)
        ):
            schema["default"] = field.default
        return schema
