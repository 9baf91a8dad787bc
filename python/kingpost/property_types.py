# SPDX-License-Identifier: Apache-2.0
"""Properties as Python types: the fields of a dataclass, what of a value does not fit them, and their schema.

@dataclass
class PageInputs:
    path: Annotated[str, kingpost.replace_on_change]
    text: str = ""
    token: Annotated[Optional[str], kingpost.secret] = None
"""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
import weakref
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, ClassVar, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Type, Union

from ._annotations import hints_of
from .values import (
    AssetArchive,
    FileArchive,
    FileAsset,
    RemoteArchive,
    RemoteAsset,
    Secret,
    TextAsset,
    Unknown,
    contains_unknowns,
)

Asset = Union[TextAsset, FileAsset, RemoteAsset]
Archive = Union[AssetArchive, FileArchive, RemoteArchive]

Problem = Tuple[str, str]  # path, reason


@dataclass(frozen=True)
class Property:
    """The facts of a property that its type does not tell. Goes into ``Annotated``; several add up.

    replace_on_change: a change needs a new resource
    secret:            encrypted, and shown to nobody
    stable:            an output that updates leave as it is
    name:              in programs of other languages; by default ``max_size`` is "maxSize"
    description:       for the schema
    """

    replace_on_change: bool = False  #: a change needs a new resource
    secret: bool = False  #: encrypted, and shown to nobody
    stable: bool = False  #: an output that updates leave as it is
    name: str = ""  #: in programs of other languages; by default ``max_size`` is "maxSize"
    description: str = ""


replace_on_change: Property = Property(replace_on_change=True)
secret: Property = Property(secret=True)
stable: Property = Property(stable=True)


@dataclass(frozen=True)
class Field:
    """A property: ``attribute`` in Python, ``name`` everywhere else."""

    attribute: str
    name: str
    type: Any
    options: Property
    required: bool
    make_default: Optional[Callable[[], Any]] = None

    @property
    def default(self) -> Any:
        """Another one each time, where it can be changed."""
        return self.make_default() if self.make_default is not None else None


def wire_name(attribute: str) -> str:
    first, *others = attribute.strip("_").split("_")
    return first + "".join(other[:1].upper() + other[1:] for other in others)


def fields_of(cls: Type[Any]) -> List[Field]:
    """Those of a dataclass; of another class, all that are annotated. Not those of ``kingpost.ManagedResource``."""
    try:
        return _known_fields[cls]
    except KeyError:
        _known_fields[cls] = found = _fields_of(cls)
        return found


_known_fields: "weakref.WeakKeyDictionary[type, List[Field]]" = weakref.WeakKeyDictionary()


