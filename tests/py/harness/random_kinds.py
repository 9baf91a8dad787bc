# SPDX-License-Identifier: Apache-2.0
"""Kinds of stories: each takes a plain story (random_acts.py) and works one more part of the engine into it.

A kind is a function of a source of random numbers and the acts; plain stories stay the same ones for a seed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from random import Random

from .fake_world import Fault
from .random_acts import Act, story
from .random_program import BOX, GROUP, PROVIDER, TYPES, repair, urn
from .random_unsettled import interrupted, side_by_side, unknowns

PLANNING = {"PULUMI_EXPERIMENTAL": "true"}
_RESTRICTIONS = {"--target": 2, "--target-dependents": 1, "--exclude": 2, "--exclude-dependents": 1, "--replace": 2,
                 "--target-replace": 2, "--refresh": 1}
_OF_GROUPS = {"parent", "depends_on", "providers", "protect", "deleted_with", "retain_on_delete", "provider", "aliases"}


def plain(random: Random, acts: list[Act]) -> list[Act]:
    return acts


def plans(random: Random, acts: list[Act]) -> list[Act]:
    """Most updates follow a plan that a preview has saved, now and then of another program or with other restrictions."""
    told, before = [], acts[0].program
    for act in acts:
        if act.verb == "up" and random.random() < .8:
            program = before if random.random() < .25 else act.program
            flags = _restrictions(act.args) if random.random() < .8 else []
            told.append(Act("preview", program, [*flags, "--save-plan", "plan.json"], env=PLANNING))
            act = replace(act, args=[*act.args, "--plan", "plan.json"], env=PLANNING)
        told.append(act)
        before = act.program
    return told


def _restrictions(args: list[str]) -> list[str]:
    kept: list[str] = []
    for i, arg in enumerate(args):
        if width := _RESTRICTIONS.get(arg):
            kept += args[i:i + width]
    return kept


def imports(random: Random, acts: list[Act]) -> list[Act]:
    """Between the acts, things that exist are imported: from files with parents, components and providers, or one."""
    told, known = [], []
    for number, act in enumerate(acts):
        if random.random() < (.3 if number == 0 else .5):
            told.append(_import(random, acts[min(number, len(acts) - 1)].program, known))
        told.append(act)
        known = list(dict.fromkeys(known + list(act.urns().values())))
    return told


def _import(random: Random, program: dict, known: list[str]) -> Act:
    flags = ["--generate-code=false", *["--protect=false"] * (random.random() < .6),
             *["--preview-only"] * (random.random() < .1), *["--parallel", "1"] * (random.random() < .2)]
    names = sorted({e["name"] for e in program["resources"]} | {urn.rsplit("::", 1)[1] for urn in known})
    if random.random() < .2:
        return Act("import", program, [random.choice(TYPES), random.choice([*names, "new"]), _id(random, names), *flags,
                                       *_arguments(random, known)])
    table = {f"n{i}": urn for i, urn in enumerate(random.sample(known, min(len(known), random.randint(0, 3))))}
    rows: list[dict] = []
    for _ in range(random.randint(1, 4)):
        rows.append(_row(random, program, names, rows, table))
    if random.random() < .2:
        random.shuffle(rows)
    return Act("import", program, ["--file", "import.json", *flags],
               files={"import.json": {"nameTable": table, "resources": rows}})


def _row(random: Random, program: dict, names: list[str], rows: list[dict], table: dict[str, str]) -> dict:
    """A resource of an import file; some are those of the program."""
    kind = random.choices(["thing", "component", "provider"], [7, 2, 1])[0]
    type = {"thing": random.choice(TYPES), "component": BOX, "provider": PROVIDER}[kind]
    row = {"type": type, "name": random.choice([*names, f"new{len(rows)}", f"new{len(rows)}"])}
    same = [e for e in program["resources"] if e["kind"] == kind]
    if same and random.random() < .5:
        entry = random.choice(same)
        row |= {"type": entry["type"], "name": entry["name"]}
    if kind == "thing":
        row["id"] = _id(random, names)
    elif kind == "component":
        row["component"] = True
    elif random.random() < .7:
        row["inputs"] = {"region": "one"}
    parents = [r["name"] for r in rows if r["type"] != PROVIDER] + [n for n, urn in table.items() if PROVIDER not in urn]
    providers = [r["name"] for r in rows if r["type"] == PROVIDER] + [n for n, urn in table.items() if PROVIDER in urn]
    options = {"parent": (parents, .4), "provider": (providers, .6 if kind == "thing" else 0),
               "version": (["1.0.0"], .1 if kind == "thing" else 0), "logicalName": (["logical"], .1),
               "properties": ([["value"], ["value", "key"]], .15 if kind == "thing" else 0)}
    return row | {key: random.choice(among) for key, (among, p) in options.items() if among and random.random() < p}


def _id(random: Random, names: list[str]) -> str:
    return random.choice(["found-1", "found-1", "found-2", "found-2", *[f"{random.choice([*names, 'x'])}-1"]])


def _arguments(random: Random, known: list[str]) -> list[str]:
    """The parent and the provider of a single import."""
    parents, providers = [u for u in known if PROVIDER not in u], [u for u in known if PROVIDER in u]
    words = ["--parent", "its=" + random.choice(parents)] if parents and random.random() < .4 else []
    return words + (["--provider", "by=" + random.choice(providers)] if providers and random.random() < .7 else [])


_MOMENTS = [f"{when}_{what}" for what in ("create", "update", "delete") for when in ("before", "after")]


def hooks(random: Random, acts: list[Act]) -> list[Act]:
    """Resources have hooks, some of which fail; error hooks have what fails tried again."""
    declared: dict[str, dict] = {f"h{n}": {"fails": random.random() < .2, "on_dry_run": random.random() < .4,
                                           "ignore_errors": random.random() < .3} for n in range(random.randint(1, 4))}
    declared |= {f"e{n}": {"retries": random.randint(0, 2)} for n in range(random.randint(0, 2))}
    bound: dict[str, dict] = {}
    told = []
    for act in acts:
        program = copy.deepcopy(act.program)
        program["hooks"] = declared
        for entry in program["resources"]:
            if entry["label"] not in bound or random.random() < .1:
                bound[entry["label"]] = _bindings(random, list(declared)) if random.random() < .6 else {}
            if bound[entry["label"]]:
                entry["opts"]["hooks"] = bound[entry["label"]]
        args = act.args
        if act.verb in ("destroy", "refresh") and "--run-program" not in args and random.random() < .7:
            args = [*args, "--run-program"]
        told.append(replace(act, program=program, args=args))
    return told


def _bindings(random: Random, names: list[str]) -> dict[str, list[str]]:
    ordinary, of_errors = [n for n in names if n[0] == "h"], [n for n in names if n[0] == "e"]
    bound = {moment: random.sample(ordinary, random.randint(1, min(2, len(ordinary))))
             for moment in _MOMENTS if random.random() < .35}
    return bound | ({"on_error": [random.choice(of_errors)]} if of_errors and random.random() < .7 else {})


def transforms(random: Random, acts: list[Act]) -> list[Act]:
    """Transforms of the whole stack and of components; now and then other ones."""
    of_stack, of_label, told = [], {}, []
    for act in acts:
        program = copy.deepcopy(act.program)
        if not told or random.random() < .3:
            of_stack = [_transform(random) for _ in range(random.randint(0, 2))]
        program["transforms"] = of_stack
        for entry in program["resources"]:
            label = entry["label"]
            if label not in of_label or random.random() < .1:
                p = .7 if entry["kind"] == "component" else .15
                of_label[label] = [_transform(random) for _ in range(random.randint(1, 2))] if random.random() < p else []
            if of_label[label]:
                entry["opts"]["transforms"] = of_label[label]
        told.append(replace(act, program=program))
    return told


def _transform(random: Random) -> dict:
    word = random.choice(["five", "six"])
    options = {"protect": random.random() < .5, "retain_on_delete": random.random() < .5,
               "delete_before_replace": True, "ignore_changes": [random.choice(["value", "key", "more"])],
               "replace_on_changes": [random.choice(["value", "more"])], "custom_timeouts": {"update": "7m"},
               "additional_secret_outputs": ["stamp"], "replacement_trigger": word, "hide_diffs": ["more"]}
    return {"type": random.choice([None, *TYPES, BOX]), "fails": random.random() < .03, "box": random.random() < .4,
            "adds": {random.choice(["more", "owner", "key"]): word} if random.random() < .6 else {},
            "opts": {k: v for k, v in options.items() if random.random() < .12}}


def remotes(random: Random, acts: list[Act]) -> list[Act]:
    """Some components, and some things, are remote ones."""
    labels = sorted({e["label"] for act in acts for e in act.program["resources"] if e["kind"] in ("thing", "component")})
    chosen = {label for label in labels if random.random() < .4}
    programs = [_with_groups(act.program, chosen) for act in acts]
    renamed = {was: urn(program, label) for act, program in zip(acts, programs, strict=True) for label, was in act.urns().items()}
    inner = {now: f"{now.rpartition('::')[0]}$things:index:Thing::{now.rpartition('::')[2]}-{random.choice('01')}"
             for now in renamed.values() if GROUP in now}
    told = []
    for act, program in zip(acts, programs, strict=True):
        args = [renamed.get(word, word) for word in act.args]
        args = [inner[word] if word in inner and random.random() < .3 else word for word in args]
        groups = [e["name"] for e in program["resources"] if e["type"] == GROUP]
        fault = act.fault
        if fault and groups and random.random() < .5:
            name = random.choice(groups)
            fault = replace(fault, name=f"{name}-0") if random.random() < .6 else Fault("construct", name)
        told.append(replace(act, program=program, args=args, fault=fault))
    return told


def _with_groups(program: dict, labels: set[str]) -> dict:
    before, program = program, copy.deepcopy(program)
    chosen = [e for e in program["resources"] if e["label"] in labels and e["kind"] in ("thing", "component")]
    for entry in chosen:
        entry.update(kind="remote", type=GROUP, inputs={"value": entry["inputs"].get("value") or entry["inputs"].get("out")
                                                        or "one"})
        entry["opts"] = {k: v for k, v in entry["opts"].items() if k in _OF_GROUPS}
    for entry in program["resources"]:
        entry["opts"]["aliases"] = [a for a in entry["opts"].get("aliases", []) if not isinstance(a, str)]
        for key in ("replace_with",):
            entry["opts"][key] = [label for label in entry["opts"].get(key, []) if label not in labels]
        entry["opts"] = {k: v for k, v in entry["opts"].items() if v != []}
    told = {e["label"] for e in chosen}
    for place in [e["inputs"] for e in program["resources"]] + [e["opts"] for e in program["resources"]] + [
            program["exports"]]:
        for key, value in place.items():
            if isinstance(value, dict) and value.get("$ref") in told and value["prop"] == "id":
                place[key] = {**value, "prop": "stamp"}
    return repair(program) if before["resources"] else program


def texts(random: Random, acts: list[Act]) -> list[Act]:
    """Serial programs, one step at a time: what is printed, and every event, can be compared."""
    told = []
    for act in acts:
        args = [word for i, word in enumerate(act.args) if word != "--parallel" and act.args[i - 1:i] != ["--parallel"]]
        text = random.choice(["events", "--json"])
        told.append(replace(act, program={**act.program, "serial": True}, args=[*args, "--parallel", "1"], texts=text)
                    if act.verb != "state" else act)
    return told


_ADVISORY, _MANDATORY, _DISABLED, _REMEDIATE = range(4)  # as the protocol numbers them


def policies(random: Random, acts: list[Act]) -> list[Act]:
    """Previews and updates are judged by a policy pack, whose rules differ from act to act."""
    return [replace(act, rules=[_rule(random, number) for number in range(random.randint(0, 4))])
            if act.verb in ("up", "preview") and random.random() < .85 else act for act in acts]


def _rule(random: Random, number: int) -> dict:
    kind = random.choice(["resource", "resource", "stack", "remediation"])
    levels = [_REMEDIATE, _REMEDIATE, _DISABLED, _ADVISORY] if kind == "remediation" else \
        [_ADVISORY, _ADVISORY, _MANDATORY, _DISABLED]
    return {"name": f"rule-{number}", "kind": kind, "level": random.choice(levels),
            "word": random.choice(["one", "two", "three", "four"])}


TAMPERS = ["turn around", "drop", "last", "twice", "dangling", "orphan"]


def edits(random: Random, acts: list[Act]) -> list[Act]:
    """After the first act, as many edits of the state as operations: all that `state` and `stack import` can do."""
    told, known = [], []
    for act in acts:
        told.append(act)
        known = list(dict.fromkeys(known + list(act.urns().values())))
        for _ in range(random.choice([0, 1, 1, 2])):
            told.append(_edit(random, act.program, [*known, "urn:pulumi:dev::random::pulumi:pulumi:Stack::random-dev"]))
    return told


def _edit(random: Random, program: dict, known: list[str]) -> Act:
    def some() -> list[str]:
        return random.sample(known, min(len(known), random.choice([1, 1, 1, 2])))

    def maybe(*flags: str) -> list[str]:
        return [flag for flag in flags if random.random() < .4]

    tampered = (random.choice(TAMPERS), random.choice(known)) if random.random() < .3 else None
    match random.choice(["delete", "delete", "protect", "unprotect", "taint", "untaint", "rename", "rename", "move", "move",
                         "repair", "import", "import"]):
        case "delete":
            which = ["--all"] if random.random() < .05 else some()
            return Act("state", program, ["delete", *which, *maybe("--force", "--target-dependents")], tamper=tampered)
        case "rename":
            return Act("state", program, ["rename", random.choice(known), random.choice(["b", "c", "renamed"])])
        case "move":
            return Act("state", program, ["move", "--source", "dev", "--dest", "other", *some(),
                                          *maybe("--include-parents")])
        case "repair":
            return Act("state", program, ["repair"], tamper=(random.choice(TAMPERS), random.choice(known)))
        case "import":
            return Act("stack", program, ["import", *maybe("--force")], tamper=tampered)
        case verb:
            which = ["--all"] if random.random() < .1 and verb != "taint" else some()
            return Act("state", program, [verb, *which], tamper=tampered if random.random() < .3 else None)


def mixed(random: Random, acts: list[Act]) -> list[Act]:
    """Two or three kinds at once."""
    for kind in random.sample([plans, hooks, transforms, remotes, policies, unknowns, interrupted], random.randint(2, 3)):
        acts = kind(random, acts)
    return acts


KINDS: dict[str, Callable[[Random, list[Act]], list[Act]]] = {kind.__name__: kind for kind in (
    plain, plans, imports, hooks, transforms, remotes, policies, edits, texts, unknowns, interrupted, side_by_side, mixed)}


def story_of(kind: str, seed: int) -> list[Act]:
    return KINDS[kind](Random(f"{kind} {seed}"), story(seed))
