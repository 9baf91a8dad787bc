# SPDX-License-Identifier: Apache-2.0
"""Policies: callables that look at each resource before it is changed.

    def no_public_buckets(resource):
        if resource.type == "aws:s3/bucket:Bucket" and resource.properties.get("acl") == "public-read":
            resource.violation("buckets must not be public")
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple


class PolicyResource:
    """A resource as the program asks for it."""

    def __init__(
        self,
        urn: str,
        type: str,
        name: str,
        properties: Dict[str, Any],
        parent: str = "",
        protect: bool = False,
        dependencies: List[str] = (),  # type: ignore[assignment]
        provider: str = "",
    ) -> None:
        self.urn = urn
        self.type = type
        self.name = name
        self.properties = properties
        self.parent = parent
        self.protect = protect
        self.dependencies = list(dependencies)
        self.provider = provider
        self._violations: List[Tuple[str, bool]] = []

    @property
    def inputs(self) -> Dict[str, Any]:
        """The same as ``properties``."""
        return self.properties

    def violation(self, message: str, advisory: bool = False) -> None:
        """Reports a violation. It stops the resource and fails the operation, unless it is only advisory."""
        self._violations.append((str(message), bool(advisory)))


Policy = Callable[[PolicyResource], None]


def policy_name(policy: Policy) -> str:
    return getattr(policy, "__name__", None) or type(policy).__name__
