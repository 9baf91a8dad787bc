# SPDX-License-Identifier: Apache-2.0
"""The protocols of proto/ against those that the `pulumi` package from PyPI installs.

Every service, method, message, field, oneof and enum value is reduced to one line of text on both sides
(tests/reference/protocols.py); a test fails with the lines that only one side has.
"""

import sys
from pathlib import Path

import pulumi
import pytest
from google.protobuf import descriptor_pb2

from harness import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "tests"))
from reference import protocols
from reference.protocols import describe

# What SDKs newer than the installed one have changed, and the engine speaks already. A line that is no difference fails.
AHEAD = {
    "only PyPI's: enum value pulumirpc.Result.SKIP = 2",
    "only here:   enum value pulumirpc.ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_CALL_OUTPUT_VALUES = 18",
    "only here:   enum value pulumirpc.ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_INVOKE_OUTPUT_VALUES = 17",
    "only here:   enum value pulumirpc.ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_REGISTER_RESOURCE_OUTPUT_VALUES = 19",
    "only here:   field pulumirpc.CheckRequest.old_outputs = 9: optional message .google.protobuf.Struct json=oldOutputs",
    "only here:   field pulumirpc.ExistsResourceRequest.PluginChecksumsEntry.key = 1: optional string json=key",
    "only here:   field pulumirpc.ExistsResourceRequest.PluginChecksumsEntry.value = 2: optional bytes json=value",
    "only here:   field pulumirpc.ExistsResourceRequest.id = 2: optional string json=id",
    "only here:   field pulumirpc.ExistsResourceRequest.packageRef = 9: optional string json=packageRef",
    "only here:   field pulumirpc.ExistsResourceRequest.parent = 3: optional string json=parent",
    "only here:   field pulumirpc.ExistsResourceRequest.pluginChecksums = 8: repeated message .pulumirpc.ExistsResourceRequest.PluginChecksumsEntry json=pluginChecksums",
    "only here:   field pulumirpc.ExistsResourceRequest.pluginDownloadURL = 7: optional string json=pluginDownloadURL",
    "only here:   field pulumirpc.ExistsResourceRequest.properties = 4: optional message .google.protobuf.Struct json=properties",
    "only here:   field pulumirpc.ExistsResourceRequest.provider = 5: optional string json=provider",
    "only here:   field pulumirpc.ExistsResourceRequest.type = 1: optional string json=type",
    "only here:   field pulumirpc.ExistsResourceRequest.version = 6: optional string json=version",
    "only here:   field pulumirpc.ExistsResourceResponse.exists = 1: optional bool json=exists",
    "only here:   field pulumirpc.ExistsResourceResponse.unknown = 2: optional bool json=unknown",
    "only here:   field pulumirpc.GenerateProgramRequest.mapper_target = 4: optional string json=mapperTarget",
    "only here:   field pulumirpc.GenerateProjectRequest.mapper_target = 7: optional string json=mapperTarget",
    "only here:   field pulumirpc.ProviderHandshakeRequest.accepts_outputs_in_call = 14: optional bool json=acceptsOutputsInCall",
    "only here:   field pulumirpc.ProviderHandshakeRequest.accepts_outputs_in_check = 15: optional bool json=acceptsOutputsInCheck",
    "only here:   field pulumirpc.ProviderHandshakeRequest.accepts_outputs_in_invoke = 13: optional bool json=acceptsOutputsInInvoke",
    "only here:   field pulumirpc.ProviderHandshakeRequest.sends_old_outputs_to_check = 12: optional bool json=sendsOldOutputsToCheck",
    "only here:   field pulumirpc.ProviderHandshakeResponse.accepts_outputs_in_call = 8: optional bool json=acceptsOutputsInCall",
    "only here:   field pulumirpc.ProviderHandshakeResponse.accepts_outputs_in_check = 9: optional bool json=acceptsOutputsInCheck",
    "only here:   field pulumirpc.ProviderHandshakeResponse.accepts_outputs_in_invoke = 7: optional bool json=acceptsOutputsInInvoke",
    "only here:   field pulumirpc.ReadResourceResponse.id = 5: optional string json=id",
    "only here:   field pulumirpc.ReadResourceResponse.result = 3: optional enum .pulumirpc.Result json=result",
    "only here:   field pulumirpc.ReadResourceResponse.unknown = 4: optional bool json=unknown",
    "only here:   field pulumirpc.RegisterResourceRequest.uses_output_values = 44: optional bool json=usesOutputValues",
    "only here:   field pulumirpc.ResourceCallRequest.accept_output_values = 21: optional bool json=acceptOutputValues",
    "only here:   field pulumirpc.ResourceInvokeRequest.accept_output_values = 16: optional bool json=acceptOutputValues",
    "only here:   map entry pulumirpc.ExistsResourceRequest.PluginChecksumsEntry",
    "only here:   message pulumirpc.ErrorResourceAwaitFailed",
    "only here:   message pulumirpc.ExistsResourceRequest",
    "only here:   message pulumirpc.ExistsResourceResponse",
    "only here:   method pulumirpc.ResourceMonitor.ExistsResource(.pulumirpc.ExistsResourceRequest) returns (.pulumirpc.ExistsResourceResponse)",
}

FieldProto = descriptor_pb2.FieldDescriptorProto


def differences(ours, theirs):
    ours, theirs = set(ours), set(theirs)
    return sorted([f"only here:   {line}" for line in ours - theirs] + [f"only PyPI's: {line}" for line in theirs - ours])


@pytest.fixture(scope="module")
def our_files():
    return protocols.our_files()


@pytest.fixture(scope="module")
def their_files():
    return protocols.sdk_files(Path(pulumi.__file__).parents[1])


def test_every_file_of_the_sdk_has_its_counterpart(our_files, their_files):
    # Python's module for google.rpc.Status calls its file google/protobuf/status.proto; C++ has it under google/rpc.
    renamed = {"google/protobuf/status.proto": "google/rpc/status.proto"}
    expected = {renamed.get(file.name, file.name) for file in their_files}
    assert len(expected) >= 16
    assert expected <= {file.name for file in our_files}


def test_services_messages_fields_and_enums_are_the_same(our_files, their_files):
    packages = {file.package for file in their_files}
    ours = [line for file in our_files if file.package in packages for line in describe(file)]
    theirs = [line for file in their_files for line in describe(file)]
    assert len(theirs) > 1000
    found = set(differences(ours, theirs))
    assert found == AHEAD, "\n".join(["the protocols differ:", *sorted(found ^ AHEAD)])


def test_the_comparison_sees_a_changed_number_type_label_and_method(our_files):
    [original] = [file for file in our_files if file.name == "pulumi/provider.proto"]
    changed = descriptor_pb2.FileDescriptorProto()
    changed.CopyFrom(original)
    changed.service[0].method[0].server_streaming = True
    [message] = [m for m in changed.message_type if m.name == "CheckRequest"]
    message.field[0].number = 99
    message.field[1].label = FieldProto.LABEL_REPEATED
    message.field[2].type_name = ".google.protobuf.Empty"
    found = differences(describe(changed), describe(original))
    assert len(found) == 8, found
