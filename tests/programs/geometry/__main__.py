# SPDX-License-Identifier: Apache-2.0
"""A provider for tests: whatever tests/data/packages/shapes.yaml describes.

Resources keep their inputs; outputs that are no inputs are made up by type. Given arguments, it is another package:
`NAME VERSION GREETING` has one resource, whose greeting is the parameter.
"""

import base64
import json
import os
import sys
from concurrent import futures
from pathlib import Path
from threading import Event

import grpc
import yaml
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2 as pb, provider_pb2_grpc, resource_pb2, resource_pb2_grpc

SCHEMA = yaml.safe_load((Path(__file__).parents[2] / "data" / "packages" / "shapes.yaml").read_text())
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
KEY = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"
REFERENCE = "5cf8f73096256a8f31e491e813e4eb8e"
MADE_UP = {"string": "made up", "integer": 7, "number": 1.5, "boolean": True, "array": [], "object": {}}


def load(struct) -> dict:
    return json_format.MessageToDict(struct)


def dump(properties: dict) -> struct_pb2.Struct:
    return json_format.ParseDict(properties, struct_pb2.Struct())


def plain(value):
    """Without secrets; of references what the engine keeps."""
    if isinstance(value, dict):
        if value.get(KEY) == REFERENCE:
            return {"urn": value["urn"]}
        return plain(value["value"]) if value.get(KEY) == SECRET else {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def outputs(token: str, inputs: dict, preview: bool) -> dict:
    described = SCHEMA["resources"].get(token) or {}
    known = described.get("inputProperties", {})
    made = {name: UNKNOWN if preview else MADE_UP[spec["type"]]
            for name, spec in described.get("properties", {}).items() if name not in known and "type" in spec}
    return {**inputs, **made}


class Provider(provider_pb2_grpc.ResourceProviderServicer):
    def __init__(self):
        self.stopped = Event()
        self.parameter = None

    def Handshake(self, request, context):
        return pb.ProviderHandshakeResponse(accept_secrets=True, accept_resources=True, accept_outputs=False)

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="1.2.3")

    def Parameterize(self, request, context):
        value = request.value.value.decode() if request.HasField("value") else " ".join(request.args.args)
        self.parameter = value.split(" ", 2)
        return pb.ParameterizeResponse(name=self.parameter[0], version=self.parameter[1])

    def GetSchema(self, request, context):
        if not self.parameter:
            left_out = os.environ.get("SHAPES_LEAVES_OUT")  # a key of the schema
            return pb.GetSchemaResponse(schema=json.dumps({k: v for k, v in SCHEMA.items() if k != left_out}))
        name, version, _ = self.parameter
        greeting = {"type": "string"}
        return pb.GetSchemaResponse(schema=json.dumps({
            "name": name, "version": version,
            "parameterization": {"baseProvider": {"name": "shapes", "version": "1.2.3"},
                                 "parameter": base64.b64encode(" ".join(self.parameter).encode()).decode()},
            "resources": {f"{name}:index:Greeter": {"inputProperties": {"who": greeting},
                                                    "properties": {"who": greeting, "greeting": greeting}}},
            "functions": {f"{name}:index:getGreeting": {"outputs": {"properties": {"text": greeting}}}}}))

    def GetMapping(self, request, context):
        if request.key != "terraform":
            return pb.GetMappingResponse()
        return pb.GetMappingResponse(provider="shapes", data=b'{"mapped":"shapes"}')

    def CheckConfig(self, request, context):
        return pb.CheckResponse(inputs=request.news)

    def DiffConfig(self, request, context):
        return pb.DiffResponse(changes=1)

    def Configure(self, request, context):
        return pb.ConfigureResponse(acceptSecrets=True, supportsPreview=True, acceptResources=True)

    def Check(self, request, context):
        return pb.CheckResponse(inputs=request.news)

    def Diff(self, request, context):
        old, new = plain(load(request.old_inputs)), plain(load(request.news))
        keys = sorted(k for k in old.keys() | new.keys() if old.get(k) != new.get(k))
        return pb.DiffResponse(changes=2 if keys else 1, diffs=keys)

    def Create(self, request, context):
        token, name = request.urn.split("::")[2].split("$")[-1], request.urn.rsplit("::", 1)[1]
        made = outputs(token, load(request.properties), request.preview)
        if self.parameter:
            made["greeting"] = f"{self.parameter[2]}, {plain(made).get('who')}"
        return pb.CreateResponse(id="" if request.preview else f"{name}-id", properties=dump(made))

    def Update(self, request, context):
        token = request.urn.split("::")[2].split("$")[-1]
        return pb.UpdateResponse(properties=dump(outputs(token, load(request.news), request.preview)))

    def Read(self, request, context):
        if request.id == "nobody":
            return pb.ReadResponse()
        found = dump({"name": "found", "size": 3})
        return pb.ReadResponse(id=request.id, inputs=found, properties=found)

    def Delete(self, request, context):
        return empty_pb2.Empty()

    def Invoke(self, request, context):
        name, args = request.tok.rsplit(":", 1)[1], plain(load(request.args))
        answers = {
            "getShape": {"name": args.get("name"), "sizeInBytes": 2.5, "tags": {"camelCase": "kept"},
                         "found": [{"name": f["name"], "sizeInBytes": len(f["values"])} for f in args.get("filters", [])],
                         "password": {KEY: SECRET, "value": "hidden word"}},
            "getAll": {"names": ["a", "b"]},
            "getText": {"result": f"text of {args.get('name')}"},
            "getOrdered": {"result": f"{args.get('b')} {int(args.get('a') or 0)}"},
            "getOld": {"name": args.get("name")},
            "getGreeting": {"text": self.parameter[2] if self.parameter else ""},
        }
        return pb.InvokeResponse(**{"return": dump(answers.get(name, {}))})

    def Call(self, request, context):
        name, args = request.tok.rsplit("/", 1)[1], plain(load(request.args))
        answers = {"describe": {"text": f"in {args.get('style')}", "length": 9},
                   "countAll": {"total": len((args.get("filter") or {}).get("values", []))}}
        return pb.CallResponse(**{"return": dump(answers.get(name, {}))})

    def Construct(self, request, context):
        monitor = resource_pb2_grpc.ResourceMonitorStub(grpc.insecure_channel(request.monitorEndpoint))
        inputs = load(request.inputs)
        component = monitor.RegisterResource(resource_pb2.RegisterResourceRequest(
            type=request.type, name=request.name, parent=request.parent, object=request.inputs, acceptSecrets=True,
            acceptResources=True))
        child = monitor.RegisterResource(resource_pb2.RegisterResourceRequest(
            type="shapes:index/Scalars:Scalars", name=request.name + "-child", custom=True, parent=component.urn,
            object=dump({"text": inputs["title"]}), acceptSecrets=True, acceptResources=True))
        state = {"title": inputs["title"], "child": {KEY: REFERENCE, "urn": child.urn, "id": child.id or UNKNOWN}}
        monitor.RegisterResourceOutputs(resource_pb2.RegisterResourceOutputsRequest(urn=component.urn, outputs=dump(state)))
        return pb.ConstructResponse(urn=component.urn, state=dump(state))

    def Cancel(self, request, context):
        self.stopped.set()
        return empty_pb2.Empty()


def main() -> None:
    server = grpc.server(futures.ThreadPoolExecutor(16))
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(Provider(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    try:
        server.wait_for_termination()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
