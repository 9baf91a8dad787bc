# SPDX-License-Identifier: Apache-2.0
"""A policy pack in the test's own process, which records the requests of engines.

    with Pack() as pack:
        pack.install(folder)        # `--policy-pack folder`
        pack.rules = [{"name", "level", "kind": "resource" | "stack" | "remediation", "word": WORD}]

A rule of resources objects to the `value` WORD, one of stacks to more than three things, and a remediation gives things
whose value is WORD another one. The folder looks like a pack for Python: its interpreter only tells the pack's port.
"""

from __future__ import annotations

from concurrent import futures
from pathlib import Path
from threading import Lock

import grpc
from google.protobuf import empty_pb2, json_format
from pulumi.runtime.proto import analyzer_pb2 as pb, analyzer_pb2_grpc, plugin_pb2

from .fake_world import dump, load, plain

_KINDS = {"resource": pb.POLICY_TYPE_RESOURCE, "remediation": pb.POLICY_TYPE_RESOURCE, "stack": pb.POLICY_TYPE_STACK}
_TELL = "#!/bin/sh\ncat '{port}'\nexec sleep 300\n"
_NAME, _VERSION = "made-up", "0.1.0"
REMEDIATED = "better than "
ADDED = "remediated"


class Pack(analyzer_pb2_grpc.AnalyzerServicer):
    def __init__(self):
        self.rules: list[dict] = []
        self.calls: dict[str, list] = {}
        self._lock = Lock()

    def __enter__(self) -> "Pack":
        self._server = grpc.server(futures.ThreadPoolExecutor(8))
        analyzer_pb2_grpc.add_AnalyzerServicer_to_server(self, self._server)
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()
        return self

    def __exit__(self, *_) -> None:
        self._server.stop(0)

    def install(self, folder: Path) -> None:
        (folder / "venv" / "bin").mkdir(parents=True)
        (folder / "port").write_text(f"{self.port}\n")
        python = folder / "venv" / "bin" / "python"
        python.write_text(_TELL.format(port=folder / "port"))
        python.chmod(0o755)
        (folder / "PulumiPolicy.yaml").write_text(
            f"runtime:\n  name: python\n  options:\n    virtualenv: venv\nversion: {_VERSION}\n")

    def take_calls(self) -> dict[str, list]:
        """The calls, by kind and URN."""
        with self._lock:
            calls, self.calls = self.calls, {}
        return calls

    def _note(self, call: str, request) -> None:
        words = json_format.MessageToDict(request)
        for of in (words, *words.get("resources", [])):
            of.get("dependencies", []).sort()
            for dependencies in of.get("propertyDependencies", {}).values():
                dependencies.get("urns", []).sort()
        if "resources" in words:
            words["resources"] = {resource["urn"]: resource for resource in words["resources"]}
        with self._lock:
            self.calls.setdefault(f"{call} {words.get('urn', '')}", []).append(words)

    def _of_kind(self, kind: str) -> list[dict]:
        return [rule for rule in self.rules if rule["kind"] == kind]

    @staticmethod
    def _violation(rule: dict, urn: str, text: str) -> pb.AnalyzeDiagnostic:
        return pb.AnalyzeDiagnostic(
            policyName=rule["name"], policyPackName=_NAME, policyPackVersion=_VERSION, description="a rule",
            message=text, enforcementLevel=rule["level"], urn=urn)

    # The protocol.

    def Handshake(self, request, context):
        return pb.AnalyzerHandshakeResponse()

    def ConfigureStack(self, request, context):
        self._note("configure stack", request)
        return pb.AnalyzerStackConfigureResponse()

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version=_VERSION)

    def GetAnalyzerInfo(self, request, context):
        return pb.AnalyzerInfo(name=_NAME, version=_VERSION, policies=[
            pb.PolicyInfo(name=rule["name"], description="a rule", enforcementLevel=rule["level"],
                          policy_type=_KINDS[rule["kind"]]) for rule in self.rules])

    def Configure(self, request, context):
        return empty_pb2.Empty()

    def Analyze(self, request, context):
        self._note("analyze", request)
        value = plain(load(request.properties)).get("value")
        return pb.AnalyzeResponse(diagnostics=[
            self._violation(rule, request.urn, f"the value {value} is not liked")
            for rule in self._of_kind("resource") if value == rule["word"]])

    def AnalyzeStack(self, request, context):
        self._note("analyze stack", request)
        # Sorted: the peer sends them in another order each time.
        things = sorted((r for r in request.resources if r.type.startswith("things:")), key=lambda r: r.urn)
        return pb.AnalyzeResponse(diagnostics=[
            self._violation(rule, things[0].urn if rule["word"] == "one" else "", f"{len(things)} things are too many")
            for rule in self._of_kind("stack") if len(things) > 3])

    def Remediate(self, request, context):
        self._note("remediate", request)
        props = load(request.properties)
        answers = []
        for rule in self._of_kind("remediation"):
            if plain(props).get("value") == rule["word"]:
                props = {**props, "value": REMEDIATED + rule["word"], "more": ADDED}
                answers.append(pb.Remediation(policyName=rule["name"], policyPackName=_NAME, policyPackVersion=_VERSION,
                                              description="a rule", properties=dump(props)))
        return pb.RemediateResponse(remediations=answers)

    def Cancel(self, request, context):
        return empty_pb2.Empty()
