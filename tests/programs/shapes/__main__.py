# SPDX-License-Identifier: Apache-2.0
"""A provider of whatever its project describes: `shapes.json` holds the package's schema, and what exists, by type and ID.

The provider only reads what exists. It creates, changes and deletes nothing: a program that asks for that does not match
what was imported. A value {"$secret": V} in the description is V, sent as a secret. `refuses` makes it reject its
configuration: {"check": {property: reason}} or {"configure": text}. `configured` names a file to which it writes its
configuration.
"""

import json
import os
import sys
from concurrent import futures
from pathlib import Path

import grpc
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2 as pb, provider_pb2_grpc

SECRET_KEY = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"
WORLD = json.loads(Path(os.environ.get("SHAPES_WORLD", "shapes.json")).read_text(encoding="utf-8"))


def load(struct) -> dict:
    return json_format.MessageToDict(struct)


def dump(props: dict) -> struct_pb2.Struct:
    return json_format.ParseDict(props, struct_pb2.Struct())


def told(value):
    """The description's value as it goes over the wire."""
    if isinstance(value, dict):
        if set(value) == {"$secret"}:
            return {SECRET_KEY: SECRET, "value": told(value["$secret"])}
        return {k: told(v) for k, v in value.items()}
    return [told(v) for v in value] if isinstance(value, list) else value


def plain(value):
    """The value without secret wrappers, hashes of assets and archives, and the notes that bridged providers keep."""
    if isinstance(value, dict):
        if value.get(SECRET_KEY) == SECRET:
            return plain(value["value"])
        return {k: plain(v) for k, v in value.items()
                if not k.startswith("__") and not (k == "hash" and SECRET_KEY in value)}
    return [plain(v) for v in value] if isinstance(value, list) else value


class Provider(provider_pb2_grpc.ResourceProviderServicer):
    def Handshake(self, request, context):
        return pb.ProviderHandshakeResponse(accept_secrets=True, accept_resources=True, accept_outputs=False)

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="1.0.0")

    def GetSchema(self, request, context):
        if "schema" not in WORLD:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "this package has no schema")
        return pb.GetSchemaResponse(schema=json.dumps(WORLD["schema"]))

    def CheckConfig(self, request, context):
        wrong = WORLD.get("refuses", {}).get("check", {})
        failures = [pb.CheckFailure(property=property, reason=reason) for property, reason in wrong.items()]
        return pb.CheckResponse(inputs=request.news, failures=failures)

    def DiffConfig(self, request, context):
        changed = plain(load(request.olds)) != plain(load(request.news))
        return pb.DiffResponse(changes=2 if changed else 1)

    def Configure(self, request, context):
        if "configured" in WORLD:
            Path(WORLD["configured"]).write_text(json.dumps({"urn": request.urn, "id": request.id, **load(request.args)}),
                                                 encoding="utf-8")
        if "configure" in WORLD.get("refuses", {}):
            context.abort(grpc.StatusCode.UNKNOWN, WORLD["refuses"]["configure"])
        return pb.ConfigureResponse(acceptSecrets=True, supportsPreview=True, acceptResources=True)

    def Check(self, request, context):
        return pb.CheckResponse(inputs=request.news)

    def Diff(self, request, context):
        old, new = plain(load(request.old_inputs)), plain(load(request.news))
        keys = sorted(k for k in old.keys() | new.keys() if old.get(k) != new.get(k))
        return pb.DiffResponse(changes=2 if keys else 1, diffs=keys)

    def Read(self, request, context):
        found = WORLD["things"].get(request.urn.split("::")[2].split("$")[-1], {}).get(request.id)
        if found is None:
            return pb.ReadResponse(id="")
        inputs = dump(told(found["inputs"]))
        return pb.ReadResponse(id=request.id, inputs=inputs, properties=dump(told(found["inputs"] | found["outputs"])))

    def Cancel(self, request, context):
        return empty_pb2.Empty()


def main() -> None:
    server = grpc.server(futures.ThreadPoolExecutor(8))
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
