# SPDX-License-Identifier: Apache-2.0
"""The transit engine of Vault, as far as a stack's data key needs it: two calls, under keys that are made on the way."""

import base64
import contextlib
import hashlib
import http.server
import json
import threading


class FakeVault:
    """Knows each plaintext that it was given, so that tests can look for it where it must not be."""

    def __init__(self, token: str):
        self.token = token
        self.calls: list[str] = []  # "encrypt/team"
        self.plaintexts: list[bytes] = []
        self.namespaces: set[str | None] = set()
        self.failing = 0  # so many of the next requests are answered with 503

    def stream(self, key: str, size: int) -> bytes:
        return (hashlib.sha512(key.encode()).digest() * (size // 64 + 1))[:size]

    def mix(self, key: str, text: bytes) -> bytes:
        return bytes(a ^ b for a, b in zip(text, self.stream(key, len(text)), strict=True))

    def encrypt(self, key: str, body: dict) -> dict:
        plaintext = base64.b64decode(body["plaintext"])
        self.plaintexts.append(plaintext)
        return {"ciphertext": "vault:v1:" + base64.b64encode(self.mix(key, plaintext)).decode()}

    def decrypt(self, key: str, body: dict) -> dict:
        ciphertext = base64.b64decode(body["ciphertext"].removeprefix("vault:v1:"))
        return {"plaintext": base64.b64encode(self.mix(key, ciphertext)).decode()}

    @contextlib.contextmanager
    def serving(self):
        """Gives the variables that Vault's clients read."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_for(self))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield {"VAULT_ADDR": f"http://127.0.0.1:{server.server_port}", "VAULT_TOKEN": self.token}
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def handler_for(vault: FakeVault):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def answer(self, status: int, document: dict):
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_PUT(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if vault.failing:
                vault.failing -= 1
                return self.answer(503, {"errors": ["Vault is sealed"]})
            _, version, engine, action, key = self.path.split("/")
            if self.headers["X-Vault-Token"] != vault.token or version != "v1" or engine != "transit":
                return self.answer(403, {"errors": ["permission denied"]})
            assert self.headers["X-Vault-Request"] == "true"
            vault.calls.append(f"{action}/{key}")
            vault.namespaces.add(self.headers["X-Vault-Namespace"])
            return self.answer(200, {"data": getattr(vault, action)(key, body)})

    return Handler
