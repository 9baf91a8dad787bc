# SPDX-License-Identifier: Apache-2.0
"""Runs eight different commands at once on one stack, in a bucket and in PostgreSQL. One at a time works, and the others say why
they do not. Whatever a command reported as done is in the state afterwards.

    KINGPOST_RACES=1             rounds of each kind for each store
    KINGPOST_KILLS_SEED=1        which commands start a little later
"""

import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness import Command, Workspace, peer_or_skip
from harness.clouds import VERSITYGW_KEYS, held_by, versitygw
from harness.open_root import open_root
from harness.postgres import PostgresServer
from harness.workspace import Result

RACES = int(os.environ.get("KINGPOST_RACES", "1"))
SEED = int(os.environ.get("KINGPOST_KILLS_SEED", "1"))
PROGRAM = """
import os, pulumi
for number in range(int(os.environ.get("PARTS", "3"))):
    pulumi.Stash(f"part-{number}", input=number)
"""
# The possible messages of a command that did not get the stack, or was stopped at work.
REASONS = ("the stack is currently locked by", "no stack named 'dev' found", "a stack named 'organization/shop/prod' already exists",
           "stack 'organization/shop/dev' already exists", "perhaps by `kingpost cancel`", "or its lock was cancelled",
           "removed the new lock of stack", "at the same time; try again", "which has taken over the stack",
           "a process that ignored the lock", "still has resources; removal rejected")


@dataclass
class Place:
    env: dict[str, str]
    held: Callable[[], list[str]]  # what keeps others away


@pytest.fixture
def root() -> Iterator[Path]:
    with open_root() as path:
        yield path


@pytest.fixture(params=["s3", "postgres"])
def place(request, root) -> Iterator[Place]:
    (root / "server").mkdir()
    if request.param == "s3":
        objects = root / "server/data/team"
        with versitygw(root / "server") as address:
            url = f"s3://team/races?endpoint={address}&disableSSL=true&s3ForcePathStyle=true&region=us-east-1"
            def held() -> list[str]:
                keys = [str(file.relative_to(objects)) for file in objects.rglob("*") if file.is_file()]
                return held_by(keys, lambda key: (objects / key).read_bytes())

            yield Place(VERSITYGW_KEYS | {"PULUMI_BACKEND_URL": url}, held)
        return
    server = PostgresServer.start(root / "server")
    states = server.database("races")
    yield Place(states.env, states.held)
    server.down()


