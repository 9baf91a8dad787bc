# SPDX-License-Identifier: Apache-2.0
"""A provider and a program in the test's own process, fast enough for thousands of runs, while the command is killed or its
system calls fail. Each thing is a file in a folder.

    with FaultWorld() as world:
        ws = world.workspace(tmp_path)
        process = world.start(ws, "up")
        ...
        world.settle()                      # nothing is on its way to the folder any more
        assert not world.complaints(ws)

The program registers twenty things in five rows of four, each of which depends on the one before it, and logs the answers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from concurrent import futures
from pathlib import Path
from threading import Condition

import grpc
from google.protobuf import empty_pb2, struct_pb2
from pulumi.runtime.proto import (
    language_pb2 as lang, language_pb2_grpc as lang_grpc, plugin_pb2, provider_pb2 as pb, provider_pb2_grpc,
    resource_pb2 as rpb, resource_pb2_grpc)

from .commands import Command
from .fake_world import dump, load, name_of
from .fault_check import complaints
from .patience import patience
from .workspace import Workspace

ROWS, COLUMNS = 5, 4
PATIENCE_S = patience(60)


class FaultWorld(provider_pb2_grpc.ResourceProviderServicer, lang_grpc.LanguageRuntimeServicer):
    def __init__(self):
        self._changed = Condition()
        self._busy = 0  # calls that may still change something
        self._program: grpc.Channel | None = None  # to the monitor, while the program runs
        self.things = Path()
        self.process: subprocess.Popen | None = None  # that of run()
        self.acknowledged: dict[str, str] = {}  # name → ID
        self.delay_s = 0.0

    def __enter__(self) -> "FaultWorld":
        self._server = grpc.server(futures.ThreadPoolExecutor(32))
        provider_pb2_grpc.add_ResourceProviderServicer_to_server(self, self._server)
        lang_grpc.add_LanguageRuntimeServicer_to_server(self, self._server)
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()
        return self

    def __exit__(self, *_) -> None:
        self._server.stop(0)

    # Workspaces. A saved one can be restored many times.

    def workspace(self, root: Path, command: Command | None = None) -> Workspace:
        self.things = root / "things"
        self.things.mkdir(parents=True)
        ws = Workspace(root, command or Command.kingpost(), init=False)
        (ws.project / "Pulumi.yaml").write_text("name: faults\nruntime: python\n")
        ws.env |= {"PULUMI_DEBUG_LANGUAGES": f"python:{self.port}", "PULUMI_DEBUG_PROVIDERS": f"things:{self.port}"}
        ws.run("stack", "init", ws.stack)
        return ws

    @staticmethod
    def lay_away(ws: Workspace, name: str) -> None:
        shutil.copytree(ws.root, ws.root.with_name(f"{ws.root.name}-{name}"))

    def restore(self, ws: Workspace, name: str) -> None:
        shutil.rmtree(ws.root)
        shutil.copytree(ws.root.with_name(f"{ws.root.name}-{name}"), ws.root)
        self.acknowledged = {}

    def run(self, ws: Workspace, verb: str, **env: str) -> subprocess.CompletedProcess | None:
        """One operation to its end, or None if it hangs: then it is killed."""
        argv = [str(ws.command.path), verb, "--yes", "--skip-preview", "--stack", ws.stack, "--non-interactive"]
        with subprocess.Popen(argv, cwd=ws.project, env=ws.environment(env), stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            self.process = process
            try:
                out, _ = process.communicate(timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                return None
            finally:
                self.settle()
        return subprocess.CompletedProcess(argv, process.returncode, out)

    def settle(self) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._busy == 0, PATIENCE_S), "a call never ended"

    def complaints(self, ws: Workspace) -> list[str]:
        return complaints(ws, self.things, self.acknowledged.values())

    # The provider.

    def _enter(self) -> None:
        with self._changed:
            self._busy += 1

    def _leave(self) -> None:
        with self._changed:
            self._busy -= 1
            self._changed.notify_all()

    def Attach(self, request, context):
        return empty_pb2.Empty()

    def Handshake(self, request, context):
        return (pb.ProviderHandshakeResponse(accept_secrets=True, accept_resources=True)
                if isinstance(request, pb.ProviderHandshakeRequest) else lang.LanguageHandshakeResponse())

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="1.0.0")

    def CheckConfig(self, request, context):
        return pb.CheckResponse(inputs=request.news)

    def DiffConfig(self, request, context):
        return pb.DiffResponse(changes=1)

    def Configure(self, request, context):
        return pb.ConfigureResponse(acceptSecrets=True, supportsPreview=True, acceptResources=True)

    def Check(self, request, context):
        return pb.CheckResponse(inputs=request.news)

    def Diff(self, request, context):
        same = load(request.old_inputs) == load(request.news)
        return pb.DiffResponse(changes=1 if same else 2)

    def Create(self, request, context):
        self._enter()
        try:
            time.sleep(self.delay_s)
            name, number = name_of(request.urn), 1
            while True:
                try:
                    with open(self.things / f"{name}-{number}", "x") as file:
                        json.dump(load(request.properties), file)
                    return pb.CreateResponse(id=f"{name}-{number}", properties=request.properties)
                except FileExistsError:
                    number += 1
        finally:
            self._leave()

    def Update(self, request, context):
        self._enter()
        try:
            time.sleep(self.delay_s)
            (self.things / request.id).write_text(json.dumps(load(request.news)))
            return pb.UpdateResponse(properties=request.news)
        finally:
            self._leave()

    def Delete(self, request, context):
        self._enter()
        try:
            time.sleep(self.delay_s)
            (self.things / request.id).unlink(missing_ok=True)
            return empty_pb2.Empty()
        finally:
            self._leave()

    def Read(self, request, context):
        file = self.things / request.id
        if not file.exists():
            return pb.ReadResponse(id="")
        props = dump(json.loads(file.read_text()))
        return pb.ReadResponse(id=request.id, inputs=props, properties=props)

    def Cancel(self, request, context):
        """Kills the provider, or the language host, whose program it ends: the command waits for that."""
        if program := self._program:
            program.close()
        return empty_pb2.Empty()

    # The program.

    def GetRequiredPackages(self, request, context):
        return lang.GetRequiredPackagesResponse()

    def About(self, request, context):
        return lang.AboutResponse(executable="python", version="1")

    def Run(self, request, context):
        self._enter()
        try:
            with grpc.insecure_channel(request.monitor_address) as self._program:
                self._register_all(resource_pb2_grpc.ResourceMonitorStub(self._program), request.project,
                                   request.stack, request.dryRun)
            return lang.RunResponse()
        except grpc.RpcError as error:
            return lang.RunResponse(error=f"the program failed: {error.details()}")
        except ValueError as error:  # what is asked of a closed channel
            return lang.RunResponse(error=f"the program failed: {error}")
        finally:
            self._program = None
            self._leave()

    def _register_all(self, monitor, project: str, stack: str, dry_run: bool) -> None:
        root = monitor.RegisterResource(
            rpb.RegisterResourceRequest(type="pulumi:pulumi:Stack", name=f"{project}-{stack}", custom=False,
                                        object=struct_pb2.Struct()), timeout=PATIENCE_S).urn
        before = [""] * ROWS
        for column in range(COLUMNS):
            asked = [monitor.RegisterResource.future(rpb.RegisterResourceRequest(
                type="things:index:Thing", name=f"thing-{row}-{column}", custom=True, parent=root,
                object=dump({"value": os.environ.get("KINGPOST_FAULT_VALUE", "1")}), acceptSecrets=True,
                dependencies=[before[row]] if before[row] else []), timeout=PATIENCE_S) for row in range(ROWS)]
            for row, answer in enumerate(asked):
                registered = answer.result()
                before[row] = registered.urn
                if registered.id and not dry_run:
                    self.acknowledged[f"thing-{row}-{column}"] = registered.id
        monitor.RegisterResourceOutputs(
            rpb.RegisterResourceOutputsRequest(urn=root, outputs=struct_pb2.Struct()), timeout=PATIENCE_S)
