# SPDX-License-Identifier: Apache-2.0
"""The Python module: what happens to resources, with the real SDK and providers in this process."""

import json

import kingpost
import pulumi
import pytest
from module_support import TYPE, Thing, World, ops, resource


def test_life_of_a_resource():
    world = World()
    inputs = {"color": "red", "kind": "small"}
    declared = True

    def program():
        if declared:
            pulumi.export("size", Thing("a", **inputs).size)

    stack = kingpost.Stack("proj", "dev", program, providers={"test": world})

    result = stack.preview()
    assert ops(result) == {"a": "create"} and result.summary == {"create": 2}
    assert result.outputs == {"size": kingpost.UNKNOWN} and not world.things and not result.resources

    result = stack.up()
    assert ops(result) == {"a": "create"} and result.outputs == {"size": 1}
    assert resource(result, "a").id == "thing-1" and list(world.things) == ["thing-1"]

    result = stack.up()
    assert ops(result) == {"a": "same"} and result.summary == {"same": 2} and not result.has_changes

    inputs["color"] = "green"
    result = stack.up()
    (step,) = result.steps_of("update")
    assert step.diffs == ["color"] and (step.old.inputs["color"], step.new.inputs["color"]) == ("red", "green")
    assert world.things["thing-1"]["color"] == "green"

    inputs["kind"] = "large"
    result = stack.up()
    assert ops(result) == {"a": ["create-replacement", "replace", "delete-replaced"]}
    assert result.steps_of("replace")[0].keys == ["kind"]
    assert list(world.things) == ["thing-2"]

    world.things["thing-2"] = {**world.things["thing-2"], "color": "faded"}
    result = stack.refresh()
    assert ops(result) == {"a": "update"} and resource(result, "a").outputs["color"] == "faded"

    declared = False
    result = stack.up()
    assert ops(result) == {"a": "delete"} and not world.things

    declared = True
    stack.up()
    result = stack.destroy()
    assert ops(result) == {"a": "delete"} and not world.things and not result.resources


def test_steps_tell_why():
    world = World()
    inputs = {"color": "red", "kind": "small"}

    def program():
        first = Thing("a", **inputs, opts=pulumi.ResourceOptions(delete_before_replace=True))
        Thing("b", color="blue", kind=first.size.apply(str))

    stack = kingpost.Stack("proj", "dev", program, providers={"test": world})
    created = {step.name: step.reason for step in stack.up().steps}
    assert (created["a"].rule, created["a"].source, created["a"].said) == ("new", "program", "it is new in the program")
    assert {step.reason.rule for step in stack.up().steps_of("same")} == {"inputs-equal"}

    inputs["kind"] = "large"
    reasons = {step.name: step.reason for step in stack.up().steps_of("replace")}
    assert (reasons["a"].rule, reasons["a"].properties, reasons["a"].cause) == ("not-in-place", ["kind"], None)
    goes_first = reasons["b"]
    assert (goes_first.rule, goes_first.properties, goes_first.source) == ("input-replaced", ["kind"], "provider")
    assert goes_first.by.endswith("::a") and goes_first.cause.rule == "not-in-place"


def test_refresh_forgets_what_is_gone():
    world = World()
    stack = kingpost.Stack("proj", "dev", lambda: Thing("a") and None, providers={"test": world})
    stack.up()
    world.things.clear()
    assert ops(stack.refresh()) == {"a": "delete"}
    assert ops(stack.up()) == {"a": "create"}


def test_requests_are_typed():
    world = World()
    timeouts = pulumi.CustomTimeouts(create="90s")

    def program():
        Thing("a", pulumi.ResourceOptions(custom_timeouts=timeouts, ignore_changes=["color"]), n=3, ratio=0.5, on=True,
              nothing=[None, {"deep": ["x"]}])

    stack = kingpost.Stack("proj", "dev", program, providers={"test": world})
    stack.up()
    stack.up()
    (create,) = world.seen("create")
    assert isinstance(create, kingpost.CreateRequest)
    assert create.urn == f"urn:pulumi:dev::proj::{TYPE}::a" and (create.type, create.name) == (TYPE, "a")
    assert create.timeout == 90 and create.preview is False
    assert create.inputs["n"] == 3 and isinstance(create.inputs["n"], int) and create.inputs["ratio"] == 0.5
    assert create.inputs["on"] is True and create.inputs["nothing"] == [None, {"deep": ["x"]}]
    (diff,) = world.seen("diff")
    assert diff.id == "thing-1" and diff.ignore_changes == ["color"] and diff.old_outputs["size"] == 1


def test_secrets_stay_secret():
    world = World()

    def program():
        key = pulumi.Config().require_secret("key")
        thing = Thing("a", password=pulumi.Output.secret("hunter2"), key=key)
        pulumi.export("password", thing.password)

    Thing.password = property(lambda self: pulumi.Output.secret("hunter2"))
    try:
        stack = kingpost.Stack(
            "proj", "dev", program, providers={"test": world}, config={"key": kingpost.Secret("k3yk3y")}
        )
        result = stack.up()
    finally:
        del Thing.password
    assert result.outputs["password"] == kingpost.Secret("hunter2")
    assert world.seen("create")[0].inputs["password"] == kingpost.Secret("hunter2")
    assert world.seen("create")[0].inputs["key"].value == "k3yk3y"
    assert resource(result, "a").outputs["password"].value == "hunter2"
    assert "hunter2" not in repr(result) and "k3yk3y" not in repr(result)
    exported = json.dumps(stack.export())
    assert "hunter2" not in exported and "k3yk3y" not in exported and "ciphertext" in exported
    assert ops(stack.up()) == {"a": "same"}


