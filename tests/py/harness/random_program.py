# SPDX-License-Identifier: Apache-2.0
"""Makes up small programs (tests/programs/random) and changes them: a seed gives the same ones everywhere.

A program is the dictionary that the generic program reads. All functions keep it sound: labels are unique, so are pairs of
type and name under one parent, and a resource refers only to earlier ones.
"""

from __future__ import annotations

import copy
from random import Random

TYPES = ["things:index:Thing"] * 4 + ["things:index:Plain"] * 2 + ["things:index:Silent"]
BOX = "boxes:index:Box"
GROUP = "things:index:Group"
PROVIDER = "pulumi:providers:things"
RESOURCES_MAX = 8
PREFIX = "urn:pulumi:dev::random::"

# Options that name other resources, and whether they hold a list.
_REFERENCES = {"parent": False, "provider": False, "deleted_with": False, "depends_on": True, "providers": True,
               "replace_with": True}


def labelled(program: dict) -> dict[str, dict]:
    return {e["label"]: e for e in program["resources"]}


def kinds(program: dict, kind: str) -> list[str]:
    return [e["label"] for e in program["resources"] if e["kind"] == kind]


def urn(program: dict, label: str) -> str:
    """The URN that the engine gives the resource."""
    return f"{PREFIX}{_qualified_type(program, label)}::{labelled(program)[label]['name']}"


def _qualified_type(program: dict, label: str) -> str:
    entry = labelled(program)[label]
    parent = entry["opts"].get("parent")
    return f"{_qualified_type(program, parent)}${entry['type']}" if parent else entry["type"]


def urns(program: dict) -> list[str]:
    return [urn(program, e["label"]) for e in program["resources"]]


def repair(program: dict) -> dict:
    """The program without what refers to resources that are not there, or come later."""
    program, before = copy.deepcopy(program), set()
    for entry in program["resources"]:
        opts = entry["opts"]
        for key, is_list in _REFERENCES.items():
            if key not in opts:
                continue
            if is_list:
                opts[key] = [label for label in opts[key] if label in before]
            if not opts[key] or not is_list and opts[key] not in before:
                del opts[key]
        if "aliases" in opts:
            opts["aliases"] = [a for a in opts["aliases"]
                               if isinstance(a, str) or not a.get("parent") or a["parent"] in before]
        entry["inputs"] = {k: _without(v, before) for k, v in entry["inputs"].items()}
        if "replacement_trigger" in opts:
            opts["replacement_trigger"] = _without(opts["replacement_trigger"], before)
        before.add(entry["label"])
    program["exports"] = {k: _without(v, before) for k, v in program["exports"].items()}
    seen = set()
    for entry in program["resources"]:
        while urn(program, entry["label"]) in seen:
            entry["name"] += "x"
        seen.add(urn(program, entry["label"]))
    return program


