# SPDX-License-Identifier: Apache-2.0
"""--attach-debugger: programs and plugins that wait for an editor, and the event that tells it where.

Python waits in debugpy. Where that is not installed, a module with the same command line stands in for it.
"""

import importlib.util
import json
import os
import socket
import time
from pathlib import Path

import pytest
from harness import Command, Workspace
from harness.commands import node_modules
from harness.editors import DebugpyEditor, InspectorEditor, debugging_events
from harness.patience import patience

DEBUGPY = """
import argparse, runpy, socket, sys
flags = argparse.ArgumentParser()
flags.add_argument("--listen", required=True)
flags.add_argument("--wait-for-client", action="store_true", required=True)
flags.add_argument("-c", dest="code")
known, rest = flags.parse_known_args()
host, port = known.listen.split(":")
server = socket.create_server((host, int(port)))
client, _ = server.accept()
assert client.recv(100) == b"go on"
client.close()
server.close()
if known.code:
    sys.argv = ["-c", *rest]
    eval(compile(known.code, "<string>", "exec"), {})
else:
    sys.argv = rest
    runpy.run_path(rest[0], run_name="__main__")
"""
PROGRAM = 'import sys, pulumi\npulumi.export("debugged", "debugpy" in sys.modules or "kingpost_accelerate" not in sys.modules)\n'
NODE = 'const pulumi = require("@pulumi/pulumi");\nexports.debugged = require("inspector").url() !== undefined;\n'
COMPONENT = """
import pulumi

class Component(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("waiting:index:Component", name, {}, None, True)

Component("c")
"""
PLUGIN = """
import sys
from pulumi.provider import ConstructResult, Provider, main

class Waiting(Provider):
    def construct(self, name, resource_type, inputs, options=None):
        return ConstructResult("urn:pulumi:dev::shop::waiting:index:Component::" + name, {})

main(Waiting("1.0.0"), sys.argv[1:])
"""


class StandIn:
    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=patience(30))

    def attach_and_go_on(self):
        self.socket.sendall(b"go on")


@pytest.fixture(params=["stand-in", "debugpy"])
def python_editor(request, tmp_path, monkeypatch):
    if request.param == "debugpy":
        if not importlib.util.find_spec("debugpy"):
            pytest.skip("debugpy is not installed")
        return DebugpyEditor
    package = tmp_path / "modules" / "debugpy"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(DEBUGPY)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    return StandIn


def workspace(root: Path, program: str = PROGRAM, more: str = "", runtime: str = "python", **kw) -> Workspace:
    (root / "project").mkdir()
    (root / "project" / "Pulumi.yaml").write_text(f"name: shop\nruntime: {runtime}\n{more}")
    name = "__main__.py" if runtime == "python" else "index.js"
    (root / "project" / name).write_text(program)
    if runtime == "nodejs":
        (root / "project" / "package.json").write_text('{"name": "shop", "main": "index.js"}')
    return Workspace(root, Command.kingpost(), **kw)


class Run:
    """An update that waits for its debugger."""

    def __init__(self, ws: Workspace, *flags: str):
        self.log = ws.root / "events.json"
        self.process = ws.start("up", "--event-log", str(self.log), *flags)

    def waits(self) -> bool:
        time.sleep(1)
        return self.process.poll() is None

    def finish(self) -> list[dict]:
        out, _ = self.process.communicate(timeout=patience(120))
        assert self.process.returncode == 0, out
        return [json.loads(line) for line in self.log.read_text().splitlines()]


def said(events: list[dict]) -> str:
    return "".join(event["diagnosticEvent"]["message"] for event in events if "diagnosticEvent" in event)


def test_a_python_program_waits_for_its_editor(tmp_path, python_editor):
    ws = workspace(tmp_path)
    run = Run(ws, "--attach-debugger")
    config, = debugging_events(run.log)
    port = config["connect"]["port"]
    assert config == {"name": "Pulumi: Program (Python)", "type": "python", "request": "attach",
                      "connect": {"host": "127.0.0.1", "port": port}, "justMyCode": True}
    assert run.waits()
    python_editor("127.0.0.1", port).attach_and_go_on()
    assert f"Waiting for debugger to attach (on port {port})...\n" in said(run.finish())
    assert ws.outputs() == {"debugged": True}


def test_a_node_program_waits_for_its_editor(tmp_path):
    ws = workspace(tmp_path, NODE, runtime="nodejs", modules=node_modules())
    run = Run(ws, "--attach-debugger=program")
    config, = debugging_events(run.log)
    assert config["type"] == "node" and config["request"] == "attach" and config["continueOnAttach"] is True
    assert config["skipFiles"] == ["<node_internals>/**"] and config["name"] == "Pulumi: Program (nodejs)"
    assert run.waits()
    InspectorEditor("127.0.0.1", config["port"]).attach_and_go_on()
    assert "Debugger listening on" not in said(run.finish())
    assert ws.outputs() == {"debugged": True}


def with_plugin(root: Path) -> Workspace:
    plugin = root / "waiting"
    plugin.mkdir()
    (plugin / "PulumiPlugin.yaml").write_text("runtime: python\n")
    (plugin / "__main__.py").write_text(PLUGIN)
    return workspace(root, COMPONENT, f"plugins:\n  providers:\n  - name: waiting\n    path: {plugin}\n")


@pytest.mark.parametrize("target", ["plugins", "plugin:waiting"])
def test_a_plugin_waits_for_its_editor_however_long_that_takes(tmp_path, python_editor, monkeypatch, target):
    monkeypatch.setenv("KINGPOST_PLUGIN_START_TIMEOUT", "1")
    run = Run(with_plugin(tmp_path), f"--attach-debugger={target}")
    config, = debugging_events(run.log)
    assert config["name"] == "Pulumi: Plugin (waiting)"
    assert run.waits() and run.waits()
    python_editor("127.0.0.1", config["connect"]["port"]).attach_and_go_on()
    run.finish()


def test_program_and_plugins_have_ports_of_their_own(tmp_path, python_editor):
    run = Run(with_plugin(tmp_path), "--attach-debugger=all")
    program, = debugging_events(run.log)
    python_editor("127.0.0.1", program["connect"]["port"]).attach_and_go_on()
    _, plugin = debugging_events(run.log, count=2)
    assert plugin["connect"]["port"] != program["connect"]["port"]
    python_editor("127.0.0.1", plugin["connect"]["port"]).attach_and_go_on()
    run.finish()


def test_others_are_not_debugged(tmp_path):
    run = with_plugin(tmp_path).up("--attach-debugger=plugin:other")
    assert not any("startDebuggingEvent" in event for event in run.events)


def test_without_debugpy_the_remedy_is_named(tmp_path):
    if importlib.util.find_spec("debugpy"):
        pytest.skip("debugpy is installed")
    run = workspace(tmp_path).up("--attach-debugger", check=False)
    assert run.code == 1 and "debugpy is not installed" in run.diagnostics


def test_an_interrupt_ends_what_waits(tmp_path, python_editor):
    run = Run(workspace(tmp_path), "--attach-debugger")
    debugging_events(run.log)
    os.kill(run.process.pid, 2)
    run.process.communicate(timeout=patience(60))
    assert run.process.returncode == 1


def test_an_unknown_target_is_refused(tmp_path):
    run = workspace(tmp_path).preview("--attach-debugger=everything", check=False)
    assert run.code == 2 and "invalid --attach-debugger flag value: everything" in run.err
