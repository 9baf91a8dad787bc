# SPDX-License-Identifier: Apache-2.0
"""The requests that a program sent to the resource monitor, recorded by recording/sitecustomize.py and recorder.js."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from google.protobuf import message_factory
from pulumi.runtime.proto import resource_pb2

METHODS = resource_pb2.DESCRIPTOR.services_by_name["ResourceMonitor"].methods_by_name
# Requests about the engine, not about resources.
_QUESTIONS = {"SupportsFeature", "GetDeploymentInfo", "SignalAndWaitForShutdown"}


def recording_environment(file: Path) -> dict[str, str]:
    """For programs in Python and in Node.js."""
    folder = Path(__file__).parent / "recording"
    path = [str(folder), os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(p for p in path if p), "KINGPOST_RECORD_REQUESTS": str(file),
            "NODE_OPTIONS": f"--require {folder / 'recorder.js'}"}


def read_requests(file: Path, scrub: tuple[bytes, bytes] = (b"", b"")) -> list[tuple[str, bytes]]:
    """(method, bytes) of each request in order of their bytes, with sets of dependencies sorted. `scrub` replaces a text
    by another of the same length, before anything is parsed."""
    raw, requests, at = file.read_bytes() if file.exists() else b"", [], 0
    while at < len(raw):
        name, size = struct.unpack_from("<II", raw, at)
        method = raw[at + 8:at + 8 + name].decode()
        body = raw[at + 8 + name:at + 8 + name + size]
        at += 8 + name + size
        if method not in _QUESTIONS:
            requests.append((method, _canonical(method, body.replace(*scrub) if scrub[0] else body)))
    return sorted(requests)


def describe(request: tuple[str, bytes]) -> str:
    """For a message about one that differs."""
    return f"{request[0]}\n{_parse(*request)}"


def name_of(method: str, body: bytes) -> str:
    message = _parse(method, body)
    return f"{method} {getattr(message, 'name', '') or getattr(message, 'urn', '')}"


def _parse(method: str, body: bytes):
    message = message_factory.GetMessageClass(METHODS[method].input_type)()
    message.ParseFromString(body)
    return message


def _canonical(method: str, body: bytes) -> bytes:
    message = _parse(method, body)
    fields = message.DESCRIPTOR.fields_by_name
    if "dependencies" in fields:
        _sort(message.dependencies)
    if "propertyDependencies" in fields:
        for urns in message.propertyDependencies.values():
            _sort(urns.urns)
    return message.SerializeToString(deterministic=True)


def _sort(urns) -> None:
    ordered = sorted(urns)
    del urns[:]
    urns.extend(ordered)
