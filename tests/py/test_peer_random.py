# SPDX-License-Identifier: Apache-2.0
"""Random stories of operations on this engine and on the real pulumi command, compared after every act.

    KINGPOST_PEER=... pytest -m "" tests/py/test_peer_random.py

A seed is a story of three to six acts (harness/random_acts.py), of one of the kinds in harness/random_kinds.py.
KINGPOST_PEER_SEEDS=100 plays seeds 0 to 99, KINGPOST_PEER_SEEDS=40-60 those from 40 on below 60;
KINGPOST_PEER_KINDS=plain,plans plays these kinds only. The test shrinks a story that shows a difference before it prints it.
"""

import os

import pytest

from harness import Command, peer_or_skip
from harness.duel import Duel, Side, template
from harness.program_host import ProgramHost
from harness.random_acts import shrink
from harness.random_kinds import KINDS, story_of

pytestmark = pytest.mark.slow


def seeds() -> range:
    first, _, end = os.environ.get("KINGPOST_PEER_SEEDS", "2").rpartition("-")
    return range(int(first or 0), int(end))


def kinds() -> list[str]:
    return os.environ.get("KINGPOST_PEER_KINDS", ",".join(KINDS)).split(",")


def alike(found: list[str], wanted: list[str]) -> bool:
    """True if a smaller story shows the same difference."""
    return bool(found) and found[0].partition(".")[0] == wanted[0].partition(".")[0]


@pytest.fixture(scope="module")
def duel(tmp_path_factory):
    mine, theirs = Command.kingpost(), peer_or_skip()
    root = tmp_path_factory.mktemp("random")
    with ProgramHost() as host, Side(mine, host.port) as ours, Side(theirs, host.port) as peers:
        yield Duel(ours, peers, template(root / "template", mine), root)


@pytest.mark.parametrize("kind", kinds())
@pytest.mark.parametrize("seed", seeds())
def test_random_stories_come_to_the_same(seed, kind, duel):
    acts = story_of(kind, seed)
    number, found = duel.play(acts)
    if not found:
        return
    if os.environ.get("KINGPOST_PEER_SHRINK", "yes") == "yes":
        acts = shrink(acts[:number], lambda smaller: alike(duel.play(smaller)[1], found))
        number, found = duel.play(acts)
    told = "\n".join(f"{i}. {act}" for i, act in enumerate(acts[:number], 1))
    pytest.fail(f"{kind} {seed}: ours (left) and the peer's (right) differ:\n" + "\n".join(found) + "\n\n" + told,
                pytrace=False)
