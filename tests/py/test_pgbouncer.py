# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL behind PgBouncer in transaction mode: a lock of a session means nothing there, so the lease alone counts, and
all else works."""

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import Command, Workspace
from harness.patience import patience
from harness.postgres import PASSWORD, USER, Database, PostgresServer, as_ordinary_user, ordinary_user
from harness.processes import kill_all_in

PROGRAM = """
import os, time, pulumi
parts = [pulumi.Stash(f"part-{n}", input=str(n)).output for n in range(int(os.environ.get("PARTS", "3")))]
pulumi.Output.all(*parts).apply(lambda _: time.sleep(float(os.environ.get("PAUSE", "0"))))
"""


@pytest.fixture(scope="module")
def pooled() -> Iterator[tuple[Database, str]]:
    """A database, and its URL by way of the pooler."""
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if not program:
        pytest.skip("pgbouncer is not installed (the package of that name of Debian)")
    root = Path(tempfile.mkdtemp(prefix="kp-pgb-"))
    root.chmod(0o755)
    (root / "pg").mkdir()
    server = PostgresServer.start(root / "pg")
    states = server.database("team")
    folder = root / "pool"
    folder.mkdir()
    (folder / "users").write_text(f'"{USER}" "{PASSWORD}"\n')
    (folder / "ini").write_text(
        f"[databases]\nteam = host={server.folder} dbname=team\n[pgbouncer]\nunix_socket_dir = {folder}\n"
        f"listen_port = 5432\npool_mode = transaction\nauth_type = scram-sha-256\nauth_file = {folder}/users\n"
        f"default_pool_size = 4\nlogfile = {folder}/log\n")
    if as_ordinary_user():
        for path in (folder, folder / "users", folder / "ini"):
            shutil.chown(path, ordinary_user())
    process = subprocess.Popen([*as_ordinary_user(), program, "-q", str(folder / "ini")])
    deadline = time.monotonic() + patience(30)
    while not (folder / ".s.PGSQL.5432").exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    yield states, states.url.replace(str(server.folder), str(folder))
    process.kill()
    process.wait()
    server.down()
    shutil.rmtree(root, ignore_errors=True)


def workspace(root: Path, url: str, **env: str) -> Workspace:
    (root / "project").mkdir(parents=True)
    (root / "project" / "Pulumi.yaml").write_text(f"name: {root.name.replace('_', '-')}\nruntime: python\n")
    (root / "project" / "__main__.py").write_text(PROGRAM)
    return Workspace(root, Command.kingpost(), env={"PULUMI_BACKEND_URL": url, **env})


def test_operations_work_and_show_no_password(pooled, tmp_path):
    states, url = pooled
    ws = workspace(tmp_path, url)
    shown = [ws.up(env={"PARTS": "30"}), ws.up(env={"PARTS": "30"}), ws.preview(), ws.run("stack", "ls"), ws.run("doctor")]
    assert len([name for name in ws.state().names if name.startswith("part-")]) == 30
    export = ("stack", "export", "--stack", "dev")
    assert ws.run(*export, env={"PULUMI_BACKEND_URL": states.url}).out == ws.run(*export).out
    shown.append(ws.destroy())
    assert PASSWORD not in "".join(done.out + done.err for done in shown)


def test_a_killed_owner_is_taken_over_when_the_lease_is_over(pooled, tmp_path):
    states, url = pooled
    ws = workspace(tmp_path, url, KINGPOST_STATE_LEASE="3")
    process = ws.start("up", env={"PAUSE": "600"})
    deadline = time.monotonic() + patience(60)
    while not [key for key in states.keys() if "/journals/" in key and key.endswith("/00000001")]:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.2)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kill_all_in(tmp_path)
    ws.up()
    assert {"part-0", "part-1", "part-2"} <= ws.state().names
