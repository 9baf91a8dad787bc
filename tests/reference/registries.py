# SPDX-License-Identifier: Apache-2.0
"""Releases of the reference, from PyPI, npm and the Go module proxy, by their own clients. A release is asked for by the
version of the engine: each registry has its newest one up to it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from .followed import parsed

_PYPI, _NPM = "pulumi", "@pulumi/pulumi"
_GO, _GO_SDK = "github.com/pulumi/pulumi/pkg/v3", "github.com/pulumi/pulumi/sdk/v3"


class NotAtHand(Exception):
    """A tool is missing, or a registry does not have what was asked for; the text says which."""


def _run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    if not shutil.which(command[0]):
        raise NotAtHand(f"{command[0]} is not on PATH")
    ran = subprocess.run(command, cwd=cwd, env=os.environ | (env or {}), capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        last = (ran.stderr or ran.stdout).strip().splitlines()[-1:]
        raise NotAtHand(f"`{' '.join(command[:4])}` ended with {ran.returncode}: {''.join(last)}")
    return ran.stdout


def newest() -> str:
    """The engine's newest version, or the newest of the Python SDK where Go is missing."""
    try:
        return _run("go", "list", "-m", f"{_GO}@latest", cwd=Path("/"), env={"GOFLAGS": "-mod=mod"}).split()[1].lstrip("v")
    except NotAtHand:
        listed = _run(sys.executable, "-m", "pip", "index", "versions", "--disable-pip-version-check", _PYPI)
        return listed.partition("(")[2].partition(")")[0]


def python_sdk(version: str, folder: Path) -> Path:
    """The unpacked package of PyPI, in a folder that can stand on PYTHONPATH. It is not installed, nor is anything of it
    run."""
    target = folder / f"python-{version}"
    if not target.exists():
        down = folder / f"wheel-{version}"
        _run(sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:",
             "--dest", str(down), f"{_PYPI}<={version}")
        [wheel] = down.glob("*.whl")
        _unpacked(target, lambda to: zipfile.ZipFile(wheel).extractall(to))
    return target


def node_release(version: str) -> str:
    """The newest release of npm up to that version of the engine."""
    listed = json.loads(_run("npm", "view", f"{_NPM}@<={version}", "version", "--json"))
    return listed if isinstance(listed, str) else max(listed, key=parsed)


def node_sdk(version: str, folder: Path) -> Path:
    """The unpacked package of npm."""
    target = folder / f"node-{version}"
    if not target.exists():
        wanted = node_release(version)
        folder.mkdir(parents=True, exist_ok=True)
        packed = json.loads(_run("npm", "pack", f"{_NPM}@{wanted}", "--json", "--pack-destination", str(folder)))[0]
        archive = folder / packed["filename"].replace("@", "").replace("/", "-")
        with tarfile.open(archive) as opened:
            _unpacked(target, lambda to: opened.extractall(to, filter="data"))
    return target / "package"


def engine_source(version: str) -> Path:
    """The folder of the engine's Go module."""
    return _module(_GO, version)


def go_sdk(version: str) -> Path:
    """The folder of the Go SDK, which is released with the engine; PyPI and npm follow."""
    return _module(_GO_SDK, version)


def _module(path: str, version: str) -> Path:
    return Path(json.loads(_run("go", "mod", "download", "-json", f"{path}@v{version}", cwd=Path("/")))["Dir"])


def _unpacked(target: Path, unpack) -> None:
    """Whole or not at all: what was begun is under another name."""
    begun = target.with_name(target.name + ".begun")
    shutil.rmtree(begun, ignore_errors=True)
    unpack(begun)
    begun.rename(target)


def version_of_python(sdk: Path) -> str:
    """"3.272.0", by the name of the folder that pip reads."""
    [information] = sdk.glob("pulumi-*.dist-info")
    return information.name.removeprefix("pulumi-").removesuffix(".dist-info")


def version_of_node(package: Path) -> str:
    return json.loads((package / "package.json").read_text())["version"]
