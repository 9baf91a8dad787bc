# SPDX-License-Identifier: Apache-2.0
"""Plain inputs are serialized at once, without a coroutine for each part of them, and straight to bytes.

Equal because what is plain (see plain_values.py) needs no waiting and has no dependencies, and the bytes are those that the
SDK's Struct would have. Properties are taken in their order, so that one which stands behind an output is still read when
that output has its value. A property that is not plain goes to the SDK's own function by itself: so does every one that is
not legal, and the error is the SDK's.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from . import struct_bytes
from .guard import Known
from .plain_values import PlainValues, Translate
from .swap import Swaps

KNOWN: Known = {
    "pulumi.runtime.rpc:serialize_properties": ("9c9f1d090ecb8eba", "d101e72bd9ececa9"),
    "pulumi.runtime.rpc:serialize_property": (
        "39723ac9c845a71d",
        "ccbc17db9d7b26db",
        "a88bd793d0d0fe78",
        "7e1361fad73506d2",
        "7e10fa58caa0d784",
    ),
    "pulumi.runtime.rpc:_get_list_element_type": ("2cebbaaecc4adb1b", "3f8a08367e4b35f1"),
    "pulumi.runtime.rpc:isLegalProtobufValue": ("adad974345258995",),
    "pulumi._types:input_type_to_dict": ("5a10ef261ff865a7", "7a4ebad68fd5a18f", "2337bcb071aab749"),
    "pulumi._types:unwrap_type": ("2426e2ad3e2fd680", "eec4ca91522d728d", "6ccd35036cb0b3d4"),
    "pulumi.resource:Resource.translate_input_property": ("85bb661890e2e582",),
}

_SCALARS = frozenset((str, int, float, bool))


def install(swaps: Swaps) -> None:
    import pulumi
    from pulumi import _types
    from pulumi.runtime import rpc, settings

    properties_of_sdk: Any = rpc.serialize_properties
    property_of_sdk: Any = rpc.serialize_property
    unchanged = pulumi.Resource.translate_input_property
    make_struct: Any = vars(rpc)["struct_pb2"].Struct
    plain = PlainValues(_types, rpc)

    async def serialize_properties(
        inputs: Any,
        property_deps: Dict[str, List[Any]],
        resource_obj: Optional[Any] = None,
        input_transformer: Translate = None,
        typ: Optional[Any] = None,
        *more: Any,
        **options: Any,
    ) -> Any:
        if type(inputs) is not dict or settings.excessive_debug_output:
            return await properties_of_sdk(inputs, property_deps, resource_obj, input_transformer, typ, *more, **options)
        struct = make_struct()
        translate = None if getattr(input_transformer, "__func__", None) is unchanged else input_transformer
        name_and_type = naming(translate, typ)
        for key in inputs:
            value = inputs[key]
            if value is None:
                continue
            name = add_plain(struct, key, value, name_and_type, translate)
            if name is not None:
                property_deps[name] = []
                continue
            one = {key: value}
            struct.MergeFrom(
                await properties_of_sdk(one, property_deps, resource_obj, input_transformer, typ, *more, **options)
            )
        return struct

    def add_plain(
        struct: Any, key: str, value: Any, name_and_type: Callable[[str], Tuple[str, Any]], translate: Translate
    ) -> Optional[str]:
        """The property's name in the struct; None if it is not plain."""
        try:
            name, value_type = name_and_type(key)
            struct.MergeFromString(struct_bytes.field(name, plain.encode(value, value_type, translate)))
            return name
        except Exception:  # noqa: BLE001  (whatever it is, the SDK meets it again)
            return None

    def naming(translate: Translate, typ: Optional[Any]) -> Callable[[str], Tuple[str, Any]]:
        """Top-level names: those of the input type if there is one."""
        if typ is None:
            return lambda key: (key if translate is None else translate(key), None)
        names = _types.input_type_py_to_pulumi_names(typ)
        types = _types.input_type_types(typ)

        def by_type(key: str) -> Tuple[str, Any]:
            name = names.get(key) or key
            return name, types.get(name)

        return by_type

    async def serialize_property(value: Any, deps: Any, property_key: Any, *more: Any, **options: Any) -> Any:
        # The value of an output is often a scalar.
        if (value is None or type(value) in _SCALARS) and not options.get("return_protobuf_value") and len(more) < 6:
            return value
        return await property_of_sdk(value, deps, property_key, *more, **options)

    swaps.add(properties_of_sdk, serialize_properties)
    swaps.add(property_of_sdk, serialize_property)


