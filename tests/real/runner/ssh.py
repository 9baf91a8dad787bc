# SPDX-License-Identifier: Apache-2.0
"""This machine as a remote one: an OpenSSH server of its own user at a free port, as long as a `with` lasts."""

from __future__ import annotations

import contextlib
import getpass
import shutil
import socket
import subprocess
import time
from pathlib import Path

from harness.clouds import free_port

_START_S = 20


def server() -> str | None:
    """The program; Debian has it in openssh-server."""
    return shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")


@contextlib.contextmanager
def running(program: str, folder: Path):
    """Yields the variables that stories need: where the server is, who may log in, and the file of the private key."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)], check=True)
    shutil.copy(folder / "user.pub", folder / "authorized")
    port = free_port()
    (folder / "config").write_text(f"""Port {port}
ListenAddress 127.0.0.1
HostKey {folder / "host"}
AuthorizedKeysFile {folder / "authorized"}
PasswordAuthentication no
StrictModes no
UsePAM no
AcceptEnv *
PidFile none
Subsystem sftp internal-sftp
""")
    if getpass.getuser() == "root":
        Path("/run/sshd").mkdir(exist_ok=True)  # the server's part without privileges lives there
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([program, "-D", "-e", "-f", str(folder / "config")], stdout=log, stderr=log)
        try:
            _wait_until_open(port, folder / "log")
            yield {"KINGPOST_SSH_PORT": str(port), "KINGPOST_SSH_USER": getpass.getuser(), "KINGPOST_SSH_KEY": str(folder / "user")}
        finally:
            process.terminate()
            process.wait()


def _wait_until_open(port: int, log: Path) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError as error:
            if time.monotonic() > deadline:
                raise RuntimeError(f"the SSH server was not there within {_START_S} s: {error}\n{log.read_text()}") from None
        time.sleep(0.1)
