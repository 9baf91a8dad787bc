# SPDX-License-Identifier: Apache-2.0
"""Small SDKs of the package `shapes`, made of its schema for a test: typed as generated ones are, on the core SDKs as they
are. They refuse what the schema does not know, so that code with a wrong name does not run."""

from __future__ import annotations

import json
from pathlib import Path

from . import shapes

PYTHON = '''
import json
import keyword
import re
from pathlib import Path
from types import SimpleNamespace

import pulumi

SCHEMA = json.loads((Path(__file__).parent / "schema.json").read_text(encoding="utf-8"))


def spelled(name):
    snake = re.sub(r"([A-Z]+s?)(?=[A-Z][a-z]|$|_)|([a-z0-9])(?=[A-Z])", lambda m: (m[1] or m[2]) + "_", name).strip("_").lower()
    snake = re.sub("_+", "_", snake)
    return snake + "_" if keyword.iskeyword(snake) or snake in ("print", "exec") else snake


def parameter(name):
    return spelled(name) + "_" if spelled(name) in ("opts", "resource_name") else spelled(name)


def translated(value, spec):
    """A value as the wire has it: the keys of typed objects as in the schema."""
    if "oneOf" in spec:
        typed = [s for s in spec["oneOf"] if isinstance(value, dict) and suits(value, s)]
        return translated(value, typed[0]) if typed else value
    if "$ref" in spec and spec["$ref"].startswith("#/types/"):
        spec = SCHEMA["types"][spec["$ref"][8:]]
    if isinstance(value, list) and "items" in spec:
        return [translated(v, spec["items"]) for v in value]
    if isinstance(value, dict) and "additionalProperties" in spec:
        return {k: translated(v, spec["additionalProperties"]) for k, v in value.items()}
    if isinstance(value, dict) and "properties" in spec:
        names = {spelled(k): k for k in spec["properties"]}
        return {names[k]: translated(v, spec["properties"][names[k]]) for k, v in value.items()}
    return value


def suits(value, spec):
    spec = SCHEMA["types"][spec["$ref"][8:]]
    return all("const" not in s or value.get(spelled(k)) == s["const"] for k, s in spec["properties"].items())


def make(token, spec, base=pulumi.CustomResource):
    names = {parameter(k): k for k in spec["inputProperties"]}

    def __init__(self, resource_name, opts=None, **inputs):
        props = {k: None for k in spec.get("properties", {})}
        for key, value in inputs.items():
            name = names[key]
            props[name] = translated(value, spec["inputProperties"][name])
            if base is pulumi.ProviderResource and not isinstance(value, str):
                props[name] = pulumi.Output.from_input(value).apply(lambda v: v if isinstance(v, str) else json.dumps(v, separators=(",", ":")))
            if spec["inputProperties"][name].get("secret"):
                props[name] = pulumi.Output.secret(props[name])
        base.__init__(self, token, resource_name, props, opts)

    members = {"__init__": __init__}
    members |= {spelled(k): property(lambda self, k=k: self.__dict__[k]) for k in spec.get("properties", {}) if spelled(k) != k}
    return type(token.rpartition(":")[2], (base,), members)


for token, spec in SCHEMA["resources"].items():
    module, name = token.split(":")[1].split("/")[0], token.split(":")[2]
    place = globals() if module == "index" else globals().setdefault(module, SimpleNamespace()).__dict__
    place[name[0].upper() + name[1:]] = make(token, spec)
Provider = make("shapes", SCHEMA["provider"], pulumi.ProviderResource)
'''

