# SPDX-License-Identifier: Apache-2.0
"""The search for circles among dependencies: quick where there can be none.

For each new dependency the SDK walks all dependencies of its target, to see whether the dependent is among them. The
cost is the number of resources times that of ancestors, with a nested generator for each link of the chain. So a chain
of 1,000 resources ends in a RecursionError.

Equal because nobody can be reached on whom nobody depends: a resource that was never the target of a dependency is found by
no walk that starts elsewhere. Any other is looked for as the SDK does it, without recursion. (Chains longer than the
interpreter's stack now work, which is the one difference.)
"""

from __future__ import annotations

from typing import Any, Set

from .guard import Known
from .swap import Swaps

KNOWN: Known = {
    "pulumi.runtime.resource_cycle_breaker:declare_dependency": ("8acf8b90a08af64a",),
    "pulumi.runtime.resource_cycle_breaker:_deps": ("1ef63237ddd4c08f", "aa29d49a00faf36e"),
    "pulumi.runtime.resource_cycle_breaker:_add_dep": ("27b85083747b4f2f", "afc6ea4cb7e131e5"),
    "pulumi.runtime.resource_cycle_breaker:_reachable": ("9dd4c07169e18730", "b3a7a15d8dbf4db2"),
    "pulumi.runtime.resource_cycle_breaker:_with_transitive_deps": (
        "24286693731f5730",
        "2ee69140cf896d29",
        "b88d68c4472c6ab8",
    ),
}

_IS_TARGET = "_kingpost_is_target"


def install(swaps: Swaps) -> None:
    from pulumi.runtime import resource_cycle_breaker as breaker

    dependencies: Any = breaker._deps
    usual_equality: Any = object.__eq__
    attribute: str = breaker._DEPENDENCIES_PROPERTY

    def declare_dependency(from_resource: Any, to_resource: Any) -> bool:
        if may_be_reached(from_resource, to_resource) and is_reached(from_resource, to_resource):
            return False
        known = from_resource.__dict__.get(attribute)
        if known is None:
            setattr(from_resource, attribute, {to_resource})
        else:
            known.add(to_resource)
        setattr(to_resource, _IS_TARGET, True)
        return True

    def may_be_reached(resource: Any, start: Any) -> bool:
        if resource is start or type(resource).__eq__ is not usual_equality:
            return True
        return _IS_TARGET in resource.__dict__

    def is_reached(resource: Any, start: Any) -> bool:
        visited: Set[Any] = set()
        waiting = [start]
        while waiting:
            here = waiting.pop()
            if here in visited:
                continue
            if here == resource:
                return True
            visited.add(here)
            waiting.extend(dependencies(here))
        return False

    swaps.add(breaker.declare_dependency, declare_dependency)
