# SPDX-License-Identifier: Apache-2.0
"""The core as a library: snapshots are loaded, read, edited and saved without an engine."""

import gzip
import json

import kingpost
import pulumi
import pytest
from module_support import TYPE, Thing, World

PREFIX = f"urn:pulumi:dev::site::{TYPE}"


def thing(name, *, type=TYPE, **fields):
    return {"urn": f"urn:pulumi:dev::site::{type}::{name}", "custom": True, "id": f"id-{name}", "type": type, **fields}


def urn(name):
    return f"{PREFIX}::{name}"


def document(*resources, **fields):
    return {"version": 3, "deployment": {"manifest": {"time": "2024-01-02T03:04:05Z", "magic": "", "version": ""},
                                         "resources": list(resources), **fields}}


def sample(**b):
    return kingpost.Snapshot.load(document(
        thing("a", inputs={"size": 1}),
        thing("b", inputs={"from": 1}, **{"dependencies": [urn("a")], "propertyDependencies": {"from": [urn("a")]}, **b}),
        thing("c", parent=urn("b")),
        thing("other", type="else:index:Kind"),
    ))


def names(resources):
    return [resource.name for resource in resources]


def deployed(**options):
    """A stack with a secret, a child and a dependency."""

    def program():
        first = Thing("first", password=pulumi.Output.secret("hunter2"), n=1)
        Thing("second", pulumi.ResourceOptions(parent=first), size_of=first.size)

    stack = kingpost.Stack("site", "dev", program, providers={"test": World()}, **options)
    stack.up()
    return stack


def test_a_stack_gives_its_recorded_state_as_a_snapshot():
    stack = deployed()
    snapshot = kingpost.Snapshot.of(stack)
    first, second = snapshot.find("first")[0], snapshot.find("second")[0]
    assert snapshot.stack == "organization/site/dev" and snapshot.problem is None and not snapshot.sealed
    assert len(snapshot) == len(list(snapshot)) == 4  # with the root and the default provider
    assert first.inputs == {"password": kingpost.Secret("hunter2"), "n": 1, "color": "blue"}
    assert first.outputs["size"] == 1 and first.id == "thing-1" and "hunter2" not in repr(first)
    assert second.parent == first.urn and second.property_dependencies == {"size_of": [first.urn]}
    assert snapshot[first.urn] is first and first.urn in snapshot and "urn:none" not in snapshot
    with pytest.raises(KeyError, match="urn:none"):
        snapshot["urn:none"]


@pytest.mark.parametrize("form", ["checkpoint", "export", "deployment"])
def test_an_unchanged_snapshot_is_saved_byte_for_byte(tmp_path, form):
    path, again = tmp_path / "state.json", tmp_path / "again.json"
    kingpost.Snapshot.of(deployed()).save(path, form=form)
    text = path.read_bytes()
    assert b"hunter2" not in text
    sealed = kingpost.Snapshot.load(path)
    sealed.save(again)
    assert again.read_bytes() == text and again.stat().st_mode & 0o777 == 0o600
    assert kingpost.Snapshot.load(text).to_bytes() == kingpost.Snapshot.load(gzip.compress(text)).to_bytes() == text
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["again.json", "state.json"]


def test_without_the_passphrase_secrets_stay_sealed(tmp_path):
    path = tmp_path / "state.json"
    kingpost.Snapshot.of(deployed(backend=f"file://{tmp_path}", passphrase="right")).save(path)
    sealed = kingpost.Snapshot.load(path)
    (first,) = sealed.find("first")
    assert sealed.sealed and isinstance(first.inputs["password"].value, kingpost.Sealed)
    assert "v1:" not in repr(first.inputs)
    opened = kingpost.Snapshot.load(path, passphrase="right")
    assert opened.find("first")[0].inputs["password"] == kingpost.Secret("hunter2")
    assert b"hunter2" in opened.to_bytes(show_secrets=True)
    with pytest.raises(kingpost.WrongPassphrase, match="passphrase"):
        kingpost.Snapshot.load(path, passphrase="wrong")
    named = kingpost.Snapshot.open("site", "dev", backend=f"file://{tmp_path}", passphrase="right")
    assert not kingpost.diff(named, opened)


@pytest.mark.parametrize("bad, said", [
    (b"", "the document"), (b"{", "the document"), (b"[1]", "the document"),
    (b'{"version": 99, "deployment": {}}', "version"),
    (b'{"version": 3, "deployment": {"resources": [{"type": "a:b:c"}]}}', "urn"),
])
def test_a_document_that_is_no_state_is_refused(bad, said):
    with pytest.raises(kingpost.StateDamaged, match=f"(?i){said}"):
        kingpost.Snapshot.load(bad)


def test_queries_go_by_pattern_type_and_parent():
    snapshot = sample()
    assert names(snapshot.find("?")) == ["a", "b", "c"] and names(snapshot.find("*the*")) == ["other"]
    assert names(snapshot.find(urn("*"))) == ["a", "b", "c"]  # "*" stops at ":", as with --target
    assert names(snapshot.find("urn:pulumi:dev::**::other")) == ["other"]
    assert names(snapshot.find(type="else:*")) == ["other"] and names(snapshot.find("a", type="else:*")) == []
    assert names(snapshot.children(urn("b"))) == names(snapshot.children(snapshot[urn("b")])) == ["c"]
    assert names(snapshot.dependents(urn("a"))) == ["b", "c"]
    assert names(snapshot.dependents(urn("b"), children=False)) == []
    assert names(snapshot.dependencies(urn("c"))) == ["b"]
    assert names(snapshot.dependencies(urn("c"), transitive=True)) == ["a", "b"]


