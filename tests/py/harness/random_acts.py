# SPDX-License-Identifier: Apache-2.0
"""Stories of operations on one stack, made up from a seed, and how to make a story smaller that shows a difference."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from .fake_world import Fault
from .random_program import Maker, repair, urn, urns

# The identity of an act.
NEEDED = {"--file", "--generate-code=false", "--save-plan", "--plan", "--source", "--dest"}


@dataclass
class Act:
    verb: str                                   # preview, up, refresh, destroy, import, state or stack
    program: dict
    args: list[str] = field(default_factory=list)
    fault: Fault | None = None
    drift: tuple[str, bool] | None = None       # name of a thing that changes behind the engine's back, or is gone
    env: dict[str, str] = field(default_factory=dict)
    rules: list[dict] | None = None             # of the policy pack, if there is one
    texts: str | None = None                    # "events", or the flag whose text is compared
    tamper: tuple[str, str] | None = None       # how the state is broken before, and the URN that is meant
    begun: list[tuple[str, str]] = field(default_factory=list)  # operations that never ended: what was done, the URN
    files: dict[str, object] = field(default_factory=dict)  # JSON files of the project that the act needs

    def urns(self) -> dict[str, str]:
        """Label → URN."""
        return {e["label"]: urn(self.program, e["label"]) for e in self.program["resources"]}

    def __str__(self) -> str:
        words = [self.verb, *self.args]
        if self.fault:
            words.append(f"[{'half a ' if self.fault.partial else ''}{self.fault.operation} of {self.fault.name} fails]")
        if self.drift:
            words.append(f"[{self.drift[0]} {'is gone' if self.drift[1] else 'drifts'}]")
        if self.texts:
            words.append(f"[{self.texts}]")
        if self.rules is not None:
            words.append(f"[rules {self.rules}]")
        if self.tamper:
            words.append(f"[{' '.join(self.tamper)}]")
        words += [f"[was {kind} {urn}]" for kind, urn in self.begun]
        lines = [" ".join(words), *(f"    {name}: {json.dumps(content)}" for name, content in self.files.items())]
        lines += [f"    {e['label']} = {e['type'].rsplit(':', 1)[1]} {e['name']} {e['inputs']} {e['opts']}"
                  for e in self.program["resources"]]
        extras = {k: v for k, v in self.program.items() if k != "resources" and v not in ({}, False)}
        return "\n".join(lines + ([f"    {extras}"] if extras else []))


def story(seed: int) -> list[Act]:
    """Three to six acts."""
    random = Random(seed)
    maker = Maker(random)
    program = maker.program()
    acts = [Act("up", program)]
    known = list(urns(program))
    for _ in range(random.randint(2, 5)):
        if random.random() < .75:
            program = maker.changed(program)
        known = list(dict.fromkeys(known + urns(program)))
        acts.append(_act(random, program, known))
    return acts


def _act(random: Random, program: dict, known: list[str]) -> Act:
    verb = random.choices(["up", "preview", "refresh", "destroy", "state"], [55, 8, 14, 15, 8])[0]
    if verb == "state":
        target = random.choice(known)
        return Act(verb, program, random.choice([["protect", target], ["unprotect", "--all"], ["taint", target],
                                                 ["delete", target], ["delete", target, "--target-dependents"]]))
    act = Act(verb, program, _flags(random, verb, known))
    names = sorted({u.rsplit("::", 1)[1] for u in known})
    if random.random() < .2:
        act.drift = (random.choice(names), random.random() < .5)
    if random.random() < .2:
        act.fault = Fault(random.choice(["create", "update", "delete", "delete", "read", "check", "diff"]),
                          random.choice(names), random.random() < .3)
    return act


def _flags(random: Random, verb: str, known: list[str]) -> list[str]:
    def chance(p: float) -> bool:
        return random.random() < p

    flags: list[str] = []
    if chance(.5 if verb == "destroy" else .25):
        for _ in range(random.randint(1, 2)):
            flags += ["--target", _pattern(random, known)]
        flags += ["--target-dependents"] * chance(.4)
    elif chance(.1):
        # The peer's `destroy` has no --exclude-dependents.
        flags += ["--exclude", _pattern(random, known), *["--exclude-dependents"] * (chance(.3) and verb != "destroy")]
    elif verb == "destroy" and chance(.2):
        flags += ["--exclude-protected"]
    if verb in ("up", "preview"):
        for flag, p in (("--replace", .1), ("--target-replace", .05)):
            flags += [flag, _pattern(random, known)] if chance(p) else []
    if verb != "refresh" and chance(.12):
        flags += ["--refresh", *["--run-program"] * chance(.3)]
    elif verb in ("refresh", "destroy") and chance(.2):
        flags += ["--run-program"]
    if verb in ("up", "destroy") and chance(.2):
        flags += ["--continue-on-error"]
    elif verb in ("refresh", "destroy") and chance(.07):
        flags += ["--preview-only"]
    if chance(.05):
        flags += ["--ignore-protect" if verb == "destroy" else "--expect-no-changes"]
    flags += ["--parallel", "1"] if chance(.15) else []
    return flags


def _pattern(random: Random, known: list[str]) -> str:
    """A URN, or now and then a pattern that finds it."""
    urn = random.choice(known)
    return urn if random.random() < .9 else "**::" + urn.rsplit("::", 1)[1]


def shrink(acts: list[Act], fails: Callable[[list[Act]], bool], tries: int = 60) -> list[Act]:
    """The smallest story that was found to fail, too. Every try plays the story once."""
    progress = True
    while progress and tries > 0:
        progress = False
        for smaller in _smaller(acts):
            tries -= 1
            if fails(smaller):
                acts, progress = smaller, True
                break
            if tries <= 0:
                break
    return acts


def _smaller(acts: list[Act]) -> Iterator[list[Act]]:
    for i in range(len(acts) - 1):
        yield acts[:i] + acts[i + 1:]
    for label in dict.fromkeys(e["label"] for a in acts for e in a.program["resources"]):
        yield [replace(a, program=_drop(a.program, label)) for a in acts]
    for i, act in enumerate(acts):
        if act.fault:
            yield acts[:i] + [replace(act, fault=None)] + acts[i + 1:]
        for rule in act.rules or []:
            yield acts[:i] + [replace(act, rules=[r for r in act.rules if r is not rule])] + acts[i + 1:]
        if act.rules is not None:
            yield acts[:i] + [replace(act, rules=None)] + acts[i + 1:]
        if act.tamper:
            yield acts[:i] + [replace(act, tamper=None)] + acts[i + 1:]
        if act.drift:
            yield acts[:i] + [replace(act, drift=None)] + acts[i + 1:]
        for one in act.begun:
            yield acts[:i] + [replace(act, begun=[other for other in act.begun if other is not one])] + acts[i + 1:]
        for j in range(len(act.args)):
            width = 2 if j + 1 < len(act.args) and not act.args[j + 1].startswith("--") else 1
            if act.args[j].startswith("--") and act.args[j] not in NEEDED:
                yield acts[:i] + [replace(act, args=act.args[:j] + act.args[j + width:])] + acts[i + 1:]
        for name, content in act.files.items():
            yield from (acts[:i] + [replace(act, files=act.files | {name: fewer})] + acts[i + 1:]
                        for fewer in _fewer(content))
    for label, key in dict.fromkeys((e["label"], k) for a in acts for e in a.program["resources"] for k in e["opts"]):
        yield [replace(a, program=_without_option(a.program, label, key)) for a in acts]
    for label, key in dict.fromkeys((e["label"], k) for a in acts for e in a.program["resources"] for k in e["inputs"]):
        yield [replace(a, program=_without_input(a.program, label, key)) for a in acts]


def _fewer(content: dict) -> Iterator[dict]:
    """The content of a file without one of its rows, and without what only that row has."""
    rows = content.get("resources", [])
    for i in range(len(rows) if len(rows) > 1 else 0):
        yield content | {"resources": rows[:i] + rows[i + 1:]}
    for i, row in enumerate(rows):
        for key in sorted({"parent", "provider", "properties", "version", "inputs", "logicalName"} & row.keys()):
            yield content | {"resources": [*rows[:i], {k: v for k, v in row.items() if k != key}, *rows[i + 1:]]}


def _drop(program: dict, label: str) -> dict:
    return repair({**program, "resources": [e for e in program["resources"] if e["label"] != label]})


def _without_option(program: dict, label: str, key: str) -> dict:
    program = copy.deepcopy(program)
    for entry in program["resources"]:
        if entry["label"] == label:
            entry["opts"].pop(key, None)
    return repair(program)


def _without_input(program: dict, label: str, key: str) -> dict:
    program = copy.deepcopy(program)
    for entry in program["resources"]:
        if entry["label"] == label:
            entry["inputs"].pop(key, None)
    return repair(program)
