# SPDX-License-Identifier: Apache-2.0
"""Compares two deployments field by field, without what differs between any two runs."""

from __future__ import annotations

import re

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SECRET_KEY = "4dabf18193072939515e22adb298388d"

# Times say nothing about the engine.
_VOLATILE = {"created", "modified"}
# The reference takes these from hash sets: their order is another one in every run.
_UNORDERED = {"dependencies", "propertyDependencies"}
_OUTSIDE = "project:///../"
_VOLATILE_DEPLOYMENT = {"manifest", "secrets_providers"}


def normalize(document: dict, scrub: dict[str, str] | None = None) -> dict:
    """The deployment as {urn: state}, with times, salts and ciphertexts taken out and `scrub` applied to texts."""
    deployment = {k: v for k, v in document["deployment"].items() if k not in _VOLATILE_DEPLOYMENT}
    live: dict[str, dict] = {}
    ids = {r["id"]: f"<id of {r['urn']}>" for r in deployment.get("resources") or [] if len(r.get("id", "")) >= 32}
    for row in deployment.get("resources") or []:
        key = row["urn"] + (" (deleted)" if row.get("delete") else "")
        live[key] = {k: _clean(_comparable(k, v), scrub or {}, ids) for k, v in row.items() if k not in _VOLATILE}
    deployment["resources"] = live
    for operation in deployment.get("pending_operations") or []:
        row = {k: _clean(_comparable(k, v), scrub or {}, ids) for k, v in operation["resource"].items() if k not in _VOLATILE}
        # Its provider may be gone.
        operation["resource"] = row | ({"provider": _UUID.sub("<id>", row["provider"])} if "provider" in row else {})
    return {"version": document["version"], "deployment": deployment}


def _comparable(key: str, value):
    if key in _UNORDERED:
        return _ordered(value)
    if key == "stackTrace":
        # The frames below the program's are those of its language host, which is not the same in every run.
        return [frame for frame in value if not frame.get("sourcePosition", _OUTSIDE).startswith(_OUTSIDE)]
    return value


def _ordered(urns):
    return {k: sorted(v) for k, v in urns.items()} if isinstance(urns, dict) else sorted(urns)


def _clean(value, scrub: dict[str, str], ids: dict[str, str]):
    if isinstance(value, dict):
        if value.get(SECRET_KEY) and "ciphertext" in value:
            return {"secret": "<ciphertext>"}
        return {k: _clean(v, scrub, ids) for k, v in value.items() if k != "__provider"}
    if isinstance(value, list):
        return [_clean(v, scrub, ids) for v in value]
    if isinstance(value, str):
        for real, name in (*ids.items(), *scrub.items()):
            value = value.replace(real, name)
    return value


def differences(left, right, path: str = "") -> list[str]:
    """Every place where two JSON values differ, as readable lines."""
    if isinstance(left, dict) and isinstance(right, dict):
        found = []
        for key in sorted(left.keys() | right.keys()):
            where = f"{path}.{key}" if path else key
            if key not in left:
                found.append(f"{where}: only right: {right[key]!r}")
            elif key not in right:
                found.append(f"{where}: only left: {left[key]!r}")
            else:
                found += differences(left[key], right[key], where)
        return found
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        return [d for i, (a, b) in enumerate(zip(left, right, strict=True)) for d in differences(a, b, f"{path}[{i}]")]
    return [] if left == right and type(left) is type(right) else [f"{path}: {left!r} != {right!r}"]
