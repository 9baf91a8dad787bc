#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds an option to a copy of the tree, as "To add an option" in HACKING.md says, and builds the copy. Then the option must
arrive in the state, in the events, from YAML and in Python. With --lines it only prints how many lines that takes.

usage: new_option.py [--lines]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from stages import REPOSITORY

COPY = REPOSITORY / "build" / "new-option"  # kept, so that the next build is quick
NAME = "lingers"
LINES_MAX, FILES_MAX = 10, 6

# File, the line after which they are added (each time that it is there), and the lines.
ADDED = [
    ("cpp/model/resource.h", "  std::optional<bool> retain_on_delete;", [f"  std::optional<bool> {NAME};"]),
    ("cpp/model/resource.h", "  bool retain_on_delete = false;", [f"  bool {NAME} = false;"]),
    ("cpp/model/resource_fields.h", '    Records("pending_replacement", "pendingReplacement", &State::pending_replacement),',
     [f'    Option("{NAME}", "{NAME}", &Goal::{NAME}, &State::{NAME}, {{.in_events = true}}),']),
    ("proto/pulumi/resource.proto", "  optional bool retainOnDelete = 25;", [f"  optional bool {NAME} = 90;"]),
    ("proto/pulumi/resource.proto", "  optional bool retain_on_delete = 10;", [f"  optional bool {NAME} = 90;"]),
    ("proto/pulumi/provider.proto", "  optional bool retainOnDelete = 24;", [f"  optional bool {NAME} = 90;"]),
    ("python/kingpost/planning.py", "    retain_on_delete: Optional[bool] = None", [f"    {NAME}: Optional[bool] = None"]),
    ("python/kingpost/_kingpost.pyi", "    def retain_on_delete(self) -> bool: ...",
     ["    @property", f"    def {NAME}(self) -> bool: ..."]),
]

PROGRAM = f"""\
name: yard
runtime: yaml
plugins: {{providers: [{{name: things, path: {REPOSITORY}/tests/programs/things}}]}}
resources:
  first: {{type: "things:Thing", options: {{{NAME}: true}}}}
  second: {{type: "things:Thing"}}
"""

IN_PYTHON = f"""\
import sys
import kingpost

snapshot = kingpost.Snapshot.load(open(sys.argv[1], "rb").read())
first, second = (next(r for r in snapshot if r.name == name) for name in ("first", "second"))
assert (first.{NAME}, second.{NAME}) == (True, False)
goals = kingpost.goals_of(snapshot)
assert (goals[first.urn].{NAME}, goals[second.urn].{NAME}) == (True, False)
goals[second.urn] = kingpost.Goal(second.type, "second", second.inputs, version=goals[second.urn].version, {NAME}=True)
(step,) = [step for step in kingpost.plan(snapshot, goals).steps if step.name == "second"]
assert step.op == "same", step.op
changed = kingpost.diff(snapshot, kingpost.Snapshot.load(open(sys.argv[2], "rb").read())).changed
assert [sorted(change.changes) for change in changed] == [["{NAME}"]], changed
"""


def patched(text: str, file: str) -> str:
    """The file with its lines added; each anchor is there, as often as the option is to be."""
    for name, anchor, lines in ADDED:
        if name != file:
            continue
        assert anchor + "\n" in text, f"{file} has no longer the line {anchor!r}: mend ADDED in {Path(__file__).name}"
        text = text.replace(anchor + "\n", "\n".join([anchor, *lines]) + "\n")
    return text


def lines_added() -> dict[str, int]:
    """By file; the anchors are there."""
    counts = {}
    for file in dict.fromkeys(name for name, _, _ in ADDED):
        text = (REPOSITORY / file).read_text(encoding="utf-8")
        counts[file] = patched(text, file).count("\n") - text.count("\n")
    return counts


def mirror() -> None:
    """An unchanged file keeps its time, so that it is not built again."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=REPOSITORY, check=True,
                            capture_output=True, text=True).stdout
    files = [name for name in listed.split("\0") if name and (REPOSITORY / name).is_file()]
    for name in files:
        target, data = COPY / name, (REPOSITORY / name).read_bytes()
        if any(name == file for file, _, _ in ADDED):
            data = patched(data.decode(), name).encode()
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            shutil.copymode(REPOSITORY / name, target)
    kept = {COPY / name for name in files}
    for folder in ("cpp", "proto", "python"):
        for target in (COPY / folder).rglob("*"):
            if target.is_file() and target not in kept:
                target.unlink()


def build() -> None:
    subprocess.run(["cmake", "--preset", "release", "-DKINGPOST_PYTHON=ON", "-DKINGPOST_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}"],
                   cwd=COPY, check=True)
    subprocess.run(["cmake", "--build", "build", "--target", "kingpost", "_kingpost"], cwd=COPY, check=True)
    package = COPY / "build" / "python" / "kingpost"
    for source in (COPY / "python" / "kingpost").iterdir():
        link = package / source.name
        if not link.is_symlink():
            link.symlink_to(source)


def see_it_arrive() -> None:
    sys.path.insert(0, str(REPOSITORY / "tests" / "py"))
    os.environ["KINGPOST_BIN"] = str(COPY / "build" / "bin" / "kingpost")
    os.environ.setdefault("KINGPOST_TEST_PYTHON", sys.executable)
    from harness import Command, Workspace  # as the variables have it

    with tempfile.TemporaryDirectory() as folder:
        ws = Workspace(Path(folder), Command.kingpost(), init=False)
        (ws.project / "Pulumi.yaml").write_text(PROGRAM)
        ws.run("stack", "init", "dev")
        up = ws.up()
        told = {m["new"]["urn"].rpartition("::")[2]: m["new"].get(NAME) for e in up.events if "resourcePreEvent" in e
                for m in [e["resourcePreEvent"]["metadata"]] if m["type"] == "things:index:Thing"}
        assert told == {"first": True, "second": None}, f"the events tell {told}"
        before = ws.run("stack", "export", "--stack", "dev").out
        recorded = {r["urn"].rpartition("::")[2]: r.get(NAME) for r in json.loads(before)["deployment"]["resources"]
                    if r["type"] == "things:index:Thing"}
        assert recorded == {"first": True, "second": None}, f"the state records {recorded}"

        (ws.project / "Pulumi.yaml").write_text(PROGRAM.replace('"things:Thing"}', f'"things:Thing", options: {{{NAME}: true}}}}'))
        again = ws.up()
        assert all(ops == ["same"] for ops in again.steps.values()), f"{NAME} alone is no update: {again.steps}"
        states = []
        for number, text in enumerate((before, ws.run("stack", "export", "--stack", "dev").out)):
            states.append(Path(folder) / f"{number}.json")
            states[-1].write_text(text)
        subprocess.run([sys.executable, "-c", IN_PYTHON, *map(str, states)], check=True,
                       env=os.environ | {"PYTHONPATH": str(COPY / "build" / "python")})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", action="store_true", help="which lines an option takes, and nothing else")
    counts = lines_added()
    for file, count in counts.items():
        print(f"{count:3} {file}")
    print(f"{sum(counts.values())} lines in {len(counts)} files")
    assert sum(counts.values()) <= LINES_MAX and len(counts) <= FILES_MAX, "an option takes more than it may"
    if parser.parse_args().lines:
        return
    mirror()
    build()
    see_it_arrive()
    print(f"the option {NAME} arrives in the state, in the events, from YAML and in Python")


if __name__ == "__main__":
    main()
