# SPDX-License-Identifier: Apache-2.0
"""Providers that end when they are called, answer no handshake or die during setup; programs that send too much; commands that
are stopped and go on. Each command ends, says why, and leaves a sound state."""

import os
import re
import signal
import subprocess
import textwrap
import threading
from pathlib import Path

import grpc
import pytest
from google.protobuf import empty_pb2
from pulumi.runtime.proto import resource_pb2 as rpb

from harness import Command
from harness.fake_world import dump
from harness.fault_check import complaints
from harness.fault_world import COLUMNS, PATIENCE_S, ROWS, FaultWorld
from harness.odd_world import CRASHES, OddWorld, done_well, failed_well, world, ws  # noqa: F401 - fixtures
from harness.patience import patience, room
from harness.processes import kill_group, wait_for
from harness.rules import configure, rules_workspace

# ---- providers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code, said", [(grpc.StatusCode.UNIMPLEMENTED, ""), (grpc.StatusCode.INTERNAL, "not today")],
                         ids=["an old one", "one that fails"])
def test_a_handshake_may_be_unknown_but_must_not_fail(world, ws, code, said):
    world.handshake = lambda context: context.abort(code, "not today")
    done = world.run(ws, "up")
    if not said:
        done_well(done)
        return
    failed_well(done)
    assert "failed to handshake with" in done.stdout and said in done.stdout
    assert not ws.state().pending and [row["type"] for row in ws.state().rows][:1] == ["pulumi:pulumi:Stack"]


@pytest.mark.slow
def test_a_handshake_without_an_answer_is_given_up(world, ws):
    over = threading.Event()
    world.handshake = lambda _: over.wait(patience(60))
    try:
        done = world.run(ws, "up")
    finally:
        over.set()
    failed_well(done)
    assert "failed to handshake with" in done.stdout


def test_a_provider_that_dies_while_it_is_configured_fails_alone(tmp_path):
    """Three providers of one configuration, and one that stays alive."""
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    (ws.project / "many.py").write_text(textwrap.dedent("""
        import pulumi
        from thing import Thing

        class Things(pulumi.ProviderResource):
            def __init__(self, name, region):
                super().__init__("things", name, {"region": region})

        def program(step):
            for name, region in {"a": "dying", "b": "dying", "c": "dying", "lives": "living"}.items():
                Thing(f"thing-{name}", opts=pulumi.ResourceOptions(provider=Things(name, region)))
    """))
    configure(ws, step=1)
    failed = ws.up("--continue-on-error", check=False, env={"THINGS_DIE": "configure:dying"})
    assert failed.code not in {0} | CRASHES, failed.out
    assert sorted(urn.rsplit("::", 1)[1] for urn in failed.failed) == ["a", "b", "c"], failed.out
    assert failed.out.count("has ended unexpectedly") >= 3
    state = ws.state()
    assert state.named("thing-lives")["id"] and not state.pending
    assert {"a", "b", "c"}.isdisjoint(row["urn"].rsplit("::", 1)[1] for row in state.rows)
    assert ws.up().changed().keys() == {"thing-a", "thing-b", "thing-c"}


# ---- programs ----------------------------------------------------------------------------------


GROUP = "things:index:Group"


def registration(name: str, parent: str, **inputs) -> rpb.RegisterResourceRequest:
    return rpb.RegisterResourceRequest(type=GROUP, name=name, custom=False, parent=parent, object=dump(inputs))


