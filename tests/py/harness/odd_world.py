# SPDX-License-Identifier: Apache-2.0
"""A world of one thing, whose provider answers and whose program does whatever a test wants."""

from __future__ import annotations

import signal

import pytest
from google.protobuf import struct_pb2
from pulumi.runtime.proto import provider_pb2 as pb, resource_pb2 as rpb

from .fault_world import FaultWorld
from .patience import patience


CRASHES = {-number for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE)}


class OddWorld(FaultWorld):
    """A world of one thing. The test decides the provider's answers, and what the program does before it registers."""

    def __init__(self):
        super().__init__()
        self.handshake = None
        self.create = None
        self.diff = None
        self.delete = None
        self.meddle = None
        self.register = None
        self.finish = None
        self.value = "1"
        self.read_ids = []
        self.engine = self.monitor = ""

    def Handshake(self, request, context):
        self.engine = getattr(request, "engine_address", "") or self.engine
        if self.handshake and isinstance(request, pb.ProviderHandshakeRequest):
            self.handshake(context)
        return super().Handshake(request, context)

    def Create(self, request, context):
        if self.create:
            return self.create(request)
        return pb.CreateResponse(id="thing-1", properties=request.properties)

    def Diff(self, request, context):
        return self.diff or super().Diff(request, context)

    def Update(self, request, context):
        return pb.UpdateResponse(properties=request.news)

    def Delete(self, request, context):
        if self.delete:
            self.delete()
        return super().Delete(request, context)

    def Read(self, request, context):
        self.read_ids.append(request.id)
        return pb.ReadResponse(id=request.id, inputs=request.inputs, properties=request.properties)

    def Run(self, request, context):
        self.monitor = request.monitor_address
        if self.meddle:
            self.meddle(request.monitor_address)
        return super().Run(request, context)

    def _register_all(self, monitor, project, stack, dry_run):
        root = monitor.RegisterResource(
            rpb.RegisterResourceRequest(type="pulumi:pulumi:Stack", name=f"{project}-{stack}", custom=False,
                                        object=struct_pb2.Struct()), timeout=patience(60)).urn
        inputs = struct_pb2.Struct()
        inputs["value"] = self.value
        monitor.RegisterResource(
            rpb.RegisterResourceRequest(type="things:index:Thing", name="thing", custom=True, parent=root, object=inputs,
                                        acceptSecrets=True), timeout=patience(60))
        if self.register:
            self.register(monitor, root)
        monitor.RegisterResourceOutputs(
            rpb.RegisterResourceOutputsRequest(urn=root, outputs=struct_pb2.Struct()), timeout=patience(60))
        if self.finish:
            self.finish(monitor)


@pytest.fixture
def world():
    with OddWorld() as world:
        yield world


@pytest.fixture
def ws(world, tmp_path):
    return world.workspace(tmp_path / "ws")


def done_well(done) -> None:
    assert done is not None, "it hangs"
    assert done.returncode == 0, done.stdout[-4000:]


def failed_well(done) -> None:
    assert done is not None, "it hangs"
    assert done.returncode not in {0} | CRASHES, done.stdout