def _without(value, labels: set[str]):
    if isinstance(value, list):
        return [_without(v, labels) for v in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return value if value["$ref"] in labels else "gone"
    return {k: _without(v, labels) for k, v in value.items()}


class Maker:
    """Makes programs with one source of random numbers."""

    def __init__(self, random: Random):
        self.random = random
        self._labels = 0

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def program(self) -> dict:
        program = {"serial": self.chance(0.85), "fails": False, "resources": [], "exports": {}}
        for _ in range(self.random.randint(2, RESOURCES_MAX)):
            self._add(program)
        return repair(program)

    def changed(self, program: dict) -> dict:
        """The program after one to four changes."""
        program = copy.deepcopy(program)
        program["fails"] = self.chance(0.03)
        changes = [(self._revalue, 6), (self._rekey, 3), (self._drop, 3), (self._add, 3), (self._rename, 2),
                   (self._move, 2), (self._reprovide, 1), (self._retype, 1), (self._reoption, 5), (self._to_get, 1),
                   (self._reorder, 1), (self._reconfigure, 1), (self._export, 1)]
        for change in self.random.choices([c for c, _ in changes], [w for _, w in changes],
                                          k=self.random.randint(1, 4)):
            change(program)
        return repair(program)

    # Values and options.

    def _value(self, before: list[dict]):
        things = [e["label"] for e in before if e["kind"] == "thing"]
        kind = self.random.random()
        if things and kind < 0.4:
            return {"$ref": self.random.choice(things), "prop": self.random.choice(["stamp", "stamp", "value", "id"])}
        if kind < 0.5:
            return {"$secret": self._word()}
        if kind < 0.6:
            return {"deep": {"x": self._word(), "y": self._word()}, "list": [self._word(), self._word()]}
        return self._word()

    def _word(self) -> str:
        return self.random.choice(["one", "two", "three", "four"])

    def _option(self, key: str, before: list[dict]):
        """A value for an option, or None where there is none."""
        labels = [e["label"] for e in before]
        custom = [e["label"] for e in before if e["kind"] == "thing"]
        boxes = [e["label"] for e in before if e["kind"] == "component"]
        providers = [e["label"] for e in before if e["kind"] == "provider"]

        def one(among: list[str]) -> str | None:
            return self.random.choice(among) if among else None

        def some(among: list[str]) -> list[str] | None:
            return sorted(self.random.sample(among, self.random.randint(1, min(2, len(among))))) if among else None

        match key:
            case "parent": return one(boxes * 4 + custom)
            case "provider": return one(providers)
            case "providers": return some(providers)
            case "depends_on": return some(labels)
            case "deleted_with": return one(custom + boxes)
            case "replace_with": return some(custom)
            case "protect" | "retain_on_delete" | "delete_before_replace": return self.chance(0.8)
            case "ignore_changes": return [self.random.choice(["value", "key", "value.deep.x", "value.list[0]", "more", "*"])]
            case "replace_on_changes": return [self.random.choice(["value", "more", "value.deep", "value.list[*]", "*"])]
            case "additional_secret_outputs": return [self.random.choice(["stamp", "value"])]
            case "custom_timeouts": return {self.random.choice(["create", "update", "delete"]): "5m"}
            case "replacement_trigger": return self._word()
            case "import_": return self.random.choice(["found-1", "found-2"])
            case "hide_diffs": return ["value"]
        raise AssertionError(key)

    _OPTIONS = {"parent": .3, "provider": .25, "depends_on": .25, "deleted_with": .08, "replace_with": .08,
                "protect": .08, "retain_on_delete": .08, "delete_before_replace": .12, "ignore_changes": .1,
                "replace_on_changes": .12, "additional_secret_outputs": .1, "custom_timeouts": .05,
                "replacement_trigger": .08, "import_": .03, "hide_diffs": .03}
    _OF_COMPONENTS = {"parent", "depends_on", "providers", "protect", "deleted_with", "retain_on_delete"}
    _OF_PROVIDERS = {"parent", "depends_on", "protect", "delete_before_replace", "replace_on_changes", "ignore_changes"}

    def _options_of(self, entry: dict) -> dict[str, float]:
        if entry["kind"] == "component":
            return {k: self._OPTIONS.get(k, .3) for k in sorted(self._OF_COMPONENTS)}
        if entry["kind"] == "provider":
            return {k: self._OPTIONS[k] for k in sorted(self._OF_PROVIDERS)}
        return self._OPTIONS

    # Changes.

    def _pick(self, program: dict, *of: str) -> tuple[dict, list[dict]] | None:
        """A resource of these kinds and all before it."""
        found = [i for i, e in enumerate(program["resources"]) if e["kind"] in (of or ("thing",))]
        if not found:
            return None
        i = self.random.choice(found)
        return program["resources"][i], program["resources"][:i]

    def _add(self, program: dict) -> None:
        if len(program["resources"]) >= RESOURCES_MAX:
            return
        before = list(program["resources"])
        kind = self.random.choices(["thing", "component", "provider"], [7, 2, 1])[0]
        label = "abcdefghijklmnopqrstuvwxyz"[self._labels % 26] + (str(self._labels // 26) if self._labels > 25 else "")
        self._labels += 1
        type = {"thing": self.random.choice(TYPES), "component": BOX, "provider": PROVIDER}[kind]
        entry = {"label": label, "name": label, "kind": kind, "type": type, "inputs": {}, "opts": {}}
        if kind == "thing":
            entry["inputs"]["value"] = self._value(before)
            for key, p in (("key", .3), ("more", .3)):
                if self.chance(p):
                    entry["inputs"][key] = self._value(before)
            if self.chance(.1):
                entry["inputs"]["deleteFirst"] = True
        elif kind == "provider":
            entry["inputs"] = {"region": self._word(), "zone": self._word()}
        else:
            entry["inputs"] = {"out": self._value(before)} if self.chance(.5) else {}
        for key, p in self._options_of(entry).items():
            if self.chance(p) and (value := self._option(key, before)) is not None:
                entry["opts"][key] = value
        if kind == "thing" and self.chance(.06):
            entry["opts"]["id"] = self.random.choice(["found-1", "found-2"])
        program["resources"].append(entry)

    def _revalue(self, program: dict) -> None:
        if found := self._pick(program):
            entry, before = found
            entry["inputs"][self.random.choice(["value", "value", "more"])] = self._value(before)

    def _rekey(self, program: dict) -> None:
        if found := self._pick(program):
            entry, before = found
            entry["inputs"]["key"] = self._value(before)

    def _drop(self, program: dict) -> None:
        if len(program["resources"]) > 1:
            program["resources"].pop(self.random.randrange(len(program["resources"])))
            program.update(repair(program))

    def _alias(self, entry: dict, was: str, spec: dict) -> None:
        """Mostly, an alias for what was; by URN or by what changed."""
        if self.chance(.8):
            entry["opts"].setdefault("aliases", []).append(was if self.chance(.3) else spec)
            entry["opts"]["aliases"] = entry["opts"]["aliases"][-2:]

    def _rename(self, program: dict) -> None:
        if found := self._pick(program, "thing", "thing", "component", "provider"):
            entry, was = found[0], urn(program, found[0]["label"])
            old, entry["name"] = entry["name"], entry["name"] + self.random.choice("23")
            self._alias(entry, was, {"name": old})

    def _move(self, program: dict) -> None:
        if found := self._pick(program, "thing", "component"):
            entry, before = found
            was, old = urn(program, entry["label"]), entry["opts"].pop("parent", None)
            new = self._option("parent", before) if self.chance(.7) else None
            if new:
                entry["opts"]["parent"] = new
            if new != old:
                self._alias(entry, was, {"parent": old})

    def _reprovide(self, program: dict) -> None:
        if found := self._pick(program):
            entry, before = found
            old = entry["opts"].pop("provider", None)
            new = self._option("provider", before)
            if new and new != old:
                entry["opts"]["provider"] = new

    def _retype(self, program: dict) -> None:
        if found := self._pick(program):
            entry, was = found[0], urn(program, found[0]["label"])
            old, entry["type"] = entry["type"], self.random.choice(TYPES)
            if old != entry["type"]:
                self._alias(entry, was, {"type": old})

    def _reoption(self, program: dict) -> None:
        if found := self._pick(program, "thing", "component", "provider"):
            entry, before = found
            key = self.random.choice(sorted(set(self._options_of(entry)) - {"parent", "import_"}))
            if entry["opts"].pop(key, None) is None or self.chance(.5):
                if (value := self._option(key, before)) is not None:
                    entry["opts"][key] = value

    def _to_get(self, program: dict) -> None:
        """A resource becomes one that is read, or one that is read becomes managed."""
        if found := self._pick(program):
            entry = found[0]
            if entry["opts"].pop("id", None) is None:
                entry["opts"]["id"] = self.random.choice(["found-1", "found-2", f"{entry['name']}-1"])

    def _reorder(self, program: dict) -> None:
        if len(program["resources"]) > 1:
            i = self.random.randrange(len(program["resources"]) - 1)
            rows = program["resources"]
            rows[i], rows[i + 1] = rows[i + 1], rows[i]

    def _reconfigure(self, program: dict) -> None:
        if found := self._pick(program, "provider"):
            found[0]["inputs"][self.random.choice(["region", "zone"])] = self._word()

    def _export(self, program: dict) -> None:
        program["exports"][self.random.choice("xy")] = self._value(program["resources"])
