# SPDX-License-Identifier: Apache-2.0
"""Requests that no SDK sends. The command takes each or refuses it in words, in bounded memory, and ends.

Resources need themselves, or each other in a circle. Callbacks are never answered, or answer nonsense. Messages have hundreds
of megabytes, or come by the million. States are as deep as they are long.
"""

import contextlib
import json
import subprocess
import threading
from concurrent import futures

import grpc
import pytest
from google.protobuf import empty_pb2, struct_pb2
from pulumi.runtime.proto import (
    callback_pb2, callback_pb2_grpc, engine_pb2, engine_pb2_grpc, resource_pb2 as rpb, resource_pb2_grpc)

from harness import Command
from harness.odd_world import done_well, failed_well, world, ws  # noqa: F401 - fixtures
from harness.patience import patience, room
from test_odd_circumstances import GROUP, groups_of, peak_of, registration

URN = f"urn:pulumi:dev::faults::{GROUP}::"
PATIENCE_S = patience(120)


# ---- what needs itself -------------------------------------------------------------------------


@pytest.mark.parametrize("field, other", [("parent", "nobody"), ("dependencies", "nobody"), ("deletedWith", "itself"),
                                          ("replace_with", "itself")])
def test_a_resource_may_not_need_what_is_not_there(world, ws, field, other):  # noqa: F811
    """A resource may not need itself, either. The record stays sound."""
    def register(monitor, root):
        request = registration("itself", root)
        if field in ("parent", "deletedWith"):
            setattr(request, field, URN + other)
        else:
            getattr(request, field).append(URN + other)
        monitor.RegisterResource(request, timeout=PATIENCE_S)

    world.register = register
    done = world.run(ws, "up")
    failed_well(done)
    assert URN + other in done.stdout and "not in order" not in done.stdout
    assert not groups_of(ws) and not ws.state().pending
    world.register = None
    done_well(world.run(ws, "up"))


def test_a_resource_may_be_its_own_alias(world, ws):  # noqa: F811
    def register(monitor, root):
        request = registration("itself", root)
        request.aliasURNs.append(URN + "itself")
        monitor.RegisterResource(request, timeout=PATIENCE_S)

    world.register = register
    for _ in range(2):
        done_well(world.run(ws, "up"))
        assert [row["urn"] for row in groups_of(ws)] == [URN + "itself"]


def test_nothing_is_registered_while_the_rest_is_deleted(world, ws):  # noqa: F811
    """The program says that nothing more comes, and registers a resource that is just being deleted. The record keeps nothing that
    is gone."""
    deleting, registered, refusals = threading.Event(), threading.Event(), []

    def thing(root):
        return rpb.RegisterResourceRequest(type="things:index:Thing", name="late", custom=True, parent=root,
                                           object=struct_pb2.Struct(), acceptSecrets=True)

    world.register = lambda monitor, root: monitor.RegisterResource(thing(root), timeout=PATIENCE_S)
    done_well(world.run(ws, "up"))

    def delete():
        deleting.set()
        assert registered.wait(PATIENCE_S)

    def signal(monitor):
        with contextlib.suppress(grpc.RpcError):  # the run ends without an answer
            monitor.SignalAndWaitForShutdown(empty_pb2.Empty())

    def register_late(monitor, root):
        threading.Thread(target=signal, args=[monitor], daemon=True).start()
        assert deleting.wait(PATIENCE_S)
        with pytest.raises(grpc.RpcError) as refused:
            monitor.RegisterResource(thing(root), timeout=PATIENCE_S)
        refusals.append((refused.value.code(), refused.value.details()))
        registered.set()
        raise RuntimeError("the program gives up")

    world.delete, world.register = delete, register_late
    failed_well(world.run(ws, "up"))
    assert refusals == [(grpc.StatusCode.UNAVAILABLE, "resource monitor shut down while sending resource registration")]
    assert not [row for row in ws.state().rows if row["urn"].endswith("::late")] and not ws.state().pending


@pytest.mark.parametrize("field", ["dependencies", pytest.param("deletedWith", marks=pytest.mark.slow),
                                   pytest.param("replace_with", marks=pytest.mark.slow)])
def test_resources_that_come_to_need_each_other_end(world, ws, field):  # noqa: F811
    """The first run registers both. In the second run each needs the other. Then both are deleted."""
    def needing(name, root, other):
        request = registration(name, root)
        if world.value == "2":
            if field == "deletedWith":
                request.deletedWith = URN + other
            else:
                getattr(request, field).append(URN + other)
        return request

    def register(monitor, root):
        for name, other in ("a", "b"), ("b", "a"):
            monitor.RegisterResource(needing(name, root, other), timeout=PATIENCE_S)

    world.register = register
    done_well(world.run(ws, "up"))
    world.value = "2"
    done = world.run(ws, "up")
    failed_well(done)
    assert "::b, which has not been registered before it" in done.stdout
    world.value = "1"
    done_well(world.run(ws, "up"))
    done_well(world.run(ws, "destroy"))


# ---- callbacks ---------------------------------------------------------------------------------


# For another type: texts there are values here.
OTHER_MESSAGE = rpb.RegisterResourceResponse(urn="boom").SerializeToString()
ANSWERS = {"nothing at all": b"\xff\xff\xff no message at all", "something else": OTHER_MESSAGE}


