# SPDX-License-Identifier: Apache-2.0
"""Results, snapshots and resources in pickles, copies and notebooks: complete, short when printed, and without secrets."""

import copy
import pickle

import kingpost
import pulumi
import pytest
from module_support import Thing, World

SECRET = "swordfish & chips"


def program():
    first = Thing("first", token=pulumi.Output.secret(SECRET), note_wanted="<b>")
    Thing("second", opts=pulumi.ResourceOptions(depends_on=[first]), kind="a")
    pulumi.export("token", pulumi.Output.secret(SECRET))


@pytest.fixture
def stack():
    made = kingpost.Stack("proj", "dev", program, providers={"test": World()})
    made.up()
    return made


def everything(stack):
    snapshot = kingpost.Snapshot.of(stack)
    result = stack.preview()
    return {
        "result": result,
        "step": result.steps[-1],
        "snapshot": snapshot,
        "resource": snapshot.find("first")[0],
        "difference": kingpost.diff(snapshot, snapshot.rename(snapshot.find("first")[0], "other")),
        "history": stack.history(),
    }


def test_pickles_hold_everything_but_secrets(stack):
    for name, value in everything(stack).items():
        data = pickle.dumps(value)
        assert SECRET.encode() not in data, name
        again = pickle.loads(data)
        assert type(again) is type(value)
    result = everything(stack)["result"]
    again = pickle.loads(pickle.dumps(result))
    assert again.summary == result.summary and [step.urn for step in again.steps] == [step.urn for step in result.steps]
    assert again.outputs == {"token": kingpost.Secret(kingpost.Sealed("[left out]"))}


def test_a_secret_left_out_of_a_pickle_cannot_be_deployed(stack):
    left_out = pickle.loads(pickle.dumps(kingpost.Secret(SECRET)))
    with pytest.raises(ValueError, match=r"left out when it was pickled; .*secrets_in_pickles"):
        kingpost.diff({"a": left_out}, {"a": 1})


def test_pickles_keep_secrets_where_they_are_asked_to(stack):
    with kingpost.secrets_in_pickles():
        data = {name: pickle.dumps(value) for name, value in everything(stack).items()}
    assert pickle.loads(data["result"]).outputs == {"token": kingpost.Secret(SECRET)}
    assert pickle.loads(data["resource"]).inputs["token"] == kingpost.Secret(SECRET)
    assert pickle.loads(data["snapshot"]).find("first")[0].inputs["token"] == kingpost.Secret(SECRET)


def test_a_snapshot_comes_back_as_it_was(stack):
    snapshot = kingpost.Snapshot.of(stack)
    again = pickle.loads(pickle.dumps(snapshot))
    assert [resource.urn for resource in again] == [resource.urn for resource in snapshot]
    assert again.stack == snapshot.stack
    assert again["urn:pulumi:dev::proj::test:index:Thing::first"].inputs["note_wanted"] == "<b>"


def test_copies_keep_secrets(stack):
    found = everything(stack)
    assert copy.copy(found["snapshot"]) is found["snapshot"] and copy.deepcopy(found["snapshot"]) is found["snapshot"]
    assert copy.deepcopy(found["resource"]).inputs["token"] == kingpost.Secret(SECRET)
    assert copy.deepcopy(found["result"]) == found["result"]


def test_errors_are_pickled_with_their_result():
    class Broken(World):
        def create(self, request):
            raise ValueError("no space")

    with pytest.raises(kingpost.ResourceFailed) as caught:
        kingpost.Stack("proj", "dev", program, providers={"test": Broken()}).up()
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.urn == caught.value.urn and again.result.summary is not None
    partial = pickle.loads(pickle.dumps(kingpost.InitializationFailed("x", {"a": 1}, ["not yet"])))
    assert (partial.id, partial.outputs, partial.reasons) == ("x", {"a": 1}, ["not yet"])


def test_reprs_are_short_and_show_no_secret(stack):
    found = everything(stack)
    assert repr(found["result"]) == "<kingpost.Result 3 same; 4 resources>"
    for value in found.values():
        assert SECRET not in repr(value) and len(repr(value)) < 1500
    for value in (found["result"], found["snapshot"]):
        page = value._repr_html_()
        assert "first" in page and "swordfish" not in page and "<script" not in page
    assert found["snapshot"]._repr_html_().count("<rect") == 2
    assert "first" in kingpost.Snapshot.of(stack)._repr_html_()


def test_markup_in_names_and_messages_is_text():
    class Loud(World):
        def check(self, request):
            return kingpost.CheckResponse(request.new_inputs, ["<img src=x>"])

    with pytest.raises(kingpost.Error) as caught:
        kingpost.Stack("proj", "dev", lambda: Thing("<i>one</i>") and None, providers={"test": Loud()}).preview()
    page = caught.value.result._repr_html_()
    assert "<img" not in page and "<i>" not in page and "&lt;img src=x&gt;" in page
