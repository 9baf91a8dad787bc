# SPDX-License-Identifier: Apache-2.0
"""The closed sets of words that the API takes and gives, for type checkers."""

from __future__ import annotations

from typing import Literal

#: What a step does.
StepKind = Literal[
    "same",
    "create",
    "update",
    "delete",
    "replace",
    "create-replacement",
    "delete-replaced",
    "read",
    "read-replacement",
    "refresh",
    "discard",
    "discard-replaced",
    "remove-pending-replace",
    "import",
    "import-replacement",
    "diff",
    "extend-parameterize",
]
#: What an operation on a stack is, in its history and journal.
OperationKind = Literal["update", "refresh", "destroy", "import"]
#: When a hook is called.
HookTime = Literal[
    "before_create",
    "after_create",
    "before_update",
    "after_update",
    "before_delete",
    "after_delete",
    "on_error",
]
#: Of messages.
Severity = Literal["debug", "info", "info#err", "warning", "error"]
#: Of what a policy finds.
PolicySeverity = Literal["", "low", "medium", "high", "critical"]
#: What an event tells.
EventKind = Literal["begin", "end", "failed", "awaiting", "diagnostic", "policy", "remediation", "progress", "summary"]
#: What became of a property in a diff of a provider.
DetailedKind = Literal["add", "delete", "update", "add-replace", "delete-replace", "update-replace"]
#: What became of a property between two states.
ChangeKind = Literal["add", "delete", "update"]
#: Who decided a step.
ReasonSource = Literal["program", "provider", "option", "policy", "flag", "record"]
#: How a snapshot is written.
SnapshotForm = Literal["checkpoint", "export", "deployment"]
