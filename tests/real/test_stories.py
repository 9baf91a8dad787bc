# SPDX-License-Identifier: Apache-2.0
"""The stories of tests/real/stories: with Kingpost alone; and, with KINGPOST_PEER, beside the reference and in turns with it."""

from __future__ import annotations

import os
import shutil

import pytest
from harness import Command, differences, peer_or_skip
from runner import providers
from runner.side import Side, short_steps
from runner.story import Act, Story, stories

CASES = [pytest.param(story, language, id=f"{story.name}-{language}") for story in stories() for language in story.languages]


def needed(story: Story, language: str) -> None:
    if why := providers.missing(story.providers, story.files):
        pytest.skip(why)
    for variable in story.needs:
        if not os.environ.get(variable):
            pytest.skip(f"{variable} is not set")
    for tool in {"nodejs": ["node", "npm"], "go": ["go"]}.get(language, []):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not on PATH")


def told(side: Side, number: int, act: Act) -> str:
    run = side.last
    return f"act {number}, {side.ws.command.name}: {act.run or act.command or act.shell} ended with {run.code}\n{run.out}\n{run.err}"


def check(side: Side, number: int, act: Act, seen: dict) -> None:
    """The story's expected result of an act."""
    run, text = side.last, told(side, number, act)
    if not act.interrupt:
        assert (run.code == 0) == (act.code == 0), text
    if act.steps is not None:
        assert short_steps(run) == sorted(act.steps), text
    for said in act.says:
        assert said in run.out + run.err + run.diagnostics, f"{said!r} is not in what it said\n{text}"
    for hidden in act.hides:
        assert hidden not in run.out + run.err + run.diagnostics + side.ws.state_file.read_text(), f"{hidden!r} is shown\n{text}"
    if act.pending is not None:
        assert seen["pending"] == sorted(act.pending), text
    if act.outputs is not None:
        shown = seen["outputs"]
        assert act.outputs == {key: shown.get(key) for key in act.outputs}, text


def check_settled(side: Side, number: int, act: Act) -> None:
    """After an update the same program has nothing more to do, whichever command looks."""
    if act.words[:1] == ["up"] and act.code == 0 and act.settled and not act.interrupt:
        quiet = side.settles()
        assert quiet.code == 0, f"after {told(side, number, act)}\n{side.ws.command.name} finds changes:\n{quiet.out}\n{quiet.err}"


@pytest.mark.parametrize("story, language", CASES)
def test_alone(story, language, tmp_path):
    needed(story, language)
    side = Side(tmp_path, story, language, Command.kingpost())
    for number, act in enumerate(story.acts, 1):
        check(side, number, act, side.play(act))
        check_settled(side, number, act)


def compared(story: Story, act: Act, ours: dict, theirs: dict) -> list[str]:
    """Every place where two runs of an act differ, but for what the story says that differs."""
    parts = {part for part in ours if part not in act.differs.split(":")[0].split(", ")} if act.differs else set(ours)
    left, right = ({k: v for k, v in seen.items() if k in parts} for seen in (ours, theirs))
    return differences(left, right)


@pytest.mark.parametrize("story, language", CASES)
def test_beside_the_reference(story, language, tmp_path):
    needed(story, language)
    peer = _peer(language)
    sides = [Side(tmp_path / "ours", story, language, Command.kingpost()), Side(tmp_path / "peer", story, language, peer)]
    for number, act in enumerate(story.acts, 1):
        if act.ours:
            pytest.skip(f"from act {number} on it needs what the reference does not have here: {act.run or act.command}")
        ours, theirs = (side.play(act) for side in sides)
        found = compared(story, act, ours, theirs)
        assert not found, "\n".join([*found, *(told(side, number, act) for side in sides)])


@pytest.mark.parametrize("first", ["ours", "reference"])
@pytest.mark.parametrize("story, language", CASES)
def test_in_turns(story, language, first, tmp_path):
    """Each act by the other command, on the same state; and after each update the other one finds nothing to do."""
    needed(story, language)
    if first == "ours" and story.ours_may_not_begin:
        pytest.skip(story.ours_may_not_begin)
    commands = [Command.kingpost(), _peer(language)]
    side = Side(tmp_path, story, language, *(commands if first == "ours" else commands[::-1]))
    for number, act in enumerate(story.acts, 1):
        if act.ours:
            pytest.skip(f"from act {number} on it needs what the reference does not have here: {act.run or act.command}")
        check(side, number, act, side.play(act))
        check_settled(side, number, act)


def _peer(language: str) -> Command:
    peer = peer_or_skip()
    if language == "yaml" and not shutil.which("pulumi-language-yaml"):
        pytest.skip("pulumi-language-yaml is not on PATH, which the reference needs for programs in YAML")
    return peer