def peak_of(process: subprocess.Popen) -> int:
    """The peak memory of the process so far, in MiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+)", status)[1]) // 1024


def groups_of(ws) -> list[dict]:
    return [row for row in ws.state().rows if row["type"] == GROUP]


@pytest.mark.parametrize("count", [1000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_registrations_at_once_are_taken_in_turn(world, ws, count):
    """Each registration is recorded once, and the waiting ones take bounded memory."""
    names, peaks = [f"group-{number}" for number in range(count)], []

    def register(monitor, root):
        asked = [monitor.RegisterResource.future(registration(name, root), timeout=patience(300)) for name in names]
        assert [answer.result().urn.rsplit("::", 1)[1] for answer in asked] == names
        peaks.append(peak_of(world.process))

    world.register = register
    done_well(world.run(ws, "up"))
    assert sorted(row["urn"].rsplit("::", 1)[1] for row in groups_of(ws)) == sorted(names)
    assert peaks[0] < room(600)


def test_a_message_that_is_too_long_is_refused_alone(world, ws):
    codes = []

    def register(monitor, root):
        too_long = bytes(401 << 20)
        with grpc.insecure_channel(world.monitor, options=[("grpc.max_send_message_length", -1)]) as channel:
            call = channel.unary_unary("/pulumirpc.ResourceMonitor/RegisterResource")
            with pytest.raises(grpc.RpcError) as refused:
                call(too_long, timeout=patience(60))
        codes.append((refused.value.code(), peak_of(world.process)))
        monitor.RegisterResource(registration("after", root), timeout=patience(60))

    world.register = register
    done_well(world.run(ws, "up"))
    (code, peak), = codes
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED and peak < room(1000)
    assert [row["urn"].rsplit("::", 1)[1] for row in groups_of(ws)] == ["after"]


def test_a_map_may_have_a_hundred_thousand_keys(world, ws):
    inputs = {f"key{number}": number for number in range(100_000)}

    def register(monitor, root):
        monitor.RegisterResource(registration("wide", root, **inputs), timeout=patience(120))

    world.register = register
    done_well(world.run(ws, "up"))
    assert groups_of(ws)[0]["inputs"] == inputs
    done_well(world.run(ws, "up"))


def test_a_resource_may_have_a_million_aliases(world, ws):
    def register(monitor, root):
        request = registration("known", root)
        if world.value == "2":
            request.name = "renamed"
            urn = "urn:pulumi:dev::faults::things:index:Group::"
            request.aliasURNs.extend(f"{urn}other-{number}" for number in range(999_999))
            request.aliasURNs.append(f"{urn}known")
        monitor.RegisterResource(request, timeout=patience(120))

    world.register = register
    done_well(world.run(ws, "up"))
    world.value = "2"
    done_well(world.run(ws, "up"))
    assert [row["urn"].rsplit("::", 1)[1] for row in groups_of(ws)] == ["renamed"]


ENDINGS = {"exit code: 137": "os._exit(137)", "signal: Killed": "os.kill(os.getpid(), 9)",
           "signal: Segmentation fault": "os.kill(os.getpid(), 11)"}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_program_that_dies_is_named_and_deletes_nothing(tmp_path, ending):
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    program = "import os\nfrom thing import Thing\n\n\ndef program(step):\n    Thing('a')\n    Thing('b')\n"
    (ws.project / "many.py").write_text(program)
    configure(ws, step=1)
    ws.up()
    (ws.project / "many.py").write_text(program.replace("Thing('b')", ENDINGS[ending]))
    run = ws.up(check=False)
    said = run.out + run.err + run.diagnostics
    assert run.code == 1 and ending in said, said
    assert {"a", "b"} <= ws.state().names


def test_a_program_that_does_not_end_is_interrupted(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    (ws.project / "many.py").write_text(textwrap.dedent("""
        import threading
        from thing import Thing

        def program(step):
            Thing("a").id.apply(lambda _: open("made", "w").close())
            threading.Thread(target=threading.Event().wait).start()
    """))
    configure(ws, step=1)
    process = ws.start("up")
    try:
        wait_for((ws.project / "made").exists, "the creation")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE_S)
    finally:
        kill_group(process)
    assert process.returncode not in {0} | CRASHES, out
    assert "a" in ws.state().names and not ws.state().pending
    assert not list(ws.backend.glob(".pulumi/locks/**/*.json"))


def test_requests_after_the_end_are_refused(world, ws):
    """The program calls SignalAndWaitForShutdown again, and registers a resource."""
    refused = []

    def finish(monitor):
        monitor.SignalAndWaitForShutdown(empty_pb2.Empty(), timeout=PATIENCE_S)
        for call, request in ((monitor.SignalAndWaitForShutdown, empty_pb2.Empty()),
                              (monitor.RegisterResource, registration("late", ""))):
            with pytest.raises(grpc.RpcError) as error:
                call(request, timeout=PATIENCE_S)
            refused.append(error.value.code())

    world.finish = finish
    done_well(world.run(ws, "up"))
    assert refused == [grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE]  # the former as the reference
    assert not groups_of(ws)


@pytest.mark.parametrize("method", ["CheckConfig", "Configure", "Check", "Create"])
def test_a_provider_that_hangs_is_left_after_two_signals(tmp_path, method):
    asked, over = threading.Event(), threading.Event()

    def hang(self, request, context):
        asked.set()
        assert over.wait(PATIENCE_S)
        return getattr(OddWorld, method)(self, request, context)

    with type("HangingWorld", (OddWorld,), {method: hang})() as world:
        ws = world.workspace(tmp_path / "ws")
        process = ws.start("up")
        try:
            assert asked.wait(PATIENCE_S)
            process.send_signal(signal.SIGINT)
            assert any("received an interrupt" in line for line in process.stdout)  # two that wait together are one
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=patience(20))
        finally:
            kill_group(process)
            over.set()
            world.settle()
        assert process.returncode == 8, out
        names = [row["resource"]["urn"].rsplit("::", 1)[1] for row in ws.state().pending]
        assert names == {"Create": ["thing"], "Configure": ["default"]}.get(method, []), out
        done_well(world.run(ws, "up"))  # nothing keeps the next command out


# ---- commands that are stopped -----------------------------------------------------------------


class HeldWorld(FaultWorld):
    """Twenty things; while `held`, creates wait for `go_on`."""

    def __init__(self):
        super().__init__()
        self.held, self.go_on = threading.Semaphore(0), threading.Event()
        self.holds = True

    def Create(self, request, context):
        if self.holds:
            self.held.release()
            assert self.go_on.wait(PATIENCE_S)
        return super().Create(request, context)


def test_a_command_that_was_stopped_finds_that_its_stack_is_another_s(tmp_path):
    """A SIGSTOP stops the command during creates. Another command takes the stack and changes it. Then comes SIGCONT."""
    with HeldWorld() as world:
        ws = world.workspace(tmp_path / "ws")
        first = ws.start("up")
        try:
            for _ in range(ROWS):
                assert world.held.acquire(timeout=PATIENCE_S)
            os.kill(first.pid, signal.SIGSTOP)
            world.holds = False
            ws.run("cancel", "--yes", ws.stack)
            ws.up()
            assert len(list(world.things.iterdir())) == ROWS * COLUMNS
        finally:
            os.kill(first.pid, signal.SIGCONT)
            world.go_on.set()
        out, _ = first.communicate(timeout=PATIENCE_S)
        world.settle()
        assert first.returncode not in {0} | CRASHES, out
        # Resources on their way are made. Nothing else is begun, and nothing of it is lost.
        assert len(list(world.things.iterdir())) == ROWS * COLUMNS + ROWS, out
        kept = re.findall(r"`kingpost state recover (\S+)`", out)
        assert len(kept) == 1, out
        ws.run("state", "recover", kept[0], "--stack", ws.stack)
        assert complaints(ws, world.things, ()) == []
        ws.up()
        assert len(list(world.things.iterdir())) == ROWS * COLUMNS
