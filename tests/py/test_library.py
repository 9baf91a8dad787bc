# SPDX-License-Identifier: Apache-2.0
"""The core as a library: differences, graphs, plans and journals."""

import dataclasses
import os

import kingpost
import pulumi
import pytest
from module_support import TYPE, Thing, World
from test_library_snapshot import document, names, sample, thing, urn

SECRET = kingpost.Secret


@pytest.mark.parametrize("old, new, wanted", [
    ({}, {}, {}),
    ({"a": 1, "b": [1, {"c": None}]}, {"a": 1, "b": [1, {"c": None}]}, {}),
    ({"a": 1}, {"a": 2}, {"a": ("update", 1, 2)}),
    ({}, {"a": None}, {"a": ("add", None, None)}),
    ({"a": {"b.c": 1}}, {"a": {}}, {'a["b.c"]': ("delete", 1, None)}),
    ({"a": [1, 2]}, {"a": [1, 3, 4]}, {"a[1]": ("update", 2, 3), "a[2]": ("add", None, 4)}),
    ({"a": {"b": 1}}, {"a": [1]}, {"a": ("update", {"b": 1}, [1])}),
    ({"a": SECRET("x")}, {"a": SECRET("y")}, {"a": ("update", SECRET("x"), SECRET("y"))}),
    ({"a": SECRET({"b": 1})}, {"a": SECRET({"b": 2})}, {"a.b": ("update", SECRET(1), SECRET(2))}),
    ({"a": SECRET("x")}, {"a": "x"}, {"a": ("update", SECRET("x"), "x")}),
    ({"a": kingpost.UNKNOWN}, {"a": 1}, {"a": ("update", kingpost.UNKNOWN, 1)}),
    ({"a": True}, {"a": 1}, {"a": ("update", True, 1)}),
])
def test_properties_differ_by_path(old, new, wanted):
    found = kingpost.diff(old, new)
    assert {path: (change.kind, change.old, change.new) for path, change in found.items()} == wanted


def test_snapshots_differ_by_resource():
    before = sample()
    assert not kingpost.diff(before, before) and str(kingpost.diff(before, sample())) == "no difference"
    after = kingpost.Snapshot.load(document(
        thing("a", inputs={"size": 2}), thing("b", id="made anew"), thing("new"),
        thing("b", delete=True, id="id-b")))
    found = kingpost.diff(before, after)
    assert names(found.added) == ["new"] and names(found.removed) == ["c", "other"]
    (replaced,) = found.replaced
    assert replaced.urn == urn("b") and replaced.changes["id"] == kingpost.Change("update", "id-b", "made anew")
    assert [change.urn for change in found.changed] == [urn("a"), urn("b")]  # one of that name waits for its end now
    assert found.changed[0].changes == {"inputs.size": kingpost.Change("update", 1, 2)}
    assert found.changed[1].changes["pending_delete"] == kingpost.Change("update", False, True)
    assert f"~ {urn('a')}\n    inputs.size: 1 => 2" in str(found) and f"+ {urn('new')}" in str(found)
    with pytest.raises(TypeError, match="two kingpost.Snapshots or two dicts"):
        kingpost.diff(before, {})


def test_a_graph_iterates_dependencies_first():
    snapshot = sample()
    graph = kingpost.dependency_graph(snapshot)
    assert names(graph) == ["a", "b", "c", "other"] and len(graph) == 4
    assert graph.edges() == [(urn("b"), urn("a"), "dependency", ""), (urn("b"), urn("a"), "property", "from"),
                             (urn("c"), urn("b"), "parent", "")]
    assert names(graph.dependents(urn("a"))) == ["b", "c"] and names(graph.dependencies(urn("c"))) == ["b"]
    dot = graph.to_dot()
    assert dot.startswith("digraph stack {") and f'"{urn("c")}" -> "{urn("b")}" [label="parent"];' in dot


def test_a_graph_becomes_one_of_networkx():
    networkx = pytest.importorskip("networkx")
    graph = kingpost.dependency_graph(sample()).to_networkx()
    assert networkx.descendants(graph, urn("c")) == {urn("a"), urn("b")}
    assert graph.nodes["urn:pulumi:dev::site::else:index:Kind::other"]["type"] == "else:index:Kind"
    assert {data["kind"] for _, _, data in graph.edges(data=True)} == {"dependency", "property", "parent"}


# --- plans ----------------------------------------------------------------------------------------


def ops(result):
    return {step.name: step.op for step in result.steps if step.type == TYPE and step.op != "create-replacement"}


def goal(name, inputs=(), **options):
    return kingpost.Goal(TYPE, name, dict(inputs), **options)


