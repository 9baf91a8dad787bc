# SPDX-License-Identifier: Apache-2.0
"""Cuts the network between the command and the store at each Nth request of a whole operation. A cut lasts for one request, for
good, or until another command has taken over. The servers are real ones of S3 and PostgreSQL, and emulators of Azure and Google.

    KINGPOST_CUTS=2              operations for each store; several hundred take an hour
    KINGPOST_KILLS_SEED=1        which, and where

No operation that a program knows of is lost. Of two commands that would recover one does, and a paused owner's later requests
are refused.
"""

import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness import Command, Workspace
from harness.cloud_services import SERVICES
from harness.cut_line import CutLine
from harness.faulty_proxy import FaultyProxy
from harness.open_root import open_root
from harness.patience import patience
from harness.postgres import PostgresServer
from harness.process_world import ProcessWorld
from harness.processes import kill_all_in

CUTS = int(os.environ.get("KINGPOST_CUTS", "2"))
SEED = int(os.environ.get("KINGPOST_KILLS_SEED", "1"))
FAULTS = {"bucket": ("cut", "lost", "half", "busy", "slow", "twice", "frozen"), "postgres": ("cut", "lost", "slow", "frozen")}
PASSING = ("slow", "twice", "busy", "cut", "lost", "half")  # a single one is retried, and the operation succeeds
LONGEST = 60  # requests of an operation, or a few less


@dataclass
class Place:
    """A store behind a network that can be cut."""

    kind: str
    env: dict[str, str]  # through it
    direct: dict[str, str]
    line: Any
    held: Callable[[], list[str]]  # what keeps others away
    lay_away: Callable[[str], None]
    restore: Callable[[str], None]


@pytest.fixture
def root() -> Iterator[Path]:
    with open_root() as path:
        yield path


@pytest.fixture(params=["versitygw", "azurite", "fake-gcs-server"])
def bucket(root, request) -> Iterator[Place]:
    (root / "service").mkdir()
    for service in SERVICES[request.param](root / "service"):
        there = service.below("cuts")
        proxy = FaultyProxy(there.address)
        lease = {"KINGPOST_STATE_LEASE": "2"}
        with proxy.serving() as address:
            yield Place("bucket", lease | there.env_at(address), lease | there.env_at(there.address), proxy, there.held,
                        there.lay_away, there.restore)


@pytest.fixture
def postgres(root) -> Iterator[Place]:
    (root / "pg").mkdir()
    server = PostgresServer.start(root / "pg")
    states = server.database("cuts")
    line = CutLine(server.folder, root / "line")
    lease = {"KINGPOST_STATE_LEASE": "2"}
    with line.serving() as folder:
        through = states.url.replace(str(server.folder), str(folder))
        yield Place("postgres", lease | {"PULUMI_BACKEND_URL": through}, lease | states.env, line, states.held,
                    states.lay_away, states.restore)
    server.down()


def recover_what_was_kept(world: ProcessWorld, out: str) -> list[str]:
    """Runs the `state recover` that the error names."""
    wrong = []
    for file in dict.fromkeys(re.findall(r"state recover (\S+?\.kept)", out)):
        done = world.ws.run("state", "recover", file, "--stack", world.ws.stack, check=False)
        wrong += [] if done.code == 0 else [f"state recover: {done.err}"]
    return wrong


def finish_frozen(world: ProcessWorld, place: Place, process, operation: str) -> tuple[str, list[str]]:
    """Two more commands come by another network while the owner gets no answers. One at a time works, and the owner ends."""
    deadline = time.monotonic() + patience(60)
    while not place.line.met and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(3.5)
    through, world.ws.env = world.ws.env, world.ws.env | place.direct
    rivals = [world.start(operation), world.start(operation)]
    ends = [world.finish(rival) for rival in rivals]
    world.ws.env = through
    done = world.finish(process)
    wrong = [] if done and all(ends) else ["it hangs"]
    for end in [*ends, done]:
        if end and end.returncode != 0 and not re.search("locked by|taken over|removed|lock|journal|another", end.stdout):
            wrong.append(f"an end that nobody understands: {end.stdout[-600:]}")
    return "".join(end.stdout for end in [*ends, done] if end), wrong


