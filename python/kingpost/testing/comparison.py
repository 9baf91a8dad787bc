# SPDX-License-Identifier: Apache-2.0
"""Compares an operation with a file that a person has read and accepted."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any, Dict

from ..result import Result
from ..values import UNKNOWN, Secret
from .assertions import steps_of


def _plain(value: Any) -> Any:
    """As JSON: secrets hidden, unknown values named."""
    if isinstance(value, Secret):
        return "[secret]"
    if value is UNKNOWN:
        return "[unknown]"
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def describe(result: Result) -> Dict[str, Any]:
    """The steps, outputs and resources of a result, in an order that does not depend on threads. No secrets."""
    resources = {
        state.urn: {"id": state.id, "inputs": _plain(state.inputs), "outputs": _plain(state.outputs)}
        for state in result.resources
        if state.type != "pulumi:pulumi:Stack" and not state.type.startswith("pulumi:providers:")
    }
    reasons = {step.urn: step.reason.said for step in result.steps if step.reason is not None}
    steps = {urn: f"{op}: {reasons[urn]}" if urn in reasons else op for urn, op in steps_of(result).items()}
    return {"outputs": _plain(result.outputs), "resources": resources, "steps": steps}


def compare(result: Result, path: Path, *, accept: bool) -> None:
    """Raises AssertionError with the differences, unless the file says the same. ``accept`` writes it instead."""
    __tracebackhide__ = True
    text = json.dumps(describe(result), indent=2, sort_keys=True) + "\n"
    if accept:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return
    if not path.exists():
        raise AssertionError(f"{path} is not there yet: run pytest with --kingpost-accept, and read what it writes")
    wanted = path.read_text()
    if wanted == text:
        return
    lines = difflib.unified_diff(wanted.splitlines(), text.splitlines(), "accepted", "now", lineterm="", n=2)
    raise AssertionError(
        "\n".join([f"the result is not that of {path}; if it is right, run pytest with --kingpost-accept:", *lines])
    )
