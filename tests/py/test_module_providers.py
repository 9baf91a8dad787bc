# SPDX-License-Identifier: Apache-2.0
"""The Python module: every call of a provider in this process, and resources as classes."""

import asyncio
import json
import threading
import time
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Dict, Final, List, Literal, NewType, Optional

import kingpost
import pulumi
import pytest
from module_support import Thing, World, ops, resource

PAGE = "site:index:Page"


def deploy(provider, program, package="test", **options):
    return kingpost.Stack("proj", "dev", program, providers={package: provider}, **options)


# --- the protocol ---------------------------------------------------------------------------------


def test_coroutine_functions_wait_together_on_one_thread():
    meeting = []

    class Later(World):
        async def create(self, request):
            meeting.append(threading.get_ident())
            if not request.preview:
                while len(meeting) < 20:
                    await asyncio.sleep(0.001)
            return World.create(self, request)

        async def delete(self, request):
            World.delete(self, request)

    world = Later()
    stack = deploy(world, lambda: [Thing(f"t{i}") for i in range(20)] and None, parallel=20)
    stack.up()
    assert len(world.things) == 20 and len(set(meeting)) == 1
    stack.destroy()
    assert not world.things


def test_configuration_is_checked_and_compared():
    seen = []

    class Strict(World):
        def check_config(self, request):
            seen.append(("check", request.type, request.new_inputs))
            if "region" not in request.new_inputs:
                return kingpost.CheckResponse(request.new_inputs, [kingpost.CheckFailure("region", "is missing")])
            return kingpost.CheckResponse({**request.new_inputs, "retries": 3})

        def diff_config(self, request):
            seen.append(("diff", request.old_inputs["region"], request.new_inputs["region"]))
            return kingpost.DiffResponse(True, replaces=["region"])

    region = {"region": "here"}

    def program():
        Thing("a", pulumi.ResourceOptions(provider=pulumi.ProviderResource("test", "mine", region)))

    world = Strict()
    stack = deploy(world, program)
    stack.up()
    assert world.seen("configure")[-1].inputs == {"region": "here", "retries": 3}
    region = {"region": "there"}
    result = stack.up()
    assert ("diff", "here", "there") in seen
    assert {step.name for step in result.steps_of("replace")} >= {"mine"}
    region = {}
    with pytest.raises(kingpost.ResourceFailed, match="is missing"):
        stack.up()


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


def test_what_a_provider_does_not_offer_is_named():
    class Remote(pulumi.ComponentResource):
        def __init__(self, name):
            super().__init__("test:index:House", name, {}, remote=True)

    with pytest.raises(kingpost.Error, match="provider of package test does not offer components"):
        deploy(World(), lambda: Remote("h") and None).up()
    bare, of_type = kingpost.Provider("x"), {"type": "x:index:T", "name": "n", "inputs": {}, "options": None}
    for call, request in (
        (bare.construct, kingpost.ConstructRequest(**of_type)),
        (bare.call, kingpost.CallRequest("t", {})),
        (bare.invoke, kingpost.InvokeRequest("t", {})),
        (bare.get_schema, kingpost.SchemaRequest()),
        (bare.get_mapping, kingpost.MappingRequest("terraform")),
        (bare.parameterize, kingpost.ParameterizeRequest()),
    ):
        with pytest.raises(NotImplementedError):
            call(request)


# --- failures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda r: None, "Odd.create must return a kingpost.CreateResponse, not NoneType"),
        (lambda r: kingpost.CreateResponse("x", {"a": {1: 2}}), "the keys of a resource's properties must be str"),
        (lambda r: kingpost.CreateResponse("x", ["a"]), "the properties of a resource must be a dict, not list"),
        (lambda r: (_ for _ in ()).throw(SystemExit("out")), "out"),
    ],
)
def test_nonsense_fails_that_resource_alone(answer, message):
    class Odd(World):
        def create(self, request):
            return answer(request) if request.name == "odd" else super().create(request)

    world = Odd()
    stack = deploy(world, lambda: [Thing("odd"), Thing("even")] and None)
    with pytest.raises(kingpost.ResourceFailed, match=message) as caught:
        stack.up(continue_on_error=True)
    assert caught.value.urn.endswith("::odd") and len(world.things) == 1
    assert [(step.name, step.failed) for step in caught.value.result.steps if step.failed] == [("odd", True)]


