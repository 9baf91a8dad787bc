# SPDX-License-Identifier: Apache-2.0
"""The Python module: every call of a provider in this process."""

import asyncio
import threading
import time

import kingpost
import pulumi
import pytest
from module_support import Thing, World, deploy, resource

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


def test_a_missing_method_of_a_provider_is_named():
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


def test_a_call_that_waits_for_a_thread_is_not_late(monkeypatch):
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
