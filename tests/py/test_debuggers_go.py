# SPDX-License-Identifier: Apache-2.0
"""--attach-debugger for programs and plugins in Go: built for Delve, and waiting in it for an editor.

Where Go or Delve are missing, scripts with the same command lines stand in for them. What they build and debug is then in
Python.
"""

import os
import shutil
import socket
import sys
from pathlib import Path

import pytest
from harness import PROGRAMS, Command, Workspace
from harness.editors import DelveEditor, debugging_events
from harness.patience import patience
from test_debuggers import COMPONENT, PLUGIN, Run, said

# Builds the folder's program.py, and logs its arguments in the file asked.
GO = """
import os, sys
if sys.argv[1] != "build":
    sys.exit(1)
with open("asked", "a") as asked:
    print(*sys.argv[2:], file=asked)
target = sys.argv[sys.argv.index("-o") + 1]
with open(target, "w") as program:
    program.write(f"#!{sys.executable}\\n" + open("program.py").read())
os.chmod(target, 0o755)
"""
# Ends with 0 however the program ends, and not before the editor leaves.
DLV = """
import socket, subprocess, sys
flags, (program, dashes, *arguments) = sys.argv[1:sys.argv.index("exec")], sys.argv[sys.argv.index("exec") + 1:]
assert dashes == "--" and "--headless=true" in flags and "--api-version=2" in flags, sys.argv
known = dict(flag.split("=") for flag in flags)
host, port = known["--listen"].split(":")
server = socket.create_server((host, int(port)))
if "--log-dest" not in known:
    print(f"API server listening at: {host}:{port}", flush=True)
client, _ = server.accept()
if client.recv(100) == b"go on":
    subprocess.run([program, *arguments])
    client.sendall(b"ended")
    client.recv(100)
"""
PROGRAM = """
import asyncio, os, sys
import pulumi
given = {name: os.environ[f"PULUMI_{name.upper()}"] for name in ("project", "stack", "monitor", "engine")}
pulumi.runtime.configure(pulumi.runtime.Settings(dry_run=os.environ["PULUMI_DRY_RUN"] == "true", **given))
fails = os.path.exists("fails")
def body():
    class Component(pulumi.ComponentResource):
        pass
    if not fails:
        Component("shop:index:Shelf", "shelf")
    pulumi.export("debugged", True)
if fails:  # as the SDK of Go does it: its outputs are registered all the same
    pulumi.runtime.stack.get_monitor = lambda: None
asyncio.new_event_loop().run_until_complete(pulumi.runtime.run_in_stack(body))
sys.exit(32 if fails else 0)
"""
MAIN = """
package main

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		ctx.Export("debugged", pulumi.Bool(true))
		return nil
	})
}
"""


class StandIn:
    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=patience(60))

    def attach_and_go_on(self):
        self.socket.sendall(b"go on")

    def leave_at_the_end(self):
        assert self.socket.recv(100) == b"ended"
        self.socket.close()


