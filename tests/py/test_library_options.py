# SPDX-License-Identifier: Apache-2.0
"""Options of resources in the library: read, compared, and registered again."""

import ast
import dataclasses
from pathlib import Path

import kingpost
import pytest
from kingpost import _kingpost
from module_support import World
from test_library_snapshot import document, thing, urn

STUB = Path(kingpost.__file__).with_name("_kingpost.pyi")
EVERY = {"customTimeouts": {"create": 60, "delete": 1.5}, "resourceHooks": {"BeforeCreate": ["h"]}, "hideDiff": ["size"],
         "replacementTrigger": [1, "x"], "replaceWith": [urn("a")], "ignoreChanges": ["n"], "replaceOnChanges": ["kind"],
         "additionalSecretOutputs": ["n"], "retainOnDelete": True, "protect": True, "deletedWith": urn("a"),
         "aliases": [urn("once")], "importID": "i"}


def pair(**fields):
    return kingpost.Snapshot.load(document(thing("a", inputs={"n": 1}), thing("b", inputs={"n": 1}, **fields)))


def test_a_resource_has_the_properties_that_its_stub_declares():
    (declared,) = (node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef) and node.name == "Resource")
    names = {node.name for node in declared.body if isinstance(node, ast.FunctionDef)}
    assert {name for name in names if not name.startswith("_")} == {
        name for name in vars(_kingpost.Resource) if not name.startswith("_")}


def test_each_option_that_is_recorded_is_a_property_and_a_field_of_goals():
    fields = {field.name for field in dataclasses.fields(kingpost.Goal)}
    recorded = set(_kingpost.recorded_options())
    assert recorded - fields == {"dependencies", "hooks"}
    assert recorded <= set(vars(_kingpost.Resource))


def test_options_are_read():
    b = pair(**EVERY)[urn("b")]
    assert b.custom_timeouts == {"create": 60, "delete": 1.5} and b.hooks == {"before_create": ["h"]}
    assert b.hide_diffs == ["size"] and b.replacement_trigger == [1, "x"] and b.replace_with == [urn("a")]
    assert (b.refresh_before_update, b.view_of, b.stack_trace) == (False, "", [])


@pytest.mark.parametrize("option", EVERY)
def test_an_option_that_differs_alone_is_a_difference(option):
    (changed,) = kingpost.diff(pair(), pair(**{option: EVERY[option]})).changed
    assert changed.urn == urn("b") and len(changed.changes) >= 1


def test_times_and_positions_are_no_difference():
    assert not kingpost.diff(pair(), pair(created="2024-01-02T03:04:05Z", modified="2024-01-02T03:04:05Z",
                                          sourcePosition="project:///a.py#1,1", stackTrace=[{"sourcePosition": "x"}]))


def test_goals_of_a_snapshot_ask_for_its_options_again():
    goal = kingpost.goals_of(pair(**EVERY))[urn("b")]
    assert goal.replace_with == [urn("a")] and goal.custom_timeouts == {"create": 60, "delete": 1.5}
    assert goal.hide_diffs == ["size"] and goal.replacement_trigger == [1, "x"] and goal.retain_on_delete is True
    snapshot = pair(**{option: value for option, value in EVERY.items() if option not in ("resourceHooks", "aliases")})
    plan = kingpost.plan(snapshot, kingpost.goals_of(snapshot))
    assert {step.op for step in plan.steps if step.name in ("a", "b")} == {"same"}


def test_a_plan_replaces_a_resource_with_the_one_it_names():
    snapshot = pair(replaceWith=[urn("a")])
    goals = kingpost.goals_of(snapshot)
    goals[urn("a")] = goals[urn("a")].with_inputs(kind="other")
    plan = kingpost.plan(snapshot, goals, World())
    assert {step.name for step in plan.steps_of("replace")} == {"a", "b"}


def test_goals_name_goals_in_their_options():
    goals = kingpost.goals_of(pair())
    first = goals[urn("a")].with_inputs(kind="other")
    second = dataclasses.replace(goals[urn("b")], replace_with=[first], replacement_trigger=first["urn"], deleted_with=first)
    plan = kingpost.plan(pair(), [first, second], World())
    assert {step.name for step in plan.steps_of("replace")} == {"a", "b"}
    (made,) = [step for step in plan.steps_of("create-replacement") if step.name == "b"]
    assert made.new.dependencies == [urn("a")]
    with pytest.raises(ValueError, match="create, update, delete and read"):
        kingpost.plan(None, [dataclasses.replace(first, custom_timeouts={"make": 1})], World())
