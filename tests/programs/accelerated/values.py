# SPDX-License-Identifier: Apache-2.0
"""Programs whose inputs are of every kind."""

import asyncio
import enum

import pulumi
from pulumi import Output, ResourceOptions

from thing import Box, Thing


class Colour(str, enum.Enum):
    RED = "red"


class Size(enum.IntEnum):
    LARGE = 3


class Words(dict):
    """A mapping that is not exactly a dict."""


def plain() -> None:
    """Values that need no waiting."""
    Thing("numbers", [0, 1, -1, 2**40, 0.5, -1e300, True, False])
    Thing("texts", ["", "a", "ünïcödé ☃", "x" * 127, "y" * 128, "z" * 40_000, "\n\t\"'"])
    Thing("nothing", {"none": None, "empty": {}, "list": [], "nested": {"none": None, "list": [None, [], {}]}})
    Thing("tuple", ("a", ("b", 1), [("c",)]))
    Thing("enums", {"colour": Colour.RED, "size": Size.LARGE, "list": [Colour.RED]})
    Thing("words", Words(a=1, b=Words(c="d")), other=Words())
    Thing("camel", {"snake_case": 1, "camelCase": 2, "$dollar": 3, "with space": {"deep_er": 4}}, snake_case=5)
    Thing("bare")
    pulumi.export("plain", {"a": [1, "b", None], "c": {"d": True}})


def mixed() -> None:
    """Outputs, secrets, awaitables, resources and assets, at the top and inside other values."""

    async def later(value):
        await asyncio.sleep(0)
        return value

    first = Thing("first", "one")
    Thing("output", first.stamp)
    Thing("inside", {"list": [first.stamp, "plain", {"deep": first.value}], "plain": [1, 2]}, also=first.stamp)
    Thing("secret", Output.secret("hush"), inside={"password": Output.secret({"a": [1]}), "user": "me"})
    Thing("applied", first.stamp.apply(lambda s: {"upper": s.upper(), "list": [s]}))
    Thing("all", Output.all(first.stamp, first.value, a_plain := "x").apply(lambda v: v + [a_plain]))
    Thing("awaitable", later("in time"), inside=[later({"a": 1})])
    Thing("resource", first, inside={"ref": first})
    Thing("asset", pulumi.StringAsset("text"), inside=[pulumi.AssetArchive({"a": pulumi.StringAsset("b")})])
    Thing("unknown", Output.from_input(first.stamp).apply(lambda s: s), plain={"x": [first.id, first.urn]})
    Thing("format", Output.format("{0}-{name}", first.stamp, name=first.value), text=Output.concat("a", first.id))
    pulumi.export("stamp", first.stamp)
    pulumi.export("secret", Output.secret("hush"))
    pulumi.export("thing", first)


def changed_later() -> None:
    """Changes a dict after it was passed as an input. The SDK reads a property behind an output only when the output is known."""
    first = Thing("first", "one")
    shared = {"seen": "before"}
    Thing("second", first.stamp, shared=shared)
    first.urn.apply(lambda _: shared.update(seen="after"))
    shared["late"] = "yes"


def layers() -> None:
    """Each thing uses three outputs of the layer before."""
    before = []
    for layer in range(4):
        here = []
        for i in range(6):
            more = {f"dep{k}": before[(i * 7 + k) % 6].stamp for k in range(3)} if before else {}
            here.append(Thing(f"thing-{layer}-{i}", {"index": i, "tags": {"layer": str(layer)}}, **more))
        before = here
    pulumi.export("stamps", [thing.stamp for thing in before])


def tree() -> None:
    """Components, their children, and who depends on them."""
    outer = Box("outer")
    inner = Box("inner", ResourceOptions(parent=outer))
    leaves = [Thing(f"leaf-{i}", i, ResourceOptions(parent=inner)) for i in range(3)]
    inner.register_outputs({"count": 3, "stamps": [leaf.stamp for leaf in leaves]})
    outer.register_outputs({"inner": inner.urn})
    after = Thing("after", "box", ResourceOptions(depends_on=[outer, leaves[0]]))
    Thing("options", "x", ResourceOptions(
        depends_on=[after], ignore_changes=["value"], additional_secret_outputs=["stamp"], protect=False,
        aliases=[pulumi.Alias(name="old"), "urn:pulumi:dev::accelerated::things:index:Thing::older"],
        custom_timeouts=pulumi.CustomTimeouts(create="5m"), replace_on_changes=["key"], delete_before_replace=True))
    Thing.__new__(Thing)  # an object that was never registered
    pulumi.export("leaves", Output.all(*[leaf.id for leaf in leaves]).apply(len))


def chain() -> None:
    """Each on the one before, by depends_on alone and by outputs."""
    before = None
    for i in range(40):
        options = ResourceOptions(depends_on=[before] if before is not None and i % 2 else None)
        before = Thing(f"link-{i:02}", before.stamp if before is not None and not i % 2 else i, options)


def applied() -> None:
    """Resources made where no constructor is on the main program's stack."""
    first = Thing("first", "one")

    def more(urn: str) -> str:
        Thing("made-in-apply", urn.rpartition("::")[2])
        return urn

    first.urn.apply(more)

    async def main():
        await asyncio.sleep(0)
        Thing("made-in-task", "x")

    asyncio.ensure_future(main())
