# SPDX-License-Identifier: Apache-2.0
"""Servers on this machine that are compatible with clouds, each for the tests of one process."""

import base64
import contextlib
import email.utils
import hashlib
import hmac
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable

import pytest

PATIENCE_SECONDS = 60


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


SERVERS = pathlib.Path(__file__).parents[3] / "build" / "servers"  # where tests/checks/servers.py puts them
INSTALL = "tests/checks/servers.py --install"


def program_or_skip(name: str, remedy: str) -> str:
    """The path of a program: beside this Python, on PATH, or where it was installed."""
    places = [str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", ""), str(pathlib.Path.home() / "go/bin"),
              str(SERVERS / "bin"), str(SERVERS / "node_modules" / ".bin")]
    found = shutil.which(name, path=os.pathsep.join(places))
    if not found:
        pytest.skip(f"{name} is not installed: {remedy}")
    return found


@contextlib.contextmanager
def running(args: list[str], port: int, folder: pathlib.Path, env: dict[str, str] | None = None):
    """A server as a child process, from when it listens until the end of the block."""
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(args, cwd=folder, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until_listening(process, port, folder / "server.log")
            yield process
        finally:
            process.kill()
            process.wait()


def wait_until_listening(process: subprocess.Popen, port: int, log: pathlib.Path):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the server ended:\n{log.read_text()}"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise AssertionError(f"the server does not listen:\n{log.read_text()}")


def held_by(keys: list[str], read: Callable[[str], bytes]) -> list[str]:
    """The keys of a bucket that keep others away from a stack: locks, and heads that are not free."""
    heads = [key for key in keys if key.endswith("/head.json") and json.loads(read(key))["state"] != "free"]
    return [key for key in keys if "/locks/" in key] + heads


def send(method: str, url: str, body: bytes = b"", headers: dict[str, str] | None = None) -> bytes:
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
        return response.read()


@contextlib.contextmanager
def moto(folder: pathlib.Path):
    """AWS as moto plays it: S3, KMS, STS and more; it believes every signature. Gives "127.0.0.1:PORT"."""
    program = program_or_skip("moto_server", "pip install -r tests/py/requirements-clouds.txt")
    port = free_port()
    with running([program, "-H", "127.0.0.1", "-p", str(port)], port, folder):
        yield f"127.0.0.1:{port}"


VERSITYGW_KEYS = {"AWS_ACCESS_KEY_ID": "CANARYACCESSKEY", "AWS_SECRET_ACCESS_KEY": "canary-secret-access-key"}


@contextlib.contextmanager
def versitygw(folder: pathlib.Path):
    """S3 over a folder, which checks every signature, with the bucket `team`. Gives "127.0.0.1:PORT"."""
    program = program_or_skip("versitygw", INSTALL)
    port = free_port()
    (folder / "data" / "team").mkdir(parents=True)
    env = {"ROOT_ACCESS_KEY": VERSITYGW_KEYS["AWS_ACCESS_KEY_ID"],
           "ROOT_SECRET_KEY": VERSITYGW_KEYS["AWS_SECRET_ACCESS_KEY"]}
    with running([program, "--port", f"127.0.0.1:{port}", "--region", "us-east-1", "posix", "data"], port, folder, env):
        yield f"127.0.0.1:{port}"


AZURITE_ACCOUNT = "devstoreaccount1"
# Published with the emulator, and the same on every machine.
AZURITE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


def azurite_signature(text: str) -> str:
    return base64.b64encode(hmac.new(base64.b64decode(AZURITE_KEY), text.encode(), hashlib.sha256).digest()).decode()


def make_azurite_container(address: str, name: str):
    date = email.utils.formatdate(usegmt=True)
    path = f"/{AZURITE_ACCOUNT}/{name}"
    text = ("PUT" + "\n" * 12 + f"x-ms-date:{date}\nx-ms-version:2020-10-02\n/{AZURITE_ACCOUNT}{path}"
            "\nrestype:container")
    headers = {"x-ms-date": date, "x-ms-version": "2020-10-02", "Content-Type": "", "Content-Length": "0",
               "Authorization": f"SharedKey {AZURITE_ACCOUNT}:{azurite_signature(text)}"}
    send("PUT", f"http://{address}{path}?restype=container", b"", headers)


def azurite_permission() -> str:
    """A signed permission to do anything with blobs, as a query."""
    fields = {"sv": "2020-10-02", "ss": "b", "srt": "sco", "sp": "rwdlac", "se": "2099-01-01T00:00:00Z",
              "spr": "https,http"}
    text = "\n".join([AZURITE_ACCOUNT, fields["sp"], fields["ss"], fields["srt"], "", fields["se"], "", fields["spr"],
                      fields["sv"], ""])
    return urllib.parse.urlencode(fields | {"sig": azurite_signature(text)})


@contextlib.contextmanager
def azurite(folder: pathlib.Path):
    """Azure's storage, which checks signatures, with the container `team`. Gives "127.0.0.1:PORT"."""
    program = program_or_skip("azurite-blob", INSTALL)
    port = free_port()
    args = [program, "--silent", "--location", str(folder), "--blobHost", "127.0.0.1", "--blobPort", str(port),
            "--skipApiVersionCheck"]
    with running(args, port, folder):
        address = f"127.0.0.1:{port}"
        make_azurite_container(address, "team")
        yield address


@contextlib.contextmanager
def fake_gcs_server(folder: pathlib.Path):
    """Google Cloud Storage in memory, with the bucket `team`. Gives "127.0.0.1:PORT"."""
    program = program_or_skip("fake-gcs-server", INSTALL)
    port = free_port()
    address = f"127.0.0.1:{port}"
    args = [program, "-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-backend", "memory", "-public-host",
            address]
    with running(args, port, folder):
        send("POST", f"http://{address}/storage/v1/b", b'{"name":"team"}', {"Content-Type": "application/json"})
        yield address
