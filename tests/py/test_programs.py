# SPDX-License-Identifier: Apache-2.0
"""Real programs with the unmodified Python SDK, run step by step through the built command; test_peer.py compares them."""

import json

import pytest

from harness import Command, Workspace
from harness.rules import configure, perform, rules_workspace, things_log
from scenarios import HOOKS_LOG, SCENARIOS, prepare


@pytest.mark.parametrize("name", SCENARIOS)
def test_program_takes_the_steps_it_should(name, tmp_path):
    ws = prepare(tmp_path, Command.kingpost(), name)
    for do in SCENARIOS[name].does:
        perform(ws, do)
    assert sorted(things_log(ws)) == SCENARIOS[name].log
    if name == "hooks":
        assert sorted((ws.project / "hooks.log").read_text().splitlines()) == HOOKS_LOG
    left = [r["urn"] for r in ws.state().rows]
    assert left == [], "destroy left resources in the state"


def test_stack_references_read_another_stack_and_keep_its_secrets(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "references")
    configure(ws, step=1)
    ws.up()
    reader = Workspace(ws.root, ws.command, None, "reader")
    configure(reader, program="references", step=2, other="organization/rules/dev")
    reader.up()
    assert reader.outputs() == {"secret": "hush"}
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