class Race:
    def __init__(self, root: Path, place: Place, number: int):
        self.place = place
        project = root / f"ws-{number}" / "project"
        project.mkdir(parents=True)
        (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (project / "__main__.py").write_text(PROGRAM)
        self.ws = Workspace(project.parent, Command.kingpost(), env=dict(place.env))
        self.ws.up()
        self.exported = self.ws.run("stack", "export", "--stack", "dev").out
        self.chance = random.Random(f"{SEED} {number}")
        self.wrong: list[str] = []

    def run(self, *commands: tuple[str, ...]) -> dict[tuple[str, ...], Result]:
        """Runs the commands at once, some a little later than others, and checks their output."""
        def one(command: tuple[str, ...], pause: float) -> Result:
            time.sleep(pause)
            parts = {"PARTS": command[-1]} if command[-1].isdigit() else {}
            words = command[:-1] if parts else command
            stdin = self.exported if words[:2] == ("stack", "import") else None
            ws = self.ws.with_command(peer_or_skip()) if words[0] == "peer" else self.ws
            return ws.run(*words[words[0] == "peer":], "--stack", "dev", check=False, env=parts, stdin=stdin)

        pauses = [self.chance.choice([0, 0, 0.3, 1.0]) for _ in commands]
        with ThreadPoolExecutor(len(commands)) as pool:
            results = dict(zip(commands, pool.map(one, commands, pauses), strict=True))
        for command, result in results.items():
            said = result.out + result.err
            if result.code != 0 and not any(reason in said for reason in REASONS):
                self.wrong.append(f"{' '.join(command)} ended with {result.code}: {said[-1500:]}")
            if re.search("terminate called|panic|Assertion|internal error", said):
                self.wrong.append(f"{' '.join(command)}: {said[-1500:]}")
        return results

    def stacks(self) -> list[str]:
        rows = json.loads(self.ws.run("stack", "ls", "--json").out)
        return sorted(row["name"].rpartition("/")[2] for row in rows)

    def works(self, stack: str) -> None:
        """Checks that the stack can be used after the race, and that no lock is left."""
        self.ws.stack = stack
        self.ws.up(env={"PARTS": "2"})
        names = {name for name in self.ws.state().names if name.startswith("part")}
        if names != {"part-0", "part-1"}:
            self.wrong.append(f"{stack} has {sorted(names)}")
        self.wrong += [f"left: {key}" for key in self.place.held()]

    def kinds_in_history(self, stack: str) -> list[str]:
        return [entry["kind"] for entry in json.loads(self.ws.run("stack", "history", "--json", "--stack", stack).out)]


def went_well(results: dict[tuple[str, ...], Result], *words: str) -> int:
    return sum(result.code == 0 and command[:len(words)] == words for command, result in results.items())


@pytest.mark.parametrize("number", range(RACES))
def test_one_of_eight_commands_changes_a_stack_at_a_time(place, root, number):
    race = Race(root, place, number)
    results = race.run(
        ("up", "--yes", "--skip-preview", "2"), ("up", "--yes", "--skip-preview", "5"), ("refresh", "--yes", "--skip-preview"),
        ("stack", "import"), ("stack", "rename", "prod"), ("stack", "tag", "set", "team", "blue"),
        ("state", "untaint", "--all", "--yes"), ("destroy", "--yes", "--skip-preview"))
    renamed = went_well(results, "stack", "rename")
    assert race.stacks() == ["prod" if renamed else "dev"], race.wrong
    stack = race.stacks()[0]
    kinds = race.kinds_in_history(stack)
    done = {"update": 1 + went_well(results, "up"), "refresh": went_well(results, "refresh"),
            "destroy": went_well(results, "destroy")}
    race.wrong += [f"{count} of {kind} ended well, and the history has {kinds}" for kind, count in done.items()
                   if kinds.count(kind) != count]
    tags = race.ws.run("stack", "tag", "ls", "--stack", stack).out
    if ("blue" in tags) != bool(went_well(results, "stack", "tag")):
        race.wrong.append(f"the tags are {tags}")
    race.works(stack)
    assert not race.wrong, "\n".join(race.wrong)
    assert any(result.code == 0 for result in results.values())


@pytest.mark.parametrize("number", range(RACES))
def test_eight_commands_that_make_break_and_remove_a_stack_do_so_whole_or_not_at_all(place, root, number):
    race = Race(root, place, number)
    results = race.run(
        ("up", "--yes", "--skip-preview", "4"), ("up", "--yes", "--skip-preview", "6"), ("cancel", "--yes"), ("cancel", "--yes"),
        ("stack", "rm", "--yes", "--force"), ("stack", "rm", "--yes"), ("stack", "init"), ("stack", "rename", "prod"))
    there = race.stacks()
    removed, renamed = went_well(results, "stack", "rm"), went_well(results, "stack", "rename")
    made = 1 + went_well(results, "stack", "init")
    assert len(there) == made - removed, (there, removed, renamed, race.wrong)
    assert ("prod" in there) == bool(renamed) or removed, there
    if not there:
        race.ws.run("stack", "init", "dev")
    for stack in there or ["dev"]:
        race.works(stack)
    assert not race.wrong, "\n".join(race.wrong)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(RACES))
def test_one_of_eight_commands_of_both_tools_works_at_a_time(place, root, number):
    peer_or_skip()
    race = Race(root, place, number)
    results = race.run(
        ("up", "--yes", "--skip-preview", "2"), ("peer", "up", "--yes", "--skip-preview", "4"),
        ("up", "--yes", "--skip-preview", "5"), ("peer", "up", "--yes", "--skip-preview", "6"),
        ("refresh", "--yes", "--skip-preview"), ("peer", "refresh", "--yes", "--skip-preview"),
        ("destroy", "--yes", "--skip-preview"), ("peer", "destroy", "--yes", "--skip-preview"))
    kinds = race.kinds_in_history("dev")
    assert len(kinds) == 1 + sum(result.code == 0 for result in results.values()), (kinds, race.wrong)
    race.works("dev")
    assert race.ws.with_command(peer_or_skip()).preview(env={"PARTS": "2"}).summary == {"same": 3}
    assert not race.wrong, "\n".join(race.wrong)
