"""Declares what program.json describes, so that tests can make up programs (tests/py/harness/random_program.py).

`{"serial": true, "fails": false, "resources": [..], "exports": {NAME: VALUE}}`; a resource is

    {"label", "name", "kind": "thing" | "component" | "provider", "type", "inputs": {KEY: VALUE}, "opts": {..}}

and a VALUE is plain, `{"$ref": LABEL, "prop": "stamp" | "value" | "id" | "urn"}` or `{"$secret": VALUE}`. Options are
those of pulumi.ResourceOptions, resources named by their labels. A serial program awaits each resource before the next.
"""

import json
from typing import Any

import pulumi
from pulumi.runtime.stack import ResourceRegistrationFailed

SPEC = json.loads(open("program.json", encoding="utf-8").read())
made: dict[str, pulumi.Resource] = {}


class Thing(pulumi.CustomResource):
    stamp: pulumi.Output[str]
    value: pulumi.Output[Any]


class Box(pulumi.ComponentResource):
    pass


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
        else:
            words[key] = value
    return pulumi.ResourceOptions(**words)


def declare(entry: dict) -> pulumi.Resource:
    opts, inputs = options(entry["opts"]), {k: resolve(v) for k, v in entry["inputs"].items()}
    if entry["kind"] == "provider":
        return pulumi.ProviderResource("things", entry["name"], inputs, opts)
    if entry["kind"] == "component":
        box = Box(entry["type"], entry["name"], None, opts)
        box.register_outputs(inputs)
        return box
    return Thing(entry["type"], entry["name"], {"value": None, **inputs, "stamp": None}, opts)


async def main():
    for entry in SPEC["resources"]:
        made[entry["label"]] = resource = declare(entry)
        if SPEC["serial"]:
            try:
                await resource.urn.future()
            except ResourceRegistrationFailed:
                pass  # reported; with --continue-on-error others go on
            except Exception:
                return None  # the run is over, and says so itself
    if SPEC["fails"]:
        raise Exception("this program was told to fail")
    return {name: resolve(value) for name, value in SPEC["exports"].items()}


pulumi.run(main)
