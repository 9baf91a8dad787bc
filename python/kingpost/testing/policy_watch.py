# SPDX-License-Identifier: Apache-2.0
"""Which resources a policy has really looked at. One that asks for the wrong type passes every time, and says nothing."""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, Iterator, List, Sequence, Set

from ..policies import Policy, PolicyResource, policy_name


class _WatchedProperties(Dict[str, Any]):
    """The properties of a resource, which tell when somebody reads them."""

    def __init__(self, properties: Dict[str, Any], seen: Callable[[], None]) -> None:
        super().__init__(properties)
        self._seen = seen

    def __getitem__(self, key: str) -> Any:
        self._seen()
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._seen()
        return super().__contains__(key)

    def __iter__(self) -> Iterator[str]:
        self._seen()
        return super().__iter__()

    def get(self, key: str, default: Any = None) -> Any:
        self._seen()
        return super().get(key, default)

    def items(self) -> Any:
        self._seen()
        return super().items()

    def values(self) -> Any:
        self._seen()
        return super().values()


class PolicyWatch:
    """Policies as ``analyzers`` of a stack, and what each of them looked at: ``reached[policy name]`` are URNs."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self.reached: Dict[str, Set[str]] = {policy_name(policy): set() for policy in policies}
        self.asked: Dict[str, Set[str]] = {policy_name(policy): set() for policy in policies}
        self.policies: List[Policy] = [self._watched(policy) for policy in policies]

    def _watched(self, policy: Policy) -> Policy:
        name = policy_name(policy)

        @functools.wraps(policy)
        def watched(resource: PolicyResource) -> None:
            self.asked[name].add(resource.urn)
            seen = functools.partial(self.reached[name].add, resource.urn)
            object.__setattr__(resource, "properties", _WatchedProperties(resource.properties, seen))
            policy(resource)
            if getattr(resource, "_violations", None):
                seen()

        watched.__name__ = name
        return watched

    def assert_reached(self, *names: str) -> None:
        """Each policy, or each that is named, has read properties of some resource, or reported a violation."""
        problems = []
        for name in names or tuple(self.reached):
            if name not in self.reached:
                raise ValueError(f"there is no policy {name!r}; there are {', '.join(sorted(self.reached))}")
            if not self.reached[name]:
                types = sorted({urn.split("::")[2].rpartition("$")[2] for urn in self.asked[name]})
                problems.append(
                    f"{name} has looked at no resource: it was asked about {', '.join(types) or 'nothing'}, and read no "
                    "property of any. Compare the types that it asks for"
                )
        if problems:
            raise AssertionError("\n".join(["policies were never reached:", *(f"  - {text}" for text in problems)]))
