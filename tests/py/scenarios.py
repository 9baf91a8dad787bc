# SPDX-License-Identifier: Apache-2.0
"""The expected steps of each program of tests/programs/rules. Every line was seen on the real engine first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from harness import Command, Workspace
from harness.rules import Do, rules_workspace

CREATE, UPDATE, DELETE, IMPORT = ["create"], ["update"], ["delete"], ["import"]
REPLACE = ["create-replacement", "replace", "delete-replaced"]
REPLACE_DELETE_FIRST = ["delete-replaced", "replace", "create-replacement"]
THING = "urn:pulumi:dev::rules::things:index:Thing::"
PROTECTED = THING + "protected"
PACK = ("--policy-pack", "../policies")
# The programs that every run of the tests also plays in Node.js and Go: former names, callbacks, every option, remote
# components. The other programs say nothing on the wire that these do not.
IN_EVERY_LANGUAGE = {"aliases", "hooks", "options", "remote", "transforms"}


def marked(names: list[str]) -> list:
    """The programs of another language than Python as parameters of a test."""
    return [name if name in IN_EVERY_LANGUAGE else pytest.param(name, marks=pytest.mark.slow) for name in names]


def all_of(op: list[str], *names: str, **others: list[str]) -> dict[str, list[str]]:
    return {**dict.fromkeys(names, op), **others}


def created(*names: str, **others: list[str]) -> dict[str, list[str]]:
    return all_of(CREATE, "rules-dev", *names, **others)


def deleted(*names: str) -> dict[str, list[str]]:
    return all_of(DELETE, "rules-dev", *names)


@dataclass
class Scenario:
    """The program called like the scenario, unless `program` is another."""

    does: list[Do]
    log: list[str]                               # what the provider did, sorted within runs that may overlap
    program: str = ""
    versions: tuple[str, ...] = ()               # versions of the provider in the plugin cache
    seed: tuple[str, str] | None = None          # a thing that exists before


FOUND = ("found-1", '{"value": "found"}')
IMPORT_FILE = """{"resources": [
  {"type": "boxes:index:Box", "name": "box", "component": true},
  {"type": "things:index:Thing", "name": "held", "id": "found-1", "parent": "box"}]}"""
PLANNING = {"PULUMI_EXPERIMENTAL": "true"}


def on(flag: str, *names: str) -> tuple[str, ...]:
    return tuple(word for name in names for word in (flag, THING + name))


SCENARIOS = {
    "aliases": Scenario([
        Do("up", 1, created("box", "thing")),
        Do("up", 2, {}),
        Do("up", 3, {}),
        Do("up", 4, all_of(CREATE, "shelf")),
        Do("destroy", 4, deleted("item", "crate", "shelf")),
    ], ["create thing-1", "delete thing-1"]),

    "replacement": Scenario([
        Do("up", 1, created("a", "b", "c", "d", "e")),
        Do("preview", 1, {}),
        Do("up", 1, {}),
        Do("up", 2, all_of(REPLACE, "a", "b", "d", c=UPDATE)),
        Do("up", 3, all_of(REPLACE_DELETE_FIRST, "a", "b", c=UPDATE, d=REPLACE)),
        Do("refresh", 3, {}),
        Do("destroy", 3, deleted("a", "b", "c", "d", "e")),
    ], ["create a-1", "create a-2", "create a-3", "create b-1", "create b-2", "create b-3", "create c-1", "create d-1",
        "create d-2", "create d-3", "create e-1", "delete a-1", "delete a-2", "delete a-3", "delete b-1", "delete b-2",
        "delete b-3", "delete c-1", "delete d-1", "delete d-2", "delete d-3", "delete e-1", "update c-1", "update c-1"]),

    "transforms": Scenario([
        Do("up", 1, created("box", "inner", "outer")),
        Do("preview", 1, {}),
        Do("up", 2, all_of(UPDATE, "inner", "outer")),
        Do("destroy", 2, deleted("box", "inner", "outer")),
    ], ["create inner-1", "create outer-1", "delete inner-1", "delete outer-1", "update inner-1", "update outer-1"]),

    "hooks": Scenario([
        Do("preview", 1, created("hooked")),
        Do("up", 1, created("hooked")),
        Do("up", 2, all_of(UPDATE, "hooked")),
        Do("up", 3, all_of(DELETE, "hooked")),
        Do("up", 4, all_of(CREATE, "hooked", "flaky"), env={"THINGS_FLAKY": "create:flaky"}),
        Do("destroy", 4, all_of(["same", "delete"], "rules-dev", "hooked", "flaky"), args=("--run-program",)),
    ], ["create flaky-1", "create hooked-1", "create hooked-2", "delete flaky-1", "delete hooked-1", "delete hooked-2",
        "flaky create flaky", "flaky create flaky", "update hooked-1"]),

    "remote": Scenario([
        Do("up", 1, created("source", "shelf", "shelf-0", "shelf-1", "after")),
        Do("up", 1, {}),
        Do("up", 2, all_of(UPDATE, "source", "shelf-0", "shelf-1", "after")),
        Do("destroy", 2, deleted("source", "shelf", "shelf-0", "shelf-1", "after")),
    ], ["create after-1", "create shelf-0-1", "create shelf-1-1", "create source-1", "delete after-1",
        "delete shelf-0-1", "delete shelf-1-1", "delete source-1", "update after-1", "update shelf-0-1",
        "update shelf-1-1", "update source-1"]),

    "options": Scenario([
        Do("up", 1, created("ignoring", "deep", "replacing", "protected", "keeper", "leaf", "secretive")),
        Do("up", 2, {"ignoring": UPDATE, "replacing": REPLACE}),
        Do("destroy", 2, all_of(DELETE, "protected"), args=("--target", PROTECTED), code=1,
           says=("cannot be deleted", "protected")),
        Do("up", 3, {"ignoring": UPDATE, "replacing": REPLACE, "leaf": DELETE, "keeper": DELETE}),
        Do("destroy", 3, deleted("ignoring", "deep", "replacing", "protected", "secretive")),
    ], ["create deep-1", "create ignoring-1", "create keeper-1", "create leaf-1", "create protected-1",
        "create replacing-1", "create replacing-2", "create replacing-3", "create secretive-1", "delete deep-1",
        "delete ignoring-1", "delete protected-1", "delete replacing-1", "delete replacing-2", "delete replacing-3",
        "delete secretive-1", "update ignoring-1", "update ignoring-1"]),

    "importing": Scenario([
        Do("up", 1, created("ordinary", adopted=IMPORT)),
        Do("up", 2, {}),
        Do("up", 3, {}),
        Do("up", 4, all_of(UPDATE, "adopted")),
        Do("destroy", 4, deleted("adopted", "ordinary")),
    ], ["create ordinary-1", "delete found-1", "delete ordinary-1", "update found-1"], seed=FOUND),

    "versions": Scenario([
        Do("up", 1, created("thing")),
        Do("up", 2, {}),
        Do("up", 3, all_of(CREATE, "regional")),
        Do("up", 4, {"regional": REPLACE}),
        Do("destroy", 4, deleted("regional", "thing")),
    ], ["create regional-1", "create regional-2", "create thing-1", "delete regional-1", "delete regional-2",
        "delete thing-1"], versions=("1.0.0", "2.0.0")),

    "reading": Scenario([
        Do("up", 1, created("other")),
        Do("up", 2, {"found": ["create-replacement", "replace", "discard-replaced"]}),
        Do("up", 3, all_of(DELETE, "found")),
        Do("destroy", 3, deleted("other")),
    ], ["create found-1", "create other-1", "delete found-1", "delete other-1"], seed=FOUND),

    "failing": Scenario([
        Do("up", 1, created("apart", "first", "second")),
        Do("up", 2, all_of(UPDATE, "apart", "first"), code=1, says=("update of first was told to fail",)),
        Do("up", 3, all_of(UPDATE, "apart"), code=1, says=("this value is not allowed", "first")),
        Do("up", 4, all_of(UPDATE, "apart", "first", "second")),
        Do("up", 5, all_of(UPDATE, "apart"), code=1, says=("the program cannot go on",)),
        Do("destroy", 5, deleted("apart", "first", "second")),
    ], ["create apart-1", "create first-1", "create second-1", "delete apart-1", "delete first-1", "delete second-1",
        "update apart-1", "update apart-1", "update apart-1", "update apart-1", "update first-1", "update second-1"]),

    "policed": Scenario([
        Do("up", 1, created("brief"), args=PACK, code=1, says=("the value 'forbidden' must not be used",)),
        Do("up", 2, all_of(CREATE, "judged"), args=PACK),
        Do("up", 3, all_of(CREATE, "third", "fourth"), args=PACK, code=1, says=("a stack has three things at most",)),
        Do("destroy", 3, deleted("brief", "judged", "third", "fourth")),
    ], ["create brief-1", "create fourth-1", "create judged-1", "create third-1", "delete brief-1", "delete fourth-1",
        "delete judged-1", "delete third-1"]),

    "targets": Scenario([
        Do("up", 1, created("a", "b", "c", "apart")),
        Do("up", 2, all_of(UPDATE, "apart"), args=on("--target", "apart")),
        Do("up", 2, all_of(UPDATE, "a", "b", "c"), args=on("--target", "a") + ("--target-dependents",)),
        Do("up", 1, all_of(UPDATE, "a", "b", "c"), args=on("--exclude", "apart")),
        Do("up", 1, all_of(REPLACE, "a", b=UPDATE, c=UPDATE, apart=UPDATE), args=on("--replace", "a")),
        Do("up", 2, all_of(REPLACE, "b"), args=on("--target-replace", "b")),
        Do("up", 3, all_of(UPDATE, "a"), args=on("--target", "a")),
        Do("destroy", 3, all_of(DELETE, "c"), args=on("--target", "c")),
        Do("destroy", 3, {}, args=on("--target", "a"), code=1, says=("--target-dependents",)),
        Do("destroy", 3, all_of(DELETE, "a", "b"), args=on("--target", "a") + ("--target-dependents",)),
        Do("destroy", 3, {}, args=on("--exclude", "apart")),
        Do("destroy", 3, deleted("apart")),
    ], ["create a-1", "create a-2", "create apart-1", "create b-1", "create b-2", "create c-1", "delete a-1", "delete a-2",
        "delete apart-1", "delete b-1", "delete b-2", "delete c-1", "update a-1", "update a-1", "update a-2",
        "update apart-1", "update apart-1", "update b-1", "update b-1", "update b-1", "update c-1", "update c-1",
        "update c-1"], program="several"),

    "drifting": Scenario([
        Do("up", 1, created("a", "b", "c", "apart")),
        Do("refresh", 1, {}, args=("--expect-no-changes",)),
        Do("refresh", 1, {}, files={"things/a-1.json": '{"value": "drifted"}', "things/c-1.json": None}),
        Do("up", 1, all_of(UPDATE, "a", c=CREATE)),
        Do("refresh", 1, {}, files={"things/apart-1.json": '{"value": "drifted"}', "things/a-1.json": None},
           args=on("--target", "apart")),
        Do("up", 1, all_of(["refresh", *UPDATE], "b", "c", "apart", a=["refresh", *CREATE]), args=("--refresh",)),
        Do("up", 3, all_of(["refresh", *UPDATE], "a", "b", "c", "apart", late=CREATE),
           files={"things/b-1.json": '{"value": "drifted"}'}, args=("--refresh", "--run-program")),
        Do("refresh", 3, {}, files={"things/b-1.json": '{"value": "drifted"}', "things/late-1.json": None},
           args=("--run-program",)),
        Do("destroy", 3, all_of(["refresh", *DELETE], "rules-dev", "a", "b", "c", "apart"), args=("--refresh",)),
    ], ["create a-1", "create a-2", "create apart-1", "create b-1", "create c-1", "create c-2", "create late-1",
        "delete a-2", "delete apart-1", "delete b-1", "delete c-2", "update a-1", "update a-2", "update apart-1",
        "update apart-1", "update b-1", "update b-1", "update c-2", "update c-2"], program="several"),

    "continuing": Scenario([
        Do("up", 1, created("apart", "first", "second")),
        Do("up", 2, all_of(UPDATE, "apart", "first"), args=("--continue-on-error",), code=1,
           says=("update of first was told to fail",)),
        Do("up", 6, all_of(UPDATE, "apart", "first", "second")),
        Do("destroy", 6, all_of(DELETE, "first", "second"), args=("--continue-on-error",), code=1,
           says=("delete of first was told to fail",)),
        Do("up", 4, all_of(UPDATE, "apart", "first", second=CREATE)),
        Do("destroy", 4, deleted("apart", "first", "second")),
    ], ["create apart-1", "create first-1", "create second-1", "create second-2", "delete apart-1", "delete first-1",
        "delete second-1", "delete second-2", "update apart-1", "update apart-1", "update apart-1", "update first-1",
        "update first-1", "update second-1"], program="failing"),

    "planned": Scenario([
        Do("preview", 1, created("a", "b", "c", "apart"), args=("--save-plan", "plan.json"), env=PLANNING),
        Do("up", 1, created("a", "b", "c", "apart"), args=("--plan=plan.json",), env=PLANNING),
        Do("preview", 2, all_of(UPDATE, "a", "b", "c", "apart"), args=("--save-plan", "plan.json"), env=PLANNING),
        Do("up", 3, all_of(UPDATE, "a", "b", "c", "apart"), args=("--plan=plan.json",), env=PLANNING, code=1,
           says=("create is not allowed by the plan", "late")),
        Do("up", 2, {}, args=("--plan=plan.json",), env=PLANNING),
        Do("destroy", 2, deleted("a", "b", "c", "apart")),
    ], ["create a-1", "create apart-1", "create b-1", "create c-1", "delete a-1", "delete apart-1", "delete b-1",
        "delete c-1", "update a-1", "update apart-1", "update b-1", "update c-1"], program="several"),

    "adopting": Scenario([
        Do("import", 1, {"rules-dev": CREATE, "box": IMPORT, "held": IMPORT}, files={"import.json": IMPORT_FILE},
           args=("--file", "import.json", "--generate-code=false", "--protect=false")),
        Do("up", 1, {}),
        Do("destroy", 1, deleted("box", "held")),
    ], ["delete found-1"], seed=FOUND),

    "edited": Scenario([
        Do("up", 1, created("a", "b", "c", "apart")),
        Do("state", 1, {}, args=("protect", THING + "c")),
        Do("destroy", 1, all_of(DELETE, "c"), args=on("--target", "c"), code=1, says=("cannot be deleted",)),
        Do("state", 1, {}, args=("unprotect", THING + "c")),
        Do("state", 1, {}, args=("taint", THING + "apart")),
        Do("up", 1, all_of(REPLACE, "apart")),
        Do("state", 1, {}, args=("rename", THING + "a", "alpha")),
        Do("state", 1, {}, args=("delete", THING + "b"), code=1),
        Do("state", 1, {}, args=("delete", THING + "b", "--target-dependents")),
        Do("up", 1, all_of(CREATE, "a", "b", "c", alpha=DELETE)),
        Do("destroy", 1, deleted("a", "b", "c", "apart")),
    ], ["create a-1", "create a-2", "create apart-1", "create apart-2", "create b-1", "create b-2", "create c-1",
        "create c-2", "delete a-1", "delete a-2", "delete apart-1", "delete apart-2", "delete b-2", "delete c-2"],
        program="several"),
}

HOOKS_LOG = [
    "after_create hooked None>step 1", "after_create hooked None>step 2", "after_delete hooked step 2>None",
    "after_delete hooked step 2>None", "after_update hooked step 1>step 2", "before_create hooked None>step 1",
    "before_create hooked None>step 2", "before_delete hooked step 2>None", "before_delete hooked step 2>None",
    "before_update hooked step 1>step 2", "on_error flaky create 1", "on_error flaky create 2",
]


def prepare(root: Path, command: Command, name: str) -> Workspace:
    """A workspace in which the scenario can begin."""
    scenario = SCENARIOS[name]
    ws = rules_workspace(root, command, scenario.program or name, scenario.versions)
    if scenario.seed:
        id, text = scenario.seed
        (ws.project / "things").mkdir()
        (ws.project / "things" / f"{id}.json").write_text(text)
    return ws
