# SPDX-License-Identifier: Apache-2.0
"""`kingpost watch` as a process: what it prints, read as it comes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading

from .patience import patience
from .processes import wait_for
from .workspace import Workspace


class Watching:
    """With --json, `plan()` is the next document; without, `until(text)` waits for what it has printed since it was last asked."""

    def __init__(self, ws: Workspace, *arguments: str, env: dict[str, str] | None = None):
        self.process = subprocess.Popen(
            [str(ws.command.path), "watch", "--non-interactive", "--stack", ws.stack, *arguments], cwd=ws.project,
            env=ws.environment(env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)
        self._out, self._err = bytearray(), bytearray()
        self._readers = [threading.Thread(target=self._read, args=(pipe, into), daemon=True)
                         for pipe, into in ((self.process.stdout, self._out), (self.process.stderr, self._err))]
        for reader in self._readers:
            reader.start()
        self._at = 0

    @staticmethod
    def _read(pipe, into: bytearray) -> None:
        while chunk := os.read(pipe.fileno(), 1 << 16):
            into.extend(chunk)

    @property
    def out(self) -> str:
        return self._out.decode(errors="replace")

    @property
    def err(self) -> str:
        return self._err.decode(errors="replace")

    def _next_document(self) -> dict | None:
        text = self._out[self._at:].decode(errors="ignore")
        begin = len(text) - len(text.lstrip())
        with contextlib.suppress(json.JSONDecodeError):
            document, end = json.JSONDecoder().raw_decode(text, begin)
            self._at += len(text[:end].encode())
            return document
        return None

    def plan(self) -> dict:
        return wait_for(self._next_document, f"the next plan; so far {self.out[-2000:]}\n{self.err[-2000:]}")

    def until(self, text: str) -> str:
        def found() -> str | None:
            fresh = self._out[self._at:].decode(errors="ignore")
            return fresh if text in fresh else None

        fresh = wait_for(found, f"{text!r} in {self.out[-3000:]}\n{self.err[-2000:]}")
        self._at += len(fresh.encode())
        return fresh

    def end(self, number: int = signal.SIGINT) -> int:
        if self.process.poll() is None:
            os.kill(self.process.pid, number)
        code = self.process.wait(patience(60))
        for reader in self._readers:
            reader.join(patience(10))
        return code

    def __enter__(self) -> "Watching":
        return self

    def __exit__(self, *_) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            pipe.close()
