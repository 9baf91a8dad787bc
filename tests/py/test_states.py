# SPDX-License-Identifier: Apache-2.0
"""States that the real engine wrote (tests/data/states): read, shown and saved again, without that engine."""

import json
import re
import shutil

import pytest

from harness import Command, STATES, State, Workspace
from harness.corpus import CORPUS
from harness.rules import configure, rules_workspace

NAMES = sorted(p.name for p in STATES.iterdir()) if STATES.exists() else []


def adopt(root, name: str) -> Workspace:
    """A workspace whose stack is the recorded one, as if the peer had left it there."""
    program, step = CORPUS[name]
    ws = rules_workspace(root, Command.kingpost(), program)
    folder = STATES / name
    shutil.copy(folder / "stack.json", ws.state_file)
    attributes = ws.state_file.with_name(ws.state_file.name + ".attrs")
    attributes.unlink(missing_ok=True)
    shutil.copy(folder / "Pulumi.dev.yaml", ws.project)
    if (folder / "things").exists():
        shutil.copytree(folder / "things", ws.project / "things")
    configure(ws, program=program, step=step)
    return ws


def test_there_are_states():
    assert set(NAMES) == set(CORPUS)


@pytest.mark.parametrize("name", NAMES)
def test_export_is_the_peers_byte_for_byte(name, tmp_path):
    ws = adopt(tmp_path, name)
    assert ws.run("stack", "export").out == (STATES / name / "export.json").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_import_of_an_export_saves_what_was_there(name, tmp_path):
    """export → import → the state file: the same resources in the same order, but for fresh ciphertexts."""
    ws = adopt(tmp_path, name)
    before = resources_text(ws)
    ws.run("stack", "import", "--file", str(STATES / name / "export.json"))
    assert resources_text(ws) == before


def resources_text(ws: Workspace) -> str:
    """The resources of the state file as they stand there, numerals and order included, without ciphertexts.

    Only the spelling of characters is levelled: whether the peer writes "<" or its escape depends on the operation.
    """
    deployment = json.loads(ws.state_file.read_text(), parse_int=str, parse_float=str)["checkpoint"]["latest"]
    return re.sub(r'"ciphertext": "[^"]*"', '"ciphertext": ""', json.dumps(deployment["resources"]))


@pytest.mark.parametrize("name", [n for n in NAMES if n != "failed"])
def test_preview_shows_no_changes(name, tmp_path):
    ws = adopt(tmp_path, name)
    before = ws.state_file.read_bytes()
    assert ws.preview("--expect-no-changes").changed() == {}
    assert ws.state_file.read_bytes() == before, "a preview must not write the state"


def test_a_failed_update_is_taken_up_again(tmp_path):
    ws = adopt(tmp_path, "failed")
    configure(ws, step=4)
    assert set(ws.up().changed()) == {"apart", "first", "second"}


def test_secrets_are_shown_only_when_asked_for(tmp_path):
    ws = adopt(tmp_path, "remote")
    assert json.loads(ws.run("stack", "output", "--json").out)["keyword"] == "[secret]"
    assert ws.outputs()["keyword"] == "hush"
    masked = State(json.loads(ws.run("stack", "export").out)).named("shelf")["outputs"]["keyword"]
    assert "ciphertext" in masked
    shown = State(json.loads(ws.run("stack", "export", "--show-secrets").out)).named("shelf")["outputs"]["keyword"]
    assert shown["plaintext"] == '"hush"'
