# SPDX-License-Identifier: Apache-2.0
"""Makes the Nth system call of a command fail, or kills the command there or at any time. Nothing is lost, all that exists is
recorded, and the next command repairs the stack.

    KINGPOST_FAULTS=2        points tried for each kind of call in each operation; "all": every one of them
    KINGPOST_FAULTS_SEED=1   which ones
    KINGPOST_KILLS=20        kills at random times, as many again at random system calls

The counts are printed as a table at the end of each test (`pytest -rP`, or -s).
"""

import os
import random
import signal
import struct
import time
from pathlib import Path

import pytest

from harness.commands import REPOSITORY
from harness.fault_check import missing_things
from harness.fault_tally import FaultTally
from harness.fault_world import COLUMNS, ROWS, FaultWorld

SHIM = Path(os.environ.get("KINGPOST_FAIL_NTH") or REPOSITORY / "build" / "lib" / "libkp_fail_nth.so")
CRASHES = (-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGILL, -signal.SIGFPE)
KINDS = ("open", "write", "sync", "rename", "link", "unlink", "mkdir", "connect", "fork", "memory")
ERRORS = {"open": 24, "write": 28, "sync": 5, "rename": 28, "link": 1, "unlink": 13, "mkdir": 28, "connect": 111,
          "fork": 11, "memory": 12}
VERBS = ("up", "refresh", "destroy")
POINTS = os.environ.get("KINGPOST_FAULTS", "2")
KILLS = int(os.environ.get("KINGPOST_KILLS", "20"))
RANDOM = random.Random(int(os.environ.get("KINGPOST_FAULTS_SEED", "1")))

needs_shim = pytest.mark.skipif(not SHIM.exists(), reason=f"{SHIM} is not built; run ./dev test, or set KINGPOST_FAIL_NTH")


@pytest.fixture(scope="module")
def world():
    with FaultWorld() as world:
        yield world


@pytest.fixture(scope="module")
def ws(world, tmp_path_factory):
    """A workspace that can be restored with an `empty` and with a `full` stack."""
    ws = world.workspace(tmp_path_factory.mktemp("faults") / "ws")
    world.lay_away(ws, "empty")
    assert world.run(ws, "up").returncode == 0
    world.lay_away(ws, "full")
    return ws


def begin(world, ws, verb: str) -> None:
    world.restore(ws, "empty" if verb == "up" else "full")


def shim(ws, kind: str, at: int, error: int) -> dict[str, str]:
    counters = ws.root / "counters"
    counters.write_bytes(bytes(8 * len(KINDS)))
    return {"LD_PRELOAD": str(SHIM), "KINGPOST_FAIL_COUNT": str(counters), "KINGPOST_FAIL_CALL": kind,
            "KINGPOST_FAIL_AT": str(at), "KINGPOST_FAIL_ERRNO": str(error),
            "KINGPOST_FAIL_PROGRAM": ws.command.path.name}


def count_calls(world, ws, verb: str) -> dict[str, int]:
    begin(world, ws, verb)
    assert world.run(ws, verb, **shim(ws, "none", 0, 0)).returncode == 0
    return dict(zip(KINDS, struct.unpack(f"{len(KINDS)}Q", (ws.root / "counters").read_bytes()), strict=True))


def points(count: int) -> list[int]:
    if POINTS == "all":
        return list(range(1, count + 1))
    return sorted(RANDOM.sample(range(1, count + 1), min(count, int(POINTS))))


def aftermath(world, ws, verb: str, done, kind: str = "") -> list[str]:
    """Returns what is wrong after a disturbed operation, and after it was run again. Without memory the command may end in any
    way, because libraries written in C go on with a null pointer."""
    wrong = [] if done is not None else ["hung: it had to be killed"]
    if done is not None and done.returncode in CRASHES and kind != "memory":
        wrong.append(f"crashed: by signal {-done.returncode}")
    wrong += world.complaints(ws)
    again = world.run(ws, verb)
    if again is None or again.returncode != 0:
        wrong.append("stuck: the next run fails: " + (again.stdout[-2000:] if again else "it hangs"))
        return wrong
    wrong += world.complaints(ws)
    return wrong + (missing_things(world.things, ROWS * COLUMNS) if verb != "destroy" else [])


def conclude(tally: FaultTally) -> None:
    print("\n" + tally.table())
    assert not tally.stories, "\n".join(tally.stories[:20])


@needs_shim
@pytest.mark.parametrize("verb", VERBS)
def test_the_nth_call_fails(world, ws, verb):
    tally = FaultTally()
    counts = count_calls(world, ws, verb)
    assert counts["open"] and counts["write"] and counts["sync"] and counts["memory"], counts
    for kind in KINDS:
        for at in points(counts[kind]):
            begin(world, ws, verb)
            done = world.run(ws, verb, **shim(ws, kind, at, ERRORS[kind]))
            tally.note(f"{verb}: {kind}", f"{verb}, {kind} {at} of {counts[kind]}",
                       aftermath(world, ws, verb, done, kind))
    conclude(tally)


@needs_shim
def test_killed_at_a_system_call(world, ws):
    tally = FaultTally()
    counts = {verb: count_calls(world, ws, verb) for verb in VERBS}
    for _ in range(KILLS):
        verb, kind = RANDOM.choice(VERBS), RANDOM.choice(("open", "write", "sync", "rename", "link", "unlink"))
        at = RANDOM.randint(1, max(1, counts[verb][kind]))
        begin(world, ws, verb)
        done = world.run(ws, verb, **shim(ws, kind, at, 0))
        tally.note(f"{verb}: killed at a call", f"{verb}, killed at {kind} {at}", aftermath(world, ws, verb, done))
    conclude(tally)


def test_killed_at_any_time(world, ws):
    tally = FaultTally()
    world.delay_s = 0.01
    usual = {}
    for verb in VERBS:
        begin(world, ws, verb)
        began = time.monotonic()
        assert world.run(ws, verb).returncode == 0
        usual[verb] = time.monotonic() - began
    for _ in range(KILLS):
        verb = RANDOM.choice(VERBS)
        after = RANDOM.uniform(0, usual[verb])
        begin(world, ws, verb)
        process = ws.start(verb)
        time.sleep(after)
        process.kill()
        process.communicate()
        world.settle()
        tally.note(f"{verb}: killed", f"{verb}, killed after {after:.3f} s", aftermath(world, ws, verb, process))
    world.delay_s = 0.0
    conclude(tally)
