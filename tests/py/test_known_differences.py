"""The rules by which random stories set differences aside swallow what they say, and nothing beside it."""

import copy

from harness import known_differences
from harness.known_differences import set_aside
from harness.random_acts import Act

A, B = (f"urn:pulumi:dev::random::things:index:Thing::{name}" for name in "ab")


def side(**told) -> dict:
    """What an act came to: two resources, of which a is new."""
    rows = {A: {"urn": A, "id": "a-1"}, B: {"urn": B, "id": "b-1"}}
    return {"code": 255, "calls": {A: ["create a"], B: ["diff b"]}, "world": {"a-1": {}, "b-1": {}}, "crashed": False,
            "deleted with": [], "steps": {A: ["create"], B: ["update"]}, "ended": {A: ["create"]}, "failed": [B],
            "errors": [[B, "error", "update of b was told to fail"]], "summary": {"create": 1},
            "state": {"version": 3, "deployment": {"resources": rows}}} | copy.deepcopy(told)


def behind() -> dict:
    """The same, but that the run stopped before a."""
    told = side(calls={B: ["diff b"]}, world={"b-1": {}}, steps={B: ["update"]}, ended={}, summary={})
    del told["state"]["deployment"]["resources"][A]
    return told


def act(verb="up", *args, serial=False, **more) -> Act:
    return Act(verb, {"serial": serial, "resources": [], "exports": {}}, list(args), **more)


def left(act: Act, ours: dict, peers: dict) -> tuple[list[str], bool]:
    """The rules that were used, and whether the two are alike after them."""
    found = set_aside(act, ours, peers)
    return found, ours == peers


def test_who_got_further_beside_a_failure_is_chance():
    for told in (act(), act("destroy", serial=True), act("refresh", serial=True)):
        assert left(told, side(), behind()) == (["failed side by side"], True)
        assert left(told, behind(), side()) == (["failed side by side"], True)


def test_one_step_at_a_time_is_no_chance():
    for told in (act(serial=True), act("destroy", "--parallel", "1", serial=True), act("up", "--continue-on-error")):
        found, alike = left(told, side(), behind())
        assert "failed side by side" not in found and not alike


def test_success_is_no_chance():
    assert left(act(), side(code=0), behind() | {"code": 0}) == ([], False)
    assert left(act(), side(), behind() | {"code": 0}) == ([], False)


def test_beside_a_failure_all_others_are_compared():
    differ = {"errors": [[B, "error", "another text"]], "failed": [], "steps": {B: ["same"]},
              "calls": {B: ["diff b", "update b"], A: []}, "world": {"b-1": {"value": "another"}}}
    for key, value in differ.items():
        assert not left(act(), side(), behind() | {key: value})[1], key
    other_row = behind()
    other_row["state"]["deployment"]["resources"][B]["id"] = "b-2"
    assert not left(act(), side(), other_row)[1]


def test_beside_a_failure_other_steps_of_one_resource_are_no_chance():
    assert not left(act(), side(), side(steps={A: ["create-replacement"], B: ["update"]}))[1]
    assert not left(act(), side(), side(steps={A: ["create", "delete"], B: ["update"]}, calls={A: [], B: ["diff b"]}))[1]


def test_rules_are_named_once():
    names = [*known_differences.ADJUSTMENTS, *known_differences.WHOLE_ACTS, *known_differences.CHANCE]
    assert len(names) == len(set(names))
