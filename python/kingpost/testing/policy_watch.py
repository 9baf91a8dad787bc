# SPDX-License-Identifier: Apache-2.0
"""Which resources a policy has really looked at. One that asks for the wrong type passes every time, and says nothing."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, Callable, Dict, Iterator, List, Sequence, Set

from ..policies import Answer, Policy, PolicyLike, PolicyResource, PolicyStack, as_policy, said


class _WatchedProperties(Dict[str, Any]):
    """The properties of a resource, with a record of each access."""

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
    """Policies for a stack, and what each of them looked at: ``reached[policy name]`` are URNs."""

    def __init__(self, policies: Sequence[PolicyLike]) -> None:
        given = [as_policy(policy) for policy in policies]
        self.reached: Dict[str, Set[str]] = {policy.name: set() for policy in given}
        self.asked: Dict[str, Set[str]] = {policy.name: set() for policy in given}
        self.policies: List[Policy] = [self._watched(policy) for policy in given]

    def _watched(self, policy: Policy) -> Policy:
        def watched(subject: Any) -> Answer:
            resources: List[PolicyResource] = subject.resources if isinstance(subject, PolicyStack) else [subject]
            for resource in resources:
                self.asked[policy.name].add(resource.urn)
                seen = functools.partial(self.reached[policy.name].add, resource.urn)
                resource.properties = _WatchedProperties(resource.properties, seen)
            answer = said(policy.check(subject))
            for violation in subject._violations:
                self.reached[policy.name].add(violation.urn)
            if answer and len(resources) == 1:
                self.reached[policy.name].add(resources[0].urn)
            return answer

        return dataclasses.replace(policy, check=watched)

    def assert_reached(self, *names: str) -> None:
        """Each policy, or each that is named, has read properties of some resource, or reported a violation."""
        __tracebackhide__ = True
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
