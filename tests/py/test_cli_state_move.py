# SPDX-License-Identifier: Apache-2.0
"""state move, edit and upgrade: resources go to other stacks, states through an editor, stores to the newer layout."""

import json
import os
import pty
import subprocess

import pytest

from harness.patience import patience
from test_cli_stacks import Cli, deployment

SECRET = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"hunter22\""}


def urn(name, stack="src", kind="my:mod:Thing"):
    return f"urn:pulumi:{stack}::demo::{kind}::{name}"


def resource(name, kind="my:mod:Thing", **more):
    return {"urn": urn(name, kind=kind), "custom": False, "type": kind} | more


ROOT = resource("demo-src", "pulumi:pulumi:Stack")
PROVIDER = resource("p", "pulumi:providers:my", custom=True, id="1", inputs={"token": SECRET})


@pytest.fixture
def two(tmp_path):
    cli = Cli(tmp_path)
    cli("stack", "init", "dst")
    cli("stack", "init", "src")
    thing = {"custom": True, "provider": urn("p", kind="pulumi:providers:my") + "::1", "parent": ROOT["urn"]}
    cli("stack", "import", stdin=deployment(
        ROOT, PROVIDER, resource("a", id="a", outputs={"key": SECRET}, **thing),
        resource("b", id="b", dependencies=[urn("a")], **thing)))
    return cli


def resources(cli, stack, *flags):
    rows = cli.json("stack", "export", "--stack", stack, *flags)["deployment"].get("resources", [])
    return {row["urn"]: row for row in rows}


def move(cli, *args, **more):
    return cli("state", "move", "--source", "src", "--dest", "dst", *args, **more)


def test_a_resource_moves_with_its_provider_and_secrets(two):
    run = move(two, urn("a"), "--yes")
    assert "Planning to move the following resources from organization/demo/src to organization/demo/dst" in run.stdout
    assert f"{urn('b')} has a dependency on {urn('a')}" in run.stdout
    assert "Successfully moved resources from organization/demo/src to organization/demo/dst" in run.stdout
    assert "hunter22" not in run.stdout + run.stderr
    assert list(resources(two, "src")) == [ROOT["urn"], PROVIDER["urn"], urn("b")]
    assert "dependencies" not in resources(two, "src")[urn("b")]

    moved = resources(two, "dst", "--show-secrets")
    provider = urn("p", "dst", "pulumi:providers:my")
    assert list(moved) == [urn("demo-dst", "dst", "pulumi:pulumi:Stack"), provider, urn("a", "dst")]
    assert moved[urn("a", "dst")]["provider"] == provider + "::1"
    assert moved[urn("a", "dst")]["outputs"]["key"]["plaintext"] == "\"hunter22\""
    files = two.state.rglob("*")
    assert not any(b"hunter22" in file.read_bytes() for file in files if file.is_file())


def test_a_move_asks_first(two):
    run = move(two, urn("a"), ok=False)
    assert run.returncode == 2 and "Planning to move" in run.stdout and "--yes" in run.stderr
    assert urn("a") in resources(two, "src") and not resources(two, "dst")


@pytest.mark.parametrize("args, message", [
    (["--source", "src", "--dest", "src", urn("a")], "the same stack"),
    (["--source", "src", "--dest", "dst"], "URN"),
    ([urn("a")], "at least one of --source or --dest must be provided"),
    (["--dest", "dst", urn("nothing")], "no resources found to move"),
    (["--dest", "dst", PROVIDER["urn"]], "cannot move providers"),
    (["--source", "dst", "--dest", "src", urn("a")], "no resources found to move"),
])
def test_moves_that_make_no_sense_are_refused(two, args, message):
    run = two("state", "move", "--yes", *args, ok=False)
    assert run.returncode in (1, 2) and message in run.stderr
    assert len(resources(two, "src")) == 4 and not resources(two, "dst")


def test_a_stack_without_a_record_has_no_resources(two):
    file = two.state / ".pulumi" / "stacks" / "demo" / "dst.json"
    document = json.loads(file.read_text())
    document["checkpoint"]["latest"] = None
    file.write_text(json.dumps(document))
    run = two("state", "move", "--yes", "--source", "dst", "--dest", "src", urn("a"), ok=False)
    assert run.returncode == 1 and "source stack has no resources" in run.stderr


def test_of_a_stack_whose_resources_have_all_gone_none_is_found(two):
    for name in ("a", "b"):
        if urn(name) in resources(two, "src"):
            move(two, urn(name), "--yes")
    two("state", "delete", "--all", "--stack", "src", "--yes", "--force")
    run = move(two, urn("a"), "--yes", ok=False)
    assert f"Resource {urn('a')} not found in source stack" in run.stderr and "no resources found to move" in run.stderr


