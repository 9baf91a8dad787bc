# SPDX-License-Identifier: Apache-2.0
"""The programs of tests/programs/rules, each run through its steps by one command."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from .commands import Command, PROGRAMS
from .workspace import Result, Workspace


@dataclass
class Do:
    """One operation: the verb, the program's step, and what it must come to."""

    verb: str
    step: int
    changed: dict[str, list[str]]          # resource name → operations, for all that does not stay the same
    args: tuple[str, ...] = ()
    code: int = 0
    says: tuple[str, ...] = ()             # texts that the diagnostics or the output must have
    env: dict[str, str] = field(default_factory=dict)
    files: dict[str, str | None] = field(default_factory=dict)  # of the project: written or, for None, removed before


def rules_workspace(root: Path, command: Command, program: str, cached_versions: tuple[str, ...] = ()) -> Workspace:
    """A project for one of the rules programs, with its providers; in the plugin cache for `cached_versions`."""
    root.mkdir(parents=True, exist_ok=True)
    for name in ("things", "shelves"):
        shutil.copytree(PROGRAMS / name, root / "plugins" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PROGRAMS / "policies", root / "policies", ignore=shutil.ignore_patterns("__pycache__"))
    for version in cached_versions:
        shutil.copytree(PROGRAMS / "things", root / "home" / "plugins" / f"resource-things-v{version}",
                        ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PROGRAMS / "rules", root / "project", ignore=shutil.ignore_patterns("__pycache__"))
    if cached_versions:
        (root / "project" / "Pulumi.yaml").write_text("name: rules\nruntime: python\n")
    ws = Workspace(root, command)
    configure(ws, program=program)
    return ws


def configure(ws: Workspace, **values: object) -> None:
    """Sets configuration values in the stack's file, without a run of the command for each."""
    file = ws.project / f"Pulumi.{ws.stack}.yaml"
    document = (yaml.safe_load(file.read_text()) if file.exists() else None) or {}
    document.setdefault("config", {}).update({f"rules:{k}": str(v) for k, v in values.items()})
    file.write_text(yaml.safe_dump(document, sort_keys=False))


def perform(ws: Workspace, do: Do, before: Callable[[], None] | None = None) -> Result:
    """Runs one operation, and `before` it what needs its settings and files; says all it knows when the outcome is not
    the expected one."""
    configure(ws, step=do.step)
    for path, text in do.files.items():
        if text is None:
            (ws.project / path).unlink()
        else:
            (ws.project / path).write_text(text)
    if before:
        before()
    if do.verb == "state":
        run = ws.run(do.verb, *do.args, "--yes", check=False)
    else:
        run = ws.operate(do.verb, *do.args, check=False, env=do.env)
    story = f"{ws.command.name} {do.verb} (step {do.step}) ended with {run.code}\n{run.out}\n{run.err}"
    assert (run.code == 0) == (do.code == 0), story
    assert run.changed() == do.changed, f"{run.changed()}\n!= {do.changed}\n{story}"
    for text in do.says:
        assert text in run.out + run.err + run.diagnostics, f"{text!r} is not in what it said\n{story}"
    return run


def things_log(ws: Workspace) -> list[str]:
    """The calls of the provider, from its own log."""
    file = ws.project / "things" / "log"
    return file.read_text().splitlines() if file.exists() else []


def seed_thing(ws: Workspace, id: str, props: str) -> None:
    """Makes a thing behind the engine's back, as someone else would."""
    folder = ws.project / "things"
    folder.mkdir(exist_ok=True)
    (folder / f"{id}.json").write_text(props)
