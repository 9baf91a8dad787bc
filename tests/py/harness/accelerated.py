# SPDX-License-Identifier: Apache-2.0
"""Runs one program with the accelerators of its SDK and without, and compares its requests, outputs and states."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from .commands import Command, PROGRAMS
from .compare import differences, normalize
from .requests import describe, read_requests, recording_environment
from .workspace import Workspace

# The folders of the two runs have names of one length, so that one can stand for the other inside a message.
WITH, WITHOUT = "acc1", "acc0"


@dataclass
class Run:
    code: int
    text: str
    requests: list
    state: dict


def play(root: Path, source: Path, program: str, accelerate: bool, verbs: tuple[str, ...], env: dict[str, str],
         modules: Path | None = None, runtime: str = "") -> list[Run]:
    """The operations of the program that the configuration names, in a folder of their own. `runtime` takes the place of
    what Pulumi.yaml says."""
    name = WITH if accelerate else WITHOUT
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "plugins").mkdir()
    (folder / "plugins" / "things").symlink_to(PROGRAMS / "things")
    ws = Workspace(folder, Command.kingpost(), source, modules=modules)
    (ws.project / "Pulumi.dev.yaml").write_text(json.dumps({"config": {"accelerated:program": program}}))
    project = ws.project / "Pulumi.yaml"
    if runtime:
        project.write_text(re.sub("^runtime: .*", f"runtime: {runtime}", project.read_text(), flags=re.M))
    return [operate(ws, verb, accelerate, name, env) for verb in verbs]


def operate(ws: Workspace, verb: str, accelerate: bool, name: str, env: dict[str, str]) -> Run:
    record = ws.root / f"{verb}.requests"
    yes = () if verb == "preview" else ("--yes", "--skip-preview")
    env = env | recording_environment(record) | {"KINGPOST_ACCELERATE": "1" if accelerate else "0"}
    run = ws.run(verb, *yes, "--stack", "dev", check=False, env=env)
    scrub = (f"/{WITHOUT}/".encode(), f"/{WITH}/".encode())
    state = normalize(ws.state().document, {f"/{name}/": "/_/"}) if verb == "up" else {}
    for resource in state.get("deployment", {}).get("resources", {}).values():
        # The test provider writes a dict into it, whose order is another one in every run.
        if "{" in str(resource.get("outputs", {}).get("stamp")):
            resource["outputs"]["stamp"] = sorted(resource["outputs"]["stamp"])
    return Run(run.code, plain_text(run.out + run.err), read_requests(record, scrub), state)


def plain_text(text: str) -> str:
    """The output without the parts that differ between any two runs: folders, addresses in memory, times."""
    text = text.replace(f"/{WITHOUT}/", f"/{WITH}/")
    text = re.sub(r"0x[0-9a-f]+", "0x_", text)
    return re.sub(r"\(\d+(\.\d+)?m?s\)|\d+(\.\d+)?m?s$|Duration: .*", "", text, flags=re.M)


def in_any_order(text: str) -> list[str]:
    """Resources finish in another order in every run."""
    return sorted(line.rstrip() for line in text.splitlines() if line.strip())


def diagnostics(text: str) -> list[str]:
    """The messages of a failing program. How far the engine came meanwhile is another story in every run."""
    told = re.split(r"^(?:Outputs|Resources):", text.partition("Diagnostics:")[2], maxsplit=1, flags=re.M)[0]
    return [line.removeprefix("    ").rstrip() for line in told.splitlines() if line.strip()]


def messages(text: str) -> list[str]:
    return [line for line in diagnostics(text) if not line.startswith(" ")]


def users_lines(text: str) -> list[str]:
    """The places in the program's own files that a trace names."""
    return [line for line in diagnostics(text) if line.startswith('  File "') and "/project/" in line]


def check_equal(ours: list[Run], theirs: list[Run]) -> None:
    for accelerated, plain in zip(ours, theirs, strict=True):
        assert accelerated.code == plain.code, f"{accelerated.text}\n-- without:\n{plain.text}"
        assert in_any_order(accelerated.text) == in_any_order(plain.text)
        new = [describe(r) for r in accelerated.requests if r not in plain.requests]
        missing = [describe(r) for r in plain.requests if r not in accelerated.requests]
        assert (new, missing) == ([], [])
        assert len(accelerated.requests) == len(plain.requests) > 0
        assert differences(accelerated.state, plain.state) == []
