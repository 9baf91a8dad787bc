# SPDX-License-Identifier: Apache-2.0
"""The result of an operation."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Optional, Union, cast, get_args

from ._garbage import no_collection
from ._hints import in_python
from ._html import result_html
from .values import Secret
from .words import OperationKind, ReasonSource, Severity, StepKind


@dataclass(frozen=True, repr=False)
class ResourceState:
    """A resource as it is recorded. Secret properties are ``kingpost.Secret``.

    urn, type, name, id: of the resource
    custom:              False: a component
    inputs, outputs:     its properties
    parent:              its URN, or ""
    protect:             it may not be deleted
    external:            it was read, and is not managed
    dependencies:        URNs
    provider:            "urn::id" of the provider resource, "" for components
    pending_delete:      it was replaced, and waits for its deletion
    init_errors:         why it does not work yet
    """

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

    def __repr__(self) -> str:
        return f"<kingpost.ResourceState {self.urn}{' ' + self.id if self.id else ''}>"


@dataclass
class Reason:
    """Why a step was taken: ``rule`` is a short name, ``said`` a line for people.

    ``source`` tells who spoke: "program", "provider", "option", "policy", "flag" or "record"; ``properties`` are paths.
    If the decision about another resource caused this one, ``by`` is its URN and ``cause`` the reason of that decision.
    So causes lead to a first one.
    """

    rule: str
    said: str
    source: ReasonSource
    properties: List[str] = field(default_factory=list)
    by: str = ""
    cause: Optional["Reason"] = None


@dataclass(frozen=True, repr=False)
class Step:
    """One step of an operation.

    op:        "create", "same", "update", "delete", "replace", "create-replacement" and so on (kingpost.words.StepKind)
    urn, type: of the resource
    old, new:  before and after; None where there is none
    diffs:     properties that changed
    keys:      properties that force a replacement
    detailed:  property path -> kind of change; None if the provider told none
    failed:    it was begun and failed
    awaiting:  it was begun, and nothing was done: the resource waits for something
    reason:    why it was taken; None of what a provider shows
    """

    op: StepKind
    urn: str
    type: str
    old: Optional[ResourceState] = None
    new: Optional[ResourceState] = None
    diffs: List[str] = field(default_factory=list)
    keys: List[str] = field(default_factory=list)
    detailed: Optional[Dict[str, str]] = None
    failed: bool = False
    awaiting: bool = False
    reason: Optional[Reason] = None

    @property
    def name(self) -> str:
        """As the program calls the resource."""
        return self.urn.split("::", 3)[-1]

    def __repr__(self) -> str:
        why = f", because {self.reason.said}" if self.reason is not None else ""
        told = " FAILED" if self.failed else " AWAITING" if self.awaiting else ""
        return f"<kingpost.Step {self.op} of {self.urn}{told}{why}>"


@dataclass(frozen=True)
class Diagnostic:
    """A message of an operation.

    severity: "info", "info#err" (from stderr), "warning" or "error"
    message:  without secrets
    urn:      of the resource that it is about, or ""
    policy:   the one that was violated, or ""
    """

    severity: Severity
    message: str
    urn: str = ""
    policy: str = ""


@dataclass(frozen=True)
class UpdatePlan:
    """The steps that a preview promised; ``up(plan=...)`` does them or nothing. Secrets in ``text`` are encrypted."""

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
    """One finished operation, as the stack's history keeps it.

    version:     1 is the oldest; 0 in a page of a history, where it is not recorded
    kind:        "update", "refresh", "destroy" or "import"
    result:      "succeeded" or "failed"
    start, end:  with time zone; end is None where it was not recorded
    message:     as it was given
    changes:     op -> how many resources
    environment: where it ran: commit, user agent and so on
    config:      settings by full key; secret ones are ``kingpost.Secret``, sealed
    """

    version: int
    kind: OperationKind
    result: str
    start: datetime
    end: Optional[datetime]
    message: str = ""
    changes: Dict[str, int] = field(default_factory=dict)
    environment: Dict[str, str] = field(default_factory=dict)
    config: Dict[str, Any] = field(default_factory=dict)


def make_history_entry(record: Dict[str, Any], number: int) -> HistoryEntry:
    def time_of(key: str) -> Optional[datetime]:
        return datetime.fromtimestamp(record[key], timezone.utc) if record.get(key) else None

    def value_of(value: Any) -> Any:
        return Secret("[secret]") if isinstance(value, dict) and "secure" in value else value

    return HistoryEntry(
        version=int(record.get("version") or number),
        kind=cast(OperationKind, str(record.get("kind", ""))),
        result=str(record.get("result", "")),
        start=time_of("startTime") or datetime.fromtimestamp(0, timezone.utc),
        end=time_of("endTime"),
        message=str(record.get("message") or ""),
        changes=dict(record.get("resourceChanges") or {}),
        environment=dict(record.get("environment") or {}),
        config={key: value_of(value) for key, value in (record.get("config") or {}).items()},
    )


@dataclass(frozen=True, repr=False)
class Result:
    """The outcome of a preview, up, refresh, destroy or import.

    steps:       in the order in which they began
    outputs:     of the stack
    summary:     op -> how many resources
    resources:   recorded now; after a preview, as before it
    diagnostics: what was told
    has_changes: False: everything is as it was
    plan:        of ``preview(save_plan=True)``, else None
    """

    steps: List[Step] = field(default_factory=list)
    outputs: Dict[str, Any] = field(default_factory=dict)
    summary: Dict[str, int] = field(default_factory=dict)
    resources: List[ResourceState] = field(default_factory=list)
    diagnostics: List[Diagnostic] = field(default_factory=list)
    has_changes: bool = False
    plan: Optional[UpdatePlan] = None

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {op}" for op, count in self.summary.items()) or "nothing to do"
        told = f", {len(self.diagnostics)} messages" if self.diagnostics else ""
        return f"<kingpost.Result {counts}; {len(self.resources)} resources{told}>"

    def _repr_html_(self) -> str:
        return result_html(self)

    @property
    def awaiting(self) -> List[str]:
        """URNs of the resources that wait for something before they can be created or changed."""
        return list(dict.fromkeys(step.urn for step in self.steps if step.awaiting))

    def steps_of(self, op: StepKind) -> List[Step]:
        """The steps of that kind, in order. Raises ValueError for what is no kind of step."""
        if op not in get_args(StepKind):
            raise ValueError(f"there are no steps {op!r}; there are {', '.join(get_args(StepKind))}")
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
    with no_collection():
        return _result(outcome, mask)


def _result(outcome: Dict[str, Any], mask: Callable[[str], str]) -> Result:
    steps = [make_step(fields, reason) for fields, reason in zip(outcome["steps"], _reasons(outcome["steps"]))]
    diagnostics = [Diagnostic(**{**fields, "message": in_python(mask(fields["message"]))}) for fields in outcome["diagnostics"]]
    return Result(
        steps=steps,
        outputs=outcome["outputs"],
        summary=outcome["summary"],
        resources=[ResourceState(**fields) for fields in outcome["resources"]],
        diagnostics=diagnostics,
        has_changes=outcome["has_changes"],
        plan=UpdatePlan(outcome["plan"]) if outcome["plan"] else None,
    )
