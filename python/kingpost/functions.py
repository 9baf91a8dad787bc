# SPDX-License-Identifier: Apache-2.0
"""Functions of a package, with dataclasses for what they take and give.

    @dataclass
    class SearchArgs:
        text: str
        limit: int = 10

    @dataclass
    class Found:
        paths: List[str]

    @site.function("site:index:search")
    def search(args: SearchArgs) -> Found:          # may be async def; may take the configuration, too
        return Found([path for path in pages() if args.text in path][: args.limit])

Programs in every language call it as ``site:index:search``; a program of this process with ``site.ask(search, text="x")``,
an output. Arguments that do not fit are refused by name. Secrets are plain values inside; a field of the result that is
marked with kingpost.secret is one outside.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, List, Mapping, Optional, Type

from . import messages as api
from ._annotations import hints_of
from .property_schema import SchemaTypes
from .property_types import (
    Field,
    fields_of,
    is_object,
    object_problems,
    object_to_python,
    to_wire,
    with_defaults,
)
from .resources import MaybeLater, for_sdk, marked, require_program, then
from .values import UNKNOWN, contains_unknowns


class PackageFunction:
    """The answers of a provider for one function."""

    def __init__(
        self,
        token: str,
        function: Callable[..., Any],
        config_class: Optional[Type[Any]],
        names: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.token = token
        self.function = function
        self._label = getattr(function, "__name__", token)
        hints = hints_of(function, names)
        self.result_class: Any = hints.pop("return", None)
        if not is_object(self.result_class):
            raise TypeError(f"{self._label} must say what it returns, a dataclass: def {self._label}(...) -> Result")
        self._config_name = next((name for name, hint in hints.items() if config_class and hint is config_class), None)
        taken = [name for name in inspect.signature(function).parameters if name != self._config_name]
        if len(taken) > 1 or any(not is_object(hints.get(name)) for name in taken):
            raise TypeError(f"{self._label} must take its arguments as one dataclass: def {self._label}(args: Arguments)")
        self._args_name = taken[0] if taken else None
        self.args_class: Optional[Type[Any]] = hints[taken[0]] if taken else None
        self.args: List[Field] = fields_of(self.args_class) if self.args_class else []
        self.results: List[Field] = fields_of(self.result_class)

    def invoke(self, request: api.InvokeRequest, config: Callable[[], Any]) -> MaybeLater[api.InvokeResponse]:
        args = with_defaults(self.args, request.args)
        problems = object_problems(self.args_class, args) if self.args_class else [(key, "is not known") for key in args]
        if problems:
            return api.InvokeResponse({}, [api.CheckFailure(path, reason) for path, reason in problems])
        if contains_unknowns(args):
            return api.InvokeResponse({field.name: UNKNOWN for field in self.results})
        given: Dict[str, Any] = {}
        if self._args_name and self.args_class:
            given[self._args_name] = object_to_python(self.args_class, args)
        if self._config_name:
            given[self._config_name] = config()
        return then(self.function(**given), self._response)

    def _response(self, result: Any) -> api.InvokeResponse:
        if not isinstance(result, self.result_class):
            raise TypeError(f"{self._label} must return {self.result_class.__name__}, not {type(result).__name__}")
        wire = to_wire(result)
        return api.InvokeResponse({f.name: marked(f, wire[f.name]) for f in self.results if f.name in wire})

    def schema(self, types: SchemaTypes) -> Dict[str, Any]:
        schema: Dict[str, Any] = {"outputs": types.object(self.result_class)}
        description = inspect.cleandoc(self.function.__doc__ or "")
        if description:
            schema["description"] = description
        if self.args_class:
            schema["inputs"] = types.object(self.args_class)
        return schema


def args_of(function: PackageFunction, given: Any) -> Dict[str, Any]:
    """By attribute, of an instance of the function's arguments."""
    cls = function.args_class
    if cls is None or not isinstance(given, cls):
        expected = "no arguments" if cls is None else f"a {cls.__name__}"
        raise TypeError(f"{function.token} takes {expected}, not {type(given).__name__}")
    every = {field.attribute: getattr(given, field.attribute, None) for field in function.args}
    return {attribute: value for attribute, value in every.items() if value is not None}


def ask(function: PackageFunction, options: Any, args: Mapping[str, Any]) -> Any:
    """The result in a program of this process, as an output."""
    import pulumi

    names = {field.attribute: field.name for field in function.args}
    unknown = next((key for key in args if key not in names), None)
    if unknown is not None:
        known = ", ".join(sorted(names)) or "none"
        raise TypeError(f"{function.token} has no argument {unknown!r}; it has: {known}")
    require_program("ask")
    given = {names[key]: for_sdk(to_wire(value)) for key, value in args.items()}
    answer = pulumi.runtime.invoke_output(function.token, given, options)  # secret if anything of it is
    return answer.apply(lambda result: object_to_python(function.result_class, result))
