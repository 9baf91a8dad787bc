# SPDX-License-Identifier: Apache-2.0
"""Which inputs are plain, and how they look on the wire.

Plain are texts, numbers, booleans, None, lists, tuples and dicts of them, and instances of input types that hold only such
values. To have them serialized nobody has to wait. Everything else (outputs, resources, assets, awaitables, and whatever the
SDK refuses) is not plain: `encode` raises NotPlain, and the SDK's own function serializes the value, or raises its error.

Names are translated as the SDK does it. Input types have them in their metadata, and the resource's translator has
those of other dicts, unless their type says that keys are the user's own.
"""

from __future__ import annotations

import collections.abc
import typing
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from . import struct_bytes

Translate = Optional[Callable[[str], str]]

_DICTS = (dict, typing.Dict, collections.abc.Mapping, typing.Mapping)


class NotPlain(Exception):
    pass


class _Names:
    """How a dict of a certain type is translated: its keys, and the types of its values by their translated keys."""

    def __init__(self, names: Optional[Mapping[str, str]], types: Optional[Mapping[str, Any]], every: Any, own: bool):
        self.names = names  # of an input type
        self.types = types
        self.every = every  # the type of all values
        self.own_keys = own


class PlainValues:
    def __init__(self, types: Any, rpc: Any) -> None:
        self._types = types  # pulumi._types
        self._element_type: Callable[[Any], Any] = rpc._get_list_element_type
        self._discriminated: Callable[[Any], bool] = getattr(types, "is_discriminated_union", lambda typ: False)
        self._input_classes: Dict[type, bool] = {}
        self._names_by_type: Dict[int, Tuple[Any, _Names]] = {}

    def encode(self, value: Any, typ: Any, translate: Translate) -> bytes:
        """The bytes of the Value. `translate` is the resource's translator; None if it changes nothing."""
        kind = type(value)
        if kind is str:
            return struct_bytes.text(value)
        if value is None:
            return struct_bytes.NULL
        if kind is bool:
            return struct_bytes.TRUE if value else struct_bytes.FALSE
        if kind is int or kind is float:
            return struct_bytes.number(value)
        if typ is not None:
            typ = self._types.unwrap_type(typ)
            typ = None if typ is Any else typ
        if kind is list or kind is tuple:
            return self._list(value, typ, translate)
        if kind is dict:
            return self._dict(value, typ, translate)
        if isinstance(value, str):  # an enum
            return struct_bytes.text(value)
        if isinstance(value, (int, float)):
            return struct_bytes.number(value)
        if self._is_input_class(kind):
            return self._input_object(value, kind, translate)
        raise NotPlain

    def _list(self, values: Any, typ: Any, translate: Translate) -> bytes:
        element = self._element_type(typ) if typ is not None else None
        return struct_bytes.list_value([self.encode(value, element, translate) for value in values])

    def _dict(self, values: Dict[Any, Any], typ: Any, translate: Translate) -> bytes:
        if typ is None:
            if translate is None:
                return struct_bytes.struct_value([(key, self.encode(value, None, None)) for key, value in values.items()])
            fields = {translate(key): self.encode(value, None, translate) for key, value in values.items()}
            return struct_bytes.struct_value(fields.items())
        how = self._names(typ)
        if how.types is not None and how.names is not None:
            fields = {}
            for key, value in values.items():
                name = how.names.get(key) or key
                fields[name] = self.encode(value, how.types.get(name), translate)
            return struct_bytes.struct_value(fields.items())
        rename = None if how.own_keys else translate
        fields = {(rename(key) if rename else key): self.encode(value, how.every, translate) for key, value in values.items()}
        return struct_bytes.struct_value(fields.items())

    def _input_object(self, value: Any, kind: type, translate: Translate) -> bytes:
        types = self._types.input_type_types(kind)
        fields = self._types.input_type_to_dict(value)
        return struct_bytes.struct_value([(name, self.encode(part, types.get(name), translate)) for name, part in fields.items()])

    def _is_input_class(self, kind: type) -> bool:
        known = self._input_classes.get(kind)
        if known is None:
            import pulumi

            others = (pulumi.Resource, pulumi.Asset, pulumi.Archive, pulumi.Output)
            known = (
                self._types.is_input_type(kind)
                and not issubclass(kind, others)
                and not issubclass(kind, (collections.abc.Sequence, collections.abc.Awaitable))
            )
            self._input_classes[kind] = known
        return known

    def _names(self, typ: Any) -> _Names:
        found = self._names_by_type.get(id(typ))
        if found is None:
            found = self._names_by_type[id(typ)] = (typ, self._names_of(typ))
        return found[1]

    def _names_of(self, typ: Any) -> _Names:
        if self._discriminated(typ):
            raise NotPlain  # the member depends on the value
        if self._types.is_input_type(typ):
            names = self._types.input_type_py_to_pulumi_names(typ)
            return _Names(names, self._types.input_type_types(typ), None, False)
        origin = typing.get_origin(typ)
        if typ is dict or origin in _DICTS:
            arguments = typing.get_args(typ)
            if len(arguments) == 2 and arguments[0] is str:
                return _Names(None, None, arguments[1], True)
            return _Names(None, None, None, False)
        return _Names(None, None, None, True)