NODE = '''
const fs = require("fs");
const path = require("path");
const pulumi = require("@pulumi/pulumi");
const schema = JSON.parse(fs.readFileSync(path.join(__dirname, "schema.json"), "utf8"));

function make(token, spec, base) {
    const isProvider = base === pulumi.ProviderResource;
    return class extends base {
        constructor(name, args, opts) {
            const props = {};
            for (const key of Object.keys(spec.properties || {})) props[key] = undefined;
            for (const key of Object.keys(args || {})) {
                const input = spec.inputProperties[key];
                if (!input) throw new Error(token + " has no input " + key);
                let value = args[key];
                if (isProvider) value = pulumi.output(value).apply(v => typeof v === "string" ? v : JSON.stringify(v));
                props[key] = input.secret ? pulumi.secret(value) : value;
            }
            super(token, name, props, opts);
        }
    };
}

for (const [token, spec] of Object.entries(schema.resources)) {
    const [, folder, name] = token.split(":");
    const module = folder.split("/")[0];
    const place = module === "index" ? exports : (exports[module] = exports[module] || {});
    place[name[0].toUpperCase() + name.slice(1)] = make(token, spec, pulumi.CustomResource);
}
exports.Provider = make("shapes", schema.provider, pulumi.ProviderResource);
'''


def python_sdk(project: Path) -> None:
    folder = project / "pulumi_shapes"
    folder.mkdir()
    (folder / "schema.json").write_text(json.dumps(shapes.schema()))
    (folder / "__init__.py").write_text(PYTHON)


def node_sdk(project: Path, core: Path) -> None:
    """node_modules of the project: the core SDK's own, and the package beside it, with its types."""
    modules = project / "node_modules"
    (modules / "@pulumi" / "shapes").mkdir(parents=True)
    for entry in core.iterdir():
        if entry.name != "@pulumi":
            (modules / entry.name).symlink_to(entry)
    (modules / "@pulumi" / "pulumi").symlink_to(core / "@pulumi" / "pulumi")
    folder = modules / "@pulumi" / "shapes"
    (folder / "package.json").write_text('{"name": "@pulumi/shapes", "version": "1.0.0", "main": "index.js"}')
    (folder / "schema.json").write_text(json.dumps(shapes.schema()))
    (folder / "index.js").write_text(NODE)
    (folder / "index.d.ts").write_text(declarations(shapes.schema()))


def declarations(schema: dict) -> str:
    lines = ['import * as pulumi from "@pulumi/pulumi";']
    for token, spec in schema["types"].items():
        name = token.rsplit(":", 1)[1]
        if "enum" in spec:
            choices = " | ".join(json.dumps(e["value"]) for e in spec["enum"])
            lines.append(f"export type {name}Args = {choices};")
        else:
            lines.append(f"export interface {name}Args {{ {fields(spec['properties'], spec.get('required', []))} }}")
    for token, spec in schema["resources"].items():
        module, name = token.split(":")[1].split("/")[0], token.rsplit(":", 1)[1]
        body = declaration(name, spec, "pulumi.CustomResource")
        lines.append(body if module == "index" else f"export namespace {module} {{ {body} }}")
    lines.append(declaration("Provider", schema["provider"], "pulumi.ProviderResource"))
    return "\n".join(lines) + "\n"


def declaration(name: str, spec: dict, base: str) -> str:
    outputs = " ".join(f"readonly {json.dumps(k)}: pulumi.Output<any>;" for k in spec.get("properties", {}))
    return (f"export class {name} extends {base} {{ constructor(name: string, args?: {{ "
            f"{fields(spec['inputProperties'], [])} }}, opts?: pulumi.CustomResourceOptions); {outputs} }}")


def fields(properties: dict, required: list[str]) -> str:
    return " ".join(f"{json.dumps(k)}{'' if k in required else '?'}: pulumi.Input<{typed(v)}>;" for k, v in properties.items())


def typed(spec: dict) -> str:
    if "const" in spec:
        return json.dumps(spec["const"])
    if "oneOf" in spec:
        return " | ".join(f"pulumi.Input<{typed(s)}>" for s in spec["oneOf"])
    if "$ref" in spec:
        core = {"Any": "any", "Asset": "pulumi.asset.Asset | pulumi.asset.Archive", "Archive": "pulumi.asset.Archive"}
        name = spec["$ref"].rsplit("/", 1)[1]
        return core[name] if spec["$ref"].startswith("pulumi.json") else name.rsplit(":", 1)[1] + "Args"
    if spec["type"] == "array":
        return f"pulumi.Input<{typed(spec['items'])}>[]"
    if spec["type"] == "object":
        return f"{{[key: string]: pulumi.Input<{typed(spec['additionalProperties'])}>}}"
    return {"integer": "number"}.get(spec["type"], spec["type"])
