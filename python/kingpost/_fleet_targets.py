# SPDX-License-Identifier: Apache-2.0
"""Targets of an operation on many stacks: each names its stack, "network/prod::PATTERN", or is a URN."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Sequence

from . import _kingpost
from ._checked import texts
from .errors import Error
from .stack import Stack

#: Which resources of which stacks; a stack that none of the first two names is no part of the operation.
CHOOSING = ("targets", "replace", "excludes")


def chosen(stacks: Mapping[str, Stack], given: Mapping[str, Sequence[str]]) -> Dict[str, Dict[str, Any]]:
    """By stack, for those that the operation is about: the targets and so on of that one."""
    parts: Dict[str, Dict[str, Any]] = {name: {kind: [] for kind in given} for name in stacks}
    for kind in given:
        for target in texts(kind, given[kind]):
            of = {name: _kingpost.target_part(target, stack.project, stack.name) for name, stack in stacks.items()}
            if not any(of.values()):
                raise Error(f"{target!r} belongs to none of these stacks; write PROJECT/STACK::URN, PROJECT/STACK::PATTERN, or the URN")
            for name, part in of.items():
                parts[name][kind] += [part] if part else []
    confined = any(part.get("targets") or part.get("replace") for part in parts.values())
    return {
        name: part for name, part in parts.items() if not confined or part.get("targets") or part.get("replace")
    }
