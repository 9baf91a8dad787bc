# SPDX-License-Identifier: Apache-2.0
"""The Python module: resources as classes, their types and their schema."""

import asyncio
import json
import threading
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Dict, Final, List, Literal, NewType, Optional

import kingpost
import pulumi
import pytest
from module_support import Thing, World, deploy, ops, resource

PAGE = "site:index:Page"


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