class Callbacks(callback_pb2_grpc.CallbacksServicer):
    """The token of a callback chooses its answer."""

    def Invoke(self, request, context):
        return callback_pb2.CallbackInvokeResponse(response=ANSWERS[request.token])


@pytest.fixture
def nonsense():
    server = grpc.server(futures.ThreadPoolExecutor(4))
    callback_pb2_grpc.add_CallbacksServicer_to_server(Callbacks(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(0)


@pytest.mark.parametrize("answer", ["of nobody", *ANSWERS])
def test_a_transform_without_an_answer_fails_its_resource(world, ws, nonsense, answer):  # noqa: F811
    target = "127.0.0.1:9" if answer == "of nobody" else nonsense

    def register(monitor, root):
        request = registration("transformed", root)
        request.transforms.append(callback_pb2.Callback(target=target, token=answer))
        monitor.RegisterResource(request, timeout=PATIENCE_S)

    world.register = register
    done = world.run(ws, "up")
    failed_well(done)
    assert "transform" in done.stdout and not groups_of(ws)
    cannot_be_parsed = "unmarshaling transform response: proto: cannot parse invalid wire-format data"
    assert (cannot_be_parsed in done.stdout) == (answer in ANSWERS), done.stdout


# ---- floods ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mebibytes", [40, pytest.param(399, marks=pytest.mark.slow)])
def test_a_message_may_be_nearly_as_long_as_a_message_can_be(world, ws, mebibytes):  # noqa: F811
    """400 MiB is the limit; one above it is refused (test_odd_circumstances)."""
    text = "x" * ((mebibytes << 20) - 1000)
    peaks = []

    def register(monitor, root):
        with grpc.insecure_channel(world.monitor, options=[("grpc.max_send_message_length", -1),
                                                           ("grpc.max_receive_message_length", -1)]) as channel:
            inputs = struct_pb2.Struct()
            inputs["text"] = text
            request = rpb.RegisterResourceRequest(type=GROUP, name="long", parent=root, object=inputs)
            resource_pb2_grpc.ResourceMonitorStub(channel).RegisterResource(request, timeout=patience(300))
        peaks.append(peak_of(world.process))

    world.register = register
    done_well(world.run(ws, "up"))
    assert peaks[0] < room(200 + 6 * mebibytes)
    assert groups_of(ws)[0]["inputs"]["text"] == text


LOGS = """
import sys, grpc
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc
channel = grpc.insecure_channel(sys.argv[1])
log = engine_pb2_grpc.EngineStub(channel).Log
for first in range(0, int(sys.argv[2]), 500):
    calls = [log.future(engine_pb2.LogRequest(severity=engine_pb2.INFO, message="message %d" % number))
             for number in range(first, first + 500)]
    for call in calls:
        call.result()
"""


@pytest.mark.parametrize("count", [10_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_flood_of_messages_takes_little_memory(world, ws, count):  # noqa: F811
    peaks = []

    def meddle(_):
        interpreter = Command.kingpost().environment(ws.root)["PULUMI_PYTHON_CMD"]
        subprocess.run([interpreter, "-c", LOGS, world.engine, str(count)], check=True, timeout=patience(1500))
        peaks.append(peak_of(world.process))

    world.meddle = meddle
    done_well(world.run(ws, "up"))
    assert peaks[0] < room(300)


def test_a_message_of_a_hundred_megabytes_is_shown_in_bounded_memory(world, ws):  # noqa: F811
    peaks = []

    def meddle(_):
        with grpc.insecure_channel(world.engine, options=[("grpc.max_send_message_length", -1)]) as channel:
            message = "long " * 20_000_000
            engine_pb2_grpc.EngineStub(channel).Log(
                engine_pb2.LogRequest(severity=engine_pb2.INFO, message=message), timeout=PATIENCE_S)

    def finish(_):
        peaks.append(peak_of(world.process))

    world.meddle, world.finish = meddle, finish
    done_well(world.run(ws, "up"))
    assert peaks[0] < room(1500)


# ---- states ------------------------------------------------------------------------------------


DEPTH = 100_000


def deep_state() -> dict:
    stack = "urn:pulumi:dev::faults::pulumi:pulumi:Stack::faults-dev"
    resources = [{"urn": stack, "custom": False, "type": "pulumi:pulumi:Stack"}]
    for number in range(DEPTH):
        parent = resources[-1]["urn"]
        resources.append({"urn": f"{URN}r{number}", "custom": False, "type": GROUP, "parent": parent,
                          "dependencies": [parent] if number else None})
    return {"version": 3, "deployment": {"manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": ""},
                                         "resources": resources}}


def test_a_state_may_be_as_deep_as_it_is_long(world, ws):  # noqa: F811
    """The command walks trees without recursion."""
    (ws.project / "deep.json").write_text(json.dumps(deep_state()))
    ws.run("stack", "import", "--file", "deep.json", "--stack", ws.stack)
    last = f"r{DEPTH - 1}"
    assert last in ws.run("stack", "--stack", ws.stack).out
    for picture in ("deep.dot", "deep.html"):
        ws.run("graph", picture, "--stack", ws.stack)
        assert last in (ws.project / picture).read_text()
        assert (ws.project / picture).stat().st_size < DEPTH * 1000
    ws.run("stack", "rename", "deeper", "--stack", ws.stack)
