"""Killed and interrupted in the middle of an update: nothing acknowledged is lost, nothing is left running."""

import os
import signal
import time
from pathlib import Path

import pytest

from harness import Command, Workspace
from harness.rules import configure, rules_workspace, things_log
from harness.workspace import kill_group

PATIENCE_S = 30


def wait_for(condition, what: str):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {PATIENCE_S} s")


def processes_in(folder: Path) -> list[str]:
    """Command lines of the living processes that work in `folder` or name it."""
    found = []
    for proc in Path("/proc").iterdir():
        if not proc.name.isdigit() or int(proc.name) == os.getpid():
            continue
        try:
            line = (proc / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (proc / "stat").read_text().rsplit(")", 1)[1].split()[0]
            inside = str(folder) in line or os.readlink(proc / "cwd").startswith(str(folder))
        except OSError:
            continue  # it ended, or is not ours to look at
        if inside and state != "Z":
            found.append(f"{proc.name}: {line}")
    return found


@pytest.fixture
def many(tmp_path) -> Workspace:
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    configure(ws, step=1)
    yield ws
    for line in processes_in(tmp_path):
        os.kill(int(line.partition(":")[0]), signal.SIGKILL)


def start_and_wait(ws: Workspace, lines: int):
    """An `up` of forty slow creates, stopped by no one until `lines` of them are acknowledged."""
    process = ws.start("up", "--parallel", "4", env={"THINGS_DELAY_MS": "150"})
    acked = ws.project / "acked.log"
    try:
        wait_for(lambda: acked.exists() and len(acked.read_text().splitlines()) >= lines, "acknowledged creates")
    except AssertionError:
        kill_group(process)
        raise AssertionError(f"the update made no progress:\n{process.stdout.read()}") from None
    return process


def test_kill_9_loses_nothing_that_was_acknowledged(many):
    process = start_and_wait(many, 6)
    process.kill()  # the command alone: its children must notice by themselves
    process.wait()
    acked = set((many.project / "acked.log").read_text().split())
    wait_for(lambda: not processes_in(many.root), f"the end of {processes_in(many.root)}")

    exported = many.run("stack", "export")
    state = many.state()
    recorded = {row["id"] for row in state.rows if row["type"] == "things:index:Thing"}
    pending = {row["resource"]["urn"].rsplit("::", 1)[1] for row in state.pending}
    made = {line.split()[1] for line in things_log(many)}
    assert acked and acked <= recorded, f"lost: {sorted(acked - recorded)}"
    assert recorded <= made, f"claimed but never made: {sorted(recorded - made)}"
    forgotten = {id.rsplit("-", 1)[0] for id in made - recorded} - pending
    assert not forgotten, f"made, neither in the state nor pending: {sorted(forgotten)}"
    assert "recovered" in exported.err.lower(), f"says nothing of a recovery: {exported.err!r}"
    for name in pending:
        assert name in exported.err, f"does not name the pending {name}: {exported.err!r}"

    # A pending create that did happen would be made twice; the test settles them as a person would.
    again = many.up("--parallel", "16", check=False)
    assert again.code == 0, again.out + again.err
    assert len([r for r in many.state().rows if r["type"] == "things:index:Thing"]) == 40


@pytest.mark.parametrize("signal_count", [1, 2])
def test_interrupt_saves_what_is_in_flight_and_leaves_no_process(many, signal_count):
    process = start_and_wait(many, 4)
    for _ in range(signal_count):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    out, _ = process.communicate(timeout=PATIENCE_S)
    # The second one ends with 8, or with 1 when the cancelled calls came back first.
    assert process.returncode in ((1,) if signal_count == 1 else (1, 8)), out
    wait_for(lambda: not processes_in(many.root), f"the end of {processes_in(many.root)}")
    state = many.state()
    recorded = {row["id"] for row in state.rows if row["type"] == "things:index:Thing"}
    made = {line.split()[1] for line in things_log(many)}
    assert set((many.project / "acked.log").read_text().split()) <= recorded < {f"thing-{i:02}-1" for i in range(40)}
    if signal_count == 1:
        assert recorded == made and state.pending == [], "one interrupt waits for what is in flight"
    many.run("cancel", "--yes", "dev", check=False)
    assert many.destroy().code == 0


def test_a_second_command_is_told_of_the_lock(many):
    process = start_and_wait(many, 2)
    try:
        refused = many.up(check=False)
        assert refused.code != 0 and "the stack is currently locked by" in refused.err, refused.err
    finally:
        kill_group(process)
