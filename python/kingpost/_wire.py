# SPDX-License-Identifier: Apache-2.0
"""Properties as messages: what plugins and engines send each other. Needs the package ``pulumi``, for its protocol."""

from __future__ import annotations

from typing import Any, Dict, Mapping

from google.protobuf import struct_pb2
from pulumi.runtime import rpc

from .values import (
    UNKNOWN,
    AssetArchive,
    FileArchive,
    FileAsset,
    RemoteArchive,
    RemoteAsset,
    ResourceReference,
    Secret,
    TextAsset,
    Unknown,
)

_KEY = rpc._special_sig_key
_SECRET, _REFERENCE, _OUTPUT = rpc._special_secret_sig, rpc._special_resource_sig, rpc._special_output_value_sig
_ASSET, _ARCHIVE = rpc._special_asset_sig, rpc._special_archive_sig
_ASSETS = {"text": TextAsset, "path": FileAsset, "uri": RemoteAsset}
_ARCHIVES = {"assets": AssetArchive, "path": FileArchive, "uri": RemoteArchive}
_EXACT_INTEGERS = 2**53


# --- from messages --------------------------------------------------------------------------------


def from_struct(struct: struct_pb2.Struct) -> Dict[str, Any]:
    return {key: from_value(value) for key, value in struct.fields.items()}


def from_value(value: struct_pb2.Value) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "struct_value":
        fields = value.struct_value.fields
        return _special(from_struct(value.struct_value)) if _KEY in fields else from_struct(value.struct_value)
    if kind == "list_value":
        return [from_value(item) for item in value.list_value.values]
    if kind == "number_value":
        number = value.number_value
        return int(number) if number.is_integer() and abs(number) < _EXACT_INTEGERS else number
    if kind == "string_value":
        return UNKNOWN if value.string_value == rpc.UNKNOWN else value.string_value
    return value.bool_value if kind == "bool_value" else None


def _special(fields: Dict[str, Any]) -> Any:
    signature = fields.pop(_KEY)
    if signature == _SECRET:
        return Secret(fields.get("value"))
    if signature == _OUTPUT:
        inner = fields.get("value", UNKNOWN)
        return Secret(inner) if fields.get("secret") else inner
    if signature == _REFERENCE:
        return ResourceReference(fields["urn"], fields.get("id"), fields.get("packageVersion") or "")
    for known, classes in ((_ASSET, _ASSETS), (_ARCHIVE, _ARCHIVES)):
        if signature == known:
            for attribute, cls in classes.items():
                if attribute in fields:
                    return cls(fields[attribute], fields.get("hash") or "")
            return next(iter(classes.values()))("" if known == _ASSET else {}, fields.get("hash") or "")
    raise ValueError(f"a value with the unknown signature {signature!r}")


# --- to messages ----------------------------------------------------------------------------------


def to_struct(properties: Any) -> struct_pb2.Struct:
    if properties is not None and not isinstance(properties, Mapping):
        raise TypeError(f"the properties of a resource must be a dict, not {type(properties).__name__}")
    struct = struct_pb2.Struct()
    for key, value in (properties or {}).items():
        if not isinstance(key, str):
            raise TypeError("the keys of a resource's properties must be str")
        struct.fields[key].CopyFrom(to_value(value))
    return struct


def to_value(value: Any) -> struct_pb2.Value:
    if value is None:
        return struct_pb2.Value(null_value=struct_pb2.NULL_VALUE)
    if isinstance(value, bool):
        return struct_pb2.Value(bool_value=value)
    if isinstance(value, int) and abs(value) > _EXACT_INTEGERS:
        if abs(value) >= _EXACT_INTEGERS**2 or int(float(value)) != value:
            raise ValueError(f"the whole number {value} has more digits than numbers of properties keep (2**53); pass a text")
    if isinstance(value, (int, float)):
        return struct_pb2.Value(number_value=value)
    if isinstance(value, str):
        return struct_pb2.Value(string_value=value)
    if isinstance(value, dict):
        return struct_pb2.Value(struct_value=to_struct(value))
    if isinstance(value, (list, tuple)):
        return struct_pb2.Value(list_value=struct_pb2.ListValue(values=[to_value(item) for item in value]))
    return _to_special(value)


def _to_special(value: Any) -> struct_pb2.Value:
    if isinstance(value, Unknown):
        return struct_pb2.Value(string_value=rpc.UNKNOWN)
    if isinstance(value, Secret):
        return _signed(_SECRET, {"value": value.value})
    if isinstance(value, ResourceReference):
        fields: Dict[str, Any] = {"urn": value.urn}
        if value.id is not None:
            fields["id"] = "" if isinstance(value.id, Unknown) else value.id
        return _signed(_REFERENCE, {**fields, "packageVersion": value.package_version})
    for signature, classes in ((_ASSET, _ASSETS), (_ARCHIVE, _ARCHIVES)):
        for attribute, cls in classes.items():
            if type(value) is cls:
                return _signed(signature, {attribute: getattr(value, attribute), "hash": getattr(value, "hash", "")})
    raise TypeError(
        f"a value of type {type(value).__name__} cannot be a resource property; use None, bool, int, float, str, list, "
        "dict, kingpost.Secret, kingpost.UNKNOWN, an asset, an archive or a reference"
    )


def _signed(signature: str, fields: Dict[str, Any]) -> struct_pb2.Value:
    return struct_pb2.Value(struct_value=to_struct({_KEY: signature, **fields}))
