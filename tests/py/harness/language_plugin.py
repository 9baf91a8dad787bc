# SPDX-License-Identifier: Apache-2.0
"""A language's plugin for tests. The SDKs, programs and projects that it writes are files with its requests."""

import json
import subprocess
import sys
from concurrent import futures
from pathlib import Path

import grpc
from pulumi.runtime.proto import language_pb2, language_pb2_grpc, plugin_pb2
from pulumi.runtime.proto.codegen import hcl_pb2, loader_pb2, mapper_pb2


def get_schema(target, package):
    # The stub of the wheel looks for modules that it does not have.
    call = grpc.insecure_channel(target).unary_unary(
        "/codegen.Loader/GetSchema", loader_pb2.GetSchemaRequest.SerializeToString,
        loader_pb2.GetSchemaResponse.FromString)
    return call(loader_pb2.GetSchemaRequest(package=package))


def get_mapping(target, provider):
    call = grpc.insecure_channel(target).unary_unary(
        "/codegen.Mapper/GetMapping", mapper_pb2.GetMappingRequest.SerializeToString,
        mapper_pb2.GetMappingResponse.FromString)
    return call(mapper_pb2.GetMappingRequest(provider=provider))


class Cobol(language_pb2_grpc.LanguageRuntimeServicer):
    def Handshake(self, request, context):
        return language_pb2.LanguageHandshakeResponse()

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="v1.0.0")

    def GeneratePackage(self, request, context):
        schema = json.loads(request.schema)
        if schema["name"] == "refused":
            return language_pb2.GeneratePackageResponse(
                diagnostics=[hcl_pb2.Diagnostic(severity=hcl_pb2.DIAG_ERROR, summary="no such package")])
        loaded = get_schema(request.loader_target, schema["name"])
        Path(request.directory, "sdk.json").write_text(json.dumps({
            "name": schema["name"], "same": loaded.schema.decode() == request.schema, "local": request.local,
            "extra": {name: text.decode() for name, text in request.extra_files.items()}}))
        return language_pb2.GeneratePackageResponse(
            diagnostics=[hcl_pb2.Diagnostic(severity=hcl_pb2.DIAG_WARNING, summary="mind the gap")])

    def GenerateProgram(self, request, context):
        [source] = request.source.values()
        if "refused" in source:
            return language_pb2.GenerateProgramResponse(
                diagnostics=[hcl_pb2.Diagnostic(severity=hcl_pb2.DIAG_ERROR, summary="no such program")])
        loaded = json.loads(get_schema(request.loader_target, "shapes").schema)
        core = json.loads(get_schema(request.loader_target, "pulumi").schema)
        assert "pulumi:index:Stash" in core["resources"] and "pulumi:pulumi:StackReference" in core["resources"], core
        assert get_mapping(request.mapper_target, "nobody").data == b""
        return language_pb2.GenerateProgramResponse(
            source={"main.cob": f"* {loaded['name']}\n{source}".encode()})

    def GenerateProject(self, request, context):
        Path(request.target_directory, "Pulumi.yaml").write_text(request.project)
        assert get_mapping(request.mapper_target, "nobody").data == b""
        source = Path(request.source_directory, "main.pp").read_text()
        Path(request.target_directory, "main.cob").write_text(source + f"* strict: {request.strict}\n")
        return language_pb2.GenerateProjectResponse(
            diagnostics=[hcl_pb2.Diagnostic(severity=hcl_pb2.DIAG_WARNING, summary="mind the gap")])

    def RunPlugin(self, request, context):
        """Sources in this language are Python in truth, behind a line of their own."""
        folder = Path(request.info.program_directory)
        assert request.info.options["dialect"] == "85" and request.info.options["loud"] is True, request.info.options
        (folder / "asked").write_text(f"{request.kind} {request.pwd}\n")
        run = subprocess.Popen([sys.executable, "-u", folder / "main.cob", *request.args], cwd=request.pwd, text=True,
                               env=dict(one.split("=", 1) for one in request.env), stdout=subprocess.PIPE)
        context.add_callback(run.kill)
        yield language_pb2.RunPluginResponse(stderr=b"compiled\n")
        for line in run.stdout:
            yield language_pb2.RunPluginResponse(stdout=line.encode())
        yield language_pb2.RunPluginResponse(exitcode=run.wait())

    def Link(self, request, context):
        linked = request.packages[0]
        loaded = json.loads(get_schema(request.loader_target, linked.package.name).schema)
        assert loaded["name"] == linked.package.name and loaded["resources"], loaded
        return language_pb2.LinkResponse(import_instructions=f"COPY {linked.package.name} FROM {linked.path}\n")


if __name__ == "__main__":
    server = grpc.server(futures.ThreadPoolExecutor(4))
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(Cobol(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    try:
        server.wait_for_termination()
    except KeyboardInterrupt:
        sys.exit(0)
