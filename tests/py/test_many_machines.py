# SPDX-License-Identifier: Apache-2.0
"""The example of many stacks on many machines: the workers of a Dask cluster deploy them, their state is in PostgreSQL, and a worker that
is killed loses nothing."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import Command
from harness.patience import patience
from harness.postgres import PASSWORD, Database, PostgresServer
from harness.processes import kill_all_in, wait_for

EXAMPLE = Path(__file__).parents[2] / "examples" / "many-machines"
SITES = ["amsterdam", "lisbon", "turin", "warsaw"]


@pytest.fixture
def states() -> Iterator[Database]:
    folder = Path(tempfile.mkdtemp(prefix="kp-fleet-"))
    server = PostgresServer.start(folder)
    yield server.database("fleet")
    server.down()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
def test_a_fleet_is_deployed_although_a_worker_is_killed(states, tmp_path):
    distributed = pytest.importorskip("distributed", reason="pip install 'kingpost[fleet]'")
    work = tmp_path / "fleet"
    shutil.copytree(EXAMPLE, work)
    command = Command.kingpost()
    env = command.environment(tmp_path) | {"PULUMI_BACKEND_URL": states.url, "PULUMI_HOME": str(tmp_path / "home"),
                                           "PULUMI_CONFIG_PASSPHRASE": "x", "KINGPOST_PYTHON": sys.executable}
    dask = distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=":0")
    address = dask.scheduler_address.replace("tcp://", "dask://")

    def run(verb: str, *args: str) -> subprocess.Popen:
        argv = [str(command.path), verb, "--all", "--on", address, "--yes", "--non-interactive", "--output", "json", *args]
        return subprocess.Popen(argv, cwd=work, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def outcomes(process: subprocess.Popen) -> set[str]:
        out, err = process.communicate(timeout=patience(180))
        assert process.returncode == 0, out + err
        assert PASSWORD not in out + err
        return {stack["outcome"] for stack in json.loads(out.splitlines()[-1])["stacks"]}

    workers = [subprocess.Popen([str(command.path), "fleet", "worker", address, "--stacks", "1"], cwd=tmp_path, env=env,
                                stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) for _ in range(2)]
    try:
        wait_for(lambda: len(dask.scheduler.workers) == 2, "workers")
        up = run("up", "--create", "--skip-preview")
        wait_for(lambda: states.is_made() and any("/history/region/" in key for key in states.keys()), "the region")
        os.killpg(workers[0].pid, signal.SIGKILL)
        # The killed worker may just have finished a stack; its successor finds that one unchanged.
        assert {"updated"} <= outcomes(up) <= {"updated", "unchanged"}
        for site in SITES:
            shown = subprocess.run([str(command.path), "stack", "output", "address", "--stack", site], cwd=work / "site", env=env,
                                   capture_output=True, text=True)
            assert shown.stdout.strip() == f"{site}.europe.example.com", shown.stderr
        assert states.held() == []
        assert outcomes(run("destroy", "--skip-preview")) == {"destroyed"}
    finally:
        for worker in workers:
            worker.kill()
        dask.close()
        kill_all_in(tmp_path)
