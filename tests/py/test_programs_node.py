# SPDX-License-Identifier: Apache-2.0
"""Real programs with the unmodified npm SDK, and policy packs with @pulumi/policy, run by the native launchers."""

import json
import shutil
import signal
import time

import pytest

from harness import Command, PROGRAMS, differences, node_modules, peer_or_skip
from harness.patience import patience
from harness.rules import Do, configure, things_log
from harness.sdks import play, sdk_workspace
from scenarios import CREATE, HOOKS_LOG, SCENARIOS, UPDATE, Scenario, all_of, created, deleted, marked

RUNTIME = {"name": "nodejs", "options": {"typescript": False}}
PROGRAM_NAMES = ["aliases", "failing", "hooks", "importing", "options", "reading", "remote", "replacement", "transforms",
                 "versions"]

PACK = ("--policy-pack", "../policies")
POLICED = Scenario([
    Do("up", 1, created("brief"), args=PACK, code=1, says=("the value 'forbidden' must not be used",)),
    Do("up", 2, all_of(CREATE, "judged"), args=PACK),
    Do("up", 3, all_of(CREATE, "third", "fourth"), args=PACK, code=1, says=("a stack has three things at most",)),
    Do("destroy", 3, deleted("brief", "judged", "third", "fourth")),
], [])
CONFIGURED = (*PACK, "--policy-pack-config", "../pack-config.json")


def prepare(root, command, name, scenario=None):
    source = PROGRAMS / "node"
    return sdk_workspace(root, command, name, source, RUNTIME, scenario or SCENARIOS[name], modules=node_modules())


def with_pack(ws):
    """Puts the Node policy pack beside the project."""
    pack = PROGRAMS / "node-policies"
    shutil.copytree(pack, ws.root / "policies", ignore=shutil.ignore_patterns("node_modules"))
    (ws.root / "policies" / "node_modules").symlink_to(node_modules(pack))
    return ws


def configure_pack(ws, **policies):
    (ws.root / "pack-config.json").write_text(json.dumps(policies))


@pytest.mark.parametrize("name", marked(PROGRAM_NAMES))
def test_node_program_takes_the_steps_it_should(name, tmp_path):
    ws = prepare(tmp_path, Command.kingpost(), name)
    play(ws, SCENARIOS[name].does)
    assert sorted(things_log(ws)) == SCENARIOS[name].log
    if name == "hooks":
        assert sorted((ws.project / "hooks.log").read_text().splitlines()) == HOOKS_LOG
    assert ws.state().rows == [], "destroy left resources in the state"


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAM_NAMES + ["policed"])
def test_node_program_ends_as_with_the_peer(name, tmp_path):
    peer, ours = peer_or_skip(), Command.kingpost()
    scenario = POLICED if name == "policed" else SCENARIOS[name]
    played = []
    for command in (peer, ours):
        ws = prepare(tmp_path / command.name, command, name, scenario)
        played.append(play(with_pack(ws) if name == "policed" else ws, scenario.does))
    found = []
    for (do, their_run, their_state), (_, run, state) in zip(*played, strict=True):
        found += [f"{do.verb} step {do.step}: steps: {d}" for d in differences(run.steps, their_run.steps)]
        found += [f"{do.verb} step {do.step}: state: {d}" for d in differences(state, their_state)]
    assert not found, "ours (left) and the peer's (right) differ:\n" + "\n".join(found)


def test_node_policy_pack_blocks_warns_and_remediates_as_configured(tmp_path):
    ws = with_pack(prepare(tmp_path, Command.kingpost(), "policed", POLICED))
    configure(ws, step=1)
    configure_pack(ws, owned={"owner": "the harbour"}, **{"no-short": "disabled"})
    blocked = ws.up(*CONFIGURED, check=False)
    assert blocked.code != 0 and blocked.changed() == created("brief"), blocked.out + blocked.err
    assert {(p["policyName"], p["enforcementLevel"]) for p in blocked.policies} == {("no-forbidden", "mandatory")}
    assert "the value 'forbidden' must not be used" in blocked.out
    assert ws.state().named("brief")["inputs"] == {"value": "no", "owner": "the harbour"}
    assert "judged" not in ws.state().names

    configure_pack(ws, **{"no-forbidden": {"word": "other"}})
    passed = ws.up(*CONFIGURED)
    assert passed.changed() == all_of(CREATE, "judged", brief=UPDATE)
    assert {(p["policyName"], p["enforcementLevel"]) for p in passed.policies} == {("no-short", "advisory")}
    assert ws.state().named("judged")["inputs"] == {"value": "forbidden", "owner": "nobody"}

    configure_pack(ws, **{"no-forbidden": {"word": "no"}})
    refused = ws.preview(*CONFIGURED, check=False)
    assert refused.code != 0 and "no-forbidden" in refused.out + refused.err


@pytest.mark.slow
def test_node_policy_pack_takes_the_steps_it_should(tmp_path):
    ws = with_pack(prepare(tmp_path, Command.kingpost(), "policed", POLICED))
    play(ws, POLICED.does)
    assert ws.state().rows == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_busy_node_program_ends_with_the_command(number, tmp_path):
    """A program that computes for ever never looks at its sockets; a signal to the command ends it all the same."""
    ws = prepare(tmp_path, Command.kingpost(), "aliases")
    (ws.project / "index.js").write_text('require("fs").writeFileSync("begun", ""); for (;;) {}\n')
    process = ws.start("up")
    try:
        deadline = time.monotonic() + patience(60)
        while not (ws.project / "begun").exists():
            assert process.poll() is None and time.monotonic() < deadline, "the program has not begun"
            time.sleep(0.05)
        began = time.monotonic()
        process.send_signal(number)
        process.communicate(timeout=patience(30))
        assert process.returncode != 0 and time.monotonic() - began < patience(15)
    finally:
        process.kill()
        process.wait()
