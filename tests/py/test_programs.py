"""Real programs with the unmodified Python SDK, run step by step through the built command and, beside it, the peer."""

import importlib.util
import json

import pytest

from harness import Command, Workspace, differences, normalize, peer_or_skip
from harness.rules import configure, perform, rules_workspace, things_log
from scenarios import HOOKS_LOG, SCENARIOS

SLOW_ON_EVERY_RUN = {"replacement", "remote", "failing", "versions", "policed"}
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name in SLOW_ON_EVERY_RUN else name for name in SCENARIOS]


def prepare(root, command: Command, name: str) -> Workspace:
    if name == "policed" and importlib.util.find_spec("pulumi_policy") is None:
        pytest.skip("the PyPI package pulumi-policy is not installed")
    scenario = SCENARIOS[name]
    ws = rules_workspace(root, command, name, scenario.versions)
    if scenario.seed:
        id, text = scenario.seed
        (ws.project / "things").mkdir()
        (ws.project / "things" / f"{id}.json").write_text(text)
    return ws


def play(ws: Workspace, name: str) -> list:
    """Runs all steps; returns what can be compared between two engines."""
    seen = []
    for do in SCENARIOS[name].does:
        run = perform(ws, do)
        seen.append((do, run, normalize(json.loads(ws.run("stack", "export").out))))
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_program_takes_the_steps_it_should(name, tmp_path):
    ws = prepare(tmp_path, Command.kingpost(), name)
    play(ws, name)
    assert sorted(things_log(ws)) == SCENARIOS[name].log
    if name == "hooks":
        assert sorted((ws.project / "hooks.log").read_text().splitlines()) == HOOKS_LOG
    left = [r["urn"] for r in ws.state().rows]
    assert left == [], "destroy left resources in the state"


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_steps_and_states_are_those_of_the_peer(name, tmp_path):
    """Runs the program on both engines and compares steps per URN and exported states, field by field."""
    peer, ours = peer_or_skip(), Command.kingpost()
    theirs = play(prepare(tmp_path / "peer", peer, name), name)
    mine = play(prepare(tmp_path / "ours", ours, name), name)
    found = []
    for (do, run, state), (_, their_run, their_state) in zip(mine, theirs):
        where = f"{do.verb} step {do.step}"
        found += [f"{where}: code: {run.code} != {their_run.code}"] if run.code != their_run.code else []
        found += [f"{where}: steps: {d}" for d in differences(run.steps, their_run.steps)]
        found += [f"{where}: summary: {d}" for d in differences(run.summary, their_run.summary)]
        found += [f"{where}: state: {d}" for d in differences(state, their_state)]
    assert not found, "ours (left) and the peer's (right) differ:\n" + "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("name,step", [("options", 1), ("replacement", 2), ("remote", 1), ("transforms", 1)])
def test_a_stack_goes_to_the_peer_and_back(name, step, tmp_path):
    """A stack made by one engine is unchanged for the other, and each takes the other's export."""
    peer, ours = peer_or_skip(), Command.kingpost()
    theirs = prepare(tmp_path, peer, name)
    configure(theirs, step=step)
    theirs.up()
    mine = theirs.with_command(ours)
    assert mine.preview("--expect-no-changes").changed() == {}
    assert mine.up().changed() == {}
    assert theirs.preview("--expect-no-changes").changed() == {}
    for giver, taker in ((theirs, mine), (mine, theirs)):
        file = tmp_path / f"{giver.command.name}.json"
        file.write_text(giver.run("stack", "export").out)
        taker.run("stack", "import", "--file", str(file))
        assert taker.preview("--expect-no-changes").changed() == {}
    assert mine.destroy().code == 0
    assert theirs.state().rows == []


@pytest.mark.slow
def test_stack_references_read_another_stack_and_keep_its_secrets(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "references")
    configure(ws, step=1)
    ws.up()
    reader = Workspace(ws.root, ws.command, None, "reader")
    configure(reader, program="references", step=2, other="organization/rules/dev")
    reader.up()
    assert reader.outputs() == {"secret": "hush", "missing": None} or reader.outputs() == {"secret": "hush"}
    assert reader.state().named("reader")["inputs"]["value"] == "shared-1/of the other"
    assert "hush" not in reader.state_file.read_text()
    assert json.loads(reader.run("stack", "output", "--json", "--stack", "reader").out)["secret"] == "[secret]"


def test_secret_configuration_reaches_the_program_and_stays_secret(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "remote")
    ws.secret("keyword", "open sesame")
    assert ws.run("config", "get", "keyword").out.strip() == "open sesame"
    assert "open sesame" not in (ws.project / "Pulumi.dev.yaml").read_text()
    shown = json.loads(ws.run("config", "--json").out)["rules:keyword"]
    assert shown["secret"] is True and "open sesame" not in json.dumps(shown)
