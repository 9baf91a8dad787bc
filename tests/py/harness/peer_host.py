# SPDX-License-Identifier: Apache-2.0
"""Stands in for the peer's language hosts (`pulumi-language-python`, `-nodejs`, `-go`), which are not installed.

    peer_host.py python|nodejs|go ENGINE_ADDRESS        prints its port and serves LanguageRuntime

It runs programs with the unmodified SDKs, and provider folders and policy packs through RunPlugin. Only the peer uses
it: Kingpost has its own launchers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from concurrent import futures
from queue import SimpleQueue

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import language_pb2 as lang, language_pb2_grpc as lang_grpc, plugin_pb2

RUN_PYTHON = """
import asyncio, json, os, runpy, sys, traceback
import pulumi, pulumi.runtime
o = json.loads(os.environ.pop("HOST_RUN"))
for k, v in o["config"].items():
    pulumi.runtime.config.set_config(k, v)
pulumi.runtime.set_all_config(o["config"], o["secret_keys"])
pulumi.runtime.configure(pulumi.runtime.Settings(**o["settings"]))
sys.path.insert(0, o["dir"])
loop = asyncio.new_event_loop(); asyncio.set_event_loop(loop)
try:
    loop.run_until_complete(pulumi.runtime.run_in_stack(lambda: runpy.run_path(o["entry"], run_name="__main__")))
except pulumi.RunError as error:
    pulumi.log.error(str(error))
    loop.run_until_complete(asyncio.sleep(0.2)); sys.exit(32)
except Exception:
    pulumi.log.error("Program failed with an unhandled exception:\\n" + traceback.format_exc())
    loop.run_until_complete(asyncio.sleep(0.2)); sys.exit(32)
"""


def python_program(r, env):
    entry = r.info.entry_point if r.info.entry_point not in ("", ".") else ""
    directory = r.info.program_directory
    settings = dict(
        monitor=r.monitor_address, engine=r.args[0] if r.args else ENGINE, project=r.project, stack=r.stack,
        parallel=r.parallel, dry_run=r.dryRun, organization=r.organization, root_directory=r.info.root_directory)
    env["HOST_RUN"] = json.dumps(dict(
        config=dict(r.config), secret_keys=list(r.configSecretKeys), settings=settings, dir=directory,
        entry=os.path.join(directory, entry)))
    return [sys.executable, "-u", "-c", RUN_PYTHON]


def node_program(r, env):
    run = os.path.join(r.info.program_directory, "node_modules/@pulumi/pulumi/cmd/run/index.js")
    return ["node", run, "--monitor", r.monitor_address, "--engine", r.args[0] if r.args else ENGINE,
            "--project", r.project, "--stack", r.stack, "--pwd", r.info.program_directory,
            "--parallel", str(r.parallel), "--organization", r.organization,
            "--root-directory", r.info.root_directory, *(["--dry-run"] if r.dryRun else []), r.info.entry_point or "."]


def go_program(r, env):
    built = dict(r.info.options).get("binary")
    binary = os.path.join(r.info.program_directory, built or "program-binary")
    if not built:
        subprocess.run(["go", "build", "-o", binary, "."], cwd=r.info.program_directory, check=True, stdout=sys.stderr)
    env.update(PULUMI_PROJECT=r.project, PULUMI_STACK=r.stack, PULUMI_MONITOR=r.monitor_address, PULUMI_ENGINE=ENGINE,
               PULUMI_DRY_RUN=str(r.dryRun).lower(), PULUMI_PARALLEL=str(r.parallel),
               PULUMI_ORGANIZATION=r.organization, PULUMI_ROOT_DIRECTORY=r.info.root_directory)
    return [binary]


def plugin(kind, r):
    """The process behind a folder with PulumiPlugin.yaml or PulumiPolicy.yaml, and its working directory."""
    directory = r.info.program_directory
    if kind == "python":
        if r.kind == "analyzer":
            return [sys.executable, "-u", "-m", "pulumi.policy", *r.args, directory], directory
        return [sys.executable, "-u", directory, *r.args], r.pwd
    script = "run-policy-pack" if r.kind == "analyzer" else "run-plugin"
    node = ["node", os.path.join(directory, f"node_modules/@pulumi/pulumi/cmd/{script}/index.js")]
    return ([*node, *r.args, directory], directory) if r.kind == "analyzer" else ([*node, directory, *r.args], r.pwd)


class Host(lang_grpc.LanguageRuntimeServicer):
    def __init__(self, kind):
        self.kind = kind
        self.children = []

    def Handshake(self, request, context):
        return lang.LanguageHandshakeResponse()

    def GetRequiredPackages(self, request, context):
        return lang.GetRequiredPackagesResponse()

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="1.0.0")

    def About(self, request, context):
        return lang.AboutResponse(executable=self.kind, version="1")

    def Cancel(self, request, context):
        for child in self.children:
            if child.poll() is None:
                child.kill()
        return empty_pb2.Empty()

    def Run(self, r, context):
        env = dict(os.environ, PULUMI_CONFIG=json.dumps(dict(r.config)),
                   PULUMI_CONFIG_SECRET_KEYS=json.dumps(list(r.configSecretKeys)))
        if self.kind == "nodejs":  # else Node.js itself strips the types, and positions lack their file
            env["PULUMI_NODEJS_TYPESCRIPT"] = "true"
        argv = {"python": python_program, "nodejs": node_program, "go": go_program}[self.kind](r, env)
        # Standard output is the engine's: only the port line belongs there, so the program writes to standard error.
        child = subprocess.Popen(argv, env=env, cwd=r.info.program_directory, stdout=sys.stderr)
        self.children.append(child)
        code = child.wait()
        return lang.RunResponse(bail=code == 32, error="" if code in (0, 32) else f"program exited with code {code}")

    def RunPlugin(self, r, context):
        argv, cwd = plugin(self.kind, r)
        env = dict(os.environ) | dict(pair.split("=", 1) for pair in r.env)
        child = subprocess.Popen(argv, env=env, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.children.append(child)
        context.add_callback(lambda: child.poll() is None and child.kill())
        replies = SimpleQueue()

        def pump(stream, field):
            while chunk := stream.read1(65536):
                replies.put(lang.RunPluginResponse(**{field: chunk}))
            replies.put(None)

        for stream, field in ((child.stdout, "stdout"), (child.stderr, "stderr")):
            threading.Thread(target=pump, args=(stream, field), daemon=True).start()
        ended = 0
        while ended < 2:
            reply = replies.get()
            if reply is None:
                ended += 1
            else:
                yield reply
        yield lang.RunPluginResponse(exitcode=child.wait())


if __name__ == "__main__":
    ENGINE = sys.argv[-1]
    server = grpc.server(futures.ThreadPoolExecutor(16))
    host = Host(sys.argv[1])
    lang_grpc.add_LanguageRuntimeServicer_to_server(host, server)
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    try:
        server.wait_for_termination()
    except KeyboardInterrupt:  # how the peer ends its plugins
        pass