def cut_once(world: ProcessWorld, place: Place, chance: random.Random) -> tuple[str, list[str]]:
    operation = chance.choice(["up", "update", "destroy"])
    fault, at, onwards = chance.choice(FAULTS[place.kind]), chance.randint(1, LONGEST), chance.random() < 0.3
    onwards = onwards and fault not in ("frozen", "slow", "twice")
    what = f"{operation}, {fault} at {at}{' and after' if onwards else ''}"
    world.begin(operation)
    place.line.break_at(at, fault, onwards)
    process = world.start(operation)
    wrong: list[str] = []
    if fault == "frozen":
        out, wrong = finish_frozen(world, place, process, operation)
    else:
        done = world.finish(process)
        out = done.stdout if done else ""
        if done is None:
            wrong.append("it hangs")
        elif not onwards and fault in PASSING and done.returncode != 0:
            wrong.append(f"one fault was not tried again: {out[-600:]}")
    place.line.mend()
    kill_all_in(world.ws.root)
    time.sleep(2.5 if onwards else 0)  # the lease
    wrong += recover_what_was_kept(world, out)
    wrong += [text for text in world.complaints(operation) if not (fault == "frozen" and text.startswith("dupl"))]
    again = world.finish(world.start(operation))
    if again is None or again.returncode != 0:
        wrong.append("stuck: " + (again.stdout[-1200:] if again else "it hangs"))
    wrong += [text for text in world.complaints(operation) if text.startswith(("lost", "refused"))]
    wrong += [f"left: {key}" for key in place.held()]
    return what, [f"{what}: {text}" for text in wrong]


def cut_often(place: Place, root: Path) -> None:
    world = ProcessWorld.python(root / "py", Command.kingpost(), CutStates(place))  # type: ignore[arg-type]
    world.delay_ms = 20
    chance, wrong, tally = random.Random(SEED), [], Counter[str]()
    for _ in range(CUTS):
        what, found = cut_once(world, place, chance)
        tally[re.sub(r" at \d+", "", what.split(", ", 1)[1])] += 1
        wrong += found
    print(f"\n{place.kind}: " + ", ".join(f"{count} {what}" for what, count in sorted(tally.items())))
    assert not wrong, "\n".join(wrong)


@dataclass
class CutStates:
    """The questions of ProcessWorld to a database."""

    place: Place

    @property
    def env(self) -> dict[str, str]:
        return self.place.env

    def lay_away(self, name: str) -> None:
        self.place.lay_away(name)

    def restore(self, name: str) -> None:
        self.place.restore(name)


def meet_each_fault_anywhere(place: Place, root: Path, faults: tuple[str, ...]) -> None:
    ws = Workspace(root / "ws", Command.kingpost(), env=dict(place.env), init=False)
    (ws.project / "Pulumi.yaml").write_text("name: shop\nruntime: yaml\n")
    ws.run("stack", "init", "dev")
    for fault in faults:
        for at in range(1, 100):
            place.line.break_at(at, fault)
            ws.run("stack", "tag", "set", "at", f"{fault}-{at}")
            met = place.line.met
            place.line.mend()
            if not met:
                break
            assert f"{fault}-{at}" in ws.run("stack", "tag", "get", "at").out
        assert not met and at > 8
    assert not place.held()


def test_a_single_fault_anywhere_in_a_command_is_not_noticed_in_a_bucket(bucket, root):
    meet_each_fault_anywhere(bucket, root, ("twice", "lost"))


def test_a_single_fault_anywhere_in_a_command_is_not_noticed_in_postgres(postgres, root):
    meet_each_fault_anywhere(postgres, root, ("cut", "lost"))


@pytest.mark.slow
def test_the_network_to_a_bucket_is_cut(bucket, root):
    cut_often(bucket, root)


@pytest.mark.slow
def test_the_network_to_postgres_is_cut(postgres, root):
    cut_often(postgres, root)
