# SPDX-License-Identifier: Apache-2.0
"""Programs and providers that are processes of the command, as users have them, and that tests kill with it. Each thing is a
file in a folder.

    world = ProcessWorld.go(tmp_path, command)           a Go program and a Go provider
    world = ProcessWorld.python(tmp_path, command)       a Python program with a dynamic provider
    world.begin("update")                                 the stack as it is before such an operation
    process = world.start("update")
    ...
    world.complaints()

The programs register twenty things in five rows of four, each of which depends on the one before it, and write down
what they were told.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .commands import Command
from .fault_check import complaints
from .patience import patience
from .postgres import Database
from .processes import processes_in
from .sdks import go_build
from .workspace import Workspace

ROWS, COLUMNS = 5, 4
NAMES = [f"thing-{row}-{column}" for row in range(ROWS) for column in range(COLUMNS)]
PATIENCE_S = patience(120)
# The commands, their stack, and the content that things are to have then.
OPERATIONS = {"up": ("up", "empty", "1"), "update": ("up", "full", "2"), "refresh": ("refresh", "full", "1"),
              "destroy": ("destroy", "full", "1"), "import": ("import", "found", "1")}

PYTHON_PROGRAM = '''
import json, os, pathlib, time
import pulumi
from pulumi.dynamic import CreateResult, ReadResult, Resource, ResourceProvider, UpdateResult


class Files(ResourceProvider):
    def folder(self):
        import os, pathlib, time
        time.sleep(int(os.environ.get("FAULTS_DELAY_MS", "0")) / 1000)
        return pathlib.Path(os.environ["FAULTS_THINGS"])

    def create(self, props):
        import json
        folder, number = self.folder(), 1
        while True:
            try:
                with open(folder / f"{props['name']}-{number}", "x") as file:
                    file.write(json.dumps({"name": props["name"], "value": props["value"]}))
                return CreateResult(f"{props['name']}-{number}", props)
            except FileExistsError:
                number += 1

    def update(self, id, olds, news):
        import json
        (self.folder() / id).write_text(json.dumps({"name": news["name"], "value": news["value"]}))
        return UpdateResult(news)

    def delete(self, id, props):
        (self.folder() / id).unlink(missing_ok=True)

    def read(self, id, props):
        import json
        file = self.folder() / id
        return ReadResult(id, {**props, **json.loads(file.read_text())}) if file.exists() else ReadResult(None, {})


class Thing(Resource):
    def __init__(self, name, opts):
        super().__init__(Files(), name, {"name": name, "value": os.environ["FAULTS_VALUE"]}, opts)


def tell(id):
    with open(os.environ["FAULTS_TOLD"], "a") as told:
        told.write(id + "\\n")


for row in range(5):
    before = None
    for column in range(4):
        before = Thing(f"thing-{row}-{column}", pulumi.ResourceOptions(depends_on=[before] if before else []))
        if not pulumi.runtime.is_dry_run():
            before.id.apply(tell)
'''


@dataclass
class ProcessWorld:
    language: str
    ws: Workspace
    delay_ms: int = 0
    states: Database | None = None  # where the state is, if not in a folder of the workspace

    @property
    def things(self) -> Path:
        return self.ws.root / "things"

    @property
    def told_file(self) -> Path:
        return self.ws.root / "told"

    @staticmethod
    def go(root: Path, command: Command) -> "ProcessWorld":
        root.mkdir(parents=True)
        program = go_build("./faults/program", root / "bin" / "program")
        go_build("./faults/provider", root / "plugin" / "pulumi-resource-things")
        runtime = {"name": "go", "options": {"binary": str(program)}}
        settings = {"name": "faults", "runtime": runtime,
                    "plugins": {"providers": [{"name": "things", "path": str(root / "plugin")}]}}
        return ProcessWorld._make("go", root / "ws", command, settings)

    @staticmethod
    def python(root: Path, command: Command, states: Database | None = None) -> "ProcessWorld":
        return ProcessWorld._make("python", root / "ws", command, {"name": "faults", "runtime": "python"}, states)

    @staticmethod
    def _make(language: str, root: Path, command: Command, settings: dict,
              states: Database | None = None) -> "ProcessWorld":
        (root / "things").mkdir(parents=True)
        (root / "project").mkdir()
        (root / "project" / "Pulumi.yaml").write_text(json.dumps(settings))
        if language == "python":
            (root / "project" / "__main__.py").write_text(PYTHON_PROGRAM)
        world = ProcessWorld(language, Workspace(root, command, env=dict(states.env) if states else {}), states=states)
        world.lay_away("empty")
        if language == "go":  # dynamic resources cannot be imported
            world._find_things()
            world.lay_away("found")
            world.restore("empty")
        done = world.finish(world.start("up"))
        assert done is not None and done.returncode == 0, done and done.stdout
        world.lay_away("full")
        return world

    def _find_things(self) -> None:
        """Another command has made them."""
        for name in NAMES:
            (self.things / f"{name}-1").write_text(json.dumps({"value": "1"}))
        listed = [{"type": "things:index:Thing", "name": name, "id": f"{name}-1"} for name in NAMES]
        (self.ws.project / "import.json").write_text(json.dumps({"resources": listed}))

    @property
    def operations(self) -> list[str]:
        return [name for name in OPERATIONS if name != "import" or self.language == "go"]

    # Saves workspaces, which can be restored many times.

    def lay_away(self, name: str) -> None:
        shutil.copytree(self.ws.root, self.ws.root.with_name(name), symlinks=True)
        if self.states:
            self.states.lay_away(name)

    def restore(self, name: str) -> None:
        shutil.rmtree(self.ws.root)
        shutil.copytree(self.ws.root.with_name(name), self.ws.root, symlinks=True)
        if self.states:
            self.states.restore(name)

    def begin(self, operation: str) -> None:
        self.restore(OPERATIONS[operation][1])
        self.told_file.unlink(missing_ok=True)

    def start(self, operation: str, **env: str) -> subprocess.Popen:
        verb, _, value = OPERATIONS[operation]
        more = ["--file", "import.json", "--generate-code=false", "--protect=false"] if verb == "import" else []
        return self.ws.start(verb, *more, env=env | {
            "FAULTS_THINGS": str(self.things), "FAULTS_TOLD": str(self.told_file), "FAULTS_VALUE": value,
            "FAULTS_DELAY_MS": str(self.delay_ms)})

    def finish(self, process: subprocess.Popen) -> subprocess.CompletedProcess | None:
        """The operation at its end, or None if it hangs: then it is killed."""
        try:
            out, _ = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
        return subprocess.CompletedProcess(process.args, process.returncode, out)

    def living(self) -> dict[int, str]:
        return processes_in(self.ws.root)

    def told(self) -> list[str]:
        return self.told_file.read_text().split() if self.told_file.exists() else []

    def complaints(self, operation: str) -> list[str]:
        foreign = [f"{name}-1" for name in NAMES] if operation == "import" else []
        return complaints(self.ws, self.things, self.told(), foreign)
