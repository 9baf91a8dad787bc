# SPDX-License-Identifier: Apache-2.0
"""Runs on the workers of a Dask cluster: the ordinary command, once for each stack, and its lines in both directions.

    bridge ──submit──▶ run_member   a task: a thread of the worker, which waits for the command
           ──run─────▶ exchange     takes what the commands of this worker have said; waits a while for something
           ──run─────▶ deliver      what they are to hear

Nothing but the name of a stack is in the task graph. The lines of a command travel in `exchange` and `deliver`, and neither end
logs those. The command itself masks secrets. The keys that open them are in the environment of the worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import threading
import time
import uuid
from pathlib import Path
from typing import Any, Dict, IO, List, Optional, Tuple

from . import __version__
from ._find_command import find_command
from ._kingpost import holds_project

_PROCESS = uuid.uuid4().hex  # of this worker
_EXCHANGE_SECONDS = 5.0  # that an exchange waits for something to take
_LOST_SECONDS = 60.0  # without an exchange: nobody coordinates any more
_MESSAGES_MAX = 2000  # that wait to be taken; a command that says more waits, too
_SAID_MAX = 4000  # characters of the end of standard error that are kept

Message = Tuple[int, str, str]  # its number, the run that it is of, a line of JSON


def machine() -> str:
    """The machine that this process is on: this start of its kernel, and its name, which containers do not share."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip() + " " + socket.gethostname()


def command() -> Optional[str]:
    """``kingpost fleet worker`` names the command that it is."""
    return os.environ.get("KINGPOST_COMMAND") or find_command()


def describe(folders: List[str], dask_worker: Any = None) -> Dict[str, Any]:
    """Whether this worker can do what it is to do."""
    return {
        "version": __version__,
        "machine": machine(),
        "command": command(),
        "missing": [folder for folder in folders if not holds_project(Path(folder))],
        "threads": int(dask_worker.state.nthreads),
    }