def test_a_plan_says_what_would_be_done_and_why():
    world = World()
    stack = kingpost.Stack("site", "dev", lambda: (Thing("a", n=1), Thing("b", kind="x"), Thing("c")) and None,
                           providers={"test": world})
    stack.up()
    snapshot = kingpost.Snapshot.of(stack)
    calls = len(world.requests)
    result = kingpost.plan(snapshot, [goal("a", {"n": 2}), goal("b", {"kind": "y"}), goal("d")], world)
    assert ops(result) == {"a": "update", "b": "delete-replaced", "c": "delete", "d": "create"}
    reasons = {step.name: step.reason.rule for step in result.steps if step.op in ("update", "replace", "delete", "create")}
    assert reasons == {"a": "inputs-changed", "b": "not-in-place", "c": "not-registered", "d": "new"}
    asked = {name for name, request in world.requests[calls:] if not getattr(request, "preview", True)}
    assert not asked and len(world.things) == 3, "nothing may be done"
    assert not kingpost.diff(snapshot, kingpost.Snapshot.of(stack))


def test_outputs_of_goals_are_inputs_of_others():
    first = goal("a", {"n": 1})
    second = goal("b", {"size": first["size"], "deep": [{"id": SECRET(first["id"])}], "n": first["n"]}, parent=first)
    result = kingpost.plan(None, [first, second], World(), project="shop", stack="prod", outputs={"size": second["size"]})
    (step,) = [step for step in result.steps if step.name == "b"]
    a = f"urn:pulumi:prod::shop::{TYPE}::a"
    assert step.new.inputs == {"size": kingpost.UNKNOWN, "deep": [{"id": SECRET(kingpost.UNKNOWN)}], "n": 1,
                               "color": "blue"}
    assert step.new.parent == a and step.new.dependencies == [a] and result.outputs == {"size": kingpost.UNKNOWN}


def test_goals_of_a_snapshot_change_nothing():
    def program():
        provider = pulumi.ProviderResource("test", "own", {"region": "here"})
        first = Thing("first", pulumi.ResourceOptions(protect=True), key=pulumi.Output.secret("hunter2"))
        Thing("second", pulumi.ResourceOptions(parent=first, provider=provider), size_of=first.size)

    world = World()
    stack = kingpost.Stack("site", "dev", program, providers={"test": world})
    stack.up()
    snapshot = kingpost.Snapshot.of(stack)
    goals = kingpost.goals_of(snapshot)
    assert {step.op for step in kingpost.plan(snapshot, goals, world).steps} == {"same"}
    changed = {urn: goal.with_inputs(color="red") if goal.name == "second" else goal for urn, goal in goals.items()}
    assert ops(kingpost.plan(snapshot, changed, world)) == {"first": "same", "second": "update"}
    first = next(urn for urn in goals if urn.endswith("first"))
    del changed[first]
    with pytest.raises(kingpost.Error, match="first"):
        kingpost.plan(snapshot, changed, world)  # the second one's parent is not registered


def test_plans_are_confined_as_operations_are():
    snapshot = sample().delete(urn("c"))
    goals = kingpost.goals_of(snapshot)
    goals = {at: goal.with_inputs(extra=1) for at, goal in goals.items()}
    result = kingpost.plan(snapshot, goals, targets=[urn("a")])
    assert ops(result) == {"a": "update", "b": "same"}
    assert ops(kingpost.plan(snapshot, kingpost.goals_of(snapshot), replace=[urn("a")]))["a"] == "delete-replaced"
    with pytest.raises(TypeError, match="targets takes a list"):
        kingpost.plan(snapshot, goals, targets=urn("a"))


@pytest.mark.parametrize("make, error", [
    (lambda: [goal("b", {"x": goal("a")["id"]})], "'a' must be among the goals, before"),
    (lambda: [goal("b", {"x": goal("a")})], "name an output of it"),
    (lambda: [goal("b", parent=goal("a"))], "'a' must be among the goals, before"),
])
def test_goals_name_earlier_goals_only(make, error):
    with pytest.raises((ValueError, TypeError), match=error):
        kingpost.plan(None, make())


def test_a_plan_that_fails_says_what_it_found():
    with pytest.raises(kingpost.Error, match="must not be negative") as caught:
        kingpost.plan(None, [goal("a", {"size_wanted": -1})], World())
    assert any(diagnostic.severity == "error" for diagnostic in caught.value.result.diagnostics)
    with pytest.raises(kingpost.Error, match="no provider of package test was given"):
        kingpost.plan(None, [goal("a")], {"other": World()})
    with pytest.raises(TypeError, match="must be a kingpost.Provider"):
        kingpost.plan(None, [goal("a")], {"test": object()})


# --- journals -------------------------------------------------------------------------------------


class Watched(World):
    """A world that copies the journal of its operation, because the file is removed at the end."""

    def __init__(self, folder):
        super().__init__()
        self.folder, self.file = folder, None

    def create(self, request):
        if self.file is None and not request.preview:
            (path,) = self.folder.glob(".pulumi/journals/*/*.journal")
            self.file = os.open(path, os.O_RDONLY)
        return super().create(request)

    def journal(self):
        with os.fdopen(self.file, "rb") as file:
            return file.read()


