# SPDX-License-Identifier: Apache-2.0
"""State migrations with the real SDK: a program rewrites the recorded states of its component, and goes on from them. A kill
leaves either the old states or the new ones."""

import json
import shutil

import pytest

from harness import PROGRAMS, Command, Workspace, node_modules
from harness.processes import kill_all_in, kill_alone, wait_for
from harness.slow_update import slow

URN = "urn:pulumi:dev::migrations::migrations:index:Site$things:index:Thing::"


def deploy(root, program, modules=None):
    """Deploys the first version. The next operation runs the second one."""
    shutil.copytree(PROGRAMS / "things", root / "plugins" / "things", ignore=shutil.ignore_patterns("__pycache__"))
    ws = Workspace(root, Command.kingpost(), PROGRAMS / program, env={"VERSION": "1"}, modules=modules)
    ws.up()
    ws.env["VERSION"] = "2"
    return ws


@pytest.fixture
def deployed(tmp_path):
    yield deploy(tmp_path, "migrations")
    kill_all_in(tmp_path)


def things(ws):
    """Name → ID of the recorded resources."""
    return {row["urn"].rsplit("::", 1)[1]: row["id"] for row in ws.state().rows if row["type"] == "things:index:Thing"}


def assert_references_follow(ws):
    state = ws.state("--show-secrets")
    user = state.named("user")
    assert f"{URN}new" in user["dependencies"] and f"{URN}new" in user["propertyDependencies"]["value"]
    outputs = state.named("holder")["outputs"]
    assert outputs["thing"]["urn"] == f"{URN}new"
    assert json.loads(outputs["sealed"]["plaintext"])["urn"] == f"{URN}new"
    assert user["inputs"]["value"]["urn"] == f"{URN}new"
    for row in state.rows:
        row.get("outputs", {}).pop("stamp", None)  # strings of providers stay what they are
    assert f"{URN}old" not in json.dumps(state.document)


def test_the_program_goes_on_without_a_change(deployed):
    goes_on_without_a_change(deployed)


def test_a_program_in_nodejs_goes_on_without_a_change(tmp_path):
    goes_on_without_a_change(deploy(tmp_path, "migrations-node", node_modules()))


def goes_on_without_a_change(deployed):
    before = things(deployed)
    planned = deployed.preview()
    assert "State migration planned (state entries: 2 before, 2 after)." in planned.diagnostics
    assert things(deployed) == before
    done = deployed.up()
    assert "State migration applied (state entries: 2 before, 2 after)." in done.diagnostics
    assert done.changed() == {"late": ["create"]}
    assert things(deployed) == {"new": before["old"], "user": before["user"], "late": "late-1"}
    assert_references_follow(deployed)
    again = deployed.up("--expect-no-changes")
    assert again.changed() == {} and "State migration" not in again.diagnostics


def test_secrets_stay_secret_and_are_not_in_the_journal_or_the_state(deployed):
    done = deployed.up()
    assert "hidden" not in done.out + done.err
    assert all(b"hidden" not in file.read_bytes() for file in deployed.backend.rglob("*") if file.is_file())
    row = deployed.state("--show-secrets").named("new")
    assert row["inputs"]["word"]["plaintext"] == '"hidden"'


def test_killed_while_the_callback_is_asked_nothing_has_happened(deployed, tmp_path):
    before = things(deployed)
    asked = tmp_path / "asked"
    process = deployed.start("up", env={"ASKED": str(asked)})
    wait_for(asked.exists, "the call of the migration")
    kill_alone(process, deployed.root)
    assert things(deployed) == before
    assert deployed.up().changed() == {"late": ["create"]}
    assert things(deployed)["new"] == before["old"]


def test_killed_after_the_component_is_registered_it_has_happened(deployed, tmp_path):
    before = things(deployed)
    planned = tmp_path / "planned"
    process = deployed.start("up", env={"PLANNED": str(planned)} | slow(60_000))
    wait_for(planned.exists, "the answer to the component's registration")
    kill_alone(process, deployed.root)
    exported = deployed.run("stack", "export")
    assert "recovered" in exported.err.lower()
    assert things(deployed) == {"new": before["old"], "user": before["user"]}
    assert_references_follow(deployed)

    # Pending operations would block a migration that changes something; this one has nothing more to do.
    again = deployed.up()
    assert "State migration" not in again.diagnostics
    assert things(deployed).keys() == {"new", "user", "late"}


def test_refresh_and_destroy_with_the_program_pass_it_over(deployed, tmp_path):
    asked = {"ASKED": str(tmp_path / "asked")}
    before = things(deployed)
    deployed.refresh("--run-program", env=asked)
    assert things(deployed) == before
    deployed.destroy("--run-program", env=asked)
    assert things(deployed) == {} and not (tmp_path / "asked").exists()


@pytest.mark.parametrize("flag", ["--target", "--exclude"])
def test_an_update_of_a_part_is_refused_and_changes_nothing(deployed, flag):
    before = things(deployed)
    refused = deployed.up(flag, f"{URN}new", check=False)
    assert refused.code != 0
    assert "cannot change state during a targeted or excluded update" in refused.diagnostics
    assert things(deployed) == before
