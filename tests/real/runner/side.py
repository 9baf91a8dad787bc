# SPDX-License-Identifier: Apache-2.0
"""One project with one command or two: plays the acts of a story, and tells what each came to in a form that can be
compared with another run."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import yaml

from harness import Command, Workspace
from harness.clouds import free_port
from harness.compare import normalize
from harness.patience import patience
from harness.workspace import Result

from . import providers, sdks
from .story import Act, Interruption, Story

_SOURCES = {"python": "__main__.py", "nodejs": "index.ts", "go": "main.go"}
_RUNTIMES = {"nodejs": {"name": "nodejs", "options": {"typescript": True}}}
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LONG_ID = re.compile(r"<id of urn:[^>]*::([^:>]*)>")  # as the comparison of states calls it
_COLOR = re.compile(r"<\{%[a-z]*%\}>")
_REQUEST = Path(__file__).with_name("request.py")
_QUIET = {"same", "refresh"}
# What the reference says of its own surroundings, and what a program may still say when the engine has stopped.
_CHANCE = re.compile(r" from \$PATH at |^Resource monitor has terminated, shutting down")


class Side:
    """`root` is its own; `commands` take turns, one after each act."""

    def __init__(self, root: Path, story: Story, language: str, *commands: Command):
        self.story, self.language, self._commands, self._turn = story, language, commands, 0
        self._varied: dict[str, str] = {}
        self.ws = Workspace(root, commands[0], init=False, env=self._environment(root, story))
        if story.installed:
            providers.install(self.ws.home, story.providers)
        for each in (language, *story.also) if story.sdks is not False else ():
            self.ws.env |= sdks.variables(each, story.providers if story.sdks is True else story.sdks)
        sdks.prepare(language, self.ws.project, self.ws.env)
        self._write_program(story.program)
        self.ws.run("stack", "init", "dev")

    @staticmethod
    def _environment(root: Path, story: Story) -> dict[str, str]:
        own = {"HERE": str(root / "project"), "WORLD": str(root / "world"), "PROVIDERS": str(providers.folder())}
        for name in story.providers:
            variable = name.upper().replace("-", "_")
            own |= {f"{variable}_VERSION": providers.versions()[name], f"{variable}_PLUGIN": str(providers.binary(name))}
        own |= {name: os.environ[name] for name in story.needs}
        own["KUBECONFIG"] = own.get("KINGPOST_KUBECONFIG", "")  # nobody's own cluster
        own["PORT"] = str(free_port())
        (root / "world").mkdir(parents=True, exist_ok=True)
        return own | {name: value.replace("$WORLD", own["WORLD"]) for name, value in story.env.items()}

    @property
    def command(self) -> Command:
        return self._commands[self._turn % len(self._commands)]

    def play(self, act: Act) -> dict:
        """The result of the act. The next one is the other command's, if there is one."""
        self.ws.command, self.ws.stack = self.command, act.stack
        self._write_program(act.program)
        for path, text in act.files.items():
            target = self.ws.project / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True) if text is None else target.write_text(text)
        self._configure(act)
        self.last = self._carry_out(act)
        seen = self._seen(act, self.last)
        if act.run:
            self._turn += 1
        return seen

    def settles(self) -> Result:
        """A preview that must find nothing to do."""
        self.ws.command = self.command
        return self.ws.preview("--expect-no-changes", "--diff", check=False)

    # ---- before an act ------------------------------------------------------------------------------

    def _write_program(self, program: dict) -> None:
        if not program:
            return
        if self.language not in program:
            raise ValueError(f"{self.story.file.name} has no program in {self.language}")
        given = json.loads(json.dumps(program[self.language]).replace("$WORLD", self.ws.env["WORLD"]))
        file, kept = self.ws.project / "Pulumi.yaml", {}
        if file.exists():  # packages that were added stay
            kept = {k: v for k, v in yaml.safe_load(file.read_text()).items() if k == "packages"}
        runtime = self.story.runtime.get(self.language) or _RUNTIMES.get(self.language, self.language)
        settings = {"name": "real", "runtime": runtime} | kept
        if self.language == "yaml":
            settings |= given
        else:
            (self.ws.project / _SOURCES[self.language]).write_text(given)
        file.write_text(yaml.safe_dump(settings, sort_keys=False))

    def _configure(self, act: Act) -> None:
        for key, value in act.config.items():
            self.ws.run("config", "set", key, "--plaintext", "--stack", act.stack, "--", str(value))

    def _carry_out(self, act: Act) -> Result:
        if act.shell:
            tools = {"COMMAND": str(self.command.path), "KINGPOST": str(Command.kingpost().path),
                     "CLUSTER": f"{sys.executable} {_REQUEST}"}
            done = subprocess.run(["bash", "-euc", act.shell], cwd=self.ws.project, env=self.ws.environment() | tools, text=True,
                                  capture_output=True, timeout=patience(120))
            return Result([act.shell], done.returncode, done.stdout, done.stderr)
        words = [self._expanded(word) for word in act.words]
        if act.command:
            return self.ws.run(*words, check=False)
        if act.interrupt:
            return self._interrupted(words, act.interrupt)
        return self.ws.operate(words[0], *words[1:], check=False)

    def _expanded(self, text: str) -> str:
        """With the values of $WORLD and the like."""
        return re.sub(r"\$([A-Z_]+)", lambda found: self.ws.env.get(found.group(1), found.group(0)), text)

    def _interrupted(self, words: list[str], how: Interruption) -> Result:
        """Runs an operation, and sends it a signal once it has come to making a file."""
        process = self.ws.start(words[0], *words[1:])
        printed: list[str] = []

        def collect() -> None:
            for line in process.stdout:
                printed.append(line)

        reader = threading.Thread(target=collect, daemon=True)
        reader.start()
        deadline = time.monotonic() + patience(120)
        while not (Path(self.ws.env["WORLD"]) / how.file).exists():
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                raise AssertionError(f"it never came to {how.file}:\n{''.join(printed)}")
            time.sleep(0.05)
        if how.signal == "KILL":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.send_signal(getattr(signal, f"SIG{how.signal}"))
        try:
            process.wait(patience(60))
        finally:
            process.kill()
        reader.join(5)
        return Result(words, process.returncode, "".join(printed), "")

    # ---- after an act -------------------------------------------------------------------------------

    def _seen(self, act: Act, run: Result) -> dict:
        seen: dict = {"code": run.code}
        if not act.run:
            return seen
        if not act.interrupt:
            seen |= {"steps": self._scrubbed(told_steps(run)), "errors": self._errors(run)}
        seen |= {"state": self._state(), "pending": self._pending()}
        if not act.interrupt and run.code == 0 and act.words[0] == "up":
            seen["outputs"] = {name: f"<{name}>" if name in self.story.varies else value
                               for name, value in self._scrubbed(self.ws.outputs()).items()}
        return seen

    def _document(self) -> dict:
        """The state as the command that has just run exports it: after a kill it may have more of it than the file."""
        return self.ws.state().document

    def _pending(self) -> list[str]:
        operations = self._document()["deployment"].get("pending_operations") or []
        return sorted(f"{each['type']} {each['resource']['urn'].rsplit('::', 1)[1]}" for each in operations)

    def _state(self) -> dict:
        state = normalize(self._document(), self._places())
        if self.language == "yaml":  # the reference records places in its own sources, Kingpost those in Pulumi.yaml
            rows = [*state["deployment"]["resources"].values(),
                    *(each["resource"] for each in state["deployment"].get("pending_operations") or [])]
            for row in rows:
                row.pop("sourcePosition", None)
                row.pop("stackTrace", None)
        return self._scrubbed(state)

    def _places(self) -> dict[str, str]:
        return {str(self.ws.root): "<root>", "kingpost": "pulumi"}

    def _varying(self) -> dict[str, str]:
        """Values that are others in every run → how they are called in comparisons. Those of resources that are gone by now
        stay known."""
        names = self._varied
        rows = [self._document()["deployment"].get("resources") or []]
        for file in self.ws.backend.glob(".pulumi/stacks/*/*.json"):  # one stack may show values of another
            rows.append((json.loads(file.read_text())["checkpoint"].get("latest") or {}).get("resources") or [])
        for row in (row for listed in rows for row in listed):
            name = row["urn"].rsplit("::", 1)[1]
            for key in self.story.varies:
                for value in (_at(row.get("outputs"), key), row.get("id") if key == "id" else None):
                    if isinstance(value, str) and len(value) > 1:
                        names.setdefault(value, f"<{key} of {name}>")
        return names

    def _scrubbed(self, value):
        text = json.dumps(_without(value, set(self.story.ignores)), sort_keys=True)
        longest_first = sorted((self._varying() | self._places()).items(), key=lambda pair: -len(pair[0]))
        for real, name in longest_first:
            if len(real) > 3:
                text = text.replace(json.dumps(real)[1:-1], name)
            else:  # "ewe" may be a part of other words
                text = text.replace(json.dumps(real), json.dumps(name))
        return json.loads(_UUID.sub("<id>", _LONG_ID.sub(r"<id of \1>", text)))

    def _errors(self, run: Result) -> list[list[str]]:
        """Errors and warnings, with the first line of each."""
        found = [e["diagnosticEvent"] for e in run.events if "diagnosticEvent" in e]
        told = [[d.get("urn", ""), d["severity"], _COLOR.sub("", d["message"]).strip().split("\n")[0]] for d in found
                if d["severity"] in ("error", "warning") and not _CHANCE.search(d["message"])]
        return self._scrubbed(sorted(told))