def test_tracebacks_come_when_they_are_wanted():
    class Broken(World):
        def create(self, request):
            raise LookupError("no such moon")

    stack = deploy(Broken(), lambda: Thing("a") and None)
    with pytest.raises(kingpost.ResourceFailed) as plain:
        stack.up()
    with pytest.raises(kingpost.ResourceFailed) as told:
        stack.up(debug=True)
    assert "Traceback" not in str(plain.value)
    first, *rest = str(told.value).splitlines()
    assert "no such moon" in first and any('raise LookupError("no such moon")' in line for line in rest)


def test_a_callback_that_hangs_fails_its_resource_alone():
    release = threading.Event()

    class Stuck(World):
        def create(self, request):
            if request.name == "stuck" and not request.preview:
                release.wait(60)
            return super().create(request)

    world = Stuck()
    options = pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(create="1s"))
    stack = deploy(world, lambda: [Thing("stuck", options), Thing("quick")] and None)
    begin = time.monotonic()
    with pytest.raises(kingpost.ResourceFailed, match="create of 'stuck' has not returned after 2 s") as caught:
        stack.up(continue_on_error=True)
    assert time.monotonic() - begin < 30 and caught.value.urn.endswith("::stuck") and len(world.things) == 1
    release.set()


def test_threads_that_are_lost_are_replaced():
    release = threading.Event()

    class Stuck(World):
        def create(self, request):
            if request.name.startswith("stuck") and not request.preview:
                release.wait(60)
            return super().create(request)

    world = Stuck()

    def program():
        for i in range(6):
            Thing(f"stuck{i}")
        for i in range(6):
            Thing(f"t{i}")

    with pytest.raises(kingpost.ResourceFailed, match="has not returned after 3 s"):
        deploy(world, program, parallel=4, callback_timeout=3).up(continue_on_error=True)
    assert len(world.things) == 6
    release.set()


def test_who_waits_for_a_thread_is_not_late(monkeypatch):
    """The timeout of a call begins when it gets a thread. Four Checks of one second share a thread; each may take three."""
    monkeypatch.setattr("kingpost.stack._MAX_THREADS", 1)

    class Slow(World):
        def check(self, request):
            time.sleep(1)
            return super().check(request)

    world = Slow()
    deploy(world, lambda: [Thing(f"t{i}") for i in range(4)] and None, callback_timeout=3).up()
    assert len(world.things) == 4


def test_a_create_that_hung_is_looked_into_by_the_next_operation():
    release = threading.Event()

    class Stuck(World):
        def create(self, request):
            if not request.preview and not release.is_set():
                release.wait(60)
            return super().create(request)

    world = Stuck()
    stack = deploy(world, lambda: Thing("a") and None, callback_timeout=2)
    with pytest.raises(kingpost.ResourceFailed, match="what it has done by now is not known"):
        stack.up()
    assert [p["type"] for p in stack.export()["deployment"]["pending_operations"]] == ["creating"]
    release.set()


def test_parts_of_a_resource_are_shown_as_views():
    seen = []

    class Cluster(World):
        def create(self, request):
            response = super().create(request)
            if request.views and not request.preview:
                node = kingpost.View("test:index:Node", f"{request.name}-node", inputs={"size": 1}, outputs={"ip": "10.0.0.1"})
                request.views.publish(kingpost.ViewStep("create", node.type, node.name, new=node))
            return response

        def update(self, request):
            seen.extend(request.old_views)
            return super().update(request)

    color = "red"
    stack = deploy(Cluster(), lambda: Thing("a", color=color) and None)
    result = stack.up()
    node = resource(result, "a-node")
    assert (node.type, node.outputs) == ("test:index:Node", {"ip": "10.0.0.1"})
    color = "green"
    stack.up()
    assert [(view.name, view.inputs) for view in seen] == [("a-node", {"size": 1})]


