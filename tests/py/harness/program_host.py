# SPDX-License-Identifier: Apache-2.0
"""A language host for both engines (PULUMI_DEBUG_LANGUAGES) that forks programs from a process with the SDK loaded.

    with ProgramHost() as host:
        env = {"PULUMI_DEBUG_LANGUAGES": f"python:{host.port}"}

The host's gRPC server runs on threads of the test. A program is a process of its own, forked from multiprocessing's
fork server, which has imported pulumi once: a run of a small program takes tenths of a second.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from concurrent import futures
from threading import Event, Lock

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import language_pb2 as lang, language_pb2_grpc as lang_grpc, plugin_pb2

BAIL = 32


def run_program(request: dict) -> None:
    """The life of a forked program; ends the process with its exit code."""
    import asyncio
    import json
    import runpy
    import traceback

    import pulumi
    import pulumi.runtime

    os.chdir(request["directory"])
    with open(request["output"], "ab", buffering=0) as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    os.environ["PULUMI_CONFIG"] = json.dumps(request["config"])
    pulumi.runtime.set_all_config(request["config"], request["secret_keys"])
    pulumi.runtime.configure(pulumi.runtime.Settings(**request["settings"]))
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    code = 0
    try:
        loop.run_until_complete(pulumi.runtime.run_in_stack(
            lambda: runpy.run_path(os.path.join(request["directory"], "__main__.py"), run_name="__main__")))
    except Exception:  # noqa: BLE001 - a program may raise anything
        pulumi.log.error("Program failed with an unhandled exception:\n" + traceback.format_exc())
        loop.run_until_complete(asyncio.sleep(0.05))
        code = BAIL
    sys.stdout.flush()
    os._exit(code)


class _Host(lang_grpc.LanguageRuntimeServicer):
    def __init__(self):
        self._starting = Lock()
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["pulumi", "pulumi.runtime", "harness.program_host"])

    def Handshake(self, request, context):
        return lang.LanguageHandshakeResponse()

    def GetRequiredPackages(self, request, context):
        return lang.GetRequiredPackagesResponse()

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="1.0.0")

    def About(self, request, context):
        return lang.AboutResponse(executable="python", version="1")

    def Cancel(self, request, context):
        return empty_pb2.Empty()

    def Run(self, r, context):
        settings = dict(
            monitor=r.monitor_address, engine=r.args[0] if r.args else None, project=r.project, stack=r.stack,
            parallel=r.parallel, dry_run=r.dryRun, organization=r.organization, root_directory=r.info.root_directory)
        directory = r.info.program_directory
        program = self._context.Process(target=run_program, args=(dict(
            directory=directory, output=os.path.join(directory, "program.log"), config=dict(r.config),
            secret_keys=list(r.configSecretKeys), settings=settings),))
        # The start of another program polls all that are known, and would take the exit code from the thread that waits here.
        with self._starting:
            program.start()
            multiprocessing.process._children.discard(program)
        context.add_callback(program.kill)
        program.join()
        code = program.exitcode
        return lang.RunResponse(bail=code == BAIL, error="" if code in (0, BAIL) else f"program exited with code {code}")


    def RunPlugin(self, r, context):
        """A policy pack of the test (harness/fake_pack.py), which is there already: its folder holds its port."""
        ended = Event()
        context.add_callback(ended.set)
        with open(os.path.join(r.info.program_directory, "port"), "rb") as port:
            yield lang.RunPluginResponse(stdout=port.read())
        ended.wait()


class ProgramHost:
    def __enter__(self) -> "ProgramHost":
        self._server = grpc.server(futures.ThreadPoolExecutor(16))
        lang_grpc.add_LanguageRuntimeServicer_to_server(_Host(), self._server)
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()
        return self

    def __exit__(self, *_) -> None:
        self._server.stop(0)