def _at(value, path: str):
    """What is at "metadata.name"; None if nothing is."""
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _without(value, keys: set[str]):
    """The value of each of these keys is replaced by the key, at any depth."""
    if isinstance(value, dict):
        return {key: f"<{key}>" if key in keys else _without(each, keys) for key, each in value.items()}
    return [_without(each, keys) for each in value] if isinstance(value, list) else value


def told_steps(run: Result) -> list[list]:
    """Each step as [operation, URN, keys that replace, differences, details]."""
    found = []
    for event in run.events:
        metadata = (event.get("resourcePreEvent") or {}).get("metadata")
        if metadata:
            detail = {path: each.get("diffKind", each.get("kind")) for path, each in (metadata.get("detailedDiff") or {}).items()}
            found.append([metadata["op"], metadata["urn"], sorted(metadata.get("keys") or []),
                          sorted(metadata.get("diffs") or []), detail])
    return sorted(found, key=lambda step: (step[1], step[0]))


def short_steps(run: Result) -> list[str]:
    """The expected steps: "replace pet [length]" for each that does something, except for the stack and default providers."""
    texts = []
    for op, urn, keys, diffs, _ in told_steps(run):
        kind, name = urn.split("::")[2].split("$")[-1], urn.rsplit("::", 1)[1]
        if op in _QUIET or kind == "pulumi:pulumi:Stack" or kind.startswith("pulumi:providers:"):
            continue
        of = keys or diffs
        texts.append(f"{op} {name}" + (f" [{', '.join(of)}]" if of else ""))
    return sorted(texts)
