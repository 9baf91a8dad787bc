# SPDX-License-Identifier: Apache-2.0
"""Checks the arguments of a stack's operation, and makes exceptions of its failures."""

from __future__ import annotations

import json
import math
import os
import re
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._callback import Causes, hint, is_from_own_code
from ._checked import flag, mapped, path_argument, text_argument, texts
from ._hints import hints_for
from .errors import Cancelled, Error, PolicyFailed, PolicyViolation, ResourceFailed, error_of
from .result import Result, UpdatePlan
from .values import Secret, unwrap

Plan = Union[UpdatePlan, str, "os.PathLike[str]"]

_MIN_MASKED_LENGTH = 3  # shorter texts occur everywhere
_ROOT_TYPE = "pulumi:pulumi:Stack"
# How the engine tells that a component could not be constructed, which has no URN yet.
_OF_COMPONENT = re.compile(r"(\S+) resource '(.*?)' has a problem: (.*)", re.DOTALL)


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
    found = plan if isinstance(plan, UpdatePlan) else UpdatePlan.load(path_argument("plan", plan, " or a kingpost.UpdatePlan"))
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


def error_from(failure: Exception, causes: Optional[Causes] = None) -> Error:
    message, kind = failure.args
    return caused(error_of(kind, message), causes or Causes(), str)


def caused(error: Error, causes: Causes, mask: Callable[[str], str]) -> Error:
    """With the exception that is behind it, and hints of what the API can do about it."""
    raised = causes.of(str(error), error.urn, mask)
    if raised is not None and is_from_own_code(raised.error) and not raised.is_secret(mask):
        error.__cause__ = raised.error
    for text in hints_for(error):
        hint(error, text)
    return error


def resource_failed(text: str, result: Result, urn: str) -> ResourceFailed:
    """ "error in db (cloud:index:Database): KeyError: 'size'" """
    parts = urn.split("::", 3)
    if len(parts) == 4:
        type_ = parts[2].rpartition("$")[2]
        named = f"{type_} resource '{parts[3]}'"
        if text.startswith(named):  # as the engine tells failures of checks
            text = text[len(named) :].lstrip(": ")
        text = f"error in {parts[3]} ({type_}): {text}"
    return ResourceFailed(text, result, urn)


def failure_of(
    outcome: Mapping[str, Any],
    result: Result,
    message: str,
    causes: Optional[Causes] = None,
    mask: Callable[[str], str] = str,
    stopped: bool = False,
) -> Error:
    """The first that went wrong decides the kind. ``stopped``: it was told to end at once, which fails what was in flight."""
    noted = causes or Causes()
    return caused(_failure_of(outcome, result, message, noted, mask, stopped), noted, mask)


def _failure_of(
    outcome: Mapping[str, Any],
    result: Result,
    message: str,
    causes: Causes,
    mask: Callable[[str], str],
    stopped: bool,
) -> Error:
    if outcome["cancelled"] or stopped:
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
        urn = diagnostic.urn if f"::{_ROOT_TYPE}::" not in diagnostic.urn else ""
        raised = causes.of(text, urn, mask)
        if raised is not None and raised.by == "transform":
            return error_of("program", mask(f"transform {raised.name}: {raised.text}"), result)
        component = _OF_COMPONENT.match(text) if raised is not None and raised.by == "provider" else None
        if component is not None:
            type_, name, what = component.groups()
            return ResourceFailed(f"error in {name} ({type_}): {what}", result, urn)
        if raised is not None and raised.by == "policy":
            return PolicyFailed(text, result, raised.urn, raised.name)
        urn = urn or failed or (raised.urn if raised is not None else "")
        return resource_failed(text, result, urn) if urn else error_of(kind, text, result)
    return error_of(kind, message or "the operation failed", result)


def checked_options(given: Mapping[str, Any]) -> Dict[str, Any]:
    """All that the extension wants to be told, what was given over the defaults."""
    options = {**_DEFAULTS, **given}
    for name in ("targets", "excludes", "replace"):
        options[name] = texts(name, options[name])
    for name in _FLAGS:
        flag(name, options[name])
    text_argument("message", options["message"])
    pending = mapped("import_pending_creates", "URNs and IDs", options["import_pending_creates"])
    for urn, id in pending.items():
        text_argument("a URN in import_pending_creates", urn)
        text_argument("an ID in import_pending_creates", id)
    return options


def configuration(project: str, config: Mapping[str, Any]) -> Tuple[Dict[str, str], List[str]]:
    """The texts by full key, and the keys of those that are secret."""
    settings: Dict[str, str] = {}
    secret_keys: List[str] = []
    for key, value in config.items():
        text_argument("a key of config", key)
        full = key if ":" in key else f"{project}:{key}"
        if isinstance(value, Secret):
            secret_keys.append(full)
            value = value.value
        settings[full] = _config_text(key, value)
    return settings, secret_keys


def _config_text(key: str, value: Any) -> str:
    where = f"config[{key!r}]"
    if isinstance(value, str):
        return text_argument(where, value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    if not isinstance(value, (dict, list, tuple)):
        remedy = "; leave the key out to have no setting" if value is None else ""
        raise TypeError(f"{where} must be a text, a number, a bool, a list or a dict, not {value!r}{remedy}")
    try:
        return json.dumps(unwrap(value), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{where} must hold what JSON can hold: {error}") from None
    except RecursionError:
        raise ValueError(f"{where} must be a value that is not nested so deeply, and does not hold itself") from None
