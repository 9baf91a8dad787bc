# SPDX-License-Identifier: Apache-2.0
"""Does an editor's part after a startDebuggingEvent: attaches, and lets the program go on."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import time
import urllib.request
from pathlib import Path
from typing import Any

from .patience import patience


def debugging_events(log: Path, count: int = 1, seconds: float = 60) -> list[dict[str, Any]]:
    """The configurations in an event log that is being written."""
    end = time.monotonic() + patience(seconds)
    while time.monotonic() < end:
        lines = log.read_text().splitlines() if log.exists() else []
        events = [json.loads(line) for line in lines if line.endswith("}")]
        found = [event["startDebuggingEvent"]["config"] for event in events if "startDebuggingEvent" in event]
        if len(found) >= count:
            return found
        time.sleep(0.1)
    raise AssertionError(f"no {count} of startDebuggingEvent in {log}")


class DapEditor:
    """The few messages of the Debug Adapter Protocol that attach to a debugger."""

    _adapter = ""

    def __init__(self, host: str, port: int):
        self._socket = socket.create_connection((host, port), timeout=patience(30))
        self._stream = self._socket.makefile("rb")
        self._sequence = 0

    def _send(self, command: str, **arguments: Any) -> None:
        self._sequence += 1
        body = json.dumps({"seq": self._sequence, "type": "request", "command": command, "arguments": arguments}).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def _wait_for(self, kind: str, name: str) -> dict[str, Any]:
        while True:
            length = 0
            while (line := self._stream.readline().strip()):
                length = int(line.split(b":")[1])
            assert length, "the debugger hung up"
            message = json.loads(self._stream.read(length))
            if message["type"] == kind and message.get("event", message.get("command")) == name:
                return message

    def attach_and_go_on(self) -> None:
        self._send("initialize", adapterID=self._adapter)
        self._attach()
        self._wait_for("event", "initialized")
        self._send("configurationDone")
        assert self._wait_for("response", "configurationDone")["success"]

    def _attach(self) -> None:
        raise NotImplementedError


class DebugpyEditor(DapEditor):
    _adapter = "python"

    def _attach(self) -> None:
        self._send("attach", justMyCode=True)


class DelveEditor(DapEditor):
    """Delve stays until its editor leaves, and takes what it debugs along."""

    _adapter = "go"

    def _attach(self) -> None:
        self._send("attach", mode="remote")

    def leave_at_the_end(self) -> None:
        self._wait_for("event", "terminated")
        self._send("disconnect")


class InspectorEditor:
    """A web socket to the inspector of Node.js."""

    def __init__(self, host: str, port: int):
        with urllib.request.urlopen(f"http://{host}:{port}/json/list", timeout=patience(30)) as answer:
            path = json.load(answer)[0]["webSocketDebuggerUrl"].split("/", 3)[3]
        self._socket = socket.create_connection((host, port), timeout=patience(30))
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        assert b" 101 " in self._socket.recv(4096)

    def _send(self, text: str) -> None:
        payload, mask = text.encode(), os.urandom(4)
        assert len(payload) < 126
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self._socket.sendall(struct.pack("BB", 0x81, 0x80 | len(payload)) + mask + masked)

    def attach_and_go_on(self) -> None:
        for number, method in enumerate(("Debugger.enable", "Runtime.runIfWaitingForDebugger", "Debugger.resume",
                                         "Debugger.disable"), 1):
            self._send(json.dumps({"id": number, "method": method}))
            self._socket.recv(65536)
        self._close()

    def _close(self) -> None:
        """Takes leave as web sockets do: Node.js may crash when the connection just ends while the program runs on."""
        self._socket.sendall(struct.pack("BB", 0x88, 0x80) + os.urandom(4))
        while self._socket.recv(65536):
            pass
        self._socket.close()
