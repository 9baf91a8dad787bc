# SPDX-License-Identifier: Apache-2.0
"""Compares what exists (a folder in which each thing is a file) with what a stack's state says of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from .fake_world import name_of
from .workspace import Workspace


def name_of_thing(id: str) -> str:
    """Things are called after the resource they were made for: NAME-1, NAME-2."""
    return id.rsplit("-", 1)[0]


def complaints(ws: Workspace, things: Path, told: Collection[str], foreign: Collection[str] = ()) -> list[str]:
    """Compares the recorded state with the folder. The export recovers in memory.

    lost:        the engine acknowledged it to the program, it exists, and the state does not have it
    orphan:      it exists, and no record names it; `foreign` things were there before
    duplicated:  the same, beside another of its name
    ghost:       the state has it, it does not exist, and no pending operation puts it in doubt
    """
    exported = ws.run("stack", "export", "--stack", ws.stack, check=False)
    if exported.code != 0:
        return [f"refused: stack export ended with {exported.code}: {exported.err}"]
    deployment = json.loads(exported.out).get("deployment") or {}
    rows = [r for r in deployment.get("resources") or []
            if r.get("custom") and not r["type"].startswith("pulumi:providers:")]
    recorded = {r["id"] for r in rows}
    pending = [(p["type"], name_of(p["resource"]["urn"])) for p in deployment.get("pending_operations") or []]
    exists = {file.name for file in things.iterdir()}
    wrong = [f"lost: the program was told of {id}" for id in told if id in exists and id not in recorded]
    wrong += unnamed(exists - recorded - set(foreign), exists, [name for _, name in pending])
    doubtful = {name for _, name in pending}
    wrong += [f"ghost: {r['id']} is recorded and does not exist" for r in rows
              if r["id"] not in exists and name_of(r["urn"]) not in doubtful]
    return wrong


def unnamed(unknown: set[str], exists: set[str], pending: list[str]) -> list[str]:
    """A pending operation stands for one thing of its name."""
    named, wrong = Counter(pending), []
    of_name = Counter(name_of_thing(id) for id in exists)
    for id in sorted(unknown):
        name = name_of_thing(id)
        named[name] -= 1
        if named[name] < 0:
            wrong.append(f"{'duplicated' if of_name[name] > 1 else 'orphan'}: {id} exists, and nothing says so")
    return wrong


def missing_things(things: Path, wanted: int) -> list[str]:
    named = {name_of_thing(file.name) for file in things.iterdir()}
    return [] if len(named) == wanted else [f"lost: {len(named)} of {wanted} things are there in the end"]
