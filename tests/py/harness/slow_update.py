# SPDX-License-Identifier: Apache-2.0
"""An update that takes long enough to be broken off: forty slow creates by a provider in a process of its own."""

from __future__ import annotations

import subprocess

import pytest

from .commands import Command
from .patience import patience
from .processes import kill_all_in, kill_group, wait_for
from .rules import configure, rules_workspace
from .workspace import Workspace


@pytest.fixture
def many(tmp_path) -> Workspace:
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    configure(ws, step=1)
    yield ws
    kill_all_in(tmp_path)


def slow(ms: int) -> dict[str, str]:
    """The delay of each change, longer for a command that starts slowly, as with sanitizers."""
    return {"THINGS_DELAY_MS": str(int(patience(ms)))}


def start_and_wait(ws: Workspace, lines: int) -> subprocess.Popen:
    """An `up`, stopped by no one until `lines` of its creates are acknowledged."""
    process = ws.start("up", "--parallel", "4", env=slow(150))
    acked = ws.project / "acked.log"
    try:
        wait_for(lambda: acked.exists() and len(acked.read_text().splitlines()) >= lines, "acknowledged creates")
    except AssertionError:
        kill_group(process)
        raise AssertionError(f"the update made no progress:\n{process.stdout.read()}") from None
    return process


def recorded_things(ws: Workspace) -> set[str]:
    """The IDs in the state."""
    return {row["id"] for row in ws.state().rows if row["type"] == "things:index:Thing"}


def acknowledged_things(ws: Workspace) -> set[str]:
    """The IDs that the program was told."""
    return set((ws.project / "acked.log").read_text().split())
