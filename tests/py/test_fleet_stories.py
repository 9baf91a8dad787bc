# SPDX-License-Identifier: Apache-2.0
"""Stories of twelve projects that read each other, operated on as one: see harness/estate.py. The programs are of every kind
with the state in a folder, and in YAML with the state in PostgreSQL and S3. Other tests kill the command at any time.

    KINGPOST_FLEET_KILLS=5         kills of operations on all
    KINGPOST_FLEET_KILLS_SEED=1    when, and of which operations
    KINGPOST_PEER=/path            that command must find no changes afterwards
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import Command, peer_or_skip
from harness.cloud_services import moto_service
from harness.estate import CANARY, NAMES, PROJECTS, Estate, downstream
from harness.patience import patience
from harness.postgres import PostgresServer
from harness.processes import kill_all_in

KILLS = int(os.environ.get("KINGPOST_FLEET_KILLS", "5"))
SEED = int(os.environ.get("KINGPOST_FLEET_KILLS_SEED", "1"))


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder with a name short enough for sockets below it."""
    folder = Path(tempfile.mkdtemp(prefix="kp-"))
    yield folder
    kill_all_in(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory) -> Iterator[PostgresServer]:
    folder = Path(tempfile.mkdtemp(prefix="kp-pg-"))
    server = PostgresServer.start(folder)
    yield server
    server.down()
    shutil.rmtree(folder)


@pytest.fixture
def states(request, tmp_path) -> Iterator[dict[str, str]]:
    if request.param == "postgres":
        yield request.getfixturevalue("postgres").database("estate").env
    elif request.param == "s3":
        for service in moto_service(tmp_path):
            place = service.below("estate")
            yield place.env_at(place.address)
    else:
        yield {}


def same(but: dict[str, str] | None = None) -> dict[str, str]:
    return dict.fromkeys(NAMES, "unchanged") | (but or {})


def never_deployed(estate: Estate) -> None:
    previewed = estate.run("preview", "--all", "--stack", "prod", "--create", "--diff")
    assert estate.wanted("docs") in previewed.out and estate.wanted("network") in previewed.out
    for name in NAMES:  # whatever it is written in: what others would be is known
        assert estate.wanted(name) in previewed.out, name
    assert CANARY not in previewed.out + previewed.err
    assert estate.things() == {} and estate.done() == []

    assert estate.outcomes("up") == dict.fromkeys(NAMES, "updated")
    estate.assert_all_is_there()
    estate.assert_order(estate.done())
    assert estate.outcomes("up") == same()
    assert estate.done() == []


def changed_in_the_middle(estate: Estate) -> None:
    estate.change("data", "2")
    affected = downstream("data")
    previewed = estate.run("preview", "--all", "--stack", "prod", "--json").out
    for name in affected:
        assert estate.wanted(name) in previewed, name
    assert CANARY not in previewed
    assert estate.outcomes("preview") == same(dict.fromkeys(affected, "changes"))
    assert estate.outcomes("up") == same(dict.fromkeys(affected, "updated"))
    estate.assert_all_is_there()
    lines = estate.done()
    assert sorted(lines) == sorted(f"update {name}-1" for name in affected)
    estate.assert_order(lines)


def failed_in_the_middle(estate: Estate) -> None:
    estate.change("network", "3")
    skipped = downstream("api") - {"api"}
    report = estate.all("up", code=1, env={"FAULTS_REFUSE": "api"})
    assert {name: stack["outcome"] for name, stack in report.items()} == dict.fromkeys(NAMES, "updated") | {
        "docs": "unchanged", "api": "failed"} | dict.fromkeys(skipped, "skipped")
    assert "api is refused" in report["api"]["why"]
    assert all(report[name]["why"] == "'api/prod' failed" for name in skipped)
    estate.done()

    # The same again goes on from there, and touches nothing else.
    assert estate.outcomes("up") == same(dict.fromkeys(skipped | {"api"}, "updated"))
    estate.assert_all_is_there()
    assert sorted(estate.done()) == sorted(f"update {name}-1" for name in skipped | {"api"})


