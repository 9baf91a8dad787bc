# SPDX-License-Identifier: Apache-2.0
"""What an operation did."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Optional, Union

from .values import Secret


@dataclass(frozen=True)
class ResourceState:
    """A resource as it is recorded. Secret properties are ``kingpost.Secret``."""

    urn: str
    type: str
    name: str
    id: str
    custom: bool
    inputs: Dict[str, Any]
    outputs: Dict[str, Any]
    parent: str = ""
    protect: bool = False
    external: bool = False
    dependencies: List[str] = field(default_factory=list)
    provider: str = ""
    pending_delete: bool = False
    init_errors: List[str] = field(default_factory=list)


@dataclass
class Reason:
    """Why a step was taken: ``rule`` is a short name, ``said`` a line for people.

    ``source`` tells who spoke: "program", "provider", "option", "flag" or "record"; ``properties`` are paths. If the
    decision about another resource caused this one, ``by`` is its URN and ``cause`` the reason of that decision, so that
    causes lead to a first one.
    """

    rule: str
    said: str
    source: str
    properties: List[str] = field(default_factory=list)
    by: str = ""
    cause: Optional["Reason"] = None


@dataclass(frozen=True)
class Step:
    """One step: ``op`` is "create", "same", "update", "delete", "replace", "create-replacement" and so on."""

    op: str
    urn: str
    type: str
    old: Optional[ResourceState] = None
    new: Optional[ResourceState] = None
    diffs: List[str] = field(default_factory=list)  #: properties that changed
    keys: List[str] = field(default_factory=list)  #: properties that force a replacement
    detailed: Optional[Dict[str, str]] = None  #: property path -> kind of change
    failed: bool = False
    reason: Optional[Reason] = None  #: of what a provider shows there is none

    @property
    def name(self) -> str:
        return self.urn.split("::", 3)[-1]


@dataclass(frozen=True)
class Diagnostic:
    """A message: ``severity`` is "info", "info#err", "warning" or "error"; ``policy`` names the violated one."""

    severity: str
    message: str
    urn: str = ""
    policy: str = ""


@dataclass(frozen=True)
class UpdatePlan:
    """What a preview promised; ``up(plan=...)`` does that or nothing. Secrets in ``text`` are encrypted."""

    text: str = field(repr=False)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes it as ``kingpost preview --save-plan`` does; ``kingpost up --plan`` takes it, too."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "UpdatePlan":
        with open(path, encoding="utf-8") as file:
            return cls(file.read())


@dataclass(frozen=True)
class HistoryEntry:
    """One finished operation, as the stack's history keeps it. Secret configuration is ``kingpost.Secret``, sealed."""

    version: int  #: 1 is the oldest; 0 in a page of a history, where it is not recorded
    kind: str  #: "update", "refresh", "destroy", "import"
    result: str  #: "succeeded", "failed"
    start: datetime
    end: Optional[datetime]
    message: str = ""
    changes: Dict[str, int] = field(default_factory=dict)  #: op -> how many resources
    environment: Dict[str, str] = field(default_factory=dict)
    config: Dict[str, Any] = field(default_factory=dict)


def make_history_entry(record: Dict[str, Any], number: int) -> HistoryEntry:
    def time_of(key: str) -> Optional[datetime]:
        return datetime.fromtimestamp(record[key], timezone.utc) if record.get(key) else None

    def value_of(value: Any) -> Any:
        return Secret("[secret]") if isinstance(value, dict) and "secure" in value else value

    return HistoryEntry(
        version=int(record.get("version") or number),
        kind=str(record.get("kind", "")),
        result=str(record.get("result", "")),
        start=time_of("startTime") or datetime.fromtimestamp(0, timezone.utc),
        end=time_of("endTime"),
        message=str(record.get("message") or ""),
        changes=dict(record.get("resourceChanges") or {}),
        environment=dict(record.get("environment") or {}),
        config={key: value_of(value) for key, value in (record.get("config") or {}).items()},
    )


@dataclass(frozen=True)
class Result:
    """The outcome of a preview, up, refresh or destroy."""

    steps: List[Step] = field(default_factory=list)
    outputs: Dict[str, Any] = field(default_factory=dict)  #: of the stack
    summary: Dict[str, int] = field(default_factory=dict)  #: op -> how many resources
    resources: List[ResourceState] = field(default_factory=list)  #: recorded now; after a preview, as before it
    diagnostics: List[Diagnostic] = field(default_factory=list)
    has_changes: bool = False
    plan: Optional[UpdatePlan] = None  #: of ``preview(save_plan=True)``

    def steps_of(self, op: str) -> List[Step]:
        return [step for step in self.steps if step.op == op]


def _reasons(steps: List[Dict[str, Any]]) -> List[Optional[Reason]]:
    """The reasons of the steps, each linked to the one that caused it."""
    reasons = [Reason(**fields["reason"]) if fields["reason"] else None for fields in steps]
    decided: Dict[str, Reason] = {}
    for fields, reason in zip(steps, reasons):
        if reason is not None:
            decided.setdefault(fields["urn"], reason)
    for reason in reasons:
        if reason is not None and reason.by:
            reason.cause = decided.get(reason.by)
    return reasons


def _state(fields: Optional[Dict[str, Any]]) -> Optional[ResourceState]:
    return None if fields is None else ResourceState(**fields)


def make_step(fields: Dict[str, Any], reason: Optional[Reason] = None) -> Step:
    """``reason``: where its cause is known; else the step's own."""
    if reason is None and fields["reason"]:
        reason = Reason(**fields["reason"])
    return Step(**{**fields, "old": _state(fields["old"]), "new": _state(fields["new"]), "reason": reason})


def make_result(outcome: Dict[str, Any], mask: Callable[[str], str]) -> Result:
    """The Result of what the extension tells. ``mask`` hides secrets in texts."""

    steps = [make_step(fields, reason) for fields, reason in zip(outcome["steps"], _reasons(outcome["steps"]))]
    diagnostics = [Diagnostic(**{**fields, "message": mask(fields["message"])}) for fields in outcome["diagnostics"]]
    return Result(
        steps=steps,
        outputs=outcome["outputs"],
        summary=outcome["summary"],
        resources=[ResourceState(**fields) for fields in outcome["resources"]],
        diagnostics=diagnostics,
        has_changes=outcome["has_changes"],
        plan=UpdatePlan(outcome["plan"]) if outcome["plan"] else None,
    )
