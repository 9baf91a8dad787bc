# SPDX-License-Identifier: Apache-2.0
"""Declares what program.json describes, so that tests can make up programs (tests/py/harness/random_program.py).

`{"serial": true, "fails": false, "resources": [..], "exports": {NAME: VALUE}}`; a resource is

    {"label", "name", "kind": "thing" | "component" | "provider" | "remote", "type", "inputs": {KEY: VALUE}, "opts": {..}}

and a VALUE is plain, `{"$ref": LABEL, "prop": "stamp" | "value" | "id" | "urn"}` or `{"$secret": VALUE}`. Options are
those of pulumi.ResourceOptions, resources named by their labels. A serial program awaits each resource before the next.

`"hooks": {NAME: {"fails", "on_dry_run", "ignore_errors"} | {"retries": COUNT}}` declares resource hooks and error hooks,
which options name: `{"hooks": {"before_create": [NAME]}}`. Each call is a line of hooks.log. `"transforms"`, of the program
or an option, is a list of `{"type": TYPE or null, "adds": {KEY: VALUE}, "box": bool, "opts": {..}, "fails": bool}`.
"""

import json
from collections import Counter
from typing import Any

import pulumi

SPEC = json.loads(open("program.json", encoding="utf-8").read())
made: dict[str, pulumi.Resource] = {}


class Thing(pulumi.CustomResource):
    stamp: pulumi.Output[str]
    value: pulumi.Output[Any]


class Box(pulumi.ComponentResource):
    pass


class Group(pulumi.ComponentResource):
    """A remote component: the provider makes what is in it."""

    stamp: pulumi.Output[Any]
    value: pulumi.Output[Any]

    def __init__(self, type_: str, name: str, inputs: dict, opts: pulumi.ResourceOptions):
        super().__init__(type_, name, {"value": None, **inputs, "stamp": None}, opts, remote=True)


def resolve(value):
    if isinstance(value, list):
        return [resolve(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return getattr(made[value["$ref"]], value["prop"])
    if "$secret" in value:
        return pulumi.Output.secret(resolve(value["$secret"]))
    return {k: resolve(v) for k, v in value.items()}


def alias(spec):
    if isinstance(spec, str):
        return spec
    words = {}
    for key, word in (("name", "name"), ("type", "type_")):
        if key in spec:
            words[word] = spec[key]
    if "parent" in spec:
        words["parent"] = made[spec["parent"]] if spec["parent"] else pulumi.ROOT_STACK_RESOURCE
    return pulumi.Alias(**words)


def options(spec: dict) -> pulumi.ResourceOptions:
    words: dict[str, Any] = {}
    for key, value in spec.items():
        if key in ("parent", "provider", "deleted_with"):
            words[key] = made[value]
        elif key in ("depends_on", "providers", "replace_with"):
            words[key] = [made[label] for label in value]
        elif key == "aliases":
            words[key] = [alias(a) for a in value]
        elif key == "custom_timeouts":
            words[key] = pulumi.CustomTimeouts(**value)
        elif key == "replacement_trigger":
            words[key] = resolve(value)
        elif key == "hooks":
            words[key] = pulumi.ResourceHookBinding(**{when: [hooks[name] for name in names]
                                                       for when, names in value.items()})
        elif key == "transforms":
            words[key] = [transform(t) for t in value]
        else:
            words[key] = value
    return pulumi.ResourceOptions(**words)


def note(name: str, args) -> None:
    words = {k: v for k, v in vars(args).items() if v not in (None, "", [])}
    with open("hooks.log", "a", encoding="utf-8") as log:
        log.write(json.dumps({"hook": name, **words}, sort_keys=True, default=lambda v: type(v).__name__) + "\n")


def hook(name: str, spec: dict):
    """Makes a hook that logs its calls, and fails or has the step retried as `spec` says."""
    if "retries" in spec:
        tries: Counter[str] = Counter()

        def on_error(args):
            note(name, args)
            tries[args.urn] += 1
            return tries[args.urn] <= spec["retries"]
        return pulumi.ErrorHook(name, on_error)

    def run(args):
        note(name, args)
        if spec.get("fails"):
            raise Exception(f"hook {name} was told to fail")
    return pulumi.ResourceHook(name, run, pulumi.ResourceHookOptions(spec.get("on_dry_run", False),
                                                                     spec.get("ignore_errors", False)))


def transform(spec: dict):
    def apply(args: pulumi.ResourceTransformArgs):
        if spec["type"] not in (None, args.type_):
            return None
        if spec["fails"]:
            raise Exception("this transform was told to fail")
        props = {**args.props, **spec["adds"]} if args.custom else args.props
        if spec["box"] and isinstance(props.get("value"), str):
            props = {**props, "value": "boxed " + props["value"]}
        return pulumi.ResourceTransformResult(props, pulumi.ResourceOptions.merge(args.opts, options(spec["opts"])))
    return apply


hooks: dict[str, Any] = {}


def declare(entry: dict) -> pulumi.Resource:
    opts, inputs = options(entry["opts"]), {k: resolve(v) for k, v in entry["inputs"].items()}
    if entry["kind"] == "provider":
        return pulumi.ProviderResource("things", entry["name"], inputs, opts)
    if entry["kind"] == "component":
        box = Box(entry["type"], entry["name"], None, opts)
        box.register_outputs(inputs)
        return box
    if entry["kind"] == "remote":
        return Group(entry["type"], entry["name"], inputs, opts)
    return Thing(entry["type"], entry["name"], {"value": None, **inputs, "stamp": None}, opts)


async def main():
    hooks.update({name: hook(name, spec) for name, spec in SPEC.get("hooks", {}).items()})
    for spec in SPEC.get("transforms", []):
        pulumi.runtime.register_resource_transform(transform(spec))
    for entry in SPEC["resources"]:
        made[entry["label"]] = resource = declare(entry)
        if SPEC["serial"]:
            try:
                await resource.urn.future()
            except Exception:  # noqa: BLE001 - of whatever kind
                return None  # the run is over, and says so itself
    if SPEC["fails"]:
        raise Exception("this program was told to fail")
    return {name: resolve(value) for name, value in SPEC["exports"].items()}


pulumi.run(main)
