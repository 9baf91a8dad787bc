# SPDX-License-Identifier: Apache-2.0
"""The configuration of a provider as a dataclass.

    @site.configuration
    @dataclass
    class SiteConfig:
        endpoint: str
        token: Annotated[Optional[str], kingpost.secret] = None

    @site.resource("site:index:Page")
    class Page:
        inputs: PageInputs
        config: SiteConfig                          # set before any method is called

A stack's settings ("site:endpoint") and the arguments of a provider resource are checked against the types; the error
names a missing or unfit setting. Texts stand for what they are as JSON where a field is no text, as settings are all
texts.
A change of a field marked with kingpost.replace_on_change replaces what the provider made.
"""

from __future__ import annotations

import json
from contextvars import ContextVar
from typing import Any, Dict, List, Mapping, Optional, Tuple, Type

from . import messages as api
from .property_schema import SchemaTypes
from .property_types import (
    Field,
    fields_of,
    is_object,
    object_problems,
    object_to_python,
    problems_of,
    with_defaults,
)
from .resources import differences, marked

# Keys that engines put beside a provider's own inputs.
_OF_THE_ENGINE = ("version", "pluginDownloadURL", "pluginChecksums", "parameterization")


class Slot:
    """Where a provider's configuration is kept: one for each provider resource of a program."""

    config: Any = None


#: Of the call that is under way. A plugin's process serves one provider resource, and has none.
current_slot: "ContextVar[Optional[Slot]]" = ContextVar("kingpost_provider_slot", default=None)


class Configuration:
    """The answers of a provider about its configuration."""

    def __init__(self, cls: Type[Any]) -> None:
        if not is_object(cls):
            raise TypeError(f"the configuration must be a dataclass; put @dataclass below, over class {cls.__name__}")
        self.cls = cls
        self.fields: List[Field] = fields_of(cls)

    def check(self, request: api.CheckRequest) -> api.CheckResponse:
        inputs = with_defaults(self.fields, self._parsed(request.new_inputs))
        own, others = self._parted(inputs)
        failures = [api.CheckFailure(path, reason) for path, reason in object_problems(self.cls, own)]
        fields = {field.name: field for field in self.fields}
        if not failures:
            object_to_python(self.cls, own)  # what a __post_init__ refuses is refused here
        checked = {key: marked(fields[key], value) if key in fields else value for key, value in own.items()}
        return api.CheckResponse({**checked, **others}, failures)

    def diff(self, request: api.DiffRequest) -> api.DiffResponse:
        old, _ = self._parted(self._parsed(request.old_inputs))
        new, _ = self._parted(self._parsed(request.new_inputs))
        detailed = differences(self.fields, old, new, lambda field: field.options.replace_on_change)
        replaces = [key for key, kind in detailed.items() if kind.endswith("-replace")]
        return api.DiffResponse(changes=bool(detailed), replaces=replaces, detailed=detailed)

    def of(self, inputs: Mapping[str, Any]) -> Any:
        own, _ = self._parted(with_defaults(self.fields, self._parsed(inputs)))
        return object_to_python(self.cls, own)

    def schema(self, types: SchemaTypes) -> Dict[str, Any]:
        """The parts of a package's schema beside its resources."""
        properties, required = types.properties(self.fields)
        config: Dict[str, Any] = {"variables": properties}
        if required:
            config["defaults"] = required  # so the format calls those that must be there
        return {"config": config, "provider": {"inputProperties": properties, "requiredInputs": required}}

    def _parsed(self, inputs: Mapping[str, Any]) -> Dict[str, Any]:
        types = {field.name: field.type for field in self.fields}
        return {key: _parsed(types[key], value) if key in types else value for key, value in inputs.items()}

    def _parted(self, inputs: Mapping[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        known: List[str] = [field.name for field in self.fields]
        others = {key: value for key, value in inputs.items() if key in _OF_THE_ENGINE and key not in known}
        return {key: value for key, value in inputs.items() if key not in others}, others


def _parsed(hint: Any, value: Any) -> Any:
    """The value, or what it is as JSON if only that fits."""
    from .values import Secret

    if isinstance(value, Secret):
        return Secret(_parsed(hint, value.value))
    if not isinstance(value, str) or not problems_of(hint, value, ""):
        return value
    try:
        parsed = json.loads(value)
    except ValueError:
        return value
    return value if problems_of(hint, parsed, "") else parsed
