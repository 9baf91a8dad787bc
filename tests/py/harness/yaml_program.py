# SPDX-License-Identifier: Apache-2.0
"""A Python program that does what `program.yaml` beside it says, as far as generated code goes: for tests where no language
host for YAML is at hand. `$$` is a dollar, `${name}` a resource or a setting, `${name.property}` an output.
"""

import json
import re
from pathlib import Path

import pulumi
import yaml

PROGRAM = yaml.safe_load(Path(__file__).with_name("program.yaml").read_text(encoding="utf-8"))
SCHEMA = json.loads(Path(__file__).with_name("shapes.json").read_text(encoding="utf-8")).get("schema") or {}
CONFIG = pulumi.Config()
NAMES: dict[str, object] = {}
ASSETS = {"fn::stringAsset": pulumi.StringAsset, "fn::fileAsset": pulumi.FileAsset, "fn::remoteAsset": pulumi.RemoteAsset,
          "fn::fileArchive": pulumi.FileArchive, "fn::remoteArchive": pulumi.RemoteArchive,
          "fn::assetArchive": pulumi.AssetArchive}
OPTIONS = {"dependsOn": "depends_on", "ignoreChanges": "ignore_changes", "deletedWith": "deleted_with",
           "retainOnDelete": "retain_on_delete", "customTimeouts": "custom_timeouts"}


class Thing(pulumi.CustomResource):
    pass


class Provider(pulumi.ProviderResource):
    pass


def setting(name, spec):
    assert spec["secret"] is True
    value = CONFIG.require_secret(name)
    return value if spec["type"] == "string" else value.apply(json.loads)


def text(value):
    """A text with its interpolations: a value by itself, or parts joined."""
    parts = list(re.findall(r"\$\$|\$\{[^}]*\}|\$|[^$]+", value))
    parts = ["$" if p == "$$" else reference(p[2:-1]) if p.startswith("${") else p for p in parts]
    if all(isinstance(p, str) for p in parts):
        return "".join(parts)
    assert len(parts) == 1, value
    return parts[0]


def reference(path):
    name, _, rest = path.partition(".")
    return getattr(NAMES[name], rest) if rest else NAMES[name]


def evaluated(value):
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return [evaluated(v) for v in value]
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ASSETS:
        (function, argument), = value.items()
        return ASSETS[function](evaluated(argument))
    if isinstance(value, dict):
        return {text(k): evaluated(v) for k, v in value.items()}
    assert value is None or isinstance(value, (bool, int, float)), f"{value!r} is a {type(value)}"
    return value


def full(token):
    """The token of the schema that a short one means: shapes:net:Vpc is shapes:net/vpc:Vpc."""
    parts = token.split(":")
    wanted = (parts[0], parts[1] if len(parts) == 3 else "index", parts[-1])
    found = [t for t in SCHEMA.get("resources", {}) if (t.split(":")[0], t.split(":")[1].split("/")[0], t.split(":")[2]) == wanted]
    return found[0] if found else token


def declare(key, spec):
    options = {OPTIONS.get(k, k): evaluated(v) for k, v in spec.get("options", {}).items()}
    props = {k: evaluated(v) for k, v in spec.get("properties", {}).items()}
    token, name = spec["type"], spec.get("name", key)
    name = text(name)
    if token.startswith("pulumi:providers:"):
        props = {k: pulumi.Output.from_input(v).apply(as_text) for k, v in props.items()}
        return Provider(token.rpartition(":")[2], name, props, pulumi.ResourceOptions(**options))
    described = SCHEMA.get("resources", {}).get(full(token), {})
    for k, v in described.get("inputProperties", {}).items():
        if v.get("secret") and k in props:
            props[k] = pulumi.Output.secret(props[k])
    return Thing(full(token), name, dict.fromkeys(described.get("properties", {})) | props, pulumi.ResourceOptions(**options))


def as_text(value):
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


for key, spec in PROGRAM.get("configuration", {}).items():
    NAMES[key] = setting(key, spec)
for key, spec in PROGRAM["resources"].items():
    NAMES[key] = declare(key, spec)
