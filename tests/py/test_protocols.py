# SPDX-License-Identifier: Apache-2.0
"""Compares the protocols of proto/ with those that the `pulumi` package from PyPI installs.

tests/reference/protocols.py reduces every service, method, message, field, oneof and enum value of both sides to one line of
text. A test fails with the lines that only one side has.
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

# Names that the Go SDK of the followed version has, and PyPI's newest does not have yet. A line that both have fails.
AHEAD = {
    "only here:   enum value pulumirpc.ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_REGISTER_RESOURCE_OUTPUT_VALUES = 19",
    "only here:   field pulumirpc.RegisterResourceRequest.uses_output_values = 44: optional bool json=usesOutputValues",
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
