# SPDX-License-Identifier: Apache-2.0
"""A reverse proxy that breaks every Nth request as networks do, and counts the others."""

import contextlib
import http.client
import http.server
import socket
import threading
import time

FAULTS = ("busy", "cut", "lost", "slow", "throttled", "half")
SLOW_SECONDS = 0.2
FROZEN_SECONDS = 6


class FaultyProxy:
    """Forwards to `target`. Each `every`th request meets the next of `faults`:

        busy       503 SlowDown, not forwarded
        throttled  429 with Retry-After: 0, not forwarded
        cut        the connection ends before the request is forwarded
        lost       the request is forwarded, its answer is not
        half       the connection ends in the middle of the answer
        slow       the answer is late
        twice      it is forwarded twice, and the second answer is returned
        frozen     it and all others are forwarded only some seconds later, when a short lease has run out

    `plan` is one fault in place of every Nth: (the number of the request, the fault, whether all later ones meet it).
    With `far_ms` every request takes that much longer. The proxy refuses requests with `denied` in their path.
    """

    def __init__(self, target: str, every: int = 0, faults: tuple[str, ...] = FAULTS, far_ms: int = 0,
                 denied: str = ""):
        self.target, self.every, self.faults, self.far_ms, self.denied = target, every, faults, far_ms, denied
        self.seen: list[str] = []  # "METHOD path"
        self.plan: tuple[int, str, bool] | None = None
        self.thaws = 0.0
        self.requests = 0
        self.met: list[str] = []
        self._lock = threading.Lock()

    def next_fault(self) -> str | None:
        with self._lock:
            self.requests += 1
            if self.plan:
                at, fault, onwards = self.plan
                if self.requests != at and not (onwards and self.requests > at):
                    return None
                self.met.append(fault)
                return fault
            if not self.every or self.requests % self.every:
                return None
            self.met.append(self.faults[len(self.met) % len(self.faults)])
            return self.met[-1]

    def break_at(self, at: int, fault: str, onwards: bool = False) -> None:
        with self._lock:
            self.plan, self.requests, self.met = (at, fault, onwards), 0, []

    def mend(self) -> None:
        with self._lock:
            self.plan, self.thaws = None, 0.0

    @contextlib.contextmanager
    def serving(self):
        """Gives "127.0.0.1:PORT"."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_for(self))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def handler_for(proxy: FaultyProxy):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def hang_up(self):
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)

        def refuse(self, status: int, code: str, headers: dict[str, str]):
            body = f"<Error><Code>{code}</Code><Message>later</Message></Error>".encode()
            self.answer(status, list(headers.items()), b"" if self.command == "HEAD" else body, len(body))

        def answer(self, status: int, headers, body: bytes, length: int):
            self.send_response_only(status)
            for name, value in headers:
                if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def forward(self, body: bytes):
            # The Host header stays: it is signed.
            connection = http.client.HTTPConnection(proxy.target, timeout=60)
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            seen = response.status, response.getheaders(), response.read()
            connection.close()
            return seen

        def serve(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            fault = proxy.next_fault()
            proxy.seen.append(f"{self.command} {self.path}")
            time.sleep(proxy.far_ms / 1000)
            if proxy.denied and proxy.denied in self.path:
                return self.refuse(403, "AccessDenied", {})
            if fault == "busy":
                return self.refuse(503, "SlowDown", {})
            if fault == "throttled":
                return self.refuse(429, "TooManyRequests", {"Retry-After": "0"})
            if fault == "cut":
                return self.hang_up()
            if fault == "frozen":
                proxy.thaws = time.monotonic() + FROZEN_SECONDS
            time.sleep(max(0.0, proxy.thaws - time.monotonic()))
            if fault == "twice":
                self.forward(body)
            status, headers, answer = self.forward(body)
            if fault == "lost":
                return self.hang_up()
            if fault == "half":
                with contextlib.suppress(OSError):
                    self.answer(status, headers, answer[:len(answer) // 2], len(answer) + 1)
                return self.hang_up()
            if fault == "slow":
                time.sleep(SLOW_SECONDS)
            length = len(answer)
            if self.command == "HEAD":
                length = int(next((value for name, value in headers if name.lower() == "content-length"), 0))
            return self.answer(status, headers, answer, length)

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = serve

    return Handler