def circle(estate: Estate) -> None:
    estate.reads["network"] = ["cdn"]
    estate.write("network")
    report = estate.all("up", code=1)
    assert report["docs"]["outcome"] == "unchanged"
    assert {report[name]["outcome"] for name in NAMES - {"docs"}} <= {"failed", "skipped"}
    told = " ".join(stack.get("why", "") for stack in report.values())
    assert "stacks read each other in a cycle" in told
    assert estate.done() == []
    estate.reads["network"] = []
    estate.write("network")
    assert estate.outcomes("preview") == same()


def under_way(process: subprocess.Popen) -> list[str]:
    """The command's lines up to the one that says that a change has begun."""
    lines = []
    for line in process.stdout or ():
        lines.append(line)
        if "updating" in line:
            break
    return lines


def held_by_a_colleague(estate: Estate) -> None:
    estate.change("queue", "4")
    hold = estate.root / "hold"
    hold.touch()
    one = ("up", "--yes", "--skip-preview", "--stack", "prod")
    colleague = estate.start(*one, cwd=estate.folder / "queue", env={"FAULTS_HOLD": str(hold)})
    under_way(colleague)
    affected = downstream("queue")
    report = estate.all("up", "--when-locked", "fail", code=1)
    assert report["queue"]["outcome"] == "failed" and "currently locked" in report["queue"]["why"]
    report = estate.all("up", "--when-locked", "skip", code=1)
    assert report["queue"] == report["queue"] | {"outcome": "skipped", "why": "another process holds the stack"}
    assert all(report[name]["outcome"] == "skipped" for name in affected)
    waiting = estate.start("up", "--all", "--stack", "prod", "--yes", "--when-locked", "wait")
    for line in waiting.stdout or ():
        if "waiting until it is free" in line:
            break
    hold.unlink()
    out, _ = colleague.communicate(timeout=patience(120))
    assert colleague.returncode == 0, out
    out, _ = waiting.communicate(timeout=patience(120))
    assert waiting.returncode == 0, out
    estate.assert_all_is_there()
    assert sorted(estate.done()) == sorted(f"update {name}-1" for name in affected)


def cancelled(estate: Estate) -> None:
    estate.change("network", "5")
    hold = estate.root / "hold"
    hold.touch()
    process = estate.start("up", "--all", "--stack", "prod", "--yes", "--skip-preview", env={"FAULTS_HOLD": str(hold)})
    lines = under_way(process)
    process.send_signal(signal.SIGINT)
    time.sleep(patience(1))  # by then it has handled the signal, and waits for the running step
    hold.unlink()
    out = "".join(lines) + process.communicate(timeout=patience(120))[0]
    assert process.returncode == 1 and "stopped" in out, out
    # The running step has ended, no lock is left, and no operation is pending.
    assert estate.done() == ["update network-1"]
    assert estate.complaints() == []
    report = estate.outcomes("up")
    assert set(report.values()) <= {"updated", "unchanged"}
    estate.assert_all_is_there()
    assert sorted(estate.done()) == sorted(f"update {name}-1" for name in NAMES - {"docs", "network"})


def destroyed(estate: Estate) -> None:
    report = estate.outcomes("destroy", "--skip-preview")
    assert set(report) == NAMES and "failed" not in report.values()
    assert estate.things() == {}
    lines = estate.done()
    assert sorted(lines) == sorted(f"delete {name}-1" for name in NAMES)
    estate.assert_order(lines, reverse=True)


def nothing_is_left_to_do_for(peer: Command, estate: Estate) -> None:
    """The peer finds no changes. It has no host for YAML, so it only refreshes those projects. On PostgreSQL it hangs if it reads
    several stack references at once: each listing holds one connection of its pool, and waits for another."""
    estate.command, ours = peer, estate.command
    for name, (language, _) in PROJECTS.items():
        verb = ("refresh", "--yes") if language == "yaml" else ("preview",)
        estate.run(*verb, "--stack", "prod", "--expect-no-changes", "--parallel", "1", cwd=estate.folder / name)
    estate.command = ours
    assert estate.outcomes("preview", "--expect-no-changes") == same()


@pytest.mark.parametrize("states", ["folder"], indirect=True)
def test_programs_of_every_kind_are_deployed_changed_and_destroyed(root, states):
    estate = Estate(root / "all", Command.kingpost(), states).build()
    never_deployed(estate)
    changed_in_the_middle(estate)
    destroyed(estate)