def _fields_of(cls: Type[Any]) -> List[Field]:
    hints = hints_of(cls)
    declared = {field.name: field for field in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else {}
    return [
        _field(name, hint, declared.get(name), f"{cls.__name__}.{name}")
        for name, hint in hints.items()
        if not name.startswith("_") and hint is not ClassVar and typing.get_origin(hint) is not ClassVar
    ]


def _field(attribute: str, hint: Any, declared: Optional["dataclasses.Field[Any]"], where: str) -> Field:
    options = Property()
    if typing.get_origin(hint) is typing.Annotated:
        hint, *notes = typing.get_args(hint)
        for note in notes:
            options = _with(options, note)
    make_default: Optional[Callable[[], Any]] = None
    if declared is not None and declared.default is not dataclasses.MISSING:
        make_default = partial(_same, declared.default)
    elif declared is not None and declared.default_factory is not dataclasses.MISSING:
        make_default = declared.default_factory
    check_supported(where, hint)
    name = options.name or wire_name(attribute)
    return Field(attribute, name, hint, options, make_default is None and not _optional(hint), make_default)


def _same(value: Any) -> Any:
    return value


def _with(options: Property, note: Any) -> Property:
    if isinstance(note, str):
        return dataclasses.replace(options, description=note)
    if not isinstance(note, Property):
        return options  # another library's
    given = {f.name: getattr(note, f.name) for f in dataclasses.fields(note) if getattr(note, f.name)}
    return dataclasses.replace(options, **given)


# --- types ----------------------------------------------------------------------------------------

SIMPLE: Dict[Any, Tuple[str, str]] = {
    bool: ("boolean", "a boolean"),
    int: ("integer", "a whole number"),
    float: ("number", "a number"),
    str: ("string", "a string"),
}
_UNIONS = (Union, getattr(types, "UnionType", Union))


def parts_of(hint: Any) -> Tuple[Any, Tuple[Any, ...]]:
    """Origin and arguments; Optional[T] is T, and so is a NewType of T and Final[T]."""
    hint = getattr(hint, "__supertype__", hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated or origin is typing.Final:
        return parts_of(args[0])
    if origin in _UNIONS:
        others = tuple(arg for arg in args if arg is not type(None))
        if len(others) == 1:
            return parts_of(others[0])
        return Union, others
    return (origin, args) if origin is not None else (hint, ())


def _optional(hint: Any) -> bool:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated or origin is typing.Final:
        return _optional(args[0])
    return hint is Any or (origin in _UNIONS and type(None) in args) or (origin is Literal and None in args)


def _is_list(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Sequence) and not issubclass(origin, (str, bytes, tuple))


def is_map(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)


def is_enum(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, enum.Enum)


def is_object(origin: Any) -> bool:
    return isinstance(origin, type) and dataclasses.is_dataclass(origin) and origin not in ASSETS | ARCHIVES


ASSETS, ARCHIVES = set(typing.get_args(Asset)), set(typing.get_args(Archive))


def check_supported(where: str, hint: Any) -> None:
    origin, args = parts_of(hint)
    if origin is Any or origin in SIMPLE:
        return
    if origin is Literal or is_enum(origin):
        odd = next((value for value in allowed(origin, args) if not isinstance(value, (str, int, float, type(None)))), None)
        if odd is not None:
            raise TypeError(f"{where}: the values of {hint!r} must be texts, numbers or bools, not {odd!r}")
        return
    if is_map(origin) and args and not _is_text(args[0]):
        raise TypeError(f"{where}: the keys of {hint!r} must be texts: Dict[str, ...]")
    if _is_list(origin) or is_map(origin):
        for arg in args:
            check_supported(where, arg)
        return
    if origin in ASSETS or origin in ARCHIVES or (origin is Union and set(args) <= ASSETS | ARCHIVES):
        return
    if origin is Union:
        for arg in args:
            check_supported(where, arg)
        return
    if is_object(origin):
        return  # checked when its fields are read; it may hold itself
    raise TypeError(
        f"{where}: a property cannot be of type {hint!r}; use bool, int, float, str, Any, Literal, an Enum, a dataclass, "
        "kingpost.Asset, kingpost.Archive, or List, Dict, Optional and Union of these"
    )


def problems_of(hint: Any, value: Any, path: str) -> List[Problem]:
    """Why the value does not fit the type. Unknown values fit every type."""
    if isinstance(value, Secret):
        return problems_of(hint, _hidden(value.value), path)
    if hint is Any or isinstance(value, Unknown):
        return []
    if value is None:
        return [] if _optional(hint) else [(path, "must not be null")]
    origin, args = parts_of(hint)
    if origin is Any:
        return []
    if origin in SIMPLE:
        kind = repr(value) if origin is int and isinstance(value, float) else _kind(value)
        return [] if _fits_simple(origin, value) else [(path, f"must be {SIMPLE[origin][1]}, not {kind}")]
    if origin is Literal or is_enum(origin):
        members = allowed(origin, args)
        return [] if _is_one_of(value, members) else [(path, f"must be one of {', '.join(map(repr, members))}, not {value!r}")]
    if origin is Union:
        found = [problems_of(arg, value, path) for arg in args]
        return [] if any(not problems for problems in found) else min(found, key=len)
    return _problems_inside(origin, args, value, path)


class _HiddenText(str):
    def __repr__(self) -> str:
        return "[secret]"


class _HiddenWhole(int):
    __repr__ = _HiddenText.__repr__


class _HiddenNumber(float):
    __repr__ = _HiddenText.__repr__


_HIDDEN: Mapping[type, type] = {str: _HiddenText, int: _HiddenWhole, float: _HiddenNumber}


def _hidden(value: Any) -> Any:
    """An equal value that messages do not show."""
    if isinstance(value, dict):
        return {key: _hidden(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_hidden(item) for item in value]
    return _HIDDEN[type(value)](value) if type(value) in _HIDDEN else value


def allowed(origin: Any, args: Tuple[Any, ...]) -> List[Any]:
    """Of a Literal too the values of members, which is what programs and records have."""
    return [member.value if isinstance(member, enum.Enum) else member for member in (origin if is_enum(origin) else args)]


def _is_one_of(value: Any, members: Sequence[Any]) -> bool:
    """True is not 1, as the types of both say."""
    return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in members)


def _is_text(hint: Any) -> bool:
    """Keys of maps: also those of a Literal of texts, and the members of an Enum that are texts themselves."""
    origin, args = parts_of(hint)
    if origin is Literal:
        return all(isinstance(arg, str) for arg in args)
    return origin is Any or isinstance(origin, typing.TypeVar) or (isinstance(origin, type) and issubclass(origin, str))


def _problems_inside(origin: Any, args: Tuple[Any, ...], value: Any, path: str) -> List[Problem]:
    if is_object(origin):
        return object_problems(origin, value, path) if isinstance(value, dict) else _not(path, "an object", value)
    if is_map(origin):
        if not isinstance(value, dict):
            return _not(path, "an object", value)
        of = args[1] if len(args) > 1 else Any
        return [problem for key, item in value.items() for problem in problems_of(of, item, f"{path}.{key}")]
    if _is_list(origin):
        if not isinstance(value, (list, tuple)):
            return _not(path, "a list", value)
        of = args[0] if args else Any
        return [problem for i, item in enumerate(value) for problem in problems_of(of, item, f"{path}[{i}]")]
    return [] if isinstance(value, origin) else _not(path, "an asset" if origin in ASSETS else "an archive", value)


def _not(path: str, expected: str, value: Any) -> List[Problem]:
    return [(path, f"must be {expected}, not {_kind(value)}")]


def object_problems(cls: Type[Any], value: Mapping[str, Any], path: str = "") -> List[Problem]:
    """Checks an object against a dataclass: types, missing fields, and unknown ones."""
    found: List[Problem] = []
    fields = {field.name: field for field in fields_of(cls)}
    for key, item in value.items():
        where = f"{path}.{key}" if path else key
        if key in fields:
            shown = Secret(item) if fields[key].options.secret else item
            found += problems_of(fields[key].type, shown, where) if item is not None or fields[key].required else []
        elif not key.startswith("__"):
            found.append((where, f"is not known; there are {', '.join(sorted(fields))}"))
    for field in fields.values():
        if field.required and value.get(field.name) is None:
            where = f"{path}.{field.name}" if path else field.name
            if not any(problem[0] == where for problem in found):
                found.append((where, "is missing"))
            elif field.name in value:
                found = [problem for problem in found if problem[0] != where] + [(where, "is missing")]
    return found


def _fits_simple(expected: Any, value: Any) -> bool:
    if expected is bool or isinstance(value, bool):
        return expected is bool and isinstance(value, bool)
    if expected is float:
        return isinstance(value, (int, float))
    if expected is int:
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, str)


def _kind(value: Any) -> str:
    for kind, name in (
        (bool, "a boolean"),
        ((int, float), "a number"),
        (str, "a string"),
        (dict, "an object"),
        ((list, tuple), "a list"),
    ):
        if isinstance(value, kind):
            return name
    return f"{type(value).__name__}"


# --- defaults -------------------------------------------------------------------------------------


def with_defaults(fields: Sequence[Field], inputs: Mapping[str, Any]) -> Dict[str, Any]:
    """The object with the defaults of its fields, at any depth: what a provider reads back has them, and must not look like
    another one."""
    filled = dict(inputs)
    for field in fields:
        value = filled.get(field.name)
        if value is not None:
            filled[field.name] = _filled(field.type, value)
        elif field.make_default is not None and field.default is not None:
            filled[field.name] = to_wire(field.default)
    return filled


def _filled(hint: Any, value: Any) -> Any:
    if isinstance(value, Secret):
        return Secret(_filled(hint, value.value))
    origin, args = parts_of(hint)
    if isinstance(value, dict) and is_object(origin):
        return with_defaults(fields_of(origin), value)
    if isinstance(value, dict) and is_map(origin) and len(args) > 1:
        return {key: _filled(args[1], item) for key, item in value.items()}
    if isinstance(value, (list, tuple)) and _is_list(origin) and args:
        return [_filled(args[0], item) for item in value]
    if origin is Union:
        fitting = [arg for arg in args if not problems_of(arg, _filled(arg, value), "")]
        return _filled(fitting[0], value) if fitting else value
    return value


# --- values ---------------------------------------------------------------------------------------


def to_python(hint: Any, value: Any) -> Any:
    """A value that fits the type, as the class's author sees it: no secrets, dataclasses for objects, members of enums."""
    if isinstance(value, Secret):
        return to_python(hint, value.value)
    if value is None or isinstance(value, Unknown):
        return value
    origin, args = parts_of(hint)
    if is_enum(origin):
        return origin(value)
    if origin is Literal:
        members = (arg for arg in args if isinstance(arg, enum.Enum) and _is_one_of(value, [arg.value]))
        return next(members, value)
    if is_object(origin) and isinstance(value, dict):
        return object_to_python(origin, value)
    if origin is Union:
        fitting = (arg for arg in args if not problems_of(arg, value, ""))
        return to_python(next(fitting, Any), value)
    if isinstance(value, dict):
        of = args[1] if is_map(origin) and len(args) > 1 else Any
        return {key: to_python(of, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        of = args[0] if _is_list(origin) and args else Any
        return [to_python(of, item) for item in value]
    return int(value) if origin is int and isinstance(value, float) and value.is_integer() else value


def object_to_python(cls: Type[Any], value: Mapping[str, Any]) -> Any:
    """An instance without the class's __init__, because something may be missing: a read of what is only imported. A
    ``__post_init__`` is called where all is there and known."""
    instance = object.__new__(cls)
    fields = fields_of(cls)
    for field in fields:
        if field.name in value:
            object.__setattr__(instance, field.attribute, to_python(field.type, value[field.name]))
        elif not field.required:
            object.__setattr__(instance, field.attribute, field.default)
    if has_post_init(cls) and all(not field.required or value.get(field.name) is not None for field in fields):
        if not contains_unknowns(dict(value)):
            instance.__post_init__()
    return instance


def has_post_init(cls: Type[Any]) -> bool:
    return dataclasses.is_dataclass(cls) and callable(getattr(cls, "__post_init__", None))


def to_wire(value: Any) -> Any:
    """The form of a value that programs and records see. Fields that are None are left out."""
    if isinstance(value, Secret):
        return Secret(to_wire(value.value))
    if isinstance(value, enum.Enum):
        return value.value
    if type(value) in ASSETS or type(value) in ARCHIVES:
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and not _is_value(value):
        return object_to_wire(value)
    if isinstance(value, dict):
        return {key: to_wire(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_wire(item) for item in value]
    return value


def _is_value(value: Any) -> bool:
    return type(value).__module__ == Secret.__module__


def object_to_wire(instance: Any) -> Dict[str, Any]:
    found = {}
    for field in fields_of(type(instance)):
        value = getattr(instance, field.attribute, None)
        if value is not None:
            found[field.name] = to_wire(value)
    return found
