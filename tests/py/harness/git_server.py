# SPDX-License-Identifier: Apache-2.0
"""Git repositories of a folder over HTTPS on this machine, with a certificate of its own."""

from __future__ import annotations

import http.server
import os
import shutil
import ssl
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

from .commands import missing


class _Handler(http.server.BaseHTTPRequestHandler):
    """Serves the answers of `git http-backend`."""

    protocol_version = "HTTP/1.1"
    root = ""

    def log_message(self, *_args) -> None:
        pass

    def _serve(self) -> None:
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        env = dict(os.environ, GIT_PROJECT_ROOT=self.root, GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path, QUERY_STRING=query,
                   REQUEST_METHOD=self.command, CONTENT_TYPE=self.headers.get("Content-Type", ""),
                   HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""), CONTENT_LENGTH=str(len(body)),
                   GIT_PROTOCOL=self.headers.get("Git-Protocol", ""), REMOTE_ADDR="127.0.0.1")
        done = subprocess.run(["git", "http-backend"], input=body, env=env, capture_output=True, check=True)
        head, _, answer = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in (fields | {"Content-Length": str(len(answer))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = _serve


@contextmanager
def git_server(root: Path, scratch: Path) -> Iterator[tuple[str, Path]]:
    """https://localhost:PORT, below which are the repositories of `root`, and the certificate to trust."""
    if shutil.which("openssl") is None:
        missing("openssl is not installed")
    certificate, key = scratch / "certificate.pem", scratch / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True,
                   capture_output=True)
    handler = type("Handler", (_Handler,), {"root": str(root)})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"https://localhost:{server.server_address[1]}", certificate
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
