# SPDX-License-Identifier: Apache-2.0
"""Twelve projects in YAML, Python, TypeScript and Go that read each other, operated on as one with `--all`.

    estate = Estate(tmp_path, Command.kingpost())         state in a folder; `states` gives another place
    estate.build()                                        writes the projects; their stacks are made by --create
    estate.all("up", "--create")                          the report, by project
    estate.things()                                       what exists: thing -> what it holds

Each project has one thing of the Go provider tests/programs/go/faults. The thing holds the project's value and the values of the
projects that it reads, so the things show whether each project has read the newest values. The provider logs its operations in
order. Each project also has a secret, its own or that of the first project that it reads.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from .commands import Command, node_modules
from .fault_check import unnamed
from .patience import patience
from .sdks import go_build
from .workspace import CommandFailed, Result

# project -> language, and those that it reads
PROJECTS: dict[str, tuple[str, list[str]]] = {
    "network": ("yaml", []),
    "dns": ("go", ["network"]),
    "data": ("python", ["network"]),
    "cache": ("yaml", ["network"]),
    "queue": ("go", ["network"]),
    "auth": ("typescript", ["data", "dns"]),
    "api": ("python", ["data", "cache", "queue", "auth"]),
    "worker": ("go", ["data", "queue"]),
    "web": ("typescript", ["api", "dns"]),
    "cdn": ("yaml", ["web"]),
    "alerts": ("python", ["api", "worker"]),
    "docs": ("yaml", []),
}
NAMES = set(PROJECTS)
CANARY = "canary-key-of-"  # may be seen nowhere

PYTHON = '''import json
import pulumi

plan = json.load(open("estate.json"))
reads = [pulumi.StackReference(f"organization/{other}/prod") for other in plan["reads"]]
values = [one.get_output("value") for one in reads]
key = reads[0].get_output("key") if reads else pulumi.Output.secret(plan["key"])
value = pulumi.Output.all(*values).apply(lambda known: f"{plan['name']}={plan['value']}({' '.join(known)})")


class Thing(pulumi.CustomResource):
    value: pulumi.Output[str]

    def __init__(self, name, **given):
        super().__init__("things:index:Thing", name, given)


thing = Thing(plan["name"], value=value, key=key)
pulumi.export("value", thing.value)
pulumi.export("key", key)
'''
TYPESCRIPT = '''import * as fs from "fs";
import * as pulumi from "@pulumi/pulumi";

interface Plan { name: string; value: string; reads: string[]; key: string }
const plan: Plan = JSON.parse(fs.readFileSync("estate.json", "utf8"));

class Thing extends pulumi.CustomResource {
    public readonly value!: pulumi.Output<string>;
    constructor(name: string, given: pulumi.Inputs) {
        super("things:index:Thing", name, given);
    }
}

const reads = plan.reads.map((other) => new pulumi.StackReference(`organization/${other}/prod`));
const values: pulumi.Output<string>[] = reads.map((one) => one.getOutput("value") as pulumi.Output<string>);
export const key = reads.length ? reads[0].getOutput("key") : pulumi.secret(plan.key);
const thing = new Thing(plan.name, {
    value: pulumi.all(values).apply((known) => `${plan.name}=${plan.value}(${known.join(" ")})`), key });
export const value = thing.value;
'''


def downstream(name: str) -> set[str]:
    """The project and all that come after it."""
    found = {name}
    while more := {one for one, (_, reads) in PROJECTS.items() if found & set(reads)} - found:
        found |= more
    return found


@dataclass
class Estate:
    root: Path
    command: Command
    states: dict[str, str] = field(default_factory=dict)  # variables that tell where the states are; a folder if none do
    only_yaml: bool = False  # programs that are processes take their time
    values: dict[str, str] = field(default_factory=lambda: dict.fromkeys(PROJECTS, "1"))
    reads: dict[str, list[str]] = field(default_factory=lambda: {name: list(reads) for name, (_, reads) in PROJECTS.items()})

    def __post_init__(self) -> None:
        self.folder, self.backend, self.home = self.root / "estate", self.root / "backend", self.root / "home"
        self.thing_folder, self.log = self.root / "things", self.root / "log"

    # --- the projects -----------------------------------------------------------------------------

    def build(self) -> Estate:
        for folder in (self.folder, self.backend, self.home, self.thing_folder):
            folder.mkdir(parents=True)
        go_build("./faults/provider", self.root / "plugin" / "pulumi-resource-things")
        if not self.only_yaml:
            go_build("./estate", self.root / "bin" / "estate")
        for name in PROJECTS:
            self.write(name)
        return self

    def write(self, name: str) -> None:
        language = "yaml" if self.only_yaml else PROJECTS[name][0]
        path = self.folder / name
        path.mkdir(exist_ok=True)
        plan = {"name": name, "value": self.values[name], "reads": self.reads[name], "key": CANARY + name}
        project = {"name": name, "plugins": {"providers": [{"name": "things", "path": str(self.root / "plugin")}]}}
        if language == "yaml":
            project |= {"runtime": "yaml"} | self._yaml(plan)
        else:
            (path / "estate.json").write_text(json.dumps(plan))
        if language == "python":
            project["runtime"] = "python"
            (path / "__main__.py").write_text(PYTHON)
        elif language == "go":
            project["runtime"] = {"name": "go", "options": {"binary": str(self.root / "bin" / "estate")}}
        elif language == "typescript":
            project["runtime"] = "nodejs"
            (path / "index.ts").write_text(TYPESCRIPT)
            (path / "package.json").write_text('{"main": "index.ts"}\n')
            if not (path / "node_modules").exists():
                (path / "node_modules").symlink_to(node_modules())
        (path / "Pulumi.yaml").write_text(yaml.safe_dump(project, sort_keys=False))

    @staticmethod
    def _yaml(plan: dict) -> dict:
        values = " ".join(f'${{{other}.outputs["value"]}}' for other in plan["reads"])
        key = f'${{{plan["reads"][0]}.outputs["key"]}}' if plan["reads"] else {"fn::secret": plan["key"]}
        resources: dict = {other: {"type": "pulumi:pulumi:StackReference",
                                   "properties": {"name": f"organization/{other}/prod"}} for other in plan["reads"]}
        resources[plan["name"]] = {"type": "things:index:Thing", "properties": {
            "value": f"{plan['name']}={plan['value']}({values})", "key": key}}
        return {"resources": resources, "outputs": {"value": f"${{{plan['name']}.value}}", "key": f"${{{plan['name']}.key}}"}}

    def change(self, name: str, value: str) -> None:
        self.values[name] = value
        self.write(name)

    # --- the command ------------------------------------------------------------------------------

    def environment(self, extra: dict[str, str] | None = None) -> dict[str, str]:
        env = self.command.environment(self.root)
        env.update(PULUMI_BACKEND_URL=self.backend.as_uri(), PULUMI_HOME=str(self.home),
                   FAULTS_THINGS=str(self.thing_folder), FAULTS_LOG=str(self.log))
        return env | self.states | (extra or {})

    def run(self, *args: str, code: int = 0, cwd: Path | None = None, env: dict[str, str] | None = None) -> Result:
        argv = [str(self.command.path), "--non-interactive", *args]
        done = subprocess.run(argv, cwd=cwd or self.folder, env=self.environment(env), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=patience(300))
        if done.returncode != code:
            raise CommandFailed(f"{' '.join(argv)} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
        return Result(list(args), done.returncode, done.stdout, done.stderr)

    def start(self, *args: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> subprocess.Popen:
        argv = [str(self.command.path), "--non-interactive", *args]
        return subprocess.Popen(argv, cwd=cwd or self.folder, env=self.environment(env), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)

    def all(self, verb: str, *args: str, code: int = 0, env: dict[str, str] | None = None) -> dict[str, dict]:
        """The report of an operation on all: by project."""
        yes = () if verb == "preview" else ("--yes",)
        done = self.run(verb, "--all", "--stack", "prod", "--output", "json", *yes, *args, code=code, env=env)
        assert CANARY not in done.out + done.err, "a secret was told"
        report = json.loads(done.out.splitlines()[-1])
        return {stack["stack"].removesuffix("/prod"): stack for stack in report["stacks"]}

    def outcomes(self, verb: str, *args: str, code: int = 0, env: dict[str, str] | None = None) -> dict[str, str]:
        return {name: stack["outcome"] for name, stack in self.all(verb, *args, code=code, env=env).items()}

    # --- what exists, and what is recorded ----------------------------------------------------------

    def wanted(self, name: str) -> str:
        return f"{name}={self.values[name]}({' '.join(self.wanted(other) for other in self.reads[name])})"

    def things(self) -> dict[str, str]:
        return {file.name: json.loads(file.read_text())["value"] for file in self.thing_folder.iterdir()}

    def assert_all_is_there(self) -> None:
        """Each thing once, made of what is newest."""
        assert self.things() == {f"{name}-1": self.wanted(name) for name in PROJECTS}

    def done(self) -> list[str]:
        """The provider's changes since the last call, in order: "create network-1"."""
        lines = [line for line in self.calls() if not line.startswith("read ")]
        self.log.unlink(missing_ok=True)
        return lines

    def calls(self) -> list[str]:
        """All calls, with reads, since the last done(). Keeps the log."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def assert_order(self, lines: list[str], reverse: bool = False) -> None:
        """Checks that each project comes after those that it reads."""
        at = {line.split()[1].rsplit("-", 1)[0]: place for place, line in enumerate(lines)}
        for name, others in self.reads.items():
            for other in others:
                if name in at and other in at:
                    assert (at[name] < at[other]) == reverse, f"{name} and {other}: {lines}"

    def recorded(self) -> tuple[set[str], list[str]]:
        """The IDs of the things that the states know, and the names of those whose operations are pending."""
        known: set[str] = set()
        pending: list[str] = []
        for name in PROJECTS:
            out = self.run("stack", "export", "--stack", "prod", cwd=self.folder / name).out
            deployment = json.loads(out).get("deployment") or {}
            known |= {row["id"] for row in deployment.get("resources") or [] if row["type"] == "things:index:Thing"}
            pending += [p["resource"]["urn"].rsplit("::", 1)[1] for p in deployment.get("pending_operations") or []]
        return known, pending

    def complaints(self) -> list[str]:
        """Compares the things that exist with the record. A pending operation stands for one thing of its name."""
        exists = {file.name for file in self.thing_folder.iterdir()}
        known, pending = self.recorded()
        wrong = unnamed(exists - known, exists, pending)
        return wrong + [f"ghost: {id} is recorded and does not exist" for id in sorted(known - exists)
                        if id.rsplit("-", 1)[0] not in pending]

    # Saves and restores the whole estate under a name. Needs states in a folder.

    def lay_away(self, name: str) -> None:
        for folder in (self.backend, self.thing_folder, self.folder):
            shutil.copytree(folder, self.root / "kept" / name / folder.name, symlinks=True)

    def restore(self, name: str) -> None:
        for folder in (self.backend, self.thing_folder, self.folder):
            shutil.rmtree(folder)
            shutil.copytree(self.root / "kept" / name / folder.name, folder, symlinks=True)
