# SPDX-License-Identifier: Apache-2.0
"""A throw-away project, state folder and PULUMI_HOME, and the runs made in them."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from .commands import Command
from .patience import patience

# The three events of a step.
_FAILED = "resOpFailedEvent"
_DONE = "resOutputsEvent"
_BEGUN = "resourcePreEvent"


class CommandFailed(AssertionError):
    """A command that should have succeeded did not; the text holds all it printed."""


@dataclass
class Result:
    """The remains of one run of the command."""

    args: list[str]
    code: int
    out: str
    err: str
    event_file: Path | None = None

    @cached_property
    def events(self) -> list[dict]:
        if self.event_file is None or not self.event_file.exists():
            return []
        return [json.loads(line) for line in self.event_file.read_text().split("\n") if line.strip()]

    def _metadata(self, kind: str) -> list[dict]:
        return [e[kind]["metadata"] for e in self.events if kind in e]

    @property
    def steps(self) -> dict[str, list[str]]:
        """URN → operations that were begun, in order."""
        steps: dict[str, list[str]] = {}
        for m in self._metadata(_BEGUN):
            steps.setdefault(m["urn"], []).append(m["op"])
        return steps

    @property
    def outcomes(self) -> dict[str, list[str]]:
        """URN → operations that ended well, in order; a refresh ends as what it has found to have happened."""
        outcomes: dict[str, list[str]] = {}
        for m in self._metadata(_DONE):
            outcomes.setdefault(m["urn"], []).append(m["op"])
        return outcomes

    @property
    def order(self) -> list[tuple[str, str]]:
        """(operation, resource name) of the steps, in the order in which they ended."""
        return [(m["op"], m["urn"].rsplit("::", 1)[1]) for m in self._metadata(_DONE)]

    def ops(self, name: str) -> list[str]:
        """The operations begun on the resource with this name (the last part of its URN)."""
        found = [ops for urn, ops in self.steps.items() if urn.rsplit("::", 1)[1] == name]
        assert len(found) <= 1, f"more than one resource is called {name}: {sorted(self.steps)}"
        return found[0] if found else []

    def changed(self) -> dict[str, list[str]]:
        """Resource name → operations, for all but default providers and what merely stayed the same."""
        quiet = {"same", "read", "refresh"}
        return {urn.rsplit("::", 1)[1]: ops for urn, ops in self.steps.items()
                if not set(ops) <= quiet and "pulumi:providers:" not in urn.rsplit("::", 2)[1]}

    @property
    def failed(self) -> list[str]:
        return [m["urn"] for m in self._metadata(_FAILED)]

    @property
    def summary(self) -> dict[str, int]:
        """Counts per operation from the summary event."""
        for event in self.events:
            if "summaryEvent" in event:
                return event["summaryEvent"].get("resourceChanges") or {}
        raise AssertionError(f"no summary event in {self.args}:\n{self.out}\n{self.err}")

    @property
    def diagnostics(self) -> str:
        return "\n".join(e["diagnosticEvent"]["message"] for e in self.events
                         if "diagnosticEvent" in e and e["diagnosticEvent"].get("severity") != "debug")

    @property
    def policies(self) -> list[dict]:
        return [e["policyEvent"] for e in self.events if "policyEvent" in e]


@dataclass
class State:
    """A deployment, as exported."""

    document: dict

    @property
    def rows(self) -> list[dict]:
        return (self.document.get("deployment") or {}).get("resources") or []

    @property
    def resources(self) -> dict[str, dict]:
        """URN → live state."""
        return {r["urn"]: r for r in self.rows if not r.get("delete")}

    def named(self, name: str) -> dict:
        found = [r for r in self.rows if r["urn"].rsplit("::", 1)[1] == name and not r.get("delete")]
        assert len(found) == 1, f"{len(found)} resources are called {name}: {[r['urn'] for r in self.rows]}"
        return found[0]

    @property
    def names(self) -> set[str]:
        return {r["urn"].rsplit("::", 1)[1] for r in self.rows}

    @property
    def pending(self) -> list[dict]:
        return (self.document.get("deployment") or {}).get("pending_operations") or []


@dataclass
class Workspace:
    """A copy of `program` with a backend, a home and the variables to run `command` there."""

    root: Path
    command: Command
    program: Path | None = None
    stack: str = "dev"
    env: dict[str, str] = field(default_factory=dict)
    modules: Path | None = None  # a node_modules folder to link into the project
    init: bool = True

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        self.project = self.root / "project"
        self.backend = self.root / "backend"
        self.home = self.root / "home"
        for folder in (self.backend, self.home):
            folder.mkdir(exist_ok=True)
        if self.program is not None and not self.project.exists():
            shutil.copytree(self.program, self.project, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        self.project.mkdir(exist_ok=True)
        if self.modules is not None and not (self.project / "node_modules").exists():
            (self.project / "node_modules").symlink_to(self.modules)
        self._serial = 0
        if self.init:
            self.run("stack", "init", self.stack)

    def with_command(self, command: Command) -> "Workspace":
        """The same project and state, driven by another command."""
        return Workspace(self.root, command, None, self.stack, dict(self.env), None, init=False)

    def environment(self, extra: dict[str, str] | None = None) -> dict[str, str]:
        env = self.command.environment(self.root)
        env.update(PULUMI_BACKEND_URL=self.backend.as_uri(), PULUMI_HOME=str(self.home))
        return env | self.env | (extra or {})

    def run(self, *args: str, check: bool = True, code: int | None = None, env: dict[str, str] | None = None,
            timeout: float = 300, stdin: str | None = None, events: Path | None = None) -> Result:
        """Runs the command; with check, any exit code but 0 (or `code`) raises and shows the output."""
        argv = [str(self.command.path), "--non-interactive", *args]
        done = subprocess.run(argv, cwd=self.project, env=self.environment(env), input=stdin or "",
                              capture_output=True, text=True, timeout=patience(timeout))
        result = Result(list(args), done.returncode, done.stdout, done.stderr, events)
        if check and done.returncode != (code or 0):
            raise CommandFailed(f"{' '.join(argv)} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
        return result

    def operate(self, verb: str, *args: str, check: bool = True, code: int | None = None,
                env: dict[str, str] | None = None, timeout: float = 300) -> Result:
        """Runs preview, up, refresh, destroy or import with an event log."""
        self._serial += 1
        log = self.root / f"events-{self.command.name}-{self._serial}-{verb}.json"
        yes = () if verb == "preview" or "--preview-only" in args else ("--yes", "--skip-preview")
        return self.run(verb, *yes, "--stack", self.stack, "--event-log", str(log), *args, check=check, code=code,
                        env=env, timeout=timeout, events=log)

    def preview(self, *args: str, **kw) -> Result:
        return self.operate("preview", *args, **kw)

    def up(self, *args: str, **kw) -> Result:
        return self.operate("up", *args, **kw)

    def refresh(self, *args: str, **kw) -> Result:
        return self.operate("refresh", *args, **kw)

    def destroy(self, *args: str, **kw) -> Result:
        return self.operate("destroy", *args, **kw)

    def start(self, verb: str, *args: str, env: dict[str, str] | None = None) -> subprocess.Popen:
        """Starts an operation in its own process group and returns at once (for kill and interrupt tests)."""
        argv = [str(self.command.path), verb, "--yes", "--skip-preview", "--stack", self.stack, "--non-interactive",
                *args]
        return subprocess.Popen(argv, cwd=self.project, env=self.environment(env), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)

    def config(self, **values: str) -> None:
        for key, value in values.items():
            self.run("config", "set", key, "--plaintext", "--stack", self.stack, "--", value)

    def secret(self, key: str, value: str) -> None:
        self.run("config", "set", key, "--secret", "--stack", self.stack, "--", value)

    def state(self, *args: str) -> State:
        return State(json.loads(self.run("stack", "export", "--stack", self.stack, *args).out))

    def outputs(self) -> dict:
        return json.loads(self.run("stack", "output", "--json", "--show-secrets", "--stack", self.stack).out)

    @property
    def state_file(self) -> Path:
        files = sorted(self.backend.glob(f".pulumi/stacks/*/{self.stack}.json"))
        assert len(files) == 1, f"{len(files)} state files for {self.stack} in {self.backend}"
        return files[0]
