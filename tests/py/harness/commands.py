# SPDX-License-Identifier: Apache-2.0
"""The command that a test runs, and the tools that must be on PATH with it."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
PROGRAMS = REPOSITORY / "tests" / "programs"
STATES = REPOSITORY / "tests" / "data" / "states"

# The peer's own language hosts are not at hand; peer_host.py stands in for them under these names.
_PEER_HOSTS = {"python", "nodejs", "go"}
_PEER_DYNAMIC = {
    "python": 'exec {python} -u -m pulumi.dynamic "$@"\n',
    "nodejs": "exec node \"$(node -p \"require.resolve('@pulumi/pulumi/cmd/dynamic-provider')\")\" \"$@\"\n",
}


@dataclass(frozen=True)
class Command:
    """A pulumi-compatible command and the environment it needs."""

    name: str
    path: Path

    @staticmethod
    def kingpost() -> "Command":
        """The command under test: KINGPOST_BIN, or what ./dev build leaves. """
        path = Path(os.environ.get("KINGPOST_BIN") or REPOSITORY / "build" / "bin" / "kingpost")
        if not path.exists():
            pytest.fail(f"{path} is not built; run ./dev build or set KINGPOST_BIN", pytrace=False)
        return Command("kingpost", path.absolute())

    @property
    def is_peer(self) -> bool:
        return self.name == "peer"

    def environment(self, scratch: Path) -> dict[str, str]:
        """Variables for a run: no colour, no network look-ups, this interpreter first on PATH."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("PULUMI_") and k != "VIRTUAL_ENV"}
        path = [os.path.dirname(sys.executable), env.get("PATH", "")]
        if self.is_peer or os.environ.get("KINGPOST_IS_PEER"):
            path.insert(0, str(_peer_hosts(scratch)))
        env.update(
            PATH=os.pathsep.join(path), NO_COLOR="1", PULUMI_PYTHON_CMD=sys.executable, PULUMI_DEBUG_COMMANDS="true",
            PULUMI_SKIP_UPDATE_CHECK="true", PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION="true",
            PULUMI_CONFIG_PASSPHRASE="kingpost-test", PYTHONDONTWRITEBYTECODE="1")
        return env


def peer_or_skip() -> Command:
    """The real pulumi command, from KINGPOST_PEER; without it the test says so and is skipped."""
    path = os.environ.get("KINGPOST_PEER")
    if not path:
        pytest.skip("KINGPOST_PEER is not set: nothing to compare with (it names the real pulumi command)")
    return Command("peer", Path(path).absolute())


def missing(what: str) -> None:
    """Skips the test. ./dev test brings what it can and sets KINGPOST_TEST_ALL: there what is missing is a failure."""
    if os.environ.get("KINGPOST_TEST_ALL"):
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


def _peer_hosts(scratch: Path) -> Path:
    folder = scratch / "peer-bin"
    if folder.exists():
        return folder
    folder.mkdir(parents=True)
    scripts = {f"pulumi-language-{k}": f'exec {sys.executable} {Path(__file__).parent / "peer_host.py"} {k} "$@"\n'
               for k in _PEER_HOSTS}
    scripts |= {f"pulumi-resource-pulumi-{k}": v.format(python=sys.executable) if k == "python" else v
                for k, v in _PEER_DYNAMIC.items()}
    for name, body in scripts.items():
        file = folder / name
        file.write_text("#!/bin/sh\n" + body)
        file.chmod(0o755)
    return folder


def node_modules(package: Path = REPOSITORY / "examples" / "node") -> Path:
    """The npm packages of a folder with a lock file, installed once per lock file."""
    if not shutil.which("node") or not shutil.which("npm"):
        missing("node and npm are not installed")
    versions = (package / "package-lock.json").read_bytes()
    cache = Path(os.environ.get("KINGPOST_NPM_DIR") or REPOSITORY / "build" / "npm")
    folder = cache / hashlib.sha256(versions).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:  # tests run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        _install_npm_packages(package, folder)
    return folder / "node_modules"


def _install_npm_packages(package: Path, folder: Path) -> None:
    if not (folder / "done").exists():
        for name in ("package.json", "package-lock.json"):
            shutil.copy(package / name, folder / name)
        command = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)  # the caller may print the folder
        (folder / "done").touch()
