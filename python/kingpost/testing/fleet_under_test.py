# SPDX-License-Identifier: Apache-2.0
"""Many stacks for one test: in one memory, each with a fake cloud of its own.

    def test_a_new_network_reaches_the_shop():
        fleet = FleetUnderTest({"network": network, "shop": shop})      # the programs read organization/network/test
        fleet.up()
        assert fleet.fakes["shop"].named("site")[0].inputs["cidr"] == "10.0.0.0/16"
"""

from __future__ import annotations

import uuid
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Union

from .._checked import mapped
from ..fleet import Fleet
from ..provider import Provider
from .fake_provider import FakeProvider
from .stack_under_test import StackUnderTest

__tracebackhide__ = True  # a failing test shows the user's lines


class FleetUnderTest(Fleet):
    """A ``kingpost.Fleet`` of a ``StackUnderTest`` for each program, by the names of their projects.

    programs:  project -> program
    providers: package -> kingpost.Provider, for all of them; other packages are served by ``fakes[project]``
    config:    project -> settings
    name:      of all stacks
    """

    def __init__(
        self,
        programs: Mapping[str, Callable[[], Any]],
        *,
        providers: Optional[Mapping[str, Provider]] = None,
        config: Optional[Mapping[str, Mapping[str, Any]]] = None,
        name: str = "test",
        after: Optional[Mapping[str, Union[str, Sequence[str]]]] = None,
        parallel_stacks: Optional[int] = None,
        fail_fast: bool = False,
    ) -> None:
        memory = f"mem://{uuid.uuid4()}"
        settings = mapped("config", "projects and their settings", config)
        self.fakes: Dict[str, FakeProvider] = {}
        members = []
        for project, program in mapped("programs", "projects and their programs", programs).items():
            given = settings.pop(project, None)
            stack = StackUnderTest(
                program, providers=providers, config=given, project=project, name=name, backend=memory
            )
            self.fakes[project] = stack.fake
            members.append(stack)
        if settings:
            raise ValueError(f"config is for {', '.join(settings)}, which is no project of the programs")
        super().__init__(members, after=after, parallel_stacks=parallel_stacks, fail_fast=fail_fast)
