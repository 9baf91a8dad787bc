# SPDX-License-Identifier: Apache-2.0
"""The schema of a package of decorated classes; the SDK describes and constructs its components."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterable, NamedTuple, Optional, Sequence, Type

from ._annotations import resolve
from ._callback import Carried
from .configuration import Configuration
from .functions import PackageFunction
from .messages import ConstructRequest, ConstructResponse
from .property_schema import SchemaTypes
from .resources import ResourceClass


class PackageParts(NamedTuple):
    classes: Iterable[ResourceClass]
    functions: Iterable[PackageFunction]
    components: Sequence[Type[Any]]
    configuration: Optional[Configuration]


def package_schema(name: str, version: str, parts: PackageParts) -> str:
    types = SchemaTypes(name)
    resources = {known.type: known.schema(types) for known in parts.classes}
    schema: Dict[str, Any] = {"name": name, "resources": resources, "types": types.types}
    functions = {known.token: known.schema(types) for known in parts.functions}
    if functions:
        schema["functions"] = functions
    if parts.configuration is not None:
        schema.update(parts.configuration.schema(types))
    if version:
        schema["version"] = version
    if parts.components:
        described = json.loads(_of_sdk(name, version, parts.components).schema)
        for part in ("resources", "types"):
            schema[part].update(described.get(part) or {})
        for key in ("dependencies", "language", "meta"):
            if described.get(key):
                schema[key] = described[key]
    return json.dumps(schema, indent=2)


def construct(name: str, components: Sequence[Type[Any]], request: ConstructRequest) -> ConstructResponse:
    provider = _of_sdk(name, "", components)
    constructors = vars(provider).get("_components")
    if isinstance(constructors, dict):  # as every release has it so far; another one may tell less of an odd exception
        constructors.update({key: _carrying(cls) for key, cls in constructors.items()})
    made = provider.construct(request.name, request.type, request.inputs, request.options)
    return ConstructResponse(made.urn, dict(made.state))


def _carrying(cls: Type[Any]) -> Callable[..., Any]:
    """The class's constructor. The SDK reads the text of what it raises, which may be none that can be read."""

    def make(*args: Any) -> Any:
        try:
            return cls(*args)
        except Exception as error:  # noqa: BLE001 - all that the SDK would carry
            raise Carried(error) from None

    return make


def _of_sdk(name: str, version: str, components: Sequence[Type[Any]]) -> Any:
    from pulumi.provider.experimental.component import ComponentProvider

    for cls in components:
        resolve(cls)
    return ComponentProvider(list(components), name, version=version or "0.0.0")
