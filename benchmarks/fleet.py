#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many stacks as one beside a loop over them: each stack with some resources, each but the first reading another.

usage: fleet.py [--stacks 100] [--resources 20] [--language yaml] [--peer PATH] [--loops]

    all      kingpost ... --all
    loop     the command that --peer names, stack after stack in the order of their references
    xargs    the same with xargs -P2: those that may go at the same time

Without --peer the loops are those of kingpost itself, if --loops is given. Stacks exist before, empty; phases are create and a
preview without changes. The figures are processor time of the command and all that it has started, wall time, and the peak
memory of one process. Programs in YAML need the peer's host, pulumi-language-yaml, on PATH; those in Python its
pulumi-language-python.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

KINGPOST = Path(os.environ.get("KINGPOST_BIN") or Path(__file__).resolve().parents[1] / "build" / "bin" / "kingpost")
FANS_OUT = 3  # how many stacks read the same one
CREATE, PREVIEW = ("up", "--yes", "--skip-preview"), ("preview", "--expect-no-changes")

PYTHON = '''import pulumi

{reads}
for number in range({resources}):
    pulumi.Stash(f"stash-{{number}}", input=f"value {{number}} of {name}")
pulumi.export("name", "{name}")
'''


@dataclass
class Fleet:
    root: Path
    stacks: int
    resources: int
    language: str

    @property
    def folder(self) -> Path:
        return self.root / "fleet"

    def path(self, number: int) -> Path:
        return self.folder / f"p{number}"

    @property
    def levels(self) -> list[list[int]]:
        """Those that may go at the same time, in their order."""
        levels: list[list[int]] = []
        depth: dict[int, int] = {}
        for number in range(self.stacks):
            depth[number] = depth[(number - 1) // FANS_OUT] + 1 if number else 0
            if depth[number] == len(levels):
                levels.append([])
            levels[depth[number]].append(number)
        return levels

    def environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PULUMI_")}
        return kept | {"PULUMI_BACKEND_URL": (self.root / "backend").as_uri(), "PULUMI_HOME": str(self.root / "home"),
                       "PULUMI_CONFIG_PASSPHRASE": "bench", "PULUMI_SKIP_UPDATE_CHECK": "true", "NO_COLOR": "1",
                       "PULUMI_PYTHON_CMD": sys.executable, "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true"}

    def build(self) -> "Fleet":
        for folder in ("fleet", "backend", "home"):
            (self.root / folder).mkdir(parents=True)
        for number in range(self.stacks):
            self._write(number)
        subprocess.run([KINGPOST, "stack", "init", "prod", "--non-interactive"], cwd=self.path(0), env=self.environment(),
                       check=True, capture_output=True)
        stacks, first = self.root / "backend" / ".pulumi" / "stacks", self.path(0) / "Pulumi.prod.yaml"
        for number in range(1, self.stacks):
            (stacks / f"p{number}").mkdir()
            document = (stacks / "p0" / "prod.json").read_text().replace("/p0/", f"/p{number}/")
            (stacks / f"p{number}" / "prod.json").write_text(document)
            shutil.copy(first, self.path(number))
        return self

    def _write(self, number: int) -> None:
        name, read = f"p{number}", f"p{(number - 1) // FANS_OUT}" if number else ""
        path = self.path(number)
        path.mkdir()
        if self.language == "python":
            reads = f'pulumi.StackReference("organization/{read}/prod").get_output("name")' if read else ""
            (path / "__main__.py").write_text(PYTHON.format(reads=reads, resources=self.resources, name=name))
            (path / "Pulumi.yaml").write_text(f"name: {name}\nruntime: python\n")
            return
        lines = [f"name: {name}", "runtime: yaml", "resources:"]
        if read:
            lines += ["  before:", "    type: pulumi:pulumi:StackReference",
                      f"    properties: {{name: organization/{read}/prod}}"]
        for at in range(self.resources):
            lines += [f"  stash-{at}:", "    type: pulumi:index:Stash", f"    properties: {{input: value {at} of {name}}}"]
        exported = f'${{before.outputs["name"]}}/{name}' if read else name
        (path / "Pulumi.yaml").write_text("\n".join([*lines, "outputs:", f"  name: {exported}", ""]))


def timed(argv: list[str], fleet: Fleet, folder: Path) -> dict:
    with (fleet.root / "log").open("w+") as log:
        began = time.monotonic()
        process = subprocess.Popen(argv, cwd=folder, env=fleet.environment(), stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            log.seek(0)
            sys.exit(f"{' '.join(map(str, argv))} ended with {process.returncode}:\n{log.read()[-3000:]}")
    return {"wall": time.monotonic() - began, "cpu": usage.ru_utime + usage.ru_stime, "mib": usage.ru_maxrss / 1024}


def added(runs: list[dict]) -> dict:
    return {"wall": sum(run["wall"] for run in runs), "cpu": sum(run["cpu"] for run in runs),
            "mib": max(run["mib"] for run in runs)}


def all_at_once(fleet: Fleet, verb: tuple[str, ...]) -> dict:
    return timed([str(KINGPOST), *verb, "--all", "--stack", "prod", "--non-interactive"], fleet, fleet.folder)


def loop(fleet: Fleet, verb: tuple[str, ...], command: Path) -> dict:
    argv = [str(command), *verb, "--stack", "prod", "--non-interactive"]
    return added([timed(argv, fleet, fleet.path(number)) for level in fleet.levels for number in level])


def xargs(fleet: Fleet, verb: tuple[str, ...], command: Path) -> dict:
    runs = []
    for level in fleet.levels if verb == CREATE else [list(range(fleet.stacks))]:
        folders = "\n".join(str(fleet.path(number)) for number in level)
        (fleet.root / "folders").write_text(folders + "\n")
        line = f"{command} {' '.join(verb)} --stack prod --non-interactive --cwd '{{}}'"
        runs.append(timed(["xargs", "-P2", "-I{}", "-a", str(fleet.root / "folders"), "sh", "-c", line], fleet, fleet.folder))
    return added(runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stacks", type=int, default=100)
    parser.add_argument("--resources", type=int, default=20)
    parser.add_argument("--language", choices=["yaml", "python"], default="yaml")
    parser.add_argument("--peer", type=Path, help="a pulumi command; its language hosts on PATH")
    parser.add_argument("--loops", action="store_true", help="without --peer: loops of kingpost itself")
    given = parser.parse_args()
    ways = {"kingpost --all": all_at_once}
    if given.peer or given.loops:
        command = (given.peer or KINGPOST).absolute()
        ways[f"{command.name}, loop"] = lambda fleet, verb: loop(fleet, verb, command)
        ways[f"{command.name}, xargs -P2"] = lambda fleet, verb: xargs(fleet, verb, command)
    print(f"{given.stacks} stacks of {given.resources} resources in {given.language}; load {os.getloadavg()[0]:.0f}\n")
    print("| way | create: CPU s | wall s | MiB | preview: CPU s | wall s | MiB |\n|---|---:|---:|---:|---:|---:|---:|")
    for name, way in ways.items():
        root = Path(tempfile.mkdtemp(prefix="kp-fleet-"))
        try:
            fleet = Fleet(root, given.stacks, given.resources, given.language).build()
            figures = [way(fleet, verb) for verb in (CREATE, PREVIEW)]
        finally:
            shutil.rmtree(root)
        cells = [f"{one['cpu']:.1f} | {one['wall']:.1f} | {one['mib']:.0f}" for one in figures]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
