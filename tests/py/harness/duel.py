# SPDX-License-Identifier: Apache-2.0
"""Two engines side by side: the same acts on each, in worlds of their own, compared after every act."""

from __future__ import annotations

import copy
import json
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .commands import Command, PROGRAMS
from .compare import differences, normalize
from .fake_pack import Pack
from .fake_world import World
from .known_acts import StoryEnds
from .known_differences import set_aside
from .random_acts import Act
from .workspace import Result, Workspace

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LIMIT_S = 240
PLAN, EXPORT, OTHER, PACK = "plan.json", "exported.json", "other", "pack"
_TIMES = re.compile(r"\b\d+(\.\d+)?m?s\b|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=\"timestamp\": )\d+|(?<=\"timestamp\":)\d+")
_VOLATILE = {"created", "modified", "durationSeconds", "duration", "timestamp"}
_CIPHERTEXT = re.compile(r'"ciphertext": *"[^"]*"')
_COLOR = re.compile(r"<\{%[a-z]*%\}>")


class Side:
    """One engine with its project, its state and the world behind its provider."""

    def __init__(self, command: Command, host_port: int):
        self.command, self.world, self.pack = command, World(), Pack()
        self._host_port = host_port

    def __enter__(self) -> "Side":
        self.world.__enter__()
        self.pack.__enter__()
        return self

    def __exit__(self, *_) -> None:
        self.world.__exit__()
        self.pack.__exit__()

    def begin(self, root: Path, template: Path) -> None:
        """A stack without resources; both sides have the same key, so that their states can be exchanged."""
        shutil.copytree(template, root)
        self.ws = Workspace(root, self.command, stack="dev", init=False, env={
            "PULUMI_DEBUG_PROVIDERS": f"things:{self.world.port}",
            "PULUMI_DEBUG_LANGUAGES": f"python:{self._host_port}"})
        self.world.things = type(self.world.things)()
        self.world.take_calls()
        self.pack.install(root / PACK)

    def play(self, act: Act) -> dict:
        """The outcome of an act, in a form that can be compared."""
        self._prepare(act)
        doubted = self._pending_deletes()
        try:
            run = self._run(act)
        except subprocess.TimeoutExpired:
            return {"ended": f"not within {_LIMIT_S} s"}
        if "ImportError" in run.out + run.err:  # both would fail alike, and nothing be compared
            raise RuntimeError(f"the program of the stories does not run with the SDK that is installed:\n{run.out}{run.err}")
        seen = {"code": run.code, "calls": _told(self.world.take_calls()),
                "state": _state_in(self.ws.state_file),
                "world": self.world.things.existing, "crashed": "panic: " in run.err or "fatal error. This is a bug" in run.err}
        self.last = run
        if doubted:
            seen["doubted"] = doubted
        if act.rules is not None:
            seen["pack"] = {"calls": self.pack.take_calls(), "told": _policies(run)}
        if act.texts:
            seen["text"] = told_events(run.events) if act.texts == "events" else self._printed(run, act.texts)
        if act.verb in ("state", "stack"):
            seen |= {"said": self._said(run), "other": _state_in(self.ws.state_file.with_name(f"{OTHER}.json"))}
        if "--save-plan" in act.args:
            seen["plan"] = self._plan()
        if act.program.get("hooks"):
            seen["hooks"] = self._hooks()
        if act.verb in ("state", "stack"):
            return copy.deepcopy(seen)
        seen |= {"steps": run.steps, "ended": run.outcomes, "failed": sorted(run.failed), "errors": errors(run),
                 "summary": next((e["summaryEvent"].get("resourceChanges") or {} for e in run.events
                                  if "summaryEvent" in e), None)}
        return copy.deepcopy(seen)

    def _pending_deletes(self) -> list[str]:
        pending = _state_in(self.ws.state_file)["deployment"].get("pending_operations") or []
        return sorted(operation["resource"]["urn"] for operation in pending if operation["type"] == "deleting")

    def take_over(self, other: "Side") -> None:
        """Goes on from where the other side is."""
        for name in ("dev", OTHER):
            shutil.copyfile(other.ws.state_file.with_name(f"{name}.json"), self.ws.state_file.with_name(f"{name}.json"))
        if (other.ws.project / PLAN).exists():
            shutil.copyfile(other.ws.project / PLAN, self.ws.project / PLAN)
        self.world.things = copy.deepcopy(other.world.things)

    def _plan(self) -> dict | None:
        """The saved plan, without what is another one in every run."""
        file = self.ws.project / PLAN
        if not file.exists():
            return None
        plan = json.loads(_CIPHERTEXT.sub('"ciphertext": ""', _UUID.sub("<id>", file.read_text())))
        plan.pop("manifest")
        for resource in plan["resourcePlans"].values():
            resource.pop("seed", None)
            goal = resource.get("goal") or {}
            goal["dependencies"] = sorted(goal.get("dependencies") or [])
            of_properties = goal.get("propertyDependencies") or {}
            goal["propertyDependencies"] = {name: sorted(urns or []) for name, urns in of_properties.items()}
        return plan

    def _hooks(self) -> dict[str, list[str]]:
        """URN → calls of hooks, in order."""
        calls: dict[str, list[str]] = {}
        file = self.ws.project / "hooks.log"
        for line in file.read_text().splitlines() if file.exists() else []:
            calls.setdefault(json.loads(line).get("urn", ""), []).append(_UUID.sub("<id>", line))
        return calls

    def _deployment(self) -> dict:
        return json.loads(self.ws.state_file.read_text())["checkpoint"].get("latest") or {}

    def _prepare(self, act: Act) -> None:
        for name, content in {"program.json": act.program, **act.files}.items():
            (self.ws.project / name).write_text(json.dumps(content))
        if "--save-plan" in act.args:
            (self.ws.project / PLAN).unlink(missing_ok=True)
        if act.verb == "state" and act.tamper:
            document = json.loads(self.ws.state_file.read_text())
            if document["checkpoint"].get("latest"):
                tamper(document["checkpoint"]["latest"], *act.tamper)
                self.ws.state_file.write_text(json.dumps(document))
        if act.begun:
            self._interrupt(act.begun)
        (self.ws.project / "hooks.log").unlink(missing_ok=True)
        self.world.fault, self.pack.rules = act.fault, act.rules or []
        if act.drift:
            name, gone = act.drift
            for id in [id for id in self.world.things.existing if id.rsplit("-", 1)[0] == name]:
                if gone:
                    del self.world.things.existing[id]
                else:
                    self.world.things.existing[id]["value"] = "drifted"

    def _interrupt(self, begun: list[tuple[str, str]]) -> None:
        """Leaves operations in the state as a run does that was killed."""
        document = json.loads(self.ws.state_file.read_text())
        latest = document["checkpoint"].get("latest") or {}
        if found := interruptions(latest.get("resources") or [], begun):
            latest["pending_operations"] = found
            self.ws.state_file.write_text(json.dumps(document))

    def _printed(self, run: Result, flag: str) -> object:
        """The standard output of --diff or --json, without times."""
        text = _TIMES.sub("<time>", _UUID.sub("<id>", run.out.replace("kingpost", "pulumi")))
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        if flag == "--json":
            try:
                return _untimed(json.loads(run.out))
            except ValueError:
                return told_events([json.loads(line) for line in run.out.splitlines() if line.startswith("{")])
        return lines

    def _said(self, run: Result) -> list[str]:
        """The lines that it printed, without the places and IDs that are another in every run."""
        text = run.out + run.err
        for real, name in ((str(self.ws.root), "<root>"), ("kingpost", "pulumi")):
            text = text.replace(real, name)
        return sorted(line.strip() for line in _UUID.sub("<id>", text).splitlines() if line.strip())

    def _run(self, act: Act) -> Result:
        if act.verb == "stack":
            exported = json.loads(self.ws.run("stack", "export", "--stack", "dev").out)
            if act.tamper and exported.get("deployment"):
                tamper(exported["deployment"], *act.tamper)
            (self.ws.project / EXPORT).write_text(json.dumps(exported))
            return self.ws.run("stack", *act.args, "--file", EXPORT, "--stack", "dev", check=False, timeout=_LIMIT_S)
        if act.verb == "state":
            stack = () if act.args[0] == "move" else ("--stack", "dev")
            return self.ws.run("state", *act.args, *stack, "--yes", check=False, timeout=_LIMIT_S)
        more = () if act.rules is None else ("--policy-pack", str(self.ws.root / PACK))
        more += (act.texts,) if act.texts in ("--diff", "--json") else ()
        return self.ws.operate(act.verb, *act.args, *more, check=False, timeout=_LIMIT_S, env=act.env)


