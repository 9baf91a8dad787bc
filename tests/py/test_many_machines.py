# SPDX-License-Identifier: Apache-2.0
"""The example of many stacks on many machines: Dask spreads them, their state is in PostgreSQL, and a worker that is killed
loses nothing.

    KINGPOST_FLEET=12     stacks; 200 take some minutes
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.patience import patience
from harness.postgres import PASSWORD, Database, PostgresServer
from harness.processes import kill_all_in

STACKS = int(os.environ.get("KINGPOST_FLEET", "12"))
EXAMPLE = Path(__file__).parents[2] / "examples" / "many-machines"


@pytest.fixture
def states() -> Iterator[Database]:
    folder = Path(tempfile.mkdtemp(prefix="kp-fleet-"))
    server = PostgresServer.start(folder)
    yield server.database("fleet")
    server.down()
    shutil.rmtree(folder, ignore_errors=True)


def workers_of(fleet: subprocess.Popen) -> list[int]:
    """The processes in which stacks are deployed: those of Dask's workers, not of what looks after them."""
    found = []
    for proc in Path("/proc").iterdir():
        if not proc.name.isdigit():
            continue
        try:
            parent = int((proc / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == fleet.pid and b"spawn_main" in (proc / "cmdline").read_bytes():
                found.append(int(proc.name))
        except OSError:
            continue
    return found


def run_fleet(verb: str, work: Path, states: Database, kill_after: int = 0) -> str:
    env = os.environ | {"FLEET_BACKEND": states.url, "FLEET_SITES": str(work / "sites"), "PULUMI_HOME": str(work / "home"),
                        "PULUMI_CONFIG_PASSPHRASE": "x"}
    args = [sys.executable, str(EXAMPLE / "fleet.py"), verb, "--stacks", str(STACKS), "--workers", "2"]
    fleet = subprocess.Popen(args, cwd=work, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + patience(120)
        while kill_after and len(list((work / "sites").iterdir())) < kill_after:
            assert fleet.poll() is None and time.monotonic() < deadline, fleet.communicate()
            time.sleep(0.05)
        if kill_after:
            os.kill(workers_of(fleet)[0], signal.SIGKILL)
        out, err = fleet.communicate(timeout=patience(1200))
    finally:
        fleet.kill()
        kill_all_in(work)
    assert fleet.returncode == 0, err
    assert PASSWORD not in out + err
    return out


@pytest.mark.slow
def test_a_fleet_is_deployed_although_a_worker_is_killed(states, tmp_path):
    pytest.importorskip("distributed", reason="pip install -r examples/many-machines/requirements.txt")
    (tmp_path / "sites").mkdir()
    told = dict(line.split() for line in run_fleet("up", tmp_path, states, kill_after=STACKS // 4).splitlines())
    assert len(told) == STACKS
    for name, address in told.items():
        number = int(name.removeprefix("site-"))
        above = told[f"site-{(number - 1) // 8:03d}"] + "/" if number else ""
        assert address == above + name
    assert {site.name for site in (tmp_path / "sites").iterdir()} == set(told)
    assert len([key for key in states.keys() if key.startswith(".pulumi/stacks/fleet/") and key.endswith(".json")]) == STACKS
    assert not [key for key in states.keys() if "/locks/" in key or "/journals/" in key]
    run_fleet("destroy", tmp_path, states)
    assert not list((tmp_path / "sites").iterdir())
