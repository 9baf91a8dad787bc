# SPDX-License-Identifier: Apache-2.0
"""Servers that speak the languages of clouds, on this machine, each for the tests of one process."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

PATIENCE_SECONDS = 60


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def program_or_skip(name: str, remedy: str) -> str:
    """The path of a program: beside this Python, on PATH, or where Go installs."""
    places = [str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", ""), str(pathlib.Path.home() / "go/bin")]
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
    program = program_or_skip("versitygw", "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
    port = free_port()
    (folder / "data" / "team").mkdir(parents=True)
    env = {"ROOT_ACCESS_KEY": VERSITYGW_KEYS["AWS_ACCESS_KEY_ID"],
           "ROOT_SECRET_KEY": VERSITYGW_KEYS["AWS_SECRET_ACCESS_KEY"]}
    with running([program, "--port", f"127.0.0.1:{port}", "--region", "us-east-1", "posix", "data"], port, folder, env):
        yield f"127.0.0.1:{port}"
