# SPDX-License-Identifier: Apache-2.0
"""A project whose provider answers for tests/data/packages/shapes.yaml, and stand-ins for the tools that install packages."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
import yaml

from . import Command, Workspace
from .commands import PROGRAMS, REPOSITORY
from .patience import patience

DATA = REPOSITORY / "tests" / "data" / "packages"
PLUGIN = PROGRAMS / "geometry"


@pytest.fixture
def site(tmp_path):
    """A project whose provider answers for tests/data/packages/shapes.yaml; shapes.json is that file."""
    folder = tmp_path / "project"
    folder.mkdir()
    settings = {"name": "site", "runtime": "python", "plugins": {"providers": [{"name": "shapes", "path": str(PLUGIN)}]}}
    (folder / "Pulumi.yaml").write_text(json.dumps(settings))
    (folder / "shapes.json").write_text(json.dumps(yaml.safe_load((DATA / "shapes.yaml").read_text())))
    return Workspace(tmp_path, Command.kingpost())


def call(site: Workspace, *args: str, ok: bool = True, stdin: str = "") -> subprocess.CompletedProcess:
    run = subprocess.run([site.command.path, *args], cwd=site.project, env=site.environment(), input=stdin, text=True,
                         capture_output=True, timeout=patience(60))
    assert (run.returncode == 0) == ok, run.stdout + run.stderr
    return run


def with_tool(site: Workspace, name: str, script: str) -> Path:
    """Puts a script on PATH in place of a real tool."""
    tool = site.root / "bin" / name
    tool.parent.mkdir(exist_ok=True)
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    site.env["PATH"] = f"{tool.parent}:{os.environ['PATH']}"
    return tool
