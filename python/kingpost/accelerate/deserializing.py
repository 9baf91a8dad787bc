# SPDX-License-Identifier: Apache-2.0
"""Outputs are read from the answer's Struct directly, and resolved in one pass.

The SDK goes through protobuf's Python interface for each value, and copies each container to translate keys that do not
change. It also makes an object for the path of each part, which only an error message needs.

Equal because only what is certain to come out the same is read here: plain values, and unknown ones. The SDK's function
reads a property with a secret, an asset or a reference in it. It also translates one whose type or names need more than
a look. Whatever goes wrong, the SDK's function does it again, from the start, and raises its error.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Optional, Set

from .guard import Known
from .swap import Swaps

KNOWN: Known = {
    "pulumi.runtime.rpc:deserialize_properties": ("e4b8ebdc1594cf4e",),
    "pulumi.runtime.rpc:deserialize_property": ("662b333c8c26d270",),
    "pulumi.runtime.rpc:resolve_outputs": ("18f65c1be3ad95f4",),
    "pulumi.runtime.rpc:translate_output_properties": ("3b2d90a79afc9f4f", "3ec2501d581fd670"),
    "pulumi.runtime.rpc:is_rpc_secret": ("4b3350eeecb6d52c",),
    "pulumi.resource:Resource.translate_output_property": ("8cfdfa0885b87b1b",),
}


class _NotPlain(Exception):
    pass


_NOT_PLAIN = object()


class _Reader:
    """Values of a Struct as Python's. Raises _NotPlain for what the SDK makes more of."""

    def __init__(self, rpc: Any, make_unknown: Callable[[], Any]) -> None:
        self._signature: str = rpc._special_sig_key
        self._unknown: str = rpc.UNKNOWN
        self._make_unknown = make_unknown

    def plain(self, value: Any, keep_unknowns: bool) -> Any:
        """The value, or _NOT_PLAIN."""
        try:
            return self.value(value, keep_unknowns)
        except Exception:  # noqa: BLE001  (whatever it is, the SDK meets it again)
            return _NOT_PLAIN

    def value(self, value: Any, keep_unknowns: bool) -> Any:
        kind = value.WhichOneof("kind")
        if kind == "string_value":
            text = value.string_value
            if text != self._unknown:
                return text
            return self._make_unknown() if keep_unknowns else None
        if kind == "number_value":
            return value.number_value
        if kind == "bool_value":
            return value.bool_value
        if kind == "struct_value":
            return self.fields(value.struct_value.fields, keep_unknowns)
        if kind == "list_value":
            return [self.value(part, keep_unknowns) for part in value.list_value.values]
        if kind == "null_value":
            return None
        raise _NotPlain

    def fields(self, fields: Any, keep_unknowns: bool) -> Dict[str, Any]:
        if self._signature in fields:
            raise _NotPlain
        values = {name: self.value(value, keep_unknowns) for name, value in fields.items()}
        return {name: value for name, value in values.items() if value is not None}


def install(swaps: Swaps) -> None:
    import pulumi
    from pulumi import _types
    from pulumi.output import Unknown
    from pulumi.runtime import rpc, settings

    deserialize_of_sdk: Any = rpc.deserialize_properties
    resolve_of_sdk: Any = rpc.resolve_outputs
    deserialize_property: Any = rpc.deserialize_property
    resolve_properties: Any = rpc.resolve_properties
    translate_of_sdk: Any = rpc.translate_output_properties
    legacy_apply: Any = settings.is_legacy_apply_enabled
    unchanged = pulumi.Resource.translate_output_property
    reader = _Reader(rpc, Unknown)

    def deserialize_properties(
        props_struct: Any, keep_unknowns: Optional[bool] = None, keep_internal: Optional[bool] = True
    ) -> Any:
        fields = props_struct.fields
        if keep_internal is False or reader._signature in fields:
            return deserialize_of_sdk(props_struct, keep_unknowns, keep_internal)
        keep = bool(settings.is_dry_run() or keep_unknowns)
        output = {}
        for name, value in fields.items():
            found = reader.plain(value, keep)
            if found is _NOT_PLAIN:
                found = deserialize_property(props_struct[name], keep_unknowns, keep_internal)
            if found is not None:
                output[name] = found
        return output

    def resolve_outputs(
        res: Any,
        serialized_props: Any,
        outputs: Any,
        deps: Mapping[str, Set[Any]],
        resolvers: Dict[str, Any],
        custom: bool,
        transform_using_type_metadata: bool = False,
        keep_unknowns: bool = False,
        resolve_missing_as_unknown: bool = False,
    ) -> None:
        by_type = transform_using_type_metadata
        properties: Optional[Dict[str, Any]] = None
        if not settings.excessive_debug_output:
            try:
                names = naming(res, by_type)
                properties = all_properties(res, names, serialized_props, outputs, by_type, keep_unknowns)
                translated_deps = {names(key): resources for key, resources in deps.items()}
            except Exception:  # noqa: BLE001  (whatever it is, the SDK meets it again)
                properties = None
        if properties is not None:
            resolve_properties(resolvers, properties, translated_deps, custom, resolve_missing_as_unknown)
            return
        arguments = (res, serialized_props, outputs, deps, resolvers, custom, by_type, keep_unknowns)
        resolve_of_sdk(*arguments, resolve_missing_as_unknown)

    def naming(res: Any, by_type: bool) -> Callable[[str], str]:
        if not by_type:
            translate: Callable[[str], str] = res.translate_output_property
            return translate
        names = _types.resource_pulumi_to_py_names(type(res))
        return lambda key: names.get(key) or key

    def all_properties(
        res: Any, names: Callable[[str], str], serialized: Any, outputs: Any, by_type: bool, keep_unknowns: bool
    ) -> Dict[str, Any]:
        types = _types.resource_types(type(res))
        unchanged_names = by_type or getattr(res.translate_output_property, "__func__", None) is unchanged

        def translated(key: str, value: Any, name: str, none_on_mismatch: bool) -> Any:
            typ = types.get(key)
            if type(value) is typ or (typ is None and unchanged_names):
                if type(value) not in (dict, list) or typ is None:
                    return value
            pass_on = (lambda prop: prop) if by_type else res.translate_output_property
            path = rpc._Path(name, resource=f"{res._name}")
            return translate_of_sdk(value, pass_on, typ, by_type, path, none_on_mismatch)

        properties = {}
        for key, value in deserialize_properties(outputs, keep_unknowns).items():
            name = names(key)
            properties[name] = translated(key, value, name, False)
        if settings.is_dry_run() and not legacy_apply():
            return properties
        # Inputs for which the engine has no value count as outputs.
        for key in serialized.fields:
            name = names(key)
            if name not in properties:
                properties[name] = translated(key, deserialize_property(serialized[key]), name, True)
        return properties

    swaps.add(deserialize_of_sdk, deserialize_properties)
    swaps.add(resolve_of_sdk, resolve_outputs)
