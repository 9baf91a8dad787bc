# SPDX-License-Identifier: Apache-2.0
"""The Python module: components that a provider makes, by its own methods or as classes."""

import json
from dataclasses import dataclass
from typing import Dict, List, Optional

import kingpost
import pulumi
import pytest
from module_support import Thing, World, deploy, ops, resource


def test_a_provider_may_construct_components_and_answer_calls():
    class Shop(World):
        def construct(self, request):
            assert request.type == "test:index:Shop"
            shop = pulumi.ComponentResource(request.type, request.name, None, request.options)
            thing = Thing(f"{request.name}-thing", pulumi.ResourceOptions(parent=shop), color=request.inputs["color"])
            return kingpost.ConstructResponse(shop.urn, {"size": thing.size, "key": pulumi.Output.secret("hush")})

        async def call(self, request):
            assert request.token == "test:index:Shop/greet"
            if request.args["name"] == "":
                return kingpost.CallResponse(failures=[kingpost.CheckFailure("name", "is empty")])
            return kingpost.CallResponse({"text": pulumi.Output.concat("hello ", request.args["name"])})

    class RemoteShop(pulumi.ComponentResource):
        size: pulumi.Output
        key: pulumi.Output

        def __init__(self, name, color):
            super().__init__("test:index:Shop", name, {"color": color, "size": None, "key": None}, remote=True)

    name = "you"

    def program():
        shop = RemoteShop("s", "gold")
        pulumi.export("size", shop.size)
        pulumi.export("key", shop.key)
        pulumi.export("said", pulumi.runtime.call("test:index:Shop/greet", {"name": name}, shop))

    world = Shop()
    stack = deploy(world, program)
    stack.preview()
    result = stack.up()
    assert result.outputs["size"] == 1 and result.outputs["key"] == kingpost.Secret("hush")
    assert result.outputs["said"] == {"text": "hello you"}
    shop, thing = resource(result, "s"), resource(result, "s-thing")
    assert thing.parent == shop.urn and thing.inputs["color"] == "gold" and not shop.custom
    assert ops(stack.up()) == {"s-thing": "same"}
    name = ""
    with pytest.raises(kingpost.Error, match="is empty"):
        stack.up()


def test_a_component_that_raises_fails_by_name():
    class Broken(kingpost.Provider):
        def construct(self, request):
            raise ValueError("no bricks left")

    class Remote(pulumi.ComponentResource):
        def __init__(self, name):
            super().__init__("test:index:House", name, {}, remote=True)

    with pytest.raises(kingpost.Error, match="no bricks left"):
        deploy(Broken(), lambda: Remote("h") and None).up()


# --- as classes -----------------------------------------------------------------------------------


class PairArgs:
    color: pulumi.Input[str]


class Pair(pulumi.ComponentResource):
    """Two things."""

    size: pulumi.Output[int]

    def __init__(self, name: str, args: PairArgs, opts: Optional[pulumi.ResourceOptions] = None):
        super().__init__("pairs:index:Pair", name, {}, opts)
        first = Thing(f"{name}-1", pulumi.ResourceOptions(parent=self), color=args["color"])
        Thing(f"{name}-2", pulumi.ResourceOptions(parent=self), color=args["color"])
        self.size = first.size
        self.register_outputs({"size": self.size})


@dataclass
class Part:
    key: str
    size: Optional[pulumi.Input[int]] = 2


@dataclass
class WholeArgs:
    title: pulumi.Input[str]
    part: Part
    parts: Optional[List[Part]] = None
    named: Optional[Dict[str, Part]] = None


class Base(pulumi.ComponentResource):
    text: pulumi.Output[str]

    def __init__(self, name: str, args: "WholeArgs", opts: Optional[pulumi.ResourceOptions] = None) -> None:
        super().__init__("site:index:Whole", name, {}, opts)
        assert args.parts and args.named
        sizes = [args.part.size, args.parts[0].size, args.named["a"].size]
        self.text = pulumi.Output.format("{0} {1}", args.title, sizes)
        self.register_outputs({"text": self.text})


class Whole(Base):
    """Its constructor is inherited."""


class Bare(pulumi.ComponentResource):
    def __init__(self, name: str, args: PairArgs, opts: Optional[pulumi.ResourceOptions] = None) -> None:
        """Forgets the constructor of its base."""


def test_a_component_takes_a_dataclass_and_inherits_its_constructor():
    site = kingpost.Provider("site")
    site.component(Whole)
    inputs = {"title": "t", "part": {"key": "k"}, "parts": [{"key": "l", "size": 3}], "named": {"a": {"key": "m"}}}

    def program():
        pulumi.ComponentResource("site:index:Whole", "one", inputs, remote=True)

    result = kingpost.Stack("p", "s", program, providers={"site": site}).up()
    (made,) = [state for state in result.resources if state.type == "site:index:Whole"]
    assert made.outputs == {"text": "t [2, 3.0, 2]"}
    lacking = kingpost.Stack("p", "s", lambda: pulumi.ComponentResource("site:index:Whole", "one", {}, remote=True), providers={"site": site})
    with pytest.raises(kingpost.Error, match="site:index:Whole.*one.*Missing required input 'title'"):
        lacking.up()


def test_components_that_cannot_be_are_refused():
    site = kingpost.Provider("site")
    for cls, message in (
        (type("Plain", (), {}), "Plain must be a subclass of pulumi.ComponentResource"),
        (type("Plain", (pulumi.ComponentResource,), {}), r"Plain.__init__ must be \(self, name: str, args: Arguments"),
    ):
        with pytest.raises(TypeError, match=message):
            site.component(cls)
    site.component(Bare)
    inputs = {"color": "red"}
    stack = kingpost.Stack("p", "s", lambda: pulumi.ComponentResource("site:index:Bare", "one", inputs, remote=True), providers={"site": site})
    with pytest.raises(kingpost.ResourceFailed, match=r"Bare.__init__ must call super\(\).__init__"):
        stack.up()


def test_a_component_class_serves_every_language():
    provider = kingpost.Provider("pairs", version="0.1.0")
    provider.component(Pair)

    class RemotePair(pulumi.ComponentResource):
        size: pulumi.Output

        def __init__(self, name, color):
            super().__init__("pairs:index:Pair", name, {"color": color, "size": None}, remote=True)

    stack = kingpost.Stack(
        "proj", "dev", lambda: pulumi.export("size", RemotePair("p", "red").size), providers={"pairs": provider, "test": World()}
    )
    result = stack.up()
    assert sorted(ops(result)) == ["p-1", "p-2"] and resource(result, "p-1").parent == resource(result, "p").urn
    assert result.outputs["size"] in (1, 2)
    schema = json.loads(provider.get_schema(kingpost.SchemaRequest()))
    described = schema["resources"]["pairs:index:Pair"]
    assert described["isComponent"] and described["requiredInputs"] == ["color"] and described["description"] == "Two things."
