# SPDX-License-Identifier: Apache-2.0
"""The programs of tests/programs/rules written with other SDKs: their workspaces, and their steps."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from .commands import Command, PROGRAMS
from .compare import normalize
from .rules import Do, configure, perform, seed_thing
from .workspace import Workspace

_GO = PROGRAMS / "go"


def sdk_workspace(root: Path, command: Command, program: str, source: Path, runtime: dict, scenario,
                  modules: Path | None = None) -> Workspace:
    """A project of `source` for one program, with the providers, versions and things that its scenario wants."""
    root.mkdir(parents=True, exist_ok=True)
    unwanted = shutil.ignore_patterns("__pycache__", "node_modules")
    for name in ("things", "shelves"):
        shutil.copytree(PROGRAMS / name, root / "plugins" / name, ignore=unwanted)
    for version in scenario.versions:
        shutil.copytree(PROGRAMS / "things", root / "home" / "plugins" / f"resource-things-v{version}", ignore=unwanted)
    shutil.copytree(source, root / "project", ignore=unwanted)
    providers = [{"name": name, "path": f"../plugins/{name}"} for name in ("things", "shelves")]
    document = {"name": "rules", "runtime": runtime, "plugins": {"providers": [] if scenario.versions else providers}}
    (root / "project" / "Pulumi.yaml").write_text(yaml.safe_dump(document, sort_keys=False))
    ws = Workspace(root, command, modules=modules)
    configure(ws, program=program)
    if scenario.seed:
        seed_thing(ws, *scenario.seed)
    return ws


def play(ws: Workspace, does: list[Do]) -> list:
    """Runs all steps; returns what can be compared between two engines."""
    return [(do, perform(ws, do), normalize(json.loads(ws.run("stack", "export").out))) for do in does]


def go_build(package: str, target: Path) -> Path:
    """Builds a package of tests/programs/go; skips where Go is missing."""
    if not shutil.which("go"):
        pytest.skip("go is not on PATH")
    subprocess.run(["go", "mod", "download"], cwd=_GO, check=True)
    # With the flags that the launchers use, so that all share what the compiler keeps.
    subprocess.run(["go", "build", "-buildvcs=false", "-trimpath", "-ldflags", "-w -s", "-o", target, package], cwd=_GO,
                   check=True)
    return target


def go_workspace(root: Path, command: Command, program: str, scenario, options: dict) -> Workspace:
    """The Go project: the program's files beside its go.mod."""
    source = root / "source"
    shutil.copytree(_GO / "rules", source)
    for name in ("go.mod", "go.sum"):
        shutil.copy(_GO / name, source)
    return sdk_workspace(root, command, program, source, {"name": "go", "options": options}, scenario)