class _Outbox:
    """The messages of one fleet's commands on this worker, until the coordinator confirms that it has them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._messages: List[Message] = []
        self._last = 0
        self._wake: Optional[Tuple[asyncio.AbstractEventLoop, asyncio.Event]] = None
        self._heard = time.monotonic()

    def put(self, run: str, text: str) -> None:
        while len(self._messages) > _MESSAGES_MAX and not self.is_lost():
            time.sleep(0.05)
        with self._lock:
            self._last += 1
            self._messages.append((self._last, run, text))
            wake = self._wake
        if wake:
            with contextlib.suppress(RuntimeError):  # the loop of a worker that ends
                wake[0].call_soon_threadsafe(wake[1].set)

    async def take(self, seen: int) -> List[Message]:
        self._heard = time.monotonic()
        event = asyncio.Event()
        with self._lock:
            self._messages = [message for message in self._messages if message[0] > seen]
            if self._messages:
                return list(self._messages)
            self._wake = (asyncio.get_running_loop(), event)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(event.wait(), _EXCHANGE_SECONDS)
        self._heard = time.monotonic()
        with self._lock:
            self._wake = None
            return list(self._messages)

    def is_lost(self) -> bool:
        return time.monotonic() - self._heard > _LOST_SECONDS


_lock = threading.Lock()
_outboxes: Dict[str, _Outbox] = {}  # by fleet
_inboxes: Dict[str, "queue.Queue[Dict[str, Any]]"] = {}  # by run


def _outbox_of(fleet: str) -> _Outbox:
    with _lock:
        return _outboxes.setdefault(fleet, _Outbox())


async def exchange(fleet: str, process: str, seen: int) -> Tuple[str, List[Message]]:
    """The messages after `seen`, which counts those of the worker process `process`; and the name of the present process."""
    return _PROCESS, await _outbox_of(fleet).take(seen if process == _PROCESS else 0)


def deliver(messages: List[Tuple[str, Dict[str, Any]]]) -> None:
    """To runs; those that are over hear nothing."""
    for run, message in messages:
        with _lock:
            inbox = _inboxes.get(run)
        if inbox is not None:
            inbox.put(message)


def run_member(fleet: str, token: str) -> Dict[str, Any]:
    """The task. Asks what to do, does it, and says how the command ended."""
    from distributed import get_worker

    worker = get_worker()
    name = worker.address if worker.name == worker.address else f"{worker.name} ({worker.address})"
    return _Run(fleet, token, name).work()


class _Run:
    """One command for one stack."""

    def __init__(self, fleet: str, token: str, worker: str) -> None:
        self._id = f"{token} {uuid.uuid4().hex}"
        self._worker = worker
        self._outbox = _outbox_of(fleet)
        self._inbox: "queue.Queue[Dict[str, Any]]" = queue.Queue()
        self._said = ""  # the end of its standard error
        self._seceded = False

    def work(self) -> Dict[str, Any]:
        with _lock:
            _inboxes[self._id] = self._inbox
        try:
            self._say({"start": {"worker": self._worker, "machine": machine()}})
            over = self._run_command()
        except OSError as error:
            over = {"why": str(error)}
        finally:
            with _lock:
                del _inboxes[self._id]
        self._say({"over": over})
        return over

    def _run_command(self) -> Dict[str, Any]:
        spec = self._hear_spec()
        if spec is None:
            return {"stopped": True}
        path, folder = command(), spec["folder"]
        if path is None:
            return {"why": "the command kingpost is not there"}
        if not holds_project(Path(folder)):
            return {"why": f"there is no project in {folder}; workers need the projects at the same path"}
        # A session of its own: the end of standard input tells the command that the worker was interrupted.
        process = subprocess.Popen(
            [path, *spec["arguments"]],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        threading.Thread(target=self._watch, args=(process,), daemon=True).start()
        return self._attend(process)

    def _hear_spec(self) -> Optional[Dict[str, Any]]:
        while not self._outbox.is_lost():
            with contextlib.suppress(queue.Empty):
                message = self._inbox.get(timeout=1)
                if "spec" in message:
                    spec: Dict[str, Any] = message["spec"]
                    return spec
                if "drop" in message or "interrupt" in message:
                    return None
        return None

    def _attend(self, process: "subprocess.Popen[str]") -> Dict[str, Any]:
        assert process.stdin is not None
        while True:
            try:
                message = self._inbox.get(timeout=1)
            except queue.Empty:
                if self._outbox.is_lost() and not process.stdin.closed:
                    _close(process.stdin)
                continue
            if "code" in message:
                _close(process.stdin)
                return {"code": message["code"], "why": self._why(message["code"])}
            if "interrupt" in message:
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(signal.SIGINT)
            elif "waits" in message:
                self._secede()
            elif "answer" in message and not process.stdin.closed:
                with contextlib.suppress(OSError):
                    process.stdin.write(json.dumps(message) + "\n")
                    process.stdin.flush()

    def _secede(self) -> None:
        """While it waits for another stack, this worker takes the next one: that may be the one that is waited for."""
        if not self._seceded:
            import distributed

            leave_pool: Any = distributed.secede
            self._seceded = True
            leave_pool()

    def _watch(self, process: "subprocess.Popen[str]") -> None:
        """Passes on what the command says, and that it has ended."""
        assert process.stdout is not None and process.stderr is not None
        errors = threading.Thread(target=self._pass_on_errors, args=(process.stderr,), daemon=True)
        errors.start()
        for line in process.stdout:
            self._outbox.put(self._id, line.rstrip("\n"))
        errors.join()
        self._inbox.put({"code": process.wait()})

    def _pass_on_errors(self, stream: IO[str]) -> None:
        for line in stream:
            self._said = (self._said + line)[-_SAID_MAX:]
            if not line.startswith("error: "):  # that it has failed is told at the end
                self._say({"say": line.rstrip("\n")})

    def _why(self, code: int) -> str:
        said = self._said.strip()
        begin = said.rfind("error: ")
        if begin >= 0:
            return said[begin + len("error: ") :]
        return f"the command ended with {code}" + (f": {said.splitlines()[-1]}" if said else "")

    def _say(self, message: Dict[str, Any]) -> None:
        self._outbox.put(self._id, json.dumps(message))


def _close(stream: IO[str]) -> None:
    with contextlib.suppress(OSError):
        stream.close()
