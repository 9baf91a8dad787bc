# SPDX-License-Identifier: Apache-2.0
"""Every command fails if it cannot write its output, but not if its reader has gone."""

import json
import shlex
import subprocess

import pytest

from harness import Command, Workspace

PROGRAM = {"name": "r", "runtime": "yaml", "resources": {"s": {"type": "pulumi:index:Stash", "properties": {"input": "hello"}}},
           "outputs": {"text": "hello"}}
COMMANDS = ["stack export", "stack output --json", "stack output text", "stack ls", "stack history --json", "stack --show-urns",
            "preview --json", "preview --diff", "up --yes --skip-preview", "graph --format dot", "config --json", "about --json",
            "state get urn:pulumi:dev::r::pulumi:index:Stash::s", "version", "plugin ls --json", "why s", "--help",
            "completion bash"]


@pytest.fixture(scope="module")
def ws(tmp_path_factory):
    ws = Workspace(tmp_path_factory.mktemp("ws"), Command.kingpost(), init=False)
    (ws.project / "Pulumi.yaml").write_text(json.dumps(PROGRAM))
    ws.run("stack", "init", "dev")
    ws.run("up", "--yes", "--skip-preview")
    return ws


def run(ws, shell: str) -> subprocess.CompletedProcess:
    return subprocess.run(["bash", "-c", shell.replace("KINGPOST", shlex.quote(str(ws.command.path)), 1)], cwd=ws.project,
                          env=ws.environment(), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_behind_the_output_fails_the_command(ws, command):
    assert run(ws, f"KINGPOST {command}").returncode == 0
    full = run(ws, f"KINGPOST {command} > /dev/full")
    assert full.returncode == 1
    assert "standard output could not be written: No space left on device" in full.stderr


@pytest.mark.parametrize("command", ["stack export", "preview --diff"])
def test_a_reader_that_has_gone_is_no_failure(ws, command):
    gone = run(ws, f"KINGPOST {command} | true; exit ${{PIPESTATUS[0]}}")
    assert (gone.returncode, gone.stderr) == (0, "")
    closed = run(ws, f"KINGPOST {command} >&-")
    assert (closed.returncode, closed.stderr) == (0, "")


@pytest.mark.parametrize("command", ["preview", "up --yes --skip-preview", "refresh --yes --skip-preview"])
def test_timings_that_could_not_be_written_fail_the_command(ws, tmp_path, command):
    (tmp_path / "full.json").symlink_to("/dev/full")
    full = run(ws, f"KINGPOST {command} --timings={tmp_path}/full.json")
    assert full.returncode == 1 and "could not write the timings" in full.stderr
    assert "No space left on device" in full.stderr


def test_a_log_of_events_that_is_not_whole_fails_an_update_that_is_done(ws, tmp_path):
    changed = PROGRAM | {"resources": {"s": {"type": "pulumi:index:Stash", "properties": {"input": "changed"}}}}
    (ws.project / "Pulumi.yaml").write_text(json.dumps(changed))
    full = run(ws, "KINGPOST up --yes --skip-preview --event-log /dev/full")
    assert full.returncode == 1 and "/dev/full could not be written: No space left on device" in full.stderr
    assert ws.state().named("s")["outputs"]["input"] == "changed"
