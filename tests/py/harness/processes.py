# SPDX-License-Identifier: Apache-2.0
"""Processes of a test, and those that they start: waited for, looked for, killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .patience import patience

PATIENCE_S = patience(60)

Found = TypeVar("Found")


def wait_for(condition: Callable[[], Found], what: str) -> Found:
    """The value of `condition`, once it is true."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {PATIENCE_S} s")


def processes_in(folder: Path) -> dict[int, str]:
    """The living processes that work in `folder` or name it: their command lines."""
    found = {}
    for proc in Path("/proc").iterdir():
        if not proc.name.isdigit() or int(proc.name) == os.getpid():
            continue
        try:
            line = (proc / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (proc / "stat").read_text().rsplit(")", 1)[1].split()[0]
            inside = str(folder) in line or os.readlink(proc / "cwd").startswith(str(folder))
        except OSError:
            continue  # it ended, or is not ours to look at
        if inside and state != "Z":
            found[int(proc.name)] = line
    return found


def wait_until_nothing_runs(folder: Path) -> None:
    wait_for(lambda: not processes_in(folder), f"the end of {processes_in(folder)}")


def kill_all_in(folder: Path) -> None:
    for pid in processes_in(folder):
        with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
            os.kill(pid, signal.SIGKILL)


def kill_alone(process: subprocess.Popen, folder: Path) -> None:
    """The command alone; its children, which work in `folder`, have to notice by themselves."""
    process.kill()
    process.wait()
    wait_until_nothing_runs(folder)


def kill_group(process: subprocess.Popen) -> None:
    """Ends a process started by Workspace.start and whatever is left of its group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def children_of(pid: int) -> list[int]:
    """All descendants."""
    parents = {}
    for proc in Path("/proc").iterdir():
        if proc.name.isdigit():
            try:
                parents[int(proc.name)] = int((proc / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    found, more = [], [pid]
    while more:
        more = [child for child, parent in parents.items() if parent in more]
        found += more
    return found
