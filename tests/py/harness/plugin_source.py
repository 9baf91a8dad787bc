# SPDX-License-Identifier: Apache-2.0
"""A server on this machine that plugins can be downloaded from, and the archives that it serves."""

from __future__ import annotations

import hashlib
import io
import platform
import stat
import subprocess
import tarfile
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from .commands import PROGRAMS

PLATFORM = "linux-" + {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]

# The provider for tests as one executable; it finds its other file beside itself.
_LAUNCHER = b'#!/bin/sh\nexec "$PULUMI_PYTHON_CMD" -u "$(dirname "$0")/__main__.py" "$@"\n'


def archive(files: dict[str, bytes], executables: tuple[str, ...] = ()) -> bytes:
    """A .tar.gz of files, by name."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(content), 0o755 if name in executables else 0o644
            tar.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def things_files() -> dict[str, bytes]:
    main = (PROGRAMS / "things" / "__main__.py").read_bytes()
    # Enough that its download can be watched; what cannot be compressed stays as long as it is.
    ballast = b"".join(hashlib.sha256(str(i).encode()).digest() for i in range(8000))
    return {"pulumi-resource-things": _LAUNCHER, "__main__.py": main, "ballast": ballast}


def things_archive() -> bytes:
    return archive(things_files(), ("pulumi-resource-things",))


def asset_name(name: str = "things", version: str = "1.0.0", kind: str = "resource") -> str:
    return f"pulumi-{kind}-{name}-v{version}-{PLATFORM}.tar.gz"


def make_executable(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@dataclass
class Source:
    """Serves what `files` holds, by path; everything else is 404."""

    files: dict[str, bytes] = field(default_factory=dict)
    cut: dict[str, int] = field(default_factory=dict)          # path → answers that end half-way
    status: dict[str, int] = field(default_factory=dict)       # path → a status instead of an answer
    moved: dict[str, str] = field(default_factory=dict)        # path → where it redirects to
    asked: list[str] = field(default_factory=list)             # paths, in order
    tokens: list[str] = field(default_factory=list)            # the Authorization headers of all requests
    certificate: tuple[Path, Path] | None = None               # with its key: serves https

    def __post_init__(self) -> None:
        self.go_on = threading.Event()     # held answers go on when it is set
        self.go_on.set()
        self.half_way = threading.Event()  # set when half an answer has been sent while they are held
        source = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                source.answer(self)

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if self.certificate:
            import ssl
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*map(str, self.certificate))
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server.server_port}"

    @property
    def url(self) -> str:
        return f"{'https' if self.certificate else 'http'}://{self.address}"

    def close(self) -> None:
        self.go_on.set()
        self.server.shutdown()
        self.server.server_close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path
        self.asked.append(path)
        self.tokens.append(handler.headers.get("Authorization", ""))
        body = self.files.get(path.partition("?")[0])
        status = self.status.get(path, 302 if path in self.moved else 200 if body is not None else 404)
        if status != 200:
            body = b"no such thing\n"
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        if path in self.moved:
            handler.send_header("Location", self.moved[path])
        handler.end_headers()
        half = len(body) // 2
        handler.wfile.write(body[:half])
        if self.cut.get(path, 0) > 0:
            self.cut[path] -= 1
            handler.close_connection = True
            return
        if not self.go_on.is_set():
            handler.wfile.flush()
            self.half_way.set()
            self.go_on.wait(60)
        try:
            handler.wfile.write(body[half:])
        except OSError:
            pass  # the client has gone


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
                   check=True, capture_output=True)
    return certificate, key
