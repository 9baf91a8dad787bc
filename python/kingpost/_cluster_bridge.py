# SPDX-License-Identifier: Apache-2.0
"""``python -m kingpost._cluster_bridge tcp://HOST:8786``: stands between ``kingpost up --all --on`` and a Dask cluster.

Lines of standard input and output are ``ID {JSON}``; ID is the number of a stack, 0 the whole.

    in    0 {"folders": [..]}          first: where the projects are
          ID {"begin": NAME, "spec": {..}}
          ID {"answer": .., "attempt": 1}, {"waits": true, "attempt": 1}
          0 {"interrupt": 1}           1: finish what runs; 2: stop at once
    out   0 {"slots": 4, ..} or {"fatal": WHY}
          ID {"start": {"worker": .., "attempt": 1, ..}}, what the command there says, at last {"over": {..}}

When its input ends, the commands on the workers are interrupted as by Ctrl-C.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import uuid
from typing import Any, Dict, List, Optional, Tuple

from . import __version__
from . import _cluster_worker as worker_side
from ._cluster_start import INSTALL

_CONNECT_SECONDS = 10
_LOOK_SECONDS = 1.0  # between looks for new workers
_TAIL_SECONDS = 10.0  # that the last lines of a task may come after its result
_END_SECONDS = 3.0
_LINE_MAX = 256 << 20  # a plan of a large stack is one line


def _tell(number: int, message: Dict[str, Any]) -> None:
    sys.stdout.write(f"{number} {json.dumps(message)}\n")
    sys.stdout.flush()


class _Member:
    """A stack that was given to the cluster."""

    def __init__(self, number: int, name: str, spec: Dict[str, Any]) -> None:
        self.number = number
        self.name = name
        self.spec = spec
        self.attempt = 0
        self.run = ""  # of the present attempt
        self.worker = ""
        self.future: Any = None
        self.over = False


class _Bridge:
    def __init__(self, client: Any) -> None:
        self._client = client
        self._fleet = uuid.uuid4().hex
        self._members: Dict[str, _Member] = {}  # by token
        self._followers: Dict[str, "asyncio.Task[None]"] = {}  # by worker
        self._outgoing: Dict[str, "asyncio.Queue[Tuple[str, Dict[str, Any]]]"] = {}
        self._senders: Dict[str, "asyncio.Task[None]"] = {}
        self._watchers: List["asyncio.Task[None]"] = []
        self._interrupted = 0

    # --- the cluster ------------------------------------------------------------------------------

    async def greet(self, folders: List[str]) -> Optional[str]:
        """Tells what there is, or answers why there is not enough."""
        found = await self._client.run(worker_side.describe, folders, on_error="return")
        if not found:
            return "the cluster has no workers; start some with: kingpost fleet worker dask://HOST:8786"
        for address, facts in found.items():
            why = _why_not(facts)
            if why:
                return f"the worker {address} {why}"
        here = worker_side.machine()
        slots = sum(facts["threads"] for facts in found.values())
        is_here = all(facts["machine"] == here for facts in found.values())
        _tell(0, {"slots": slots, "is_here": is_here, "here": here, "workers": len(found)})
        return None

    async def follow_workers(self) -> None:
        """Those that join later, too."""
        while True:
            with contextlib.suppress(OSError):
                identity = await self._client.scheduler.identity(n_workers=-1)
                for address in identity["workers"]:
                    if address not in self._followers or self._followers[address].done():
                        self._followers[address] = asyncio.ensure_future(self._follow(address))
            await asyncio.sleep(_LOOK_SECONDS)

    async def _follow(self, address: str) -> None:
        """Takes what is said on one worker until that is gone."""
        process, seen = "", 0
        while True:
            taken = await self._client.run(
                worker_side.exchange, self._fleet, process, seen, workers=[address], on_error="return"
            )
            answer = taken.get(address)
            if not isinstance(answer, tuple):  # the error of a worker that is gone
                return
            process, messages = answer
            for number, run, text in messages:
                self._take(address, run, text)
                seen = number

    def _take(self, address: str, run: str, text: str) -> None:
        member = self._members.get(run.partition(" ")[0])
        if member is None or member.over:
            if '"start"' in text:
                self._send(address, run, {"drop": True})
            return
        if text.startswith('{"start"'):
            self._take_start(member, address, run, text)
        elif run == member.run:  # what an earlier one says late is of no use
            if text.startswith('{"over"'):
                self._end(member, json.loads(text)["over"])
            else:
                sys.stdout.write(f"{member.number} {text}\n")
                sys.stdout.flush()

    def _take_start(self, member: _Member, address: str, run: str, text: str) -> None:
        if self._interrupted:
            self._send(address, run, {"drop": True})
            return self._end(member, {"stopped": True})
        member.attempt += 1
        member.run, member.worker = run, address
        start = json.loads(text)["start"]
        _tell(member.number, {"start": {**start, "attempt": member.attempt}})
        return self._send(address, run, {"spec": member.spec})

    def _send(self, address: str, run: str, message: Dict[str, Any]) -> None:
        if address not in self._outgoing:
            self._outgoing[address] = asyncio.Queue()
            self._senders[address] = asyncio.ensure_future(self._deliver(address))
        self._outgoing[address].put_nowait((run, message))

    async def _deliver(self, address: str) -> None:
        """In order; what is for a worker that is gone is for nobody."""
        outgoing = self._outgoing[address]
        while True:
            messages = [await outgoing.get()]
            while not outgoing.empty():
                messages.append(outgoing.get_nowait())
            await self._client.run(worker_side.deliver, messages, workers=[address], on_error="ignore")

    # --- stacks -----------------------------------------------------------------------------------

    def _begin(self, number: int, name: str, spec: Dict[str, Any]) -> None:
        member = _Member(number, name, spec)
        token = f"{self._fleet}-{number}"
        self._members[token] = member
        if self._interrupted:
            return self._end(member, {"stopped": True})
        # Dask gives it to another worker if one dies.
        member.future = self._client.submit(
            worker_side.run_member, self._fleet, token, key=f"{name}-{token}", pure=False
        )
        self._watchers.append(asyncio.ensure_future(self._watch(member)))
        return None

    async def _watch(self, member: _Member) -> None:
        """The end of its task; its last lines tell more, and come another way."""
        from distributed.scheduler import KilledWorker

        try:
            over = await member.future
        except asyncio.CancelledError:
            over = {"stopped": True} if self._interrupted else {"why": "the connection to the cluster is lost"}
        except KilledWorker:
            over = {"why": "each worker that took it over has died"}
        except Exception as error:  # noqa: BLE001 - whatever Dask makes of it is the end of this stack alone
            over = {"why": f"{type(error).__name__}: {error}"}
        else:
            deadline = asyncio.get_running_loop().time() + _TAIL_SECONDS
            while not member.over and asyncio.get_running_loop().time() < deadline:
                await asyncio.sleep(0.05)
            member.future.release()  # so that Dask does not do it again when the worker goes that did it
        self._end(member, over)

    def _end(self, member: _Member, over: Dict[str, Any]) -> None:
        if not member.over:
            member.over = True
            _tell(member.number, {"over": over})

    async def _interrupt(self, number: int) -> None:
        self._interrupted = number
        for member in list(self._members.values()):
            if member.over:
                continue
            if member.run:
                self._send(member.worker, member.run, {"interrupt": number})
            else:
                await member.future.cancel()
                self._end(member, {"stopped": True})

    # --- the command ------------------------------------------------------------------------------

    async def hear(self, lines: asyncio.StreamReader) -> None:
        while True:
            line = await lines.readline()
            if not line:
                break
            number, _, text = line.decode().partition(" ")
            await self._hear(int(number), json.loads(text))
        # The command has ended, or was killed.
        if any(not member.over for member in self._members.values()):
            await self.stop()

    async def stop(self) -> None:
        await self._interrupt(1)
        await asyncio.sleep(0)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._sent(), _END_SECONDS)

    async def _sent(self) -> None:
        while any(not outgoing.empty() for outgoing in self._outgoing.values()):
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.2)

    async def _hear(self, number: int, message: Dict[str, Any]) -> None:
        if "begin" in message:
            self._begin(number, message["begin"], message["spec"])
        elif "interrupt" in message:
            await self._interrupt(message["interrupt"])
        else:
            member = self._members.get(f"{self._fleet}-{number}")
            # An answer to a worker that is gone is not one to its successor.
            if member is not None and message.get("attempt") == member.attempt:
                self._send(member.worker, member.run, message)


def _why_not(facts: Any) -> Optional[str]:
    if isinstance(facts, ImportError):
        return f"has no kingpost ({facts}); install it there: {INSTALL}"
    if isinstance(facts, BaseException):
        return f"does not answer: {facts}"
    if facts["version"] != __version__:
        return f"has kingpost {facts['version']}, and this command's is {__version__}; install the same everywhere"
    if not facts["command"]:
        return "has the package kingpost and not the command; start it with: kingpost fleet worker"
    if facts["missing"]:
        more = f" and {len(facts['missing']) - 1} more" if len(facts["missing"]) > 1 else ""
        return (
            f"has no project in {facts['missing'][0]}{more}; workers need the projects at the same path: in a folder "
            "that machines share, an image, or a checkout"
        )
    return None


async def _lines_of(file: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=_LINE_MAX)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(file, "rb")
    )
    return reader


async def _main(scheduler: str) -> None:
    import distributed

    connect: Any = distributed.Client  # its types say nothing of its asynchronous form
    lines = await _lines_of(sys.stdin.fileno())
    first = (await lines.readline()).decode().partition(" ")[2]
    try:
        client = await connect(scheduler, asynchronous=True, set_as_default=False, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        reason = str(error.__cause__ or error).strip().splitlines() or [type(error).__name__]
        return _tell(0, {"fatal": f"no Dask scheduler answers there: {reason[0]}"})
    bridge = _Bridge(client)
    why = await bridge.greet(json.loads(first)["folders"])
    if why is not None:
        return _tell(0, {"fatal": why})
    loop = asyncio.get_running_loop()
    hearing = asyncio.ensure_future(bridge.hear(lines))
    # The reaper of a command that was killed gives a second.
    loop.add_signal_handler(signal.SIGTERM, lambda: asyncio.ensure_future(_leave(bridge, hearing)))
    loop.add_signal_handler(signal.SIGINT, lambda: asyncio.ensure_future(_leave(bridge, hearing)))
    following = asyncio.ensure_future(bridge.follow_workers())
    with contextlib.suppress(asyncio.CancelledError):
        await hearing
    following.cancel()
    with contextlib.suppress(asyncio.TimeoutError, OSError):
        await asyncio.wait_for(client.close(), _END_SECONDS)
    return None


async def _leave(bridge: _Bridge, hearing: "asyncio.Task[None]") -> None:
    await bridge.stop()
    hearing.cancel()


def main() -> None:
    try:
        import distributed  # noqa: F401 - whether it is there
    except ImportError as error:
        _tell(0, {"fatal": f"{sys.executable} has no dask.distributed ({error}); install it with: {INSTALL}"})
        return
    logging.getLogger("distributed").setLevel(logging.ERROR)  # what is wrong is told in our words
    asyncio.run(_main(sys.argv[1]))
    sys.stdout.flush()
    os._exit(0)  # threads of Dask have nothing left to do


if __name__ == "__main__":
    main()
