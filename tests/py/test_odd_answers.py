# SPDX-License-Identifier: Apache-2.0
"""Providers and programs that answer, ask and send unexpected things. The command refuses them in words or takes them as they
are, and the next command can read the state."""

import os
import random
import socket

import grpc
import pytest
from google.protobuf import struct_pb2
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, provider_pb2 as pb

from harness.odd_world import CRASHES, done_well, world, ws  # noqa: F401 - fixtures
from harness.patience import patience

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET, REFERENCE = "1b47061264138c4ac30d75fd1eb44270", "5cf8f73096256a8f31e491e813e4eb8e"
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"


def thing_of(ws) -> dict:
    return next(row for row in ws.state().rows if row["type"] == "things:index:Thing")


@pytest.mark.parametrize("id", ["two\nlines", "nul\0inside", "\x1b[2J\u202e\u009b", " ", "é\u2028", "x" * (1 << 20)],
                         ids=["newline", "nul", "terminal", "blank", "unicode", "1 MiB"])
def test_an_id_is_whatever_the_provider_says(world, ws, id):
    world.create = lambda request: pb.CreateResponse(id=id, properties=request.properties)
    done = world.run(ws, "up")
    done_well(done)
    assert not {"\x1b[2J", "\u202e", "\u009b", "\0"} & set(done.stdout) and "\x1b[2J" not in done.stdout
    assert thing_of(ws)["id"] == id
    done_well(world.run(ws, "refresh"))
    assert world.read_ids == [id]


def test_an_id_that_is_too_long_is_told_and_what_was_made_is_pending(world, ws):
    world.create = lambda request: pb.CreateResponse(id="x" * ((1 << 20) + 1), properties=request.properties)
    done = world.run(ws, "up")
    assert done is not None and done.returncode not in {0} | CRASHES
    assert "the ID that the provider gave" in done.stdout and len(done.stdout) < 100_000
    assert [row["type"] for row in ws.state().pending] == ["creating"]


def odd(**fields) -> struct_pb2.Value:
    value = struct_pb2.Value(struct_value=struct_pb2.Struct())
    for name, content in fields.items():
        value.struct_value[name.replace("SIGNATURE", SIGNATURE)] = content
    return value


@pytest.mark.parametrize("value", [
    struct_pb2.Value(), struct_pb2.Value(string_value=UNKNOWN), struct_pb2.Value(number_value=float("nan")),
    struct_pb2.Value(number_value=float("-inf")), odd(SIGNATURE=SECRET), odd(SIGNATURE="nobody knows this one", value=1),
    odd(SIGNATURE=REFERENCE), odd(SIGNATURE=REFERENCE, urn="no urn"), odd(SIGNATURE=7), odd(SIGNATURE=SECRET, value=None),
], ids=["nothing", "unknown", "nan", "infinite", "secret of nothing", "unknown signature", "reference to nothing",
        "reference without a urn", "signature of a number", "secret null"])
def test_outputs_of_any_shape_crash_nothing_and_hide_nothing(world, ws, value):
    def create(request):
        answer = pb.CreateResponse(id="thing-1", properties=request.properties)
        answer.properties.fields["odd"].CopyFrom(value)
        return answer

    world.create = create
    done = world.run(ws, "up")
    assert done is not None and done.returncode not in CRASHES, done and done.stdout
    state = ws.state()
    recorded = [row for row in state.rows if row["type"] == "things:index:Thing"]
    assert UNKNOWN not in str(recorded)
    # It was made: it is recorded, or named as something that may have been made.
    assert (done.returncode == 0 and recorded) or (done.returncode != 0 and state.pending), done.stdout
    preview = ws.run("preview", check=False)
    assert preview.code not in CRASHES and "terminate called" not in preview.err


@pytest.mark.parametrize("answer", [
    pb.DiffResponse(changes=2),
    pb.DiffResponse(changes=2, diffs=["nowhere", "value", "value"], replaces=["nowhere"]),
    pb.DiffResponse(changes=2, hasDetailedDiff=True, detailedDiff={
        "a.b[0]": pb.PropertyDiff(kind=pb.PropertyDiff.UPDATE), "value[": pb.PropertyDiff(kind=pb.PropertyDiff.DELETE),
        "": pb.PropertyDiff(kind=pb.PropertyDiff.ADD), "value[99999999999]": pb.PropertyDiff(kind=pb.PropertyDiff.ADD_REPLACE),
        "\n\x1b[2J": pb.PropertyDiff(kind=pb.PropertyDiff.UPDATE_REPLACE, inputDiff=True)}),
    pb.DiffResponse(changes=1, diffs=["value"], replaces=["value"], deleteBeforeReplace=True),
], ids=["empty lists", "unknown names", "odd paths", "replaces what is said to be the same"])
def test_a_diff_may_name_what_is_not_there(world, ws, answer):
    done_well(world.run(ws, "up"))
    world.diff, world.value = answer, "2"
    preview = ws.run("preview", "--diff", check=False)
    assert preview.code == 0 and "\x1b[2J" not in preview.out, preview.out + preview.err
    done_well(world.run(ws, "up"))
    assert thing_of(ws)["inputs"]["value"] == ("2" if answer.changes == 2 or answer.replaces else "1")


