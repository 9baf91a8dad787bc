# SPDX-License-Identifier: Apache-2.0
"""The command may run out of threads, descriptors, memory or file size at any place. It says so, and loses nothing."""

import contextlib
import json
import os
import resource
import shutil
import subprocess
import time

import pytest

from harness import Command, Workspace

PROGRAM = {"name": "r", "runtime": "yaml", "resources": {"s": {"type": "pulumi:index:Stash", "properties": {"input": "hello"}}}}
NOBODY = 65534


@pytest.fixture
def ws(tmp_path):
    ws = Workspace(tmp_path / "ws", Command.kingpost(), init=False)
    (ws.project / "Pulumi.yaml").write_text(json.dumps(PROGRAM))
    ws.run("stack", "init", "dev")
    return ws


_OPTIONS = {resource.RLIMIT_AS: "--as", resource.RLIMIT_FSIZE: "--fsize", resource.RLIMIT_NOFILE: "--nofile",
            resource.RLIMIT_NPROC: "--nproc"}


def up(ws, limits: dict[int, int], command: str | None = None, **of_process) -> subprocess.CompletedProcess:
    # Not by a preexec_fn: where this process has gRPC's threads, its copy may end before it comes to the command.
    limited = ["prlimit", *(f"{_OPTIONS[what]}={count}:{count}" for what, count in limits.items())]
    return subprocess.run([*limited, command or str(ws.command.path), "up", "--yes", "--skip-preview", "--stack", "dev"],
                          cwd=ws.project, env=ws.environment(), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120,
                          **of_process)


def goes_on(ws) -> None:
    ws.run("up", "--yes", "--skip-preview", "--stack", "dev")
    assert ws.state().named("s")["outputs"]["input"] == "hello"


@pytest.mark.parametrize("count", [8, 12, 20])
def test_too_few_open_files_are_told_at_once(ws, count):
    ended = up(ws, {resource.RLIMIT_NOFILE: count})
    assert (ended.returncode, ended.stderr.count("Raise the limit (ulimit -n)")) == (1, 1)
    goes_on(ws)


@pytest.mark.parametrize("open_already", [20, 30, 44, 56, 60])
def test_files_that_are_open_already_count(ws, open_already):
    files = [os.open(os.devnull, os.O_RDONLY) for _ in range(64)]
    try:
        inherited = [file for file in files if file < 64][:open_already]
        ended = up(ws, {resource.RLIMIT_NOFILE: 64}, pass_fds=inherited)
    finally:
        for file in files:
            os.close(file)
    assert ended.returncode in (0, 1)
    assert ended.returncode == 0 or ended.stderr.count("Raise the limit (ulimit -n)") == 1
    goes_on(ws)


@pytest.mark.parametrize("count", range(6, 34, 2))
def test_open_files_that_end_later_are_told_in_words(ws, count):
    # gRPC aborts where it is refused a descriptor that it needs: the limit falls while the command is on its way there.
    command = subprocess.Popen([str(ws.command.path), "up", "--yes", "--skip-preview", "--stack", "dev"], cwd=ws.project,
                               env=ws.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               stdin=subprocess.DEVNULL)
    descriptors = f"/proc/{command.pid}/fd"
    ends = time.monotonic() + 20
    with contextlib.suppress(OSError):  # it has ended before that
        while len(os.listdir(descriptors)) < 5 and time.monotonic() < ends:
            time.sleep(0.002)
        resource.prlimit(command.pid, resource.RLIMIT_NOFILE, (count, count))
    said = command.communicate(timeout=120)[0]
    assert command.returncode in (0, 1), said
    assert command.returncode == 0 or "error: " in said
    goes_on(ws)


@pytest.mark.parametrize("size", [0, 1024, 4096])
def test_files_that_may_not_grow_fail_the_write(ws, size):
    ended = up(ws, {resource.RLIMIT_FSIZE: size})
    assert ended.returncode == 1 and "File too large" in ended.stderr
    goes_on(ws)


@pytest.mark.parametrize("mib", [100, 180, 260])
def test_too_little_memory_is_an_error_in_words_or_none(ws, mib):
    ended = up(ws, {resource.RLIMIT_AS: mib << 20})
    assert ended.returncode in (0, 1)
    assert ended.returncode == 0 or "error: " in ended.stdout + ended.stderr
    goes_on(ws)


@pytest.mark.skipif(os.geteuid() != 0, reason="the limit is one of a user, who has to have no other processes")
@pytest.mark.parametrize("count", [1, 4, 6, 9, 14, 20])
def test_no_more_threads_is_an_error_in_words(tmp_path_factory, ws, count):
    # The limit counts the processes of a user, so the command runs as another one. That user can read a copy of the command,
    # in folders that are opened for all.
    command = shutil.copy(ws.command.path, ws.root / "kingpost")
    for folder in (ws.root, *ws.root.parents):
        if folder != folder.parent and folder.stat().st_uid == os.geteuid():
            folder.chmod(folder.stat().st_mode | 0o111)
    for path in [ws.root, *ws.root.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    ended = up(ws, {resource.RLIMIT_NPROC: count}, command, user=NOBODY, group=NOBODY, extra_groups=[])
    assert ended.returncode == 1
    assert "Resource temporarily unavailable" in ended.stderr or "no more threads or processes" in ended.stderr
    goes_on(ws)
