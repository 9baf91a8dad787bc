# SPDX-License-Identifier: Apache-2.0
"""Compares two deployments field by field, without the fields that differ in every run."""

from __future__ import annotations

import re

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SECRET_KEY = "4dabf18193072939515e22adb298388d"

# The fields that are left out, and why. Times say nothing about the engine, but that they are there does.
_TIMES = {"created", "modified"}
# The reference takes these from hash sets: their order is another one in every run.
_UNORDERED = {"dependencies", "propertyDependencies"}
_OUTSIDE = "project:///../"
# The manifest tells when, with which command and with which plugins in which folders a state was written.
_VOLATILE_DEPLOYMENT = {"manifest"}
# The serialized function of a dynamic provider: bytes that depend on the SDK's host for the language.
_VOLATILE_PROPERTY = "__provider"


def normalize(document: dict, scrub: dict[str, str] | None = None) -> dict:
    """The deployment as {urn: state}, with times, salts and ciphertexts taken out and `scrub` applied to texts."""
    deployment = {k: v for k, v in document["deployment"].items() if k not in _VOLATILE_DEPLOYMENT}
    if "secrets_providers" in deployment:  # with a salt of its own
        deployment["secrets_providers"] = {"type": deployment["secrets_providers"].get("type")}
    live: dict[str, dict] = {}
    rows = sorted(deployment.get("resources") or [], key=lambda r: -len(r.get("id", "")))  # one may begin with another
    ids = {r["id"]: f"<id of {r['urn']}>" for r in rows if len(r.get("id", "")) >= 32}
    for row in deployment.get("resources") or []:
        key = row["urn"] + (" (deleted)" if row.get("delete") else "")
        live[key] = _row(row, scrub or {}, ids)
    deployment["resources"] = live
    for operation in deployment.get("pending_operations") or []:
        row = _row(operation["resource"], scrub or {}, ids)
        # Its provider may be gone.
        operation["resource"] = row | ({"provider": _UUID.sub("<id>", row["provider"])} if "provider" in row else {})
    return {"version": document["version"], "deployment": deployment}


def _row(row: dict, scrub: dict[str, str], ids: dict[str, str]) -> dict:
    return {k: "<time>" if k in _TIMES else _clean(_comparable(k, v), scrub, ids) for k, v in row.items()}


def _comparable(key: str, value):
    if key in _UNORDERED:
        return _ordered(value)
    return own_frames(value) if key == "stackTrace" else value


def own_frames(stack_trace: list[dict]) -> list[dict]:
    """The frames of the program. Those below are of its language host, which is not the same in every run."""
    return [frame for frame in stack_trace if not frame.get("sourcePosition", _OUTSIDE).startswith(_OUTSIDE)]


def _ordered(urns):
    return {k: sorted(v) for k, v in urns.items()} if isinstance(urns, dict) else sorted(urns)


def _clean(value, scrub: dict[str, str], ids: dict[str, str]):
    if isinstance(value, dict):
        if value.get(SECRET_KEY) and "ciphertext" in value:
            return {"secret": "<ciphertext>"}
        return {k: _clean(v, scrub, ids) for k, v in value.items() if k != _VOLATILE_PROPERTY}
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
