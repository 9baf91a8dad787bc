# SPDX-License-Identifier: Apache-2.0
"""A stack for one test: in memory, with a fake cloud and watched policies."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Protocol, Sequence

from ..policies import PolicyLike
from ..provider import Provider
from ..result import Result
from ..stack import Stack
from .fake_provider import FakeProvider
from .policy_watch import PolicyWatch

__tracebackhide__ = True  # a failing test shows the user's lines


class MakeStack(Protocol):
    """The type of the fixture ``kingpost_stack``; arguments as of StackUnderTest."""

    def __call__(self, program: Optional[Callable[[], Any]] = None, **options: Any) -> "StackUnderTest": ...


class CheckSnapshot(Protocol):
    """The type of the fixture ``kingpost_snapshot``: compares a result with the one that was accepted under the test's
    name."""

    def __call__(self, result: Result, name: str = "") -> None: ...


class StackUnderTest(Stack):
    """A ``kingpost.Stack`` whose packages are all served by ``fake``, but for those in ``providers``."""

    def __init__(
        self,
        program: Optional[Callable[[], Any]] = None,
        *,
        provider: Optional[FakeProvider] = None,
        providers: Optional[Mapping[str, Provider]] = None,
        policies: Sequence[PolicyLike] = (),
        config: Optional[Mapping[str, Any]] = None,
        project: str = "test",
        name: str = "test",
        parallel: int = 16,
        backend: str = "memory",
        passphrase: Optional[str] = None,
    ) -> None:
        self.fake: FakeProvider = provider if provider is not None else FakeProvider()
        self.policy_watch: PolicyWatch = PolicyWatch(policies)
        super().__init__(
            project,
            name,
            program,
            providers={"*": self.fake, **(providers or {})},
            policies=self.policy_watch.policies,
            config=config,
            parallel=parallel,
            backend=backend,
            passphrase=passphrase,
        )

    def assert_policies_reached(self, *names: str) -> None:
        """Each policy, or each that is named, has looked at some resource of the operations so far."""
        __tracebackhide__ = True
        self.policy_watch.assert_reached(*names)
