# SPDX-License-Identifier: Apache-2.0
"""What an operation did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional


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
class Result:
    """The outcome of a preview, up, refresh or destroy."""

    steps: List[Step] = field(default_factory=list)
    outputs: Dict[str, Any] = field(default_factory=dict)  #: of the stack
    summary: Dict[str, int] = field(default_factory=dict)  #: op -> how many resources
    resources: List[ResourceState] = field(default_factory=list)  #: recorded now; after a preview, as before it
    diagnostics: List[Diagnostic] = field(default_factory=list)
    has_changes: bool = False

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


def make_result(outcome: Dict[str, Any], mask: Callable[[str], str]) -> Result:
    """The Result of what the extension tells. ``mask`` hides secrets in texts."""

    def state(fields: Optional[Dict[str, Any]]) -> Optional[ResourceState]:
        return None if fields is None else ResourceState(**fields)

    reasons = _reasons(outcome["steps"])
    steps = [
        Step(**{**fields, "old": state(fields["old"]), "new": state(fields["new"]), "reason": reason})
        for fields, reason in zip(outcome["steps"], reasons)
    ]
    diagnostics = [Diagnostic(**{**fields, "message": mask(fields["message"])}) for fields in outcome["diagnostics"]]
    return Result(
        steps=steps,
        outputs=outcome["outputs"],
        summary=outcome["summary"],
        resources=[ResourceState(**fields) for fields in outcome["resources"]],
        diagnostics=diagnostics,
        has_changes=outcome["has_changes"],
    )
