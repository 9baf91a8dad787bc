# SPDX-License-Identifier: Apache-2.0
"""The plugins of KINGPOST_REAL_PROVIDERS: which there are, at which versions, and how a run gets them."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
from pathlib import Path

from harness import Command

_PLUGIN = re.compile(r"pulumi-resource-([a-z0-9-]+)$")


def folder() -> Path | None:
    named = os.environ.get("KINGPOST_REAL_PROVIDERS")
    return Path(named).absolute() if named else None


def binary(name: str) -> Path | None:
    path = folder() / f"pulumi-resource-{name}" if folder() else None
    return path if path and path.exists() else None


@functools.cache
def versions() -> dict[str, str]:
    """Provider → the version that its schema has."""
    found = {}
    for file in sorted(folder().iterdir()) if folder() else []:
        if name := _PLUGIN.match(file.name):
            found[name.group(1)] = json.loads(schema(name.group(1)))["version"].removeprefix("v")
    return found


@functools.cache
def schema(name: str) -> str:
    command = Command.kingpost()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PULUMI_")}
    asked = subprocess.run([command.path, "package", "get-schema", binary(name)], env=environment, text=True, check=True,
                           capture_output=True)
    return asked.stdout


def missing(names: list[str], files: list[str]) -> str:
    """Why a story with these plugins and these other files of the folder cannot be played; "" if it can."""
    if folder() is None:
        return "KINGPOST_REAL_PROVIDERS is not set: it names the folder with pulumi-resource-NAME of published providers"
    absent = [name for name in [*(f"pulumi-resource-{name}" for name in names), *files] if not (folder() / name).exists()]
    return f"{', '.join(absent)} is not in KINGPOST_REAL_PROVIDERS" if absent else ""


def install(home: Path, names: list[str]) -> None:
    """Puts them where `plugin install` would."""
    for name in names:
        target = home / "plugins" / f"resource-{name}-v{versions()[name]}"
        target.mkdir(parents=True, exist_ok=True)
        if not (target / f"pulumi-resource-{name}").exists():
            (target / f"pulumi-resource-{name}").symlink_to(binary(name))
