# SPDX-License-Identifier: Apache-2.0
"""The schema of a package of decorated classes; the SDK describes and constructs its components."""

from __future__ import annotations

import collections.abc
import dataclasses
import inspect
import json
import re
from typing import Any, Callable, Dict, ForwardRef, Iterable, NamedTuple, Optional, Sequence, Type, TypeVar, get_args, get_origin, get_type_hints

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
        constructors.update({key: _carrying(cls, request.type) for key, cls in constructors.items()})
    made = provider.construct(request.name, request.type, request.inputs, request.options)
    return ConstructResponse(made.urn, dict(made.state))


_UNTYPED = (dict, collections.abc.Mapping, collections.abc.MutableMapping, object, Any)
_UNTYPED_NAMES = r"(typing\.)?(dict|Dict|Mapping|Any|object)(\[.*\])?"


def require_component(cls: Type[Any]) -> None:
    """The shape that the SDK asks for, before anything asks for the schema."""
    shape = f"{cls.__name__}.__init__ must be (self, name: str, args: Arguments, opts=None), with a TypedDict or dataclass of arguments"
    if not any(base.__name__ == "ComponentResource" and base.__module__.startswith("pulumi.") for base in cls.__mro__):
        raise TypeError(f"{cls.__name__} must be a subclass of pulumi.ComponentResource")
    args = inspect.signature(cls.__init__).parameters.get("args")
    if args is None or args.annotation is inspect.Parameter.empty or isinstance(args.annotation, TypeVar):
        raise TypeError(shape)
    named = args.annotation if isinstance(args.annotation, str) else ""
    if (get_origin(args.annotation) or args.annotation) in _UNTYPED or re.fullmatch(_UNTYPED_NAMES, named):
        raise TypeError(f"{shape}; the annotation {named or repr(args.annotation)} names no argument")


def _carrying(cls: Type[Any], type_: str) -> Callable[..., Any]:
    """The class's constructor. The SDK reads the text of what it raises, which may be none that can be read. It has a dict for
    the arguments, of which a dataclass is made where that is what the constructor takes."""

    def make(name: str, args: Any, options: Any) -> Any:
        try:
            made = cls(name, as_annotated(getattr(cls.__init__, "__annotations__", {}).get("args"), args), options)
            if not hasattr(made, "_name"):
                raise TypeError(f"{cls.__name__}.__init__ must call super().__init__(type, name, properties, opts)")
            if made._type != type_:
                raise TypeError(f"{cls.__name__}.__init__ calls super().__init__ with the type {made._type!r}; it must be {type_!r}")
            return made
        except Exception as error:  # noqa: BLE001 - all that the SDK would carry
            raise Carried(error) from None

    return make


def as_annotated(hint: Any, value: Any) -> Any:
    """Instances of the dataclasses that a type names, at any depth, in place of dicts."""
    parts = get_args(hint)
    if isinstance(value, dict) and isinstance(hint, type) and dataclasses.is_dataclass(hint):
        hints = hint.__annotations__ if len(hint.__mro__) == 2 else get_type_hints(hint)
        return hint(**{key: as_annotated(hints.get(key), item) for key, item in value.items()})
    if isinstance(value, (list, tuple)) and get_origin(hint) in (list, collections.abc.Sequence):
        return [as_annotated(parts[0], item) for item in value]
    if isinstance(value, dict) and get_origin(hint) in (dict, collections.abc.Mapping):
        return {key: as_annotated(parts[1], item) for key, item in value.items()}
    for part in parts if isinstance(value, (dict, list, tuple)) else ():  # of Optional[T], Annotated[T, ...] and pulumi.Input[T]
        found = as_annotated(part, value)
        if found is not value and found != value:
            return found
    return value


def _of_sdk(name: str, version: str, components: Sequence[Type[Any]]) -> Any:
    from pulumi.provider.experimental.component import ComponentProvider

    for cls in components:
        resolve(cls)
        args = getattr(cls.__init__, "__annotations__", {}).get("args")
        if not isinstance(args, (type, ForwardRef)):
            raise TypeError(f"the arguments of {cls.__name__} must be a TypedDict or a dataclass without parameters, not {args!r}")
    return ComponentProvider(list(components), name, version=version or "0.0.0")
