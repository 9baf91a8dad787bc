# SPDX-License-Identifier: Apache-2.0
"""Annotations as types, also where ``from __future__ import annotations`` made texts of them, and where the classes that they
name are local to a function."""

from __future__ import annotations

import sys
import typing
import weakref
from types import FrameType
from typing import Any, Dict, ForwardRef, Mapping, Optional, Set, Type

# The names beside a class in the function that it stands in, which its own module does not have.
_names: "weakref.WeakKeyDictionary[type, Mapping[str, Any]]" = weakref.WeakKeyDictionary()


_PLAIN = "; properties have plain types, as str for pulumi.Input[str], and programs may give outputs for them"


def names_in(frame: Optional[FrameType]) -> Dict[str, Any]:
    """The types that a function's frame knows; none of a module's, where they need no remembering."""
    if frame is None or frame.f_locals is frame.f_globals:
        return {}
    return {name: value for name, value in frame.f_locals.items() if _may_be_type(value)}


def remember_names(cls: Type[Any], names: Mapping[str, Any]) -> None:
    if names:
        _names[cls] = names


def _may_be_type(value: Any) -> bool:
    return isinstance(value, (type, typing.TypeVar)) or typing.get_origin(value) is not None


def hints_of(cls: Any, known: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
    """As typing.get_type_hints, of a class or a function. What it names knows the same names from then on."""
    names = dict(known or {})
    if isinstance(cls, type):
        names.update(_names.get(cls, {}))
    try:
        hints = typing.get_type_hints(cls, localns=names or None, include_extras=True)
    except NameError as error:
        remedy = _PLAIN if any(f"'{name}'" in str(error) for name in ("Input", "Output")) else ""
        raise NameError(f"the annotations of {getattr(cls, '__name__', cls)}: {error}{remedy}") from error
    if names:
        for hint in hints.values():
            _share(names, hint)
    return hints


def _share(names: Mapping[str, Any], hint: Any) -> None:
    for part in typing.get_args(hint):
        _share(names, part)
    if isinstance(hint, type) and hint.__module__ != "builtins" and hint not in _names:
        try:
            _names[hint] = names
        except TypeError:
            pass  # a class without weak references


def resolve(cls: Type[Any]) -> None:
    """Makes types of the annotations of a component, its arguments and what they hold, which the SDK reads as they are."""
    names = _names.get(cls, {})
    _resolve(cls, names, set())


def _resolve(cls: Type[Any], names: Mapping[str, Any], seen: Set[type]) -> None:
    if cls in seen or cls.__module__.partition(".")[0] in ("builtins", "typing", "pulumi", "enum"):
        return
    seen.add(cls)
    found = []
    for owner in (getattr(cls, "__init__", None), *cls.__mro__):  # of a base class, too
        annotations = owner.__dict__.get("__annotations__") if isinstance(owner, type) else _annotations(owner)
        if not isinstance(annotations, dict):
            continue
        module = sys.modules.get(getattr(owner, "__module__", ""))
        for name, annotation in list(annotations.items()):
            if isinstance(annotation, ForwardRef):  # as a TypedDict keeps them
                annotation = annotation.__forward_arg__
            if isinstance(annotation, str):
                annotations[name] = _evaluated(annotation, vars(module) if module else {}, names)
            found.append(annotations[name])
    for annotation in found:
        for part in _classes_in(annotation):
            _resolve(part, names, seen)


def _annotations(function: Any) -> Any:
    return getattr(function, "__annotations__", None)


def _evaluated(text: str, module: Mapping[str, Any], names: Mapping[str, Any]) -> Any:
    try:
        value = eval(text, dict(module), dict(names))  # what Python itself would have done with it
    except NameError:
        return ForwardRef(text)
    return ForwardRef(value) if isinstance(value, str) else value


def _classes_in(annotation: Any) -> Set[type]:
    found = {annotation} if isinstance(annotation, type) and not typing.get_args(annotation) else set()
    for part in typing.get_args(annotation):
        found |= _classes_in(part)
    return found
