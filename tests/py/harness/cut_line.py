# SPDX-License-Identifier: Apache-2.0
"""A line to a server on a socket of this machine, which is cut where a test wants it: PostgreSQL's own protocol passes through
it unread.

    line = CutLine(folder_of_the_socket, another_folder)
    with line.serving():            another_folder has a socket of the same name
        line.break_at(7, "lost")    the seventh message from a client from now on
"""

import contextlib
import socket
import threading
import time
from pathlib import Path

NAME = ".s.PGSQL.5432"
FAULTS = ("cut", "lost", "slow", "frozen")
SLOW_SECONDS, FROZEN_SECONDS = 0.3, 6


class CutLine:
    """cut: the message is not forwarded; lost: its answer is not; slow, frozen: it waits, the latter with all others."""

    def __init__(self, target: Path, folder: Path):
        self.target, self.folder = target / NAME, folder
        self.requests, self.met = 0, 0
        self.plan: tuple[int, str, bool] | None = None
        self.thaws = 0.0
        self._lock = threading.Lock()

    def break_at(self, at: int, fault: str, onwards: bool = False) -> None:
        with self._lock:
            self.plan, self.requests, self.met = (at, fault, onwards), 0, 0

    def mend(self) -> None:
        with self._lock:
            self.plan, self.thaws = None, 0.0

    def fault(self) -> str:
        with self._lock:
            self.requests += 1
            if not self.plan or (self.requests != self.plan[0] and not (self.plan[2] and self.requests > self.plan[0])):
                return ""
            self.met += 1
            if self.plan[1] == "frozen":
                self.thaws = time.monotonic() + FROZEN_SECONDS
            return self.plan[1]

    @contextlib.contextmanager
    def serving(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.folder / NAME))
            listener.listen(64)
            threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
            yield self.folder

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, contextlib.suppress(OSError):
            server.connect(str(self.target))
            answers = threading.Thread(target=self._pass_back, args=(server, client), daemon=True)
            while bytes_ := client.recv(1 << 20):
                fault = self.fault()
                if fault == "cut":
                    break
                if fault == "slow":
                    time.sleep(SLOW_SECONDS)
                time.sleep(max(0.0, self.thaws - time.monotonic()))
                if fault == "lost":
                    self._close(client)
                    server.sendall(bytes_)
                    time.sleep(SLOW_SECONDS)  # it is done meanwhile
                    break
                server.sendall(bytes_)
                if answers.ident is None:
                    answers.start()
            self._close(client, server)

    @staticmethod
    def _close(*ends: socket.socket) -> None:
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _pass_back(self, server: socket.socket, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while bytes_ := server.recv(1 << 20):
                client.sendall(bytes_)
        self._close(client, server)
