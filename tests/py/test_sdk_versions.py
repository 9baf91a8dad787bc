# SPDX-License-Identifier: Apache-2.0
"""Programs with older releases of the SDKs take the same steps. The table in docs/reference.md comes from this test."""

import fcntl
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness import Command, PROGRAMS, REPOSITORY, Workspace
from harness.patience import patience
from harness.rules import perform, things_log
from harness.sdks import play, sdk_workspace
from scenarios import SCENARIOS, prepare
from test_programs_node import RUNTIME

PYTHON, NODE = ("3.200.0", "3.230.0", "3.260.0"), ("3.200.0", "3.230.0", "3.260.0")  # and the ones that all tests have
PROGRAMS_OF_ALL = ["aliases", "failing", "importing", "options", "reading", "remote", "replacement", "transforms", "versions"]
# Error hooks came later: a release whose SDK can say them.
SINCE = {"hooks": (3, 230)}

pytestmark = pytest.mark.slow


def cases(versions: tuple[str, ...]) -> list[tuple[str, str]]:
    def known(version: str, program: str) -> bool:
        return SINCE.get(program, (0, 0)) <= tuple(map(int, version.split(".")[:2]))
    return [(version, program) for version in versions for program in [*PROGRAMS_OF_ALL, *SINCE] if known(version, program)]


def installed(name: str, *commands: list[str]) -> Path:
    """A folder of that name in build/sdks, filled by the commands, once for all tests and all runs."""
    folder = REPOSITORY / "build" / "sdks" / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            for command in commands:
                subprocess.run(command, cwd=folder, check=True, capture_output=True)
            (folder / "done").touch()
    return folder


def python_sdk(version: str) -> Path:
    """A virtual environment with that release, and what the programs' own providers need."""
    python = "venv/bin/python"
    return installed(f"python-{version}", [sys.executable, "-m", "venv", "venv"],
                     [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", f"pulumi=={version}"]) / "venv"


def node_sdk(version: str) -> Path:
    command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", f"@pulumi/pulumi@{version}"]
    return installed(f"node-{version}", ["npm", "init", "-y"], command) / "node_modules"


def with_interpreter(ws: Workspace, environment: Path) -> Workspace:
    """The project's program runs in that virtual environment; its providers keep the interpreter of the tests."""
    project = ws.project / "Pulumi.yaml"
    text = re.sub("^runtime: .*", f"runtime: {{name: python, options: {{virtualenv: {environment}}}}}", project.read_text(),
                  flags=re.MULTILINE)
    assert str(environment) in text
    project.write_text(text)
    return ws


@pytest.mark.parametrize("version, name", cases(PYTHON))
def test_a_python_program_takes_the_same_steps_with_an_older_sdk(version, name, tmp_path):
    ws = with_interpreter(prepare(tmp_path, Command.kingpost(), name), python_sdk(version))
    for do in SCENARIOS[name].does:
        perform(ws, do)
    assert sorted(things_log(ws)) == SCENARIOS[name].log
    assert ws.state().rows == []


@pytest.mark.parametrize("version, name", cases(NODE))
def test_a_node_program_takes_the_same_steps_with_an_older_sdk(version, name, tmp_path):
    if not shutil.which("npm"):
        pytest.skip("npm is not on PATH")
    ws = sdk_workspace(tmp_path, Command.kingpost(), name, PROGRAMS / "node", RUNTIME, SCENARIOS[name],
                       modules=node_sdk(version))
    play(ws, SCENARIOS[name].does)
    assert sorted(things_log(ws)) == SCENARIOS[name].log
    assert ws.state().rows == []


@pytest.mark.parametrize("version", PYTHON)
def test_the_quickstart_runs_to_its_end_with_an_older_sdk(version, tmp_path):
    command = Command.kingpost()
    env = command.environment(tmp_path) | {"KINGPOST_BIN": str(command.path),
                                           "PYTHON": str(python_sdk(version) / "bin" / "python")}
    done = subprocess.run([REPOSITORY / "examples" / "quickstart" / "demo.sh"], env=env, capture_output=True, text=True,
                          timeout=patience(300))
    assert done.returncode == 0 and done.stdout.rstrip().endswith("all is gone"), done.stdout + done.stderr


@pytest.mark.parametrize("version", PYTHON)
def test_the_components_are_made_and_go_with_an_older_sdk(version, tmp_path):
    source = REPOSITORY / "examples" / "components"
    ws = with_interpreter(Workspace(tmp_path, Command.kingpost(), source), python_sdk(version))
    ws.config(guarded="false")
    ws.up()
    assert ws.up("--expect-no-changes").changed() == {}
    ws.destroy()
    assert ws.state().rows == []


@pytest.mark.parametrize("version", NODE)
def test_the_notes_are_made_and_go_with_an_older_sdk(version, tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), REPOSITORY / "examples" / "node", modules=node_sdk(version))
    ws.up()
    assert ws.up("--expect-no-changes").changed() == {}
    ws.destroy()
    assert ws.state().rows == []
