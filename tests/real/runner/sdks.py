# SPDX-License-Identifier: Apache-2.0
"""The SDKs with which the programs of the stories are written: those that are published, from PyPI and npm, at the version
of the provider. Each is fetched once, into build/real."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

from harness.commands import REPOSITORY, node_modules

from . import providers

_CACHE = REPOSITORY / "build" / "real"
_GO = REPOSITORY / "tests" / "programs" / "go"


def _fetched(name: str, how: list[str], prepare=lambda folder: None) -> Path:
    folder = _CACHE / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:  # stories run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            prepare(folder)
            subprocess.run([each.replace("{folder}", str(folder)) for each in how], cwd=folder, check=True, stdout=sys.stderr)
            (folder / "done").touch()
    return folder


def _folder(language: str, names: list[str]) -> str:
    return "-".join([language, *(sorted(names) or ["core"])])


def python(names: list[str]) -> Path:
    """A folder for PYTHONPATH. The core SDK is that of the other tests, so what else the packages need is named here."""
    wanted = [f"pulumi-{name}=={providers.versions()[name]}" for name in names] + ["parver~=0.5", "arpeggio~=2.0", "attrs"]
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--target", "{folder}"]
    return _fetched(_folder("python", names), [*pip, *wanted])


def node(names: list[str]) -> Path:
    """A node_modules folder, with the core SDK of the other tests."""
    core = json.loads((node_modules() / "@pulumi" / "pulumi" / "package.json").read_text())["version"]
    wanted = {"@pulumi/pulumi": core, "typescript": "^5"} | {f"@pulumi/{name}": providers.versions()[name] for name in names}

    def describe(folder: Path) -> None:
        (folder / "package.json").write_text(json.dumps({"name": "real", "dependencies": wanted}))

    npm = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
    return _fetched(_folder("node", names), npm, describe) / "node_modules"


def variables(language: str, names: list[str]) -> dict[str, str]:
    """Where the SDKs of a language are, for runs and for acts that link them."""
    if language == "python":
        return {"PYTHONPATH": str(python(names))}
    if language == "nodejs":
        return {"NODE_MODULES": str(node(names))}
    return {"GOFLAGS": (os.environ.get("GOFLAGS", "") + " -mod=mod").strip()} if language == "go" else {}


def prepare(language: str, project: Path, env: dict[str, str]) -> None:
    """The files of a project that are not the story's affair."""
    if language == "nodejs":
        if "NODE_MODULES" in env:
            (project / "node_modules").symlink_to(env["NODE_MODULES"])
        (project / "package.json").write_text('{\n  "name": "real",\n  "main": "index.ts"\n}\n')
        (project / "tsconfig.json").write_text('{"compilerOptions": {"strict": true, "target": "es2020", "module": "commonjs", '
                                               '"moduleResolution": "node", "skipLibCheck": true}, "files": ["index.ts"]}\n')
    if language == "go":
        for name in ("go.mod", "go.sum"):
            (project / name).write_bytes((_GO / name).read_bytes())
