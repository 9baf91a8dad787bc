# SPDX-License-Identifier: Apache-2.0
"""Two kinds of dynamic resources: a document (a JSON file) and a key (random text in a file that only its owner reads)."""

import json
import os
import secrets
from pathlib import Path
from typing import Any, Optional

import pulumi
from pulumi.dynamic import CreateResult, DiffResult, ReadResult, Resource, ResourceProvider, UpdateResult


class DocumentProvider(ResourceProvider):
    def write(self, props: dict) -> dict:
        path = Path(props["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(props["content"], sort_keys=True, indent=1) + "\n", encoding="utf-8")
        return {**props, "size": path.stat().st_size}

    def create(self, props: dict) -> CreateResult:
        return CreateResult(props["path"], self.write(props))

    def diff(self, id: str, old: dict, new: dict) -> DiffResult:
        replaces = ["path"] if old.get("path") != new.get("path") else []
        return DiffResult(changes=bool(replaces) or old.get("content") != new.get("content"), replaces=replaces)

    def read(self, id: str, props: dict) -> ReadResult:
        path = Path(id)
        if not path.exists():
            return ReadResult("", {})
        return ReadResult(id, {**props, "content": json.loads(path.read_text()), "size": path.stat().st_size})

    def update(self, id: str, old: dict, new: dict) -> UpdateResult:
        return UpdateResult(self.write(new))

    def delete(self, id: str, props: dict) -> None:
        Path(id).unlink(missing_ok=True)


class KeyProvider(ResourceProvider):
    def create(self, props: dict) -> CreateResult:
        path = Path(f"{props['folder']}/{props['label']}-{int(props['rotation'])}.key")
        path.parent.mkdir(parents=True, exist_ok=True)
        value = secrets.token_hex(16)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(value)
        return CreateResult(str(path), {**props, "path": str(path), "value": value})

    def diff(self, id: str, old: dict, new: dict) -> DiffResult:
        replaces = [k for k in ("folder", "label", "rotation") if old.get(k) != new.get(k)]
        return DiffResult(changes=bool(replaces), replaces=replaces)

    def delete(self, id: str, props: dict) -> None:
        Path(id).unlink(missing_ok=True)


class Document(Resource):
    size: pulumi.Output[int]
    path: pulumi.Output[str]

    def __init__(self, name: str, path: Any, content: Any, opts: Optional[pulumi.ResourceOptions] = None):
        super().__init__(DocumentProvider(), name, {"path": path, "content": content, "size": None}, opts)


class Key(Resource):
    """Never changed in place: a new rotation makes a new key before the old one goes."""

    value: pulumi.Output[str]
    path: pulumi.Output[str]

    def __init__(self, name: str, folder: str, rotation: int, opts: Optional[pulumi.ResourceOptions] = None):
        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(additional_secret_outputs=["value"]))
        props = {"folder": folder, "label": name, "rotation": rotation, "path": None, "value": None}
        super().__init__(KeyProvider(), name, props, opts)