@pytest.mark.parametrize("states", ["folder", pytest.param("postgres", marks=pytest.mark.slow), pytest.param("s3", marks=pytest.mark.slow)],
                         indirect=True)
def test_the_life_of_an_estate(root, states):
    estate = Estate(root / "all", Command.kingpost(), states, only_yaml=True).build()
    for chapter in (never_deployed, changed_in_the_middle, failed_in_the_middle, circle, held_by_a_colleague, cancelled,
                    destroyed):
        chapter(estate)
    assert estate.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("states", ["folder", "postgres", "s3"], indirect=True)
def test_the_life_of_an_estate_with_programs_of_every_kind(root, states):
    estate = Estate(root / "all", Command.kingpost(), states).build()
    for chapter in (never_deployed, changed_in_the_middle, failed_in_the_middle, circle, held_by_a_colleague, cancelled,
                    destroyed):
        chapter(estate)
    assert estate.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("states", ["folder", "postgres", "s3"], indirect=True)
def test_each_stack_is_afterwards_nothing_to_do_for_the_real_command(root, states):
    peer = peer_or_skip()
    estate = Estate(root / "all", Command.kingpost(), states).build()
    never_deployed(estate)
    nothing_is_left_to_do_for(peer, estate)
    changed_in_the_middle(estate)
    nothing_is_left_to_do_for(peer, estate)


# --- kills -----------------------------------------------------------------------------------------

# verb -> the stacks as they are before it, and the value of the network
OPERATIONS = {"up": ("empty", "1"), "update": ("full", "2"), "destroy": ("full", "1"), "refresh": ("full", "1")}


def arguments(operation: str) -> list[str]:
    verb = "up" if operation == "update" else operation
    preview = [] if operation == "update" else ["--skip-preview"]
    return [verb, "--all", "--stack", "prod", "--yes", *preview]


def begin(estate: Estate, operation: str) -> None:
    state, value = OPERATIONS[operation]
    estate.restore(state)
    estate.change("network", value)
    estate.done()


def killed(estate: Estate, operation: str, calls: int, after: float) -> bool:
    """Kills the operation `after` seconds after the provider got `calls` more calls. True if it was still running."""
    known = len(estate.calls())
    process = estate.start(*arguments(operation), env={"FAULTS_DELAY_MS": "20"})
    while len(estate.calls()) < known + calls and process.poll() is None:
        time.sleep(0.005)
    time.sleep(after)
    process.kill()
    process.communicate()
    return process.returncode == -signal.SIGKILL


def test_kills_lose_nothing_and_the_same_command_goes_on(root):
    """Kills the command up to three times, and then runs it to its end."""
    estate = Estate(root / "all", Command.kingpost(), only_yaml=True).build()
    estate.run("preview", "--all", "--stack", "prod", "--create")
    estate.lay_away("empty")
    estate.outcomes("up", "--skip-preview")
    estate.lay_away("full")
    chance, hits, kills = random.Random(SEED), 0, 0
    while kills < KILLS:
        operation = chance.choice(list(OPERATIONS))
        begin(estate, operation)
        story = [operation]
        for _ in range(min(chance.choice([1, 1, 2, 3]), KILLS - kills)):
            kills += 1
            calls, after = chance.randrange(5), chance.uniform(0, 0.05)
            hit = killed(estate, operation, calls, after)
            story.append(f"{'killed' if hit else 'ended before it could be killed'} {after:.3f} s after {calls} calls")
            hits += hit
        estate.run(*arguments(operation))
        told = "; ".join(story)
        assert estate.complaints() == [], told
        things = estate.things()
        if operation == "destroy":
            assert things == {}, told
        else:
            # The outcome of a create that was cut off is unknown. It is pending until a command reads it: NAME-2 was made then.
            assert all(things.get(f"{name}-1") == estate.wanted(name) or f"{name}-2" in things for name in PROJECTS), told
            assert set(estate.outcomes("preview", "--expect-no-changes").values()) == {"unchanged"}, told
    assert hits * 2 >= kills, f"{hits} of {kills} kills hit"
    print(f"\n{kills} kills, of which {hits} hit an operation that ran", flush=True)