def test_a_policy_that_hangs_is_named():
    release = threading.Event()
    with pytest.raises(kingpost.Error, match="of the policies policies has not returned after 0.3 s"):
        deploy(World(), lambda: Thing("a") and None, policies=[lambda r: release.wait(60) and None], callback_timeout=0.3).up()
    release.set()


# --- resources as classes -------------------------------------------------------------------------


class Mode(Enum):
    PLAIN = "plain"
    FANCY = "fancy"


@dataclass
class Author:
    full_name: str
    email: Optional[str] = None


@dataclass
class PageInputs:
    path: Annotated[str, kingpost.replace_on_change, "where it lies"]
    text: str = "empty"
    mode: Mode = Mode.PLAIN
    tags: List[str] = field(default_factory=list)
    author: Optional[Author] = None
    labels: Optional[Dict[str, int]] = None
    layout: Literal["wide", "narrow"] = "wide"
    token: Annotated[Optional[str], kingpost.secret] = None
    logo: Optional[kingpost.Asset] = None


def site(**options):
    """Makes a provider with one class. Returns it with the dict that holds its pages."""
    pages = {}
    provider = kingpost.Provider("site", version="1.2.3")

    @provider.resource(PAGE, **options)
    class Page:
        """A page of a site."""

        inputs: PageInputs
        size: int
        created_by: Annotated[str, kingpost.stable]
        checksum: Annotated[str, kingpost.secret]

        def check(self):
            if self.inputs.path.startswith("/"):
                return [("path", "must be relative")]
            return None

        def create(self):
            assert isinstance(self.inputs, PageInputs) and isinstance(self.inputs.mode, Mode)
            self.created_by = self.inputs.author.full_name if self.inputs.author else "nobody"
            self._write()
            if self.inputs.text == "unfinished":
                self.id = self.inputs.path
                raise kingpost.Incomplete("it does not answer yet")
            return self.inputs.path

        def _write(self):
            pages[self.inputs.path] = self.inputs.text
            self.size, self.checksum = len(self.inputs.text), f"sum-{len(self.inputs.text)}"

        def read(self):
            if self.id not in pages:
                return False
            self.inputs.text = pages[self.id]
            self.size = len(pages[self.id])
            return True

        def update(self, old):
            assert old.inputs.path == self.inputs.path and old.size >= 0
            self._write()

        async def delete(self):
            await asyncio.sleep(0)
            del pages[self.id]

    return provider, Page, pages


def pages_stack(inputs, **options):
    provider, page_class, pages = site(**options)

    def program():
        if inputs is not None:
            page = provider.declare(page_class, "home", **inputs)
            pulumi.export("size", page.size)
            pulumi.export("by", page.created_by)

    return deploy(provider, program, "site"), pages


def page_ops(stack, **options):
    return ops(stack.up(**options), PAGE).get("home")


def test_life_of_a_decorated_resource():
    inputs = {"path": "a.html", "text": "hello", "mode": Mode.FANCY, "author": Author("Ann"), "token": "t0ken",
              "logo": kingpost.TextAsset("*")}
    stack, pages = pages_stack(inputs)
    preview = stack.preview()
    assert preview.outputs["size"] is kingpost.UNKNOWN and not pages
    result = stack.up()
    assert result.outputs == {"size": 5, "by": "Ann"} and pages == {"a.html": "hello"}
    page = resource(result, "home")
    assert page.id == "a.html" and page.inputs["mode"] == "fancy" and page.inputs["layout"] == "wide"
    assert page.inputs["author"] == {"fullName": "Ann"} and page.inputs["tags"] == []
    assert page.inputs["token"] == kingpost.Secret("t0ken") and page.outputs["checksum"] == kingpost.Secret("sum-5")
    assert page.outputs["createdBy"] == "Ann" and "t0ken" not in json.dumps(stack.export())

    assert page_ops(stack) == "same"
    inputs["text"] = "bye"
    (step,) = stack.preview().steps_of("update")
    assert step.detailed == {"text": "update"} and step.new.outputs["createdBy"] == "Ann"
    assert stack.up().outputs == {"size": 3, "by": "Ann"}
    pages["a.html"] = "drifted"
    assert ops(stack.refresh(), PAGE) == {"home": "update"}
    assert stack.preview().steps_of("update")[0].detailed == {"text": "update"}
    inputs["path"] = "b.html"
    assert page_ops(stack) == ["create-replacement", "replace", "delete-replaced"] and list(pages) == ["b.html"]
    pages.clear()
    assert ops(stack.refresh(), PAGE) == {"home": "delete"}


