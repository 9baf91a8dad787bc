# SPDX-License-Identifier: Apache-2.0
"""Kills the command at any time. The program and the provider are processes of their own. Nothing is lost, made twice or left
over, and the next command repairs the stack.

    KINGPOST_KILLS=20          kills of operations in Go; a tenth as many in Python, which starts slowly
    KINGPOST_KILLS_SEED=1      when, and of which operations
    KINGPOST_PEER=/path        runs the same with that command, for the table (slow)

The counts are printed as a table at the end of each test (`pytest -rP`, or -s, which also tells how it is going).
"""

import os
import random
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest

from harness import Command, peer_or_skip
from harness.fault_check import missing_things
from harness.fault_tally import FaultTally
from harness.patience import patience
from harness.process_world import NAMES, ProcessWorld
from harness.processes import kill_all_in

KILLS = int(os.environ.get("KINGPOST_KILLS", "20"))
SEED = int(os.environ.get("KINGPOST_KILLS_SEED", "1"))
GRACE_S = patience(10)  # for the children of a killed command
TELL_EVERY = 100


@pytest.fixture
def root():
    """A folder with a name short enough for sockets below it."""
    folder = Path(tempfile.mkdtemp(prefix="kp-"))
    yield folder
    kill_all_in(folder)
    shutil.rmtree(folder)


def usual_seconds(world: ProcessWorld) -> dict[str, float]:
    usual = {}
    for operation in world.operations:
        world.begin(operation)
        began = time.monotonic()
        done = world.finish(world.start(operation))
        assert done is not None and done.returncode == 0, done and done.stdout
        usual[operation] = time.monotonic() - began
    return usual


def left_over(world: ProcessWorld, temporary: Path) -> list[str]:
    """Waits until processes end and files go. Kills the rest, and returns it."""
    deadline = time.monotonic() + GRACE_S
    while (world.living() or any(temporary.iterdir())) and time.monotonic() < deadline:
        time.sleep(0.02)
    wrong = [f"left: {line}" for line in world.living().values()][:1]
    wrong += [f"left: {path}" for path in temporary.iterdir()][:1]
    kill_all_in(world.ws.root)
    return wrong


def run_again(world: ProcessWorld, operation: str) -> list[str]:
    done = world.finish(world.start(operation))
    wrong = []
    if done is not None and done.returncode != 0 and "currently locked" in done.stdout:
        wrong.append("refused: until somebody runs cancel")
        world.ws.run("cancel", "--yes", "--stack", world.ws.stack, check=False)
        done = world.finish(world.start(operation))
    if done is None or done.returncode != 0:
        wrong.append("stuck: the next run fails: " + (done.stdout[-2000:] if done else "it hangs"))
    return wrong


def aftermath(world: ProcessWorld, operation: str, temporary: Path) -> list[str]:
    wrong = left_over(world, temporary)
    wrong += world.complaints(operation)
    again = run_again(world, operation)
    if any(text.startswith("stuck") for text in again):
        return wrong + again
    wrong += again + [text for text in world.complaints(operation) if text not in wrong]
    return wrong + (missing_things(world.things, len(NAMES)) if operation != "destroy" else [])


def kill_often(world: ProcessWorld, kills: int, temporary: Path) -> FaultTally:
    tally, chance = FaultTally(), random.Random(SEED)
    temporary.mkdir()
    world.ws.env["TMPDIR"] = str(temporary)
    world.delay_ms = 5
    usual = usual_seconds(world)
    for number in range(1, kills + 1):
        operation = chance.choice(world.operations)
        after = chance.uniform(0, usual[operation])
        world.begin(operation)
        process = world.start(operation)
        time.sleep(after)
        process.kill()
        process.communicate()
        # Most are killed while they run; some have come to their end, which shows little and takes longest.
        killed = process.returncode == -signal.SIGKILL
        usual[operation] *= 1.02 if killed else 0.9
        fault = f"{world.language} {operation}: {'killed' if killed else 'too late'}"
        tally.note(fault, f"{operation}, killed after {after:.3f} s", aftermath(world, operation, temporary))
        if number % TELL_EVERY == 0:
            print(f"\n{number} of {kills}\n{tally.table()}\n" + "\n".join(tally.stories[-5:]), flush=True)
    print("\n" + tally.table(), flush=True)
    return tally


def test_kills_of_a_go_program_with_a_go_provider(root):
    tally = kill_often(ProcessWorld.go(root / "go", Command.kingpost()), KILLS, root / "tmp")
    assert not tally.stories, "\n".join(tally.stories[:20])


def test_kills_of_a_python_program_with_a_dynamic_provider(root):
    tally = kill_often(ProcessWorld.python(root / "py", Command.kingpost()), max(2, KILLS // 10), root / "tmp")
    assert not tally.stories, "\n".join(tally.stories[:20])


@pytest.mark.slow
def test_kills_of_the_peer(root):
    """Prints the table for docs/testing-faults.md; expects nothing."""
    tally = kill_often(ProcessWorld.python(root / "py", peer_or_skip()), KILLS, root / "tmp")
    print("\n".join(tally.stories[:20]))
    assert sum(tally.tried.values()) == KILLS
