# SPDX-License-Identifier: Apache-2.0
"""A Kubernetes control plane on this machine: etcd, API server and controllers, as long as a `with` lasts. It has no nodes, so
pods are recorded and never run."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import ssl
import subprocess
import time
import urllib.request
from pathlib import Path

from harness.clouds import free_port

_SOURCES = Path(__file__).parents[1] / "cluster"
_START_S = 120


def build(target: Path) -> None:
    """`target` is the program; it is built once for each state of its sources."""
    if target.exists() and all(target.stat().st_mtime > file.stat().st_mtime for file in _SOURCES.iterdir()):
        return
    subprocess.run(["go", "build", "-trimpath", "-ldflags=-s -w", "-o", str(target), "."], cwd=_SOURCES, check=True)


@contextlib.contextmanager
def running(program: Path, folder: Path):
    """Yields the file for KUBECONFIG. `folder` has the certificates, the objects and each part's log."""
    folder.mkdir(parents=True, exist_ok=True)
    etcd, server = free_port(), free_port()
    token, config, key = secrets.token_hex(16), folder / "kubeconfig", folder / "service-accounts.pem"
    subprocess.run(["openssl", "genrsa", "-out", str(key), "2048"], check=True, capture_output=True)
    (folder / "tokens.csv").write_text(f'{token},admin,admin,"system:masters"\n')
    config.write_text(json.dumps(_config(server, token)))
    with contextlib.ExitStack() as parts:
        _start(parts, folder, program, "etcd", str(folder / "objects"), str(etcd))
        api = _start(parts, folder, program, "apiserver", f"--etcd-servers=http://127.0.0.1:{etcd}", f"--secure-port={server}",
               "--bind-address=127.0.0.1", f"--cert-dir={folder / 'certificates'}", f"--token-auth-file={folder / 'tokens.csv'}",
               "--authorization-mode=RBAC", "--service-account-issuer=https://127.0.0.1", "--service-cluster-ip-range=10.0.0.0/24",
               f"--service-account-key-file={key}", f"--service-account-signing-key-file={key}")
        _wait_until_ready(api, server, token, folder)
        _start(parts, folder, program, "controllers", f"--kubeconfig={config}", "--leader-elect=false", "--secure-port=0",
               f"--service-account-private-key-file={key}")
        yield config


def _config(port: int, token: str) -> dict:
    return {"apiVersion": "v1", "kind": "Config", "current-context": "test",
            "clusters": [{"name": "test", "cluster": {"server": f"https://127.0.0.1:{port}", "insecure-skip-tls-verify": True}}],
            "users": [{"name": "test", "user": {"token": token}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}]}


def _start(parts: contextlib.ExitStack, folder: Path, program: Path, part: str, *arguments: str) -> subprocess.Popen:
    log = parts.enter_context((folder / f"{part}.log").open("w"))
    process = subprocess.Popen([program, part, *arguments], stdout=log, stderr=log, cwd=folder,
                               env={"PATH": os.environ["PATH"], "HOME": str(folder)})
    parts.callback(process.wait)
    parts.callback(process.kill)
    return process


def _wait_until_ready(api: subprocess.Popen, port: int, token: str, folder: Path) -> None:
    unchecked = ssl._create_unverified_context()  # the server has made its certificate itself
    request = urllib.request.Request(f"https://127.0.0.1:{port}/readyz", headers={"Authorization": f"Bearer {token}"})
    deadline = time.monotonic() + _START_S
    while True:
        try:
            with urllib.request.urlopen(request, context=unchecked, timeout=5):
                return
        except OSError as error:
            if api.poll() is not None or time.monotonic() > deadline:
                log = (folder / "apiserver.log").read_text(errors="replace")
                raise RuntimeError(f"the API server is not there: {error}\n{log[-4000:]}") from None
        time.sleep(0.2)
