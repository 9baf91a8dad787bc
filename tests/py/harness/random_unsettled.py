# SPDX-License-Identifier: Apache-2.0
"""Kinds of stories about what is not settled: values that are not known yet, operations that another run has begun and
never ended, and resources that register side by side."""

from __future__ import annotations

import copy
from dataclasses import replace
from random import Random

from .random_acts import Act
from .random_program import PROVIDER

INTERRUPTED = ["creating", "creating", "updating", "deleting", "reading", "importing"]


def unknowns(random: Random, acts: list[Act]) -> list[Act]:
    """Values of other resources stand deep in inputs, in secrets, in what configures providers and in triggers; most
    updates are previewed."""
    seed, told = random.random(), []
    for act in acts:
        program = _with_references(seed, act.program)
        flags = [word for word in act.args if word == "--refresh"]
        if act.verb == "up" and random.random() < .7:
            told.append(Act("preview", program, flags, drift=act.drift))
            act = replace(act, drift=None)
        told.append(replace(act, program=program))
    return told


def _with_references(seed: float, program: dict) -> dict:
    """The same for a label in all acts, as long as the same resources come before it."""
    program, before = copy.deepcopy(program), []
    for entry in program["resources"]:
        lot = Random(f"{seed} {entry['label']}")
        # Reads and imports need known inputs, and a silent provider's secrets are another matter.
        plain = not {"id", "import_"} & entry["opts"].keys() and not entry["type"].endswith("Silent")
        if before and plain and lot.random() < .6:
            _refer(lot, entry, before)
        if entry["kind"] == "thing":
            before.append(entry["label"])
    return program


def _refer(random: Random, entry: dict, before: list[str]) -> None:
    def some(*properties: str):
        return {"$ref": random.choice(before), "prop": random.choice(properties or ["stamp", "value", "id", "urn"])}

    if entry["kind"] == "provider":
        entry["inputs"][random.choice(["region", "zone"])] = some()
    elif entry["kind"] == "component":
        entry["inputs"] = {"out": {"inner": some()}}
    else:
        # Names of resources are no secrets here: they would be masked wherever they are named.
        shapes = [{"deep": {"x": some(), "y": "two"}, "list": ["one", some()]}, {"list": [some(), {"$secret": some("stamp", "value")}]},
                  {"$secret": {"x": some("stamp", "value")}}, [some(), "one"], some()]
        entry["inputs"][random.choice(["value", "more", "key"])] = random.choice(shapes)
        if random.random() < .2:
            entry["opts"]["replacement_trigger"] = some()


def side_by_side(random: Random, acts: list[Act]) -> list[Act]:
    """Makes the programs await no resource, and runs a few steps at the same time."""
    told = []
    for act in acts:
        args = [word for i, word in enumerate(act.args) if "--parallel" not in act.args[max(0, i - 1):i + 1]]
        more = ["--parallel", str(random.randint(2, 6))] if act.verb not in ("state", "stack") else []
        told.append(replace(act, program={**act.program, "serial": False}, args=[*args, *more]))
    return told


def interrupted(random: Random, acts: list[Act]) -> list[Act]:
    """Before most acts, another run has begun operations and never ended them."""
    told, known = [], []
    for act in acts:
        begun = [(random.choice(INTERRUPTED), random.choice([*known, *act.urns().values()]))
                 for _ in range(random.randint(1, 2))] if act.urns() and random.random() < .6 else []
        creating = [urn for kind, urn in begun if kind == "creating" and PROVIDER not in urn]
        args = act.args
        if act.verb == "refresh" and creating and random.random() < .6:
            args = [*args, *(["--clear-pending-creates"] if random.random() < .5 else
                             ["--import-pending-creates", creating[0], "--import-pending-creates", "found-1"])]
        told.append(replace(act, begun=begun, args=args))
        known = list(dict.fromkeys(known + list(act.urns().values())))
    return told
