# SPDX-License-Identifier: Apache-2.0
"""Policies: one group of the names of ``kingpost``. The module is the decorator of its name, too: ``@kingpost.policy``."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from .errors import PolicyFailed, PolicyViolation
from .policies import Policy, PolicyException, PolicyPack, PolicyResource, PolicyStack, Violation, policy, stack_policy
from .serving import serve_policies

__all__ = [
    "Policy",
    "PolicyException",
    "PolicyFailed",
    "PolicyPack",
    "PolicyResource",
    "PolicyStack",
    "PolicyViolation",
    "Violation",
    "policy",
    "serve_policies",
    "stack_policy",
]


class _PolicyModule(ModuleType):
    """Where this module is imported, it takes the place of the function in ``kingpost``, and does what that does."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return policy(*args, **kwargs)


sys.modules[__name__].__class__ = _PolicyModule
