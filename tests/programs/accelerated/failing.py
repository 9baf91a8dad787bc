# SPDX-License-Identifier: Apache-2.0
"""Programs that fail, each in another place; and those that catch what failed."""

import asyncio
import sys

import pulumi
from pulumi import Output, ResourceOptions

from thing import Thing
from typed import Gate


class Odd:
    """Nothing that the wire knows."""


def in_the_module() -> None:
    Thing("first", "one")
    raise ValueError("the program cannot go on")


def in_an_apply() -> None:
    first = Thing("first", "one")

    def refuse(urn: str) -> str:
        raise KeyError("no such " + urn.rpartition("::")[2])

    pulumi.export("never", first.urn.apply(refuse))


def in_the_apply_of_an_input() -> None:
    first = Thing("first", "one")

    def refuse(_: str) -> str:
        raise ValueError("not this one")

    Thing("second", first.urn.apply(refuse))


def by_an_input_of_an_odd_type() -> None:
    Thing("odd", {"inside": [Odd()]})


def by_an_odd_type_in_an_output() -> None:
    Thing("odd", Output.from_input("x").apply(lambda _: Odd()))


def by_a_key_that_is_no_text() -> None:
    Thing("keys", {1: "one"})


def by_a_number_too_large() -> None:
    Thing("large", 10**400)


def by_a_lone_surrogate() -> None:
    Thing("surrogate", "\ud800")


def by_a_list_for_another_type() -> None:
    Gate("gate", tags=["not", "a", "dict"])


def by_an_awaitable() -> None:
    async def refuse() -> str:
        await asyncio.sleep(0)
        raise RuntimeError("it never came")

    Thing("first", refuse())


def by_a_circle() -> None:
    """Each depends on the next, and the last on the first: what it depends on is read when the program has run."""
    dependencies: list = []
    first = Thing("first", "one", ResourceOptions(depends_on=Output.from_input("x").apply(lambda _: dependencies)))
    second = Thing("second", "two", ResourceOptions(depends_on=[first]))
    dependencies.append(Thing("third", "three", ResourceOptions(depends_on=[second])))


def by_depending_on_a_child() -> None:
    class Nest(pulumi.ComponentResource):
        def __init__(self, name: str):
            super().__init__("boxes:index:Nest", name)

    nest = Nest("nest")
    child = Thing("child", "x", ResourceOptions(parent=nest, depends_on=[nest]))
    Thing("after", child.stamp)


def with_its_own_message() -> None:
    Thing("first", "one")
    raise pulumi.RunError("this is all there is to say")


def with_an_exit_code() -> None:
    sys.exit(3)


def caught_too_late() -> None:
    """Recovers late from a failed output. In SDK 3.260 and before, the wait for all outputs has already taken the failure; in
    3.272 the program recovers."""
    first = Thing("first", "one")

    def refuse(_: str) -> str:
        raise ValueError("refused")

    pulumi.export("recovered", first.urn.apply(refuse).recover(lambda error: f"instead of: {error}"))


def caught_early() -> None:
    async def refuse() -> str:
        raise ValueError("refused")

    first = Output.from_input(refuse())
    pulumi.export("recovered", first.recover(lambda error: "instead"))
    Thing("first", "one")


def at_the_provider() -> None:
    Thing("second", Thing("first", "one", fail="create").stamp)


def in_two_places() -> None:
    Thing("odd", Odd())
    raise ValueError("and the program, too")
