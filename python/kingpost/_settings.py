# SPDX-License-Identifier: Apache-2.0
"""What an operation of a stack is given, checked, and what comes of it as an exception."""

from __future__ import annotations

import json
import os
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._checked import flag, texts
from .errors import Cancelled, Error, PolicyViolation, ResourceFailed, error_of
from .result import Result, UpdatePlan
from .values import Secret, unwrap

Plan = Union[UpdatePlan, str, "os.PathLike[str]"]

_MIN_MASKED_LENGTH = 3  # shorter texts occur everywhere
_ROOT_TYPE = "pulumi:pulumi:Stack"


class Alone:
    """One operation of an object at a time."""

    def __init__(self, lock: threading.Lock, name: str) -> None:
        self._lock = lock
        self._name = name

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise error_of("locked", f"an operation on stack {self._name} is running already")

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


_FLAGS = (
    "preview",
    "refresh",
    "run_program",
    "continue_on_error",
    "target_dependents",
    "exclude_dependents",
    "exclude_protected",
    "clear_pending_creates",
    "save_plan",
    "protect",
    "debug",
)
_DEFAULTS: Dict[str, Any] = {
    **dict.fromkeys(_FLAGS, False),
    "targets": (),
    "excludes": (),
    "replace": (),
    "import_pending_creates": {},
    "plan": "",
    "import_json": "",
    "message": "",
}


def plan_text(plan: Optional[Plan]) -> str:
    if plan is None:
        return ""
    found = plan if isinstance(plan, UpdatePlan) else UpdatePlan.load(plan)
    if not found.text.strip():
        raise ValueError("the update plan is empty; make one with stack.preview(save_plan=True)")
    return found.text


def masking(plaintexts: Sequence[str]) -> Callable[[str], str]:
    hidden = sorted({text for text in plaintexts if len(text) >= _MIN_MASKED_LENGTH}, key=len, reverse=True)

    def mask(text: str) -> str:
        for plaintext in hidden:
            text = text.replace(plaintext, "[secret]")
        return text

    return mask


def error_from(failure: Exception) -> Error:
    message, kind = failure.args
    return error_of(kind, message)


def failure_of(outcome: Mapping[str, Any], result: Result, message: str) -> Error:
    """The first that went wrong decides the kind."""
    if outcome["cancelled"]:
        return Cancelled(message or "the operation was cancelled", result)
    if outcome["kind"]:
        return error_of(outcome["kind"], message, result)
    kind = "program" if outcome["program_failed"] else ""
    failed = next((step.urn for step in result.steps if step.failed), "")
    for diagnostic in result.diagnostics:
        if diagnostic.severity != "error":
            continue
        text = diagnostic.message.strip()
        if diagnostic.policy:
            return PolicyViolation(text, result, diagnostic.urn, diagnostic.policy)
        if diagnostic.urn and f"::{_ROOT_TYPE}::" not in diagnostic.urn:
            return ResourceFailed(text, result, diagnostic.urn)
        if failed:
            return ResourceFailed(text, result, failed)
        return error_of(kind, text, result)
    return error_of(kind, message or "the operation failed", result)


def checked_options(given: Mapping[str, Any]) -> Dict[str, Any]:
    """All that the extension wants to be told, what was given over the defaults."""
    options = {**_DEFAULTS, **given}
    for name in ("targets", "excludes", "replace"):
        options[name] = texts(name, options[name])
    for name in _FLAGS:
        flag(name, options[name])
    return options


def configuration(project: str, config: Mapping[str, Any]) -> Tuple[Dict[str, str], List[str]]:
    """The texts by full key, and the keys of those that are secret."""
    settings: Dict[str, str] = {}
    secret_keys: List[str] = []
    for key, value in config.items():
        full = key if ":" in key else f"{project}:{key}"
        if isinstance(value, Secret):
            secret_keys.append(full)
            value = value.value
        settings[full] = _config_text(value)
    return settings, secret_keys


def _config_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    return json.dumps(unwrap(value))