# Of the peer's language hosts, and what they bring along: stand-ins on PATH (harness/commands.py). Kingpost has these itself.
_STAND_IN = re.compile(r"using pulumi-(language-|resource-pulumi-)\S+ from \$PATH at ")


def errors(run: Result) -> list:
    """The reporters and the first lines of their errors."""
    found = [e["diagnosticEvent"] for e in run.events if "diagnosticEvent" in e]
    return sorted([d.get("urn", ""), d["severity"], _UUID.sub("<id>", _COLOR.sub("", d["message"]).strip().split("\n")[0])]
                  for d in found if d["severity"] in ("error", "warning") and not _STAND_IN.search(d["message"]))


def _state_in(file: Path) -> dict:
    document = json.loads(file.read_text())
    state = normalize({"version": document["version"], "deployment": document["checkpoint"].get("latest") or {}})
    if state["deployment"].get("metadata") == {}:
        del state["deployment"]["metadata"]  # metadata of an empty first checkpoint depends on which command wrote it
    return state


def tamper(deployment: dict, how: str, urn: str) -> None:
    """Breaks a deployment, or changes it."""
    rows = deployment.get("resources") or []
    match how:
        case "turn around": rows.reverse()
        case "drop": deployment["resources"] = [r for r in rows if r["urn"] != urn]
        case "last": deployment["resources"] = sorted(rows, key=lambda r: r["urn"] == urn)
        case "twice": deployment["resources"] = [*rows, *(copy.deepcopy(r) for r in rows if r["urn"] == urn)]
        case "dangling": rows and rows[-1].update(dependencies=["urn:pulumi:dev::random::things:index:Thing::nowhere"])
        case "orphan": rows and rows[-1].update(parent="urn:pulumi:dev::random::boxes:index:Box::nowhere")