def script(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(0o755)


def tools(root: Path) -> dict[str, str]:
    script(root / "bin" / "go", GO)
    script(root / "bin" / "dlv", DLV)
    return {"PATH": f"{root / 'bin'}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(root / "cache")}


def folder_in_go(folder: Path, program: str) -> None:
    folder.mkdir()
    (folder / "main.go").write_text("package main\n")
    (folder / "program.py").write_text(program)


def workspace(root: Path) -> Workspace:
    folder_in_go(root / "project", PROGRAM)
    (root / "project" / "Pulumi.yaml").write_text("name: shop\nruntime: go\n")
    return Workspace(root, Command.kingpost(), env=tools(root))


def with_delve(root: Path) -> Workspace:
    missing = [name for name in ("go", "dlv") if not shutil.which(name)]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not on PATH")
    (root / "project").mkdir()
    for name in ("go.mod", "go.sum"):
        shutil.copy(PROGRAMS / "go" / name, root / "project")
    (root / "project" / "main.go").write_text(MAIN)
    (root / "project" / "Pulumi.yaml").write_text("name: shop\nruntime: go\n")
    return Workspace(root, Command.kingpost())


@pytest.mark.parametrize(("made", "editor"), [(workspace, StandIn), (with_delve, DelveEditor)])
def test_a_go_program_waits_for_its_editor(tmp_path, made, editor):
    ws = made(tmp_path)
    run = Run(ws, "--attach-debugger")
    config, = debugging_events(run.log, seconds=300)
    port = config["port"]
    assert config == {"name": "Pulumi: Program (Go)", "type": "go", "request": "attach", "mode": "remote",
                      "host": "127.0.0.1", "port": port}
    assert run.waits()
    editing = editor("127.0.0.1", port)
    editing.attach_and_go_on()
    editing.leave_at_the_end()
    told = said(run.finish())
    assert f"Waiting for debugger to attach (on port {port})...\n" in told
    assert "API server listening" not in told and "before it had registered" not in told
    assert ws.outputs() == {"debugged": True}


def test_a_debugged_program_is_built_for_debugging(tmp_path):
    ws = workspace(tmp_path)
    ws.up()
    run = Run(ws, "--attach-debugger")
    editing = StandIn("127.0.0.1", debugging_events(run.log)[0]["port"])
    editing.attach_and_go_on()
    editing.leave_at_the_end()
    run.finish()
    usual, debugged = (ws.project / "asked").read_text().splitlines()
    assert usual.endswith("-ldflags -w -s") and "-trimpath" not in usual  # stack traces of resources need the paths
    assert debugged.endswith("-gcflags all=-N -l") and "-trimpath" not in debugged


@pytest.mark.parametrize("how", ["fails", "stopped"])
def test_resources_that_a_debugged_program_did_not_register_are_not_deleted(tmp_path, how):
    ws = workspace(tmp_path)
    ws.up()
    if how == "fails":
        (ws.project / "fails").touch()
    run = Run(ws, "--attach-debugger")
    editing = StandIn("127.0.0.1", debugging_events(run.log)[0]["port"])
    if how == "fails":
        editing.attach_and_go_on()
        editing.leave_at_the_end()
    else:
        editing.socket.close()  # the debugger ends with 0, the program has not begun
    out, _ = run.process.communicate(timeout=patience(120))
    assert run.process.returncode == 1 and "so the engine deletes nothing" in out, out
    what = "that it is done, which under Delve is all that tells how it ended" if how == "fails" else "its stack"
    assert f"before it had registered {what}" in out
    assert len(ws.state().rows) == 2


def with_plugin(root: Path) -> Workspace:
    folder_in_go(root / "waiting", PLUGIN)
    (root / "waiting" / "PulumiPlugin.yaml").write_text("runtime: go\n")
    (root / "project").mkdir()
    (root / "project" / "__main__.py").write_text(COMPONENT)
    (root / "project" / "Pulumi.yaml").write_text(
        f"name: shop\nruntime: python\nplugins:\n  providers:\n  - name: waiting\n    path: {root / 'waiting'}\n")
    return Workspace(root, Command.kingpost(), env=tools(root))


@pytest.mark.parametrize("target", ["plugins", "plugin:waiting"])
def test_a_go_plugin_waits_for_its_editor(tmp_path, monkeypatch, target):
    monkeypatch.setenv("KINGPOST_PLUGIN_START_TIMEOUT", "1")
    ws = with_plugin(tmp_path)
    run = Run(ws, f"--attach-debugger={target}")
    config, = debugging_events(run.log)
    assert config["name"] == "Pulumi: Plugin (waiting)" and config["type"] == "go"
    assert run.waits() and run.waits()
    StandIn("127.0.0.1", config["port"]).attach_and_go_on()
    run.finish()
    assert "-gcflags all=-N -l" in (tmp_path / "waiting" / "asked").read_text()
    monkeypatch.delenv("KINGPOST_PLUGIN_START_TIMEOUT")
    ws.up()  # without a debugger: built as usual, not that one from the cache
    assert "-trimpath" in (tmp_path / "waiting" / "asked").read_text()


def test_a_plugin_whose_editor_leaves_is_named_by_its_place(tmp_path):
    run = Run(with_plugin(tmp_path), "--attach-debugger=plugins")
    StandIn("127.0.0.1", debugging_events(run.log)[0]["port"]).socket.close()
    out, _ = run.process.communicate(timeout=patience(120))
    assert run.process.returncode == 1
    assert f"could not read plugin [{tmp_path / 'waiting' / 'pulumi-resource-waiting'}]: EOF" in out


@pytest.mark.parametrize(("made", "flag"), [(workspace, "--attach-debugger"), (with_plugin, "--attach-debugger=plugins")])
def test_without_delve_the_remedy_is_named_before_anything_is_built(tmp_path, made, flag):
    ws = made(tmp_path)
    (tmp_path / "bin" / "dlv").unlink()
    here = f"{tmp_path / 'bin'}:{Path(sys.executable).parent}:/usr/bin:/bin"
    run = ws.up(flag, check=False, env={"PATH": here, "GOPATH": str(tmp_path / "gopath")})
    assert run.code == 1 and "unable to find 'dlv' executable" in run.diagnostics
    assert "go install github.com/go-delve/delve/cmd/dlv@latest" in run.diagnostics
    assert not list(tmp_path.glob("*/asked"))


def test_an_interrupt_ends_what_waits_in_delve(tmp_path):
    run = Run(workspace(tmp_path), "--attach-debugger")
    debugging_events(run.log)
    os.kill(run.process.pid, 2)
    run.process.communicate(timeout=patience(60))
    assert run.process.returncode == 1
