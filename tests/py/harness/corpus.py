# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/states: stacks that the peer has written, for tests without the peer.

    KINGPOST_PEER=... python -m harness.corpus        from tests/py

Each folder holds `stack.json` (the peer's own state file), `export.json` (its `stack export`) and `Pulumi.dev.yaml` (with the
salt for the passphrase "kingpost-test"); `things/` is the world that belongs to it. Nothing in them depends on where
they were made: the programs use relative paths, and of stack traces only the program's own frames are kept.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from .commands import Command, STATES
from .compare import own_frames
from .rules import configure, rules_workspace

# name → (program, step)
CORPUS = {
    "options": ("options", 2), "replacement": ("replacement", 2), "transforms": ("transforms", 1),
    "remote": ("remote", 1), "aliases": ("aliases", 1), "importing": ("importing", 1), "failed": ("failing", 2),
}


def record(name: str, peer: Command) -> None:
    program, step = CORPUS[name]
    with tempfile.TemporaryDirectory() as scratch:
        ws = rules_workspace(Path(scratch), peer, program)
        if program == "importing":
            (ws.project / "things").mkdir()
            (ws.project / "things" / "found-1.json").write_text('{"value": "found"}')
        for i in range(1, step + 1):
            configure(ws, step=i)
            ws.up(check=False)
        target = STATES / name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        document = strip(json.loads(ws.state_file.read_text()))
        (target / "stack.json").write_text(go_json(document))
        # The peer's own export of the stripped state, so that every byte of it is the peer's.
        ws.state_file.write_text(go_json(document))
        for stale in ws.state_file.parent.glob("*.attrs"):
            stale.unlink()
        (target / "export.json").write_text(ws.run("stack", "export").out)
        shutil.copy(ws.project / "Pulumi.dev.yaml", target)
        if (ws.project / "things").exists():
            shutil.copytree(ws.project / "things", target / "things")
        for file in target.rglob("*"):
            if file.is_file() and (str(scratch) in file.read_text() or re.search(r'"/(home|root|tmp|usr)/', file.read_text())):
                sys.exit(f"{file} names a path of this machine")


def strip(document):
    """Cuts out of stack traces the frames that name files of the SDK's installation."""
    if isinstance(document, list):
        return [strip(each) for each in document]
    if not isinstance(document, dict):
        return document
    kept = {k: own_frames(v) if k == "stackTrace" else strip(v) for k, v in document.items()}
    return {k: v for k, v in kept.items() if k != "stackTrace" or v}


def go_json(document) -> str:
    """Compact JSON as Go writes it: <, > and & are escaped, other text is not."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    for plain, escaped in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("\u2028", "\\u2028"),
                           ("\u2029", "\\u2029")):
        text = text.replace(plain, escaped)
    return text


if __name__ == "__main__":
    command = Command("peer", Path(os.environ["KINGPOST_PEER"]))
    for chosen in sys.argv[1:] or CORPUS:
        record(chosen, command)
        print(chosen)