@pytest.mark.parametrize(
    "inputs, message",
    [
        ({}, r"path.*is missing"),
        ({"path": 7}, "must be a string, not a number"),
        ({"path": "x", "mode": "odd"}, "must be one of 'plain', 'fancy', not 'odd'"),
        ({"path": "x", "tags": ["a", 1]}, r"tags\[1\].*must be a string, not a number"),
        ({"path": "x", "author": {"email": "e"}}, r"author.fullName.*is missing"),
        ({"path": "x", "author": {"fullName": "a", "age": 3}}, r"author.age.*is not known; there are email, fullName"),
        ({"path": "x", "labels": {"a": "b"}}, "labels.a.*must be a whole number, not a string"),
        ({"path": "x", "layout": "round"}, "must be one of 'wide', 'narrow'"),
        ({"path": "x", "logo": 3}, "must be an asset, not a number"),
        ({"path": "/x"}, "must be relative"),
    ],
)
def test_inputs_are_checked_by_their_types(inputs, message):
    stack, pages = pages_stack(inputs)
    with pytest.raises(kingpost.ResourceFailed, match=message):
        stack.up()
    assert not pages


def test_a_check_of_an_update_is_told_what_is_recorded():
    world = World()
    value = 1

    def program():
        Thing("a", value=value)

    stack = deploy(world, program)
    stack.up()
    value = 2
    stack.up()
    first, *_, last = world.seen("check")
    assert first.old_inputs == first.old_outputs == {}
    assert last.old_inputs["value"] == 1 and last.old_outputs["value"] == 1


def test_a_class_without_update_is_replaced_in_the_order_it_wants():
    made = []
    provider = kingpost.Provider("site")

    @dataclass
    class Inputs:
        text: str

    @provider.resource("site:index:Note", delete_before_replace=True)
    class Note:
        inputs: Inputs

        def create(self):
            made.append("create")
            return self.inputs.text

        def delete(self):
            made.append("delete")

    text = "one"
    stack = deploy(provider, lambda: provider.declare(Note, "n", text=text) and None, "site")
    stack.up()
    text = "two"
    stack.up()
    assert made == ["create", "delete", "create"]


def test_an_incomplete_resource_is_recorded_as_far_as_it_came():
    inputs = {"path": "a.html", "text": "unfinished"}
    stack, pages = pages_stack(inputs)
    with pytest.raises(kingpost.ResourceFailed, match="it does not answer yet") as caught:
        stack.up()
    page = resource(caught.value.result, "home")
    assert page.id == "a.html" and page.outputs["size"] == 10 and page.init_errors == ["it does not answer yet"]
    inputs["text"] = "done"
    assert page_ops(stack) == "update" and pages == {"a.html": "done"}


def test_classes_that_cannot_be_are_refused():
    provider = kingpost.Provider("site")
    for cls, message in (
        (type("A", (), {}), "must say what its inputs are"),
        (type("A", (), {"__annotations__": {"inputs": Author}}), "needs a method create"),
        (type("A", (), {"__annotations__": {"inputs": Author, "x": threading.Thread}}), "cannot be of type"),
    ):
        with pytest.raises(TypeError, match=message):
            provider.resource("site:index:A")(cls)
    for name, message in (("Page", "write package:module:Name"), ("other:index:Page", "is not of package 'site'")):
        with pytest.raises(ValueError, match=message):
            provider.resource(name)
    with pytest.raises(TypeError, match="has no input 'pth'; it has: author"):
        provider, page, _ = site()
        provider.declare(page, "x", pth="y")


UserId = NewType("UserId", str)


@dataclass
class Typed:
    user: UserId
    mode: Literal[Mode.FANCY]
    fixed: Final[int] = 1
    some: Optional[Any] = None
    word: Literal["a", None] = None
    flag: Literal[1, 2] = 1


