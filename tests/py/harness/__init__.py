# SPDX-License-Identifier: Apache-2.0
"""A small harness for tests that run real programs through a pulumi-compatible command.

    ws = Workspace(tmp_path, Command.kingpost(), PROGRAMS / "aliases")
    run = ws.up()                      # runs `up --yes --skip-preview`, reads the event log
    run.steps["urn:..."]               # ["create"]
    ws.state().resources["urn:..."]    # what `stack export` holds

Nothing here knows which engine is behind the command: Kingpost and the peer (KINGPOST_PEER) get the same arguments.
"""

from .commands import Command, PROGRAMS, REPOSITORY, STATES, node_modules, peer_or_skip
from .compare import differences, normalize
from .workspace import CommandFailed, Result, State, Workspace

__all__ = [
    "Command", "CommandFailed", "PROGRAMS", "REPOSITORY", "Result", "STATES", "State", "Workspace", "differences",
    "node_modules", "normalize", "peer_or_skip",
]