@pytest.fixture
def journaled(tmp_path):
    world = Watched(tmp_path)
    stack = kingpost.Stack("site", "dev", lambda: (Thing("a", key=pulumi.Output.secret("hunter2")), Thing("b")) and None,
                           providers={"test": world}, backend=f"file://{tmp_path}", passphrase="right", parallel=1)
    before = kingpost.Snapshot.of(stack)
    stack.up()
    return before, world.journal(), kingpost.Snapshot.of(stack)


def test_a_journal_is_read_entry_by_entry(journaled):
    _, data, _ = journaled
    journal = kingpost.Journal.load(data)
    assert journal.stack == "organization/site/dev" and journal.operation == "update" and journal.base_hash == ""
    begun = [entry.resource.name for entry in journal if entry.kind == "begin" and entry.operation == "creating"
             and entry.resource.type == TYPE]
    assert sorted(begun) == ["a", "b"] and journal[-1].kind == "commit" and "commit" in repr(journal[-1])
    assert [entry.sequence for entry in journal] == list(range(1, len(journal) + 1))
    (sealed,) = [e for e in journal if e.kind == "success" and e.resource and e.resource.name == "a"]
    assert isinstance(sealed.resource.inputs["key"].value, kingpost.Sealed)
    opened = kingpost.Journal.load(data, passphrase="right")
    (entry,) = [e for e in opened if e.kind == "success" and e.resource and e.resource.name == "a"]
    assert entry.resource.inputs["key"] == SECRET("hunter2")
    with pytest.raises(IndexError):
        journal[len(journal)]


def test_a_journal_replays_to_what_was_recorded(journaled):
    before, data, after = journaled
    journal = kingpost.Journal.load(data, passphrase="right")
    assert not kingpost.diff(journal.replay(before), after)
    known = 0
    for count in range(len(journal) + 1):
        at = journal.replay(before, count)
        assert at.problem is None and len(at) >= known
        known = len(at)
        assert len(kingpost.Journal.load(journal.cut(count))) == count
    with pytest.raises(kingpost.Error, match="does not count from this snapshot"):
        journal.replay(after)
    with pytest.raises(kingpost.Error, match="entries, not 999"):
        journal.replay(before, 999)


def test_a_damaged_journal_is_refused_and_a_torn_one_is_not(journaled):
    _, data, _ = journaled
    journal = kingpost.Journal.load(data)
    end = len(journal.cut(len(journal)))
    torn = kingpost.Journal.load(data[: end - 3])
    assert len(torn) == len(journal) - 1 and torn.torn_tail_bytes > 0
    middle = len(journal.cut(1)) - 5
    with pytest.raises(kingpost.StateDamaged, match="the journal"):
        kingpost.Journal.load(data[:middle] + b"X" + data[middle + 1 :])


def test_goals_are_values():
    first = goal("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.name = "b"
    with pytest.raises(TypeError, match="not iterable"):
        list(first)


# --- policies of plans ------------------------------------------------------------------------------


def test_policies_see_what_a_plan_asks_for():
    @kingpost.policy(level="mandatory")
    def no_red(resource):
        if resource.properties.get("color") == "red":
            resource.violation("red is out of fashion")

    @kingpost.stack_policy(level="advisory")
    def two_at_most(stack):
        if len([r for r in stack.resources if r.type == "test:index:Thing"]) > 2:
            stack.violation("two things at most")

    goals = [kingpost.Goal("test:index:Thing", name, {"color": color}) for name, color in (("a", "blue"), ("b", "red"))]
    with pytest.raises(kingpost.PolicyViolation, match="red is out of fashion") as caught:
        kingpost.plan(None, goals, policies=[no_red])
    assert caught.value.policy == "no-red" and caught.value.urn.endswith("::b")
    result = kingpost.plan(None, goals, policies=[no_red], policy_config={"no-red": {"level": "advisory"}})
    assert [(d.severity, d.policy) for d in result.diagnostics] == [("warning", "no-red")]
    assert [step.op for step in result.steps if step.type == "test:index:Thing"] == ["create", "create"]


def test_a_policy_changes_what_a_plan_asks_for():
    @kingpost.policy(level="remediate")
    def paint(resource):
        return {**resource.properties, "color": "green"}

    result = kingpost.plan(None, [kingpost.Goal("test:index:Thing", "a", {"color": "red"})], policies=[paint])
    (step,) = [step for step in result.steps if step.name == "a"]
    assert step.new.inputs["color"] == "green"


def test_a_plan_has_no_hooks():
    with pytest.raises(TypeError, match="plan\\(\\) has no argument 'hooks': a plan runs nothing"):
        kingpost.plan(None, [], hooks={})