def typed(provider):
    @provider.resource("site:index:Typed")
    class TypedThing(kingpost.ManagedResource):
        inputs: Typed

        def create(self) -> str:
            assert self.inputs.mode is Mode.FANCY
            return self.inputs.user

    return TypedThing


def test_types_of_typing_are_those_that_they_stand_for():
    site = kingpost.Provider("site")
    thing = typed(site)
    stack = kingpost.Stack("p", "s", lambda: site.declare(thing, "a", Typed(UserId("me"), Mode.FANCY, some=[1])), providers={"site": site})
    assert stack.up().resources[-1].id == "me" and set(stack.preview().summary) == {"same"}
    described = site.schema()["resources"]["site:index:Typed"]
    assert described["requiredInputs"] == ["mode", "user"]
    assert [described["inputProperties"][name]["type"] for name in ("user", "mode", "fixed", "word", "flag")] == [
        "string", "string", "integer", "string", "number"]
    for wrong, message in ((dict(flag=True), "must be one of 1, 2, not True"), (dict(word="b"), "must be one of 'a', None, not 'b'")):
        stack.program = lambda wrong=wrong: site.declare(thing, "a", user="me", mode="fancy", **wrong)
        with pytest.raises(kingpost.Error, match=message):
            stack.preview()


def test_a_secret_that_does_not_fit_is_not_shown():
    site = kingpost.Provider("site")
    thing = typed(site)
    secret = kingpost.Secret("swordfish")
    stack = kingpost.Stack("p", "s", lambda: site.declare(thing, "a", user="me", mode=secret), providers={"site": site})
    with pytest.raises(kingpost.Error, match=r"must be one of 'fancy', not \[secret\]") as caught:
        stack.up()
    assert "swordfish" not in repr(caught.value) + str(caught.value.result.diagnostics)


class Pairs(Enum):
    ONE = (1, 2)


@pytest.mark.parametrize(("type_", "message"), [
    (Dict[int, str], r"Thing.value: the keys of typing.Dict\[int, str\] must be texts"),
    (Dict[Mode, str], "Thing.value: the keys of"),
    (Pairs, r"Thing.value: the values of <enum 'Pairs'> must be texts, numbers or bools, not \(1, 2\)"),
    (Literal[b"x"], "must be texts, numbers or bools, not b'x'"),
    (pulumi.Input[str], "properties have plain types, as str for pulumi.Input"),
    ("Nowhere", "annotations of Thing: name 'Nowhere' is not defined"),
])
def test_a_type_that_cannot_be_a_property_is_named_with_its_class(type_, message):
    @dataclass
    class Nothing:
        pass

    thing = type("Thing", (kingpost.ManagedResource,), {
        "__annotations__": {"inputs": Nothing, "value": type_}, "__module__": __name__, "create": lambda self: "x"})
    with pytest.raises((TypeError, NameError), match=message):
        kingpost.Provider("site").resource("site:index:Thing")(thing)


def test_the_schema_comes_from_the_classes():
    provider, _, _ = site()
    schema = json.loads(provider.get_schema(kingpost.SchemaRequest()))
    page = schema["resources"][PAGE]
    assert (schema["name"], schema["version"], page["description"]) == ("site", "1.2.3", "A page of a site.")
    assert page["requiredInputs"] == ["path"] and page["required"] == ["checksum", "createdBy", "path", "size"]
    assert page["inputProperties"]["path"] == {
        "type": "string", "description": "where it lies", "willReplaceOnChanges": True,
    }
    assert page["inputProperties"]["token"] == {"type": "string", "secret": True}
    assert page["inputProperties"]["tags"] == {"type": "array", "items": {"type": "string"}}
    assert page["inputProperties"]["labels"] == {"type": "object", "additionalProperties": {"type": "integer"}}
    assert page["inputProperties"]["text"]["default"] == "empty"
    assert schema["types"]["site:index:Author"]["required"] == ["fullName"]
    assert [value["value"] for value in schema["types"]["site:index:Mode"]["enum"]] == ["plain", "fancy"]


# --- components -----------------------------------------------------------------------------------


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
