# SPDX-License-Identifier: Apache-2.0
"""A place where programs of the Automation API run: the unmodified SDK, and the command under test as its `pulumi`.

    site = Site(tmp_path, Command.kingpost(), monkeypatch)
    stack = site.stack(program=one("first"))         # an inline program
    stack.up(on_event=site.hear)
    site.steps()                                     # [("create", "first")]

The provider `things` (fake_world.py) runs in the test's own process, so a run costs nothing but the command's own time.
"""

from __future__ import annotations

import shutil
import subprocess
import warnings
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi import automation as auto

from .commands import Command, peer_or_skip
from .fake_world import World


class Thing(pulumi.CustomResource):
    def __init__(self, name: str, value: Any = "plain", opts: pulumi.ResourceOptions | None = None, **more: Any):
        super().__init__("things:index:Thing", name, {"value": value, **more, "stamp": None}, opts)


def things(*names: str, hidden: str | None = None, **values: Any) -> Callable[[], None]:
    """A program that declares things, by name or with their values, and exports what they are called and a secret."""
    def program() -> None:
        for name in names:
            Thing(name)
        for name, value in values.items():
            Thing(name, value)
        pulumi.export("names", [*names, *values])
        if hidden is not None:
            pulumi.export("hidden", pulumi.Output.secret(hidden))
    return program


def link(folder: Path, command: Command) -> Path:
    """A folder in which the command has the name that the SDKs look for."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pulumi").symlink_to(command.path)
    return folder


class Site:
    """Folders for one test, the environment that the SDK finds itself in, and the events it hears."""

    def __init__(self, root: Path, command: Command, monkeypatch):
        self.root, self.command, self.world = root, command, World()
        self.project, self.backend, self.home = (root / n for n in ("project", "backend", "home"))
        for folder in (self.project, self.backend, self.home):
            folder.mkdir(parents=True)
        self.bin = link(root / "install" / "bin", command)
        self.events: list[auto.EngineEvent] = []
        self._monkeypatch = monkeypatch
        self._warnings = warnings.catch_warnings(record=True)

    def __enter__(self) -> "Site":
        self.world.__enter__()
        self.warned = self._warnings.__enter__()
        warnings.simplefilter("always")
        self.env = self.command.environment(self.root) | {
            "PULUMI_BACKEND_URL": self.backend.as_uri(), "PULUMI_HOME": str(self.home),
            "PULUMI_DEBUG_PROVIDERS": f"things:{self.world.port}"}
        self.env["PATH"] = f"{self.bin}:{self.env['PATH']}"
        for name, value in self.env.items():
            self._monkeypatch.setenv(name, value)
        return self

    def __exit__(self, *_) -> None:
        self._warnings.__exit__(None, None, None)
        self.world.__exit__()
        lost = [str(w.message) for w in self.warned if str(w.message).startswith(("Failed to parse", "Error in event"))]
        assert not lost, f"the SDK could not read events: {lost}"

    def options(self, **more: Any) -> auto.LocalWorkspaceOptions:
        return auto.LocalWorkspaceOptions(work_dir=str(self.project), **more)

    def stack(self, program: Callable[[], None] | None = None, name: str = "dev", init=auto.create_or_select_stack,
              **options: Any) -> auto.Stack:
        """A stack of the project `site`, with an inline program."""
        return init(name, project_name="site", program=program or things(), opts=self.options(**options))

    def local(self, source: str, name: str = "dev", **options: Any) -> auto.Stack:
        """A stack whose program is a file in the project."""
        (self.project / "Pulumi.yaml").write_text("name: site\nruntime: python\n")
        (self.project / "__main__.py").write_text(source)
        return auto.create_or_select_stack(name, work_dir=str(self.project),
                                           opts=auto.LocalWorkspaceOptions(**options))

    @cached_property
    def version(self) -> str:
        return subprocess.check_output([self.bin / "pulumi", "version"], text=True).strip().removeprefix("v")

    def hear(self, event: auto.EngineEvent) -> None:
        self.events.append(event)

    def steps(self) -> list[tuple[str, str]]:
        """(operation, name) of what was begun since the last call, sorted; without what stays the same."""
        heard, self.events = self.events, []
        begun = [e.resource_pre_event.metadata for e in heard if e.resource_pre_event]
        return sorted((m.op.value, m.urn.rsplit("::", 1)[1]) for m in begun
                      if m.op.value not in ("same", "refresh", "read") and "pulumi:providers" not in m.urn)

    def copy(self, source: Path, name: str) -> Path:
        return Path(shutil.copytree(source, self.root / name,
                                    ignore=shutil.ignore_patterns("__pycache__", "node_modules")))


def urn(name: str, kind: str = "things:index:Thing", stack: str = "dev") -> str:
    return f"urn:pulumi:{stack}::site::{kind}::{name}"


OUR_OWN = pytest.mark.parametrize("site", ["kingpost"], indirect=True)


@pytest.fixture(params=["kingpost", pytest.param("peer", marks=pytest.mark.slow)])
def site(request, tmp_path, monkeypatch):
    command = Command.kingpost() if request.param == "kingpost" else peer_or_skip()
    with Site(tmp_path, command, monkeypatch) as site:
        yield site


def plain(value: str) -> auto.ConfigValue:
    return auto.ConfigValue(value)


def secret(value: str) -> auto.ConfigValue:
    return auto.ConfigValue(value, secret=True)