def interruptions(rows: list[dict], begun: list[tuple[str, str]]) -> list[dict]:
    """Pending operations on resources that are recorded, and creates of those that are not."""
    found = []
    recorded = {row["urn"]: row for row in rows if not row.get("delete")}
    for kind, urn in begun:
        row = recorded.get(urn)
        if row is None and kind == "creating" and "things:index:" in urn and "providers" not in urn:
            provider = next((f"{r['urn']}::{r['id']}" for r in rows if r["type"] == "pulumi:providers:things"), None)
            parent = next((r["urn"] for r in rows if r["type"] == "pulumi:pulumi:Stack"), None)
            if provider and parent:
                found.append({"resource": {"urn": urn, "custom": True, "type": urn.split("::")[2].split("$")[-1],
                                           "inputs": {"value": "begun"}, "parent": parent, "provider": provider}, "type": kind})
        elif row is not None and kind != "creating" and row.get("custom"):
            found.append({"resource": copy.deepcopy(row), "type": kind})
    return found


def _untimed(value):
    """A JSON value without what is another in every run."""
    if isinstance(value, dict):
        return {k: _untimed(v) for k, v in value.items() if k not in _VOLATILE}
    if isinstance(value, list):
        return [_untimed(v) for v in value]
    return _UUID.sub("<id>", value.replace("kingpost", "pulumi")) if isinstance(value, str) else value


def told_events(events: list[dict]) -> dict[str, list]:
    """All events but those of progress, by kind and resource, without when and where they were."""
    found: dict[str, list] = {}
    for event in events:
        event = _untimed({k: v for k, v in event.items() if k != "sequence"})
        kind = next(iter(event), "")
        if kind not in ("progressEvent", "cancelEvent"):
            metadata = event[kind].get("metadata") or event[kind]
            found.setdefault(f"{kind} {metadata.get('op', '')} {metadata.get('urn', '')}", []).append(event[kind])
    return found


def _policies(run: Result) -> list[str]:
    """The events of policies."""
    kinds = ("policyEvent", "policyRemediationEvent", "policyAnalyzeSummaryEvent", "policyRemediateSummaryEvent",
             "policyAnalyzeStackSummaryEvent", "policyLoadEvent")
    return sorted(json.dumps([kind, _COLOR.sub("", json.dumps(event[kind], sort_keys=True))])
                  for event in run.events for kind in kinds if kind in event)


def _told(calls: dict[str, list[tuple[str, str]]]) -> dict[str, list[str]]:
    """The calls for each resource, in order; resources of one URN side by side have an order each."""
    return {urn: [_UUID.sub("<id>", call) for _, call in sorted(of, key=lambda pair: pair[0])]
            for urn, of in sorted(calls.items())}


def template(root: Path, command: Command) -> Path:
    """A project with an empty stack."""
    shutil.copytree(PROGRAMS / "random", root / "project", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "project" / "program.json").write_text("{}")
    Workspace(root, command).run("stack", "init", OTHER, "--no-select")
    return root


class Duel:
    """Plays stories on both sides."""

    def __init__(self, mine: Side, theirs: Side, start: Path, scratch: Path):
        self.mine, self.theirs, self._start, self._scratch = mine, theirs, start, scratch
        self.acts_played, self.set_aside = 0, {}
        self._stories = 0

    def play(self, acts: list[Act]) -> tuple[int, list[str]]:
        """The number of acts played, and how the last of them differs."""
        self._stories += 1
        root = self._scratch / str(self._stories)
        for side in (self.mine, self.theirs):
            side.begin(root / side.command.name, self._start)
        for number, act in enumerate(acts, 1):
            self.acts_played += 1
            with ThreadPoolExecutor(2) as pool:
                ours, peers = pool.map(lambda side, act=act: side.play(act), (self.mine, self.theirs))
            try:
                known = set_aside(act, ours, peers) if "code" in ours and "code" in peers else []
            except StoryEnds:
                self.set_aside["the peer failed"] = self.set_aside.get("the peer failed", 0) + 1
                break
            for reason in known:
                self.set_aside[reason] = self.set_aside.get(reason, 0) + 1
            if found := differences(ours, peers):
                return number, found
            if known:
                self.mine.take_over(self.theirs)
        shutil.rmtree(root, ignore_errors=True)
        return len(acts), []