def test_unknowns_reach_the_provider_in_previews_only():
    world = World()

    def program():
        first = Thing("first")
        Thing("second", of=first.size)

    stack = kingpost.Stack("proj", "dev", program, providers={"test": world})
    stack.preview()
    second = next(request for request in world.seen("create") if request.name == "second")
    assert second.preview and second.inputs["of"] is kingpost.UNKNOWN
    assert kingpost.contains_unknowns(second.inputs)
    world.requests.clear()
    stack.up()
    second = next(request for request in world.seen("create") if request.name == "second")
    assert not second.preview and second.inputs["of"] == 1


def test_configuration():
    seen = {}

    def program():
        config = pulumi.Config()
        seen.update(
            text=config.require("text"),
            number=config.require_int("number"),
            flag=config.require_bool("flag"),
            tree=config.require_object("tree"),
            other=pulumi.Config("elsewhere").require("key"),
            names=(pulumi.get_project(), pulumi.get_stack()),
        )

    config = {"text": "t", "number": 7, "flag": True, "tree": {"a": [1]}, "elsewhere:key": "x"}
    kingpost.Stack("proj", "dev", program, config=config).preview()
    assert seen == {
        "text": "t", "number": 7, "flag": True, "tree": {"a": [1]}, "other": "x", "names": ("proj", "dev"),
    }


def test_components_and_dependencies():
    world = World()

    class Group(pulumi.ComponentResource):
        def __init__(self, name):
            super().__init__("test:index:Group", name)
            first = Thing(f"{name}-1", pulumi.ResourceOptions(parent=self))
            self.last = Thing(f"{name}-2", pulumi.ResourceOptions(parent=self, depends_on=[first]))
            self.register_outputs({"size": self.last.size})

    stack = kingpost.Stack("proj", "dev", lambda: Group("g") and None, providers={"test": world})
    result = stack.up()
    group, first, last = (resource(result, name) for name in ("g", "g-1", "g-2"))
    assert not group.custom and group.outputs == {"size": 2}
    assert first.parent == last.parent == group.urn and last.dependencies == [first.urn]
    stack.destroy()
    assert [request.name for request in world.seen("delete")] == ["g-2", "g-1"]


def test_explicit_provider_is_configured_and_functions_are_called():
    world = World()
    answers = []

    def program():
        provider = pulumi.ProviderResource("test", "mine", {"region": "here"})
        Thing("a", pulumi.ResourceOptions(provider=provider))
        options = pulumi.InvokeOptions(provider=provider)
        answers.append(pulumi.runtime.invoke("test:index:double", {"value": 21}, options).value)

    kingpost.Stack("proj", "dev", program, providers={"test": world}).up()
    assert answers == [{"value": 42}]
    assert [request.inputs for request in world.seen("configure")] == [{"region": "here"}]


def test_defaults_of_a_bare_provider():
    value = {"x": 1}
    stack = kingpost.Stack("proj", "dev", lambda: Thing("a", **value) and None, providers={"test": kingpost.Provider()})
    result = stack.up()
    assert resource(result, "a").id == "a" and resource(result, "a").outputs == {"x": 1}
    assert ops(stack.up()) == {"a": "same"}
    value = {"x": 2}
    assert ops(stack.up()) == {"a": "update"}
    assert ops(stack.refresh()) == {"a": "same"}
    assert ops(stack.destroy()) == {"a": "delete"}


def test_assets_and_references_arrive_as_objects(tmp_path):
    world = World()
    file = tmp_path / "page.txt"
    file.write_text("hello")

    def program():
        Thing("a", page=pulumi.FileAsset(str(file)), text=pulumi.StringAsset("x"),
              all=pulumi.AssetArchive({"p": pulumi.StringAsset("y")}))

    stack = kingpost.Stack("proj", "dev", program, providers={"test": world})
    stack.up()
    inputs = world.seen("create")[0].inputs
    assert isinstance(inputs["page"], kingpost.FileAsset) and inputs["page"].path == str(file) and inputs["page"].hash
    assert isinstance(inputs["text"], kingpost.TextAsset) and inputs["text"].text == "x"
    assert inputs["all"].assets["p"].text == "y"
    assert ops(stack.up()) == {"a": "same"}
    file.write_text("changed")
    assert ops(stack.up()) == {"a": "update"}


@pytest.mark.parametrize("option", ["targets", "excludes", "replace"])
def test_options_choose_resources(option):
    world = World()

    def program():
        Thing("a", color=color)
        Thing("b", color=color)

    color = "red"
    stack = kingpost.Stack("proj", "dev", program, providers={"test": world})
    stack.up()
    if option != "replace":
        color = "green"
    result = stack.up(**{option: [f"urn:pulumi:dev::proj::{TYPE}::a"]})
    replaced = ["create-replacement", "replace", "delete-replaced"]
    expected = {"targets": ("update", "same"), "excludes": ("same", "update"), "replace": (replaced, "same")}[option]
    assert (ops(result).get("a", "same"), ops(result).get("b", "same")) == expected