def test_a_rename_reaches_every_reference():
    before = sample()
    after = before.rename(urn("a"), "z")
    assert names(after.find("?")) == ["z", "b", "c"]
    assert after[urn("b")].dependencies == [urn("z")]
    assert after[urn("b")].property_dependencies == {"from": [urn("z")]}
    assert urn("a") in before and after.problem is None
    with pytest.raises(kingpost.Error, match="there is already a resource"):
        before.rename(urn("a"), "b")
    with pytest.raises(kingpost.Error, match=r'(?s)No such resource "urn:.*::aa".*Did you mean:.*::a'):
        before.rename(urn("aa"), "b")


def test_a_delete_keeps_what_others_need():
    snapshot = sample(protect=True)
    with pytest.raises(kingpost.Error, match=r"(?s)can't be safely deleted because .* depend on it:.*::b"):
        snapshot.delete(urn("a"))
    with pytest.raises(kingpost.Error, match="it is protected"):
        snapshot.delete(urn("a"), dependents=True)
    assert names(snapshot.delete(urn("a"), dependents=True, force=True)) == ["other"]
    assert names(snapshot.delete(urn("b"), urn("c"), force=True)) == ["a", "other"]
    unprotected = snapshot.mark(urn("b"), protect=False, taint=True)
    assert unprotected[urn("b")].taint and names(unprotected.delete(urn("c"), urn("b"))) == ["a", "other"]
    assert snapshot[urn("b")].protect and not snapshot[urn("b")].taint


def test_a_repair_sorts_and_drops_dangling_references():
    broken = kingpost.Snapshot.load(document(
        thing("b", dependencies=[urn("a"), urn("gone")]), thing("a")))
    assert "b" in broken.problem
    with pytest.raises(kingpost.StateDamaged, match="not in order.*repair"):
        broken.verify()
    with pytest.raises(kingpost.StateDamaged, match="not in order"):
        kingpost.dependency_graph(broken)
    mended = broken.repair()
    mended.verify()
    assert names(mended) == ["a", "b"] and mended[urn("b")].dependencies == [urn("a")]


def test_a_move_takes_what_is_below_and_tells_what_broke():
    source = sample()
    dest = kingpost.Snapshot.load(document())
    with pytest.raises(ValueError, match="give stack and project"):
        source.move(urn("b"), to=dest)
    move = source.move(urn("b"), urn("nothing"), to=dest, stack="prod", project="shop")
    assert move.moved == [urn("b"), urn("c")] and move.unknown == [urn("nothing")]
    assert names(move.source) == ["a", "other"] and names(move.dest.find(type=TYPE)) == ["b", "c"]
    assert move.dest.find("b")[0].urn == f"urn:pulumi:prod::shop::{TYPE}::b"
    assert {(broken.source, broken.target) for broken in move.broken_in_dest} == {(urn("b"), urn("a"))}
    assert move.source.problem is None and move.dest.problem is None and len(source) == 4


def test_secrets_move_under_the_key_of_their_destination():
    source, dest = kingpost.Snapshot.of(deployed()), kingpost.Snapshot.of(kingpost.Stack(
        "shop", "prod", lambda: None, providers={}, passphrase="another"))
    move = source.move(source.find("first")[0], to=dest, stack="prod", project="shop")
    text = move.dest.to_bytes()
    assert b"hunter2" not in text
    again = kingpost.Snapshot.load(text, passphrase="another")
    assert again.find("first")[0].inputs["password"] == kingpost.Secret("hunter2")
    sealed = kingpost.Snapshot.load(source.to_bytes())
    with pytest.raises(kingpost.Error, match="load the source snapshot with its passphrase"):
        sealed.move(source.find("first")[0].urn, to=dest, stack="prod", project="shop")


def test_an_edited_snapshot_is_written_back_unless_the_stack_has_moved_on():
    stack = deployed()
    before = kingpost.Snapshot.of(stack)
    edited = before.rename(before.find("second")[0], "renamed")
    edited.write(stack)
    assert names(kingpost.Snapshot.of(stack).find(type=TYPE)) == ["first", "renamed"]
    assert kingpost.Snapshot.of(stack).find("first")[0].inputs["password"] == kingpost.Secret("hunter2")
    with pytest.raises(kingpost.Error, match="load it anew"):
        edited.write(stack)
    edited.write(stack, force=True)
    summary = stack.up().summary
    assert summary["create"] == 1 and summary["delete"] == 1  # the program calls it by its old name


def test_pending_operations_are_told():
    snapshot = kingpost.Snapshot.load(document(thing("a"), pending_operations=[
        {"resource": thing("b"), "type": "creating"}]))
    assert [(kind, resource.name) for kind, resource in snapshot.pending_operations] == [("creating", "b")]


def test_a_resource_outlives_its_snapshot():
    resource = sample().find("a")[0]
    assert resource.inputs == {"size": 1}
    for of in iter(sample()):
        last = of
    assert last.name == "other"


def test_to_dict_is_what_export_gives():
    stack = deployed()
    exported, own = stack.export(), kingpost.Snapshot.of(stack).to_dict()
    assert json.dumps(exported["deployment"]["resources"]) == json.dumps(own["deployment"]["resources"])