JUNK = [b"", b"\0" * 4096, random.Random(1).randbytes(65536), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 10_000, bytes.fromhex("1603010200010001fc0303") + b"\0" * 500]


def test_bytes_that_are_no_call_do_not_harm_the_ports(world, ws):
    """Connections that send nothing, or stop in the middle, may stay open."""
    open_ones = []

    def meddle(monitor: str):
        for address in filter(None, {monitor, world.engine}):
            host, port = address.rsplit(":", 1)
            for number in range(70):
                connection = socket.create_connection((host, int(port)), timeout=patience(30))
                open_ones.append(connection)
                try:
                    connection.sendall(JUNK[number % len(JUNK)])
                except OSError:
                    pass  # hung up on already

    world.meddle = meddle
    done_well(world.run(ws, "up"))
    assert len(open_ones) >= 70
    for connection in open_ones:
        connection.close()


def test_a_flood_of_messages_is_told_and_ends(world, ws):
    def meddle(_):
        with grpc.insecure_channel(world.engine, options=[("grpc.max_send_message_length", -1)]) as channel:
            engine = engine_pb2_grpc.EngineStub(channel)
            calls = [engine.Log.future(engine_pb2.LogRequest(severity=engine_pb2.INFO, message=f"message {number}"))
                     for number in range(2000)]
            calls += [engine.Log.future(engine_pb2.LogRequest(severity=engine_pb2.INFO, message="long " * 2_000_000))]
            for call in calls:
                call.result(timeout=patience(60))

    world.meddle = meddle
    done = world.run(ws, "up")
    done_well(done)
    assert done.stdout.count("message 1999") == 1 and "2 created" in done.stdout


@pytest.mark.parametrize("target", ["fifo", "/dev/full", "tcp://127.0.0.1:9", "/nowhere/at/all"])
def test_a_log_of_events_that_takes_none_stops_nothing(world, ws, target, tmp_path):
    if target == "fifo":
        target = str(tmp_path / "fifo")
        os.mkfifo(target)
    argv = ("up", "--yes", "--skip-preview", "--stack", ws.stack, "--non-interactive", "--event-log", target)
    run = ws.run(*argv, check=False)
    assert run.code not in CRASHES
    assert run.code == 0 or (target.startswith(("/nowhere", "/dev/full")) and target in run.err), run.out + run.err
    if run.code == 0 or target == "/dev/full":
        assert thing_of(ws)["id"] == "thing-1"


@pytest.mark.parametrize("text", [b"", b"{}", b"\0" * 100, b"[1"], ids=["empty", "object", "zeros", "cut"])
def test_attributes_beside_a_state_are_not_needed(world, ws, text):
    done_well(world.run(ws, "up"))
    attributes = ws.state_file.with_name(ws.state_file.name + ".attrs")
    attributes.write_bytes(text)
    done_well(world.run(ws, "up"))
    assert thing_of(ws)["id"] == "thing-1"


@pytest.mark.parametrize("damage", [
    lambda state: b"\0" * len(state), lambda state: state.decode().encode("utf-16"), lambda state: state + b"garbage",
    lambda state: random.Random(2).randbytes(200), lambda state: state[:-3], lambda state: state * 2,
], ids=["zeros", "utf-16", "garbage at its end", "noise", "cut", "twice"])
def test_a_state_that_is_none_is_refused_and_stays(world, ws, damage):
    done_well(world.run(ws, "up"))
    damaged = damage(ws.state_file.read_bytes())
    ws.state_file.write_bytes(damaged)
    done = world.run(ws, "up")
    assert done is not None and done.returncode not in {0} | CRASHES
    assert ws.state_file.name in done.stdout and ws.state_file.read_bytes() == damaged


def test_a_state_may_begin_with_a_byte_order_mark(world, ws):
    done_well(world.run(ws, "up"))
    ws.state_file.write_bytes(b"\xef\xbb\xbf" + ws.state_file.read_bytes())
    done = world.run(ws, "up")
    assert done is not None and done.returncode not in CRASHES
    assert done.returncode == 0 or ws.state_file.name in done.stdout
