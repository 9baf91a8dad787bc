# SPDX-License-Identifier: Apache-2.0
"""The Python module: resources that wait for something, and the reports about them."""

import pickle

import kingpost
import pulumi
import pytest
from module_support import Thing, World, ops, resource


class Waiting(World):
    """A provider whose creates and updates of "late" wait as long as the test says."""

    waits = True

    def create(self, request):
        self._wait(request)
        return super().create(request)

    def update(self, request):
        self._wait(request)
        return super().update(request)

    def _wait(self, request):
        if self.waits and request.name == "late" and not request.preview:
            raise kingpost.AwaitFailed("the backup is still running")


def program():
    late = Thing("late")
    Thing("on-late", opts=pulumi.ResourceOptions(depends_on=[late]))
    Thing("apart")


def stack_of(world):
    return kingpost.Stack("proj", "dev", program, providers={"test": world})


def test_an_operation_that_waits_names_what_it_waits_for():
    world = Waiting()
    stack = stack_of(world)
    with pytest.raises(kingpost.Awaiting) as caught:
        stack.up()
    result = caught.value.result
    assert [urn.rpartition("::")[2] for urn in result.awaiting] == ["late"]
    assert [(step.name, step.failed, step.awaiting) for step in result.steps if step.awaiting] == [("late", False, True)]
    assert not any(d.severity == "error" for d in result.diagnostics)
    assert [d.message for d in result.diagnostics if d.urn.endswith("::late")] == ["the backup is still running"]
    assert {state.urn.rpartition("::")[2] for state in result.resources} >= {"apart"}
    assert not any(state.urn.endswith(("::late", "::on-late")) for state in result.resources)
    assert "AWAITING" in repr(next(step for step in result.steps if step.awaiting))

    world.waits = False
    done = stack.up()
    assert done.awaiting == [] and ops(done)["late"] == ops(done)["on-late"] == "create"


def test_an_update_that_waits_leaves_what_is_recorded():
    world = Waiting()
    world.waits = False
    color = "red"

    def colored():
        Thing("late", color=color)

    stack = kingpost.Stack("proj", "dev", colored, providers={"test": world})
    stack.up()
    world.waits, color = True, "green"
    with pytest.raises(kingpost.Awaiting) as caught:
        stack.up()
    assert resource(caught.value.result, "late").inputs["color"] == "red"


def test_events_tell_of_it():
    heard = []
    with pytest.raises(kingpost.Awaiting):
        stack_of(Waiting()).up(on_event=heard.append)
    (event,) = [event for event in heard if event.kind == "awaiting"]
    assert event.urn.endswith("::late") and event.step.awaiting and not event.step.failed
    assert not any(event.kind == "failed" for event in heard)


def test_a_failure_counts_more():
    class Broken(Waiting):
        def create(self, request):
            if request.name == "apart":
                raise ValueError("no space on the moon")
            return super().create(request)

    with pytest.raises(kingpost.ResourceFailed, match="no space on the moon") as caught:
        stack_of(Broken()).up(continue_on_error=True)
    assert len(caught.value.result.awaiting) == 1


def test_it_can_be_pickled():
    assert str(pickle.loads(pickle.dumps(kingpost.AwaitFailed("not yet")))) == "not yet"
    assert str(kingpost.AwaitFailed()) == "resource is awaiting"


def test_a_provider_that_is_served_tells_it_with_the_error():
    from kingpost._plugin_server import _detail_of

    detail = _detail_of(kingpost.AwaitFailed("not yet"))
    assert detail is not None and detail.type_url.endswith("/pulumirpc.ErrorResourceAwaitFailed") and not detail.value
    assert _detail_of(ValueError("no")) is None