def test_if_the_source_cannot_be_saved_the_destination_is_as_before(two):
    folder = two.state / ".pulumi" / "stacks" / "demo"
    backup = folder / "src.json.bak"
    backup.unlink(missing_ok=True)
    (backup / "in the way").mkdir(parents=True)  # saving keeps the former file there
    run = move(two, urn("a"), "--yes", ok=False)
    assert run.returncode == 1 and "failed to save source snapshot" in run.stderr
    assert "None of the resources have been moved" in run.stderr
    assert urn("a") in resources(two, "src") and not resources(two, "dst")


def edit(cli, script, answers):
    """Runs `state edit` in a terminal, with a shell script as the editor."""
    editor = cli.project.parent / "editor.sh"
    editor.write_text("#!/bin/sh\n" + script)
    editor.chmod(0o755)
    ours, theirs = pty.openpty()
    env = cli.env | {"EDITOR": f"'{editor}' --wait"}
    process = subprocess.Popen([cli.command.path, "state", "edit", "--stack", "src"], cwd=cli.project, env=env,
                               stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    os.write(ours, answers.encode())
    shown = b""
    try:
        while chunk := os.read(ours, 65536):
            shown += chunk
    except OSError:  # the other side is closed
        pass
    os.close(ours)
    return process.wait(timeout=patience(60)), shown.decode()


def test_a_state_is_edited(two):
    status, shown = edit(two, 'test "$1" = --wait && sed -i s/Thing::b/Thing::c/ "$2"', "accept\n")
    assert status == 0 and "New state:" in shown and "hunter22" not in shown
    assert urn("c") in resources(two, "src") and urn("b") not in resources(two, "src")
    assert resources(two, "src", "--show-secrets")[urn("a")]["outputs"]["key"]["plaintext"] == "\"hunter22\""


def test_an_edit_that_changes_nothing_says_so(two):
    status, shown = edit(two, "true", "")
    assert status == 0 and "provided state was not changed" in shown


@pytest.mark.parametrize("script, message", [
    ('echo "{" > "$2"', "provided state is not valid"),
    ('sed -i "/dependencies/,+1s/Thing::a/Thing::z/" "$2"', "provided state is not valid"),
    ('sed -i s/Thing::b/Thing::c/ "$2"', "Do you want to perform this edit?"),
    ("exit 3", "failed; nothing was changed"),
])
def test_an_edit_that_is_not_accepted_changes_nothing(two, script, message):
    before = resources(two, "src")
    status, shown = edit(two, script, "cancel\n")
    assert status == 1 and message in shown
    assert resources(two, "src") == before


def test_without_a_terminal_there_is_no_edit(two):
    run = two("state", "edit", ok=False)
    assert run.returncode == 1 and "must be run in interactive mode" in run.stderr and "stack import" in run.stderr


def test_a_stack_without_a_project_is_found_from_anywhere(tmp_path):
    cli = Cli(tmp_path)
    stacks = cli.state / ".pulumi" / "stacks"
    stacks.mkdir(parents=True)
    latest = json.loads(deployment(ROOT))["deployment"]
    (stacks / "src.json").write_text(json.dumps({"version": 3, "checkpoint": {"stack": "src", "latest": latest}}))
    cli.project = tmp_path / "elsewhere"
    cli.project.mkdir()
    assert cli("stack", "ls", "--all").stdout.splitlines()[1].split()[0] == "src"
    assert f"{ROOT['urn'].rpartition('::')[2]} deleted" in cli("destroy", "--yes", "--stack", "src").stdout
    cli("stack", "rm", "--yes", "--stack", "src")
    refused = cli("stack", "rm", "--yes", "--stack", "src", ok=False)
    assert refused.returncode == 2 and "pass the fully qualified stack name" in refused.stderr


def test_a_legacy_store_gets_projects(tmp_path):
    cli = Cli(tmp_path)
    stacks = cli.state / ".pulumi" / "stacks"
    stacks.mkdir(parents=True)
    latest = json.loads(deployment(ROOT, resource("a", parent=ROOT["urn"])))["deployment"]
    (stacks / "src.json").write_text(json.dumps({"version": 3, "checkpoint": {"stack": "src", "latest": latest}}))
    (stacks / "empty.json").write_text(json.dumps({"version": 3, "checkpoint": {"stack": "empty"}}))
    assert cli("state", "upgrade", ok=False).returncode == 2

    run = cli("state", "upgrade", "--yes")
    assert "Upgraded 1 stack(s) to project mode" in run.stderr and 'Skipping stack "empty"' in run.stderr
    assert (cli.state / ".pulumi" / "meta.yaml").read_text() == "version: 1\n"
    assert list(resources(cli, "src")) == [ROOT["urn"], urn("a")]
    upgraded = json.loads((stacks / "demo" / "src.json").read_text())
    assert upgraded["checkpoint"]["stack"] == "organization/demo/src"
    assert not (stacks / "src.json").exists() and (stacks / "src.json.bak").exists() and (stacks / "empty.json").exists()
    assert "Upgraded 0 stack(s)" in cli("state", "upgrade", "--yes").stderr
