# SPDX-License-Identifier: Apache-2.0
"""`--all --on dask://...`: stacks that read each other, deployed by the workers of a Dask cluster.

The scheduler is a thread of this process, the workers are `kingpost fleet worker`s. Each project is a YAML program with a thing of
the test provider, whose log says what was really done.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from harness import PROGRAMS, Command
from harness.patience import patience
from harness.processes import kill_all_in, wait_for

distributed = pytest.importorskip("distributed", reason="pip install 'kingpost[fleet]'")

WORKERS = 4
PASSPHRASE, TOKEN = "correct horse of the cluster", "hunter22-of-the-cluster"
# On workers the provider is slow. Elsewhere it dies, so a create outside of a worker fails the test.
ON_WORKERS = {"THINGS_DELAY_MS": "700"}
ELSEWHERE = {"THINGS_DIE": "create:thing"}


@dataclass
class Cluster:
    """A scheduler here, and workers beside it that share one folder of states and one home."""

    root: Path
    command: Command
    workers: list[subprocess.Popen] = field(default_factory=list)
    graphs: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        from distributed import LocalCluster
        from distributed.diagnostics.plugin import SchedulerPlugin

        self.backend, self.home = self.root / "backend", self.root / "home"
        for folder in (self.backend, self.home):
            folder.mkdir()
        self.dask = LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=":0")
        self.address = self.dask.scheduler_address.replace("tcp://", "dask://")
        graphs = self.graphs

        class Graphs(SchedulerPlugin):
            def update_graph(self, scheduler, *, tasks, **kwargs):
                graphs.extend(pickle.dumps(scheduler.tasks[key].run_spec) for key in tasks)

        self.dask.scheduler.add_plugin(Graphs())

    def start(self) -> None:
        for _ in range(WORKERS):
            self.start_worker()
        wait_for(lambda: len(self.dask.scheduler.workers) == WORKERS, "workers of the cluster")

    def environment(self, extra: dict[str, str]) -> dict[str, str]:
        env = self.command.environment(self.root)
        return env | {"PULUMI_BACKEND_URL": self.backend.as_uri(), "PULUMI_HOME": str(self.home), "KINGPOST_PYTHON": sys.executable,
                      "PULUMI_CONFIG_PASSPHRASE": PASSPHRASE} | extra

    def start_worker(self) -> None:
        argv = [str(self.command.path), "fleet", "worker", self.address, "--stacks", "1"]
        log = open(self.root / f"worker-{len(self.workers)}.log", "w")
        self.workers.append(subprocess.Popen(argv, cwd=self.root, env=self.environment(ON_WORKERS), stdin=subprocess.DEVNULL,
                                             stdout=log, stderr=log, start_new_session=True))

    def stop(self) -> None:
        for worker in self.workers:
            worker.terminate()
        self.dask.close()
        kill_all_in(self.root)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(prefix="kp-cluster-", ignore_cleanup_errors=True) as root:
        made = Cluster(Path(root), Command.kingpost())
        try:
            made.start()
            yield made
        finally:
            made.stop()


@dataclass
class Fleet:
    """Projects below one folder, each with a stack `prod`. They read each other's exports."""

    cluster: Cluster
    name: str

    def __post_init__(self) -> None:
        self.folder = self.cluster.root / self.name
        self.folder.mkdir()

    def project(self, name: str, *reads: str) -> None:
        own = f"{self.name}-{name}"
        made_of = ["1", *(f"${{{other}-ref.outputs[\"stamp\"]}}" for other in reads)]
        resources: dict = {f"{other}-ref": {"type": "pulumi:pulumi:StackReference",
                                            "properties": {"name": f"organization/{self.name}-{other}/prod"}} for other in reads}
        resources["thing"] = {"type": "things:Thing", "properties": {"value": made_of if reads else "1"}}
        resources["last"] = {"type": "things:Thing", "properties": {"value": "${thing.stamp}"}}
        plugins = {"providers": [{"name": "things", "path": str(PROGRAMS / "things")}]}
        program = {"name": own, "runtime": "yaml", "plugins": plugins, "resources": resources,
                   "outputs": {"stamp": "${last.stamp}", "token": {"fn::secret": TOKEN}}}
        path = self.folder / name
        path.mkdir()
        (path / "Pulumi.yaml").write_text(yaml.safe_dump(program, sort_keys=False))

    def start(self, *args: str, env: dict[str, str] | None = None) -> subprocess.Popen:
        argv = [str(self.cluster.command.path), *args, "--non-interactive"]
        return subprocess.Popen(argv, cwd=self.folder, env=self.cluster.environment(ELSEWHERE | (env or {})),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                start_new_session=True)

    def run(self, verb: str, *args: str, code: int = 0, env: dict[str, str] | None = None) -> tuple[str, str]:
        process = self.start(verb, "--all", "--stack", "prod", "--on", self.cluster.address, *args, env=env)
        out, err = process.communicate(timeout=patience(120))
        assert process.returncode == code, f"{out}\n{err}"
        assert PASSPHRASE not in out + err and TOKEN not in out + err
        return out, err

    def outcomes(self, verb: str, *args: str, code: int = 0) -> dict[str, str]:
        out, _ = self.run(verb, "--output", "json", "--yes", *args, code=code)
        return outcomes_of(out)

    def log(self, name: str) -> list[str]:
        file = self.folder / name / "things" / "log"
        return file.read_text().splitlines() if file.exists() else []

    def created(self) -> dict[str, list[str]]:
        return {path.name: [line for line in self.log(path.name) if line.startswith("create ")]
                for path in self.folder.iterdir()}

    def journals(self) -> list[Path]:
        """Locks, and records that are not yet in a checkpoint."""
        below = self.cluster.backend / ".pulumi"
        return [path for part in ("locks", "journals") for path in (below / part).rglob(f"*{self.name}-*/**/*") if path.is_file()]


def outcomes_of(out: str) -> dict[str, str]:
    report = json.loads(out.splitlines()[-1])
    return {stack["stack"].removesuffix("/prod").rpartition("-")[2]: stack["outcome"] for stack in report["stacks"]}


# app reads web and data, which read network. blog, shop and wiki read docs, which reads no stack.
READS = {"app": ["web", "data"], "web": ["network"], "data": ["network"], "network": [], "docs": [], "blog": ["docs"],
         "shop": ["docs"], "wiki": ["docs"]}


@pytest.fixture
def fleet(cluster, request) -> Fleet:
    made = Fleet(cluster, request.node.name.replace("_", "-")[:24].rstrip("-"))
    for name, reads in READS.items():
        made.project(name, *reads)
    return made


def test_workers_deploy_what_reads_each_other(fleet):
    """Without records and previews, readers wait for the stacks that they read, on workers that run one stack at a time."""
    out, _ = fleet.run("up", "--create", "--yes", "--skip-preview")
    assert all(len(lines) == 2 for lines in fleet.created().values()), fleet.created()
    # Lines of each stack, its counts at the end.
    for name in READS:
        told = [line.partition(" | ")[2] for line in out.splitlines() if line.startswith(f"{fleet.name}-{name}/prod ")]
        assert any("things:index:Thing" in line and "thing" in line for line in told), out
        assert any("updated" in line and "+3" in line for line in told), out
    app = json.loads((fleet.cluster.backend / ".pulumi/stacks" / f"{fleet.name}-app" / "prod.json").read_text())
    stack = app["checkpoint"]["latest"]["resources"][0]
    web = json.loads((fleet.folder / "web/things/last-1.json").read_text())
    assert stack["outputs"]["stamp"].startswith("last-1/thing-1/") and "thing-1" in web["value"]
    assert not fleet.journals()
    graphs = b"".join(fleet.cluster.graphs)
    assert b"run_member" in graphs and PASSPHRASE.encode() not in graphs and str(fleet.folder).encode() not in graphs

    # By the record they are in order now, and nothing is left to do; then the other way round.
    assert fleet.outcomes("up", "--skip-preview") == dict.fromkeys(READS, "unchanged")
    assert fleet.outcomes("destroy", "--skip-preview") == dict.fromkeys(READS, "destroyed")
    assert all(fleet.log(name)[-1].startswith("delete ") for name in READS)


def parents() -> dict[int, int]:
    """The parent of each process of this machine."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                found[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    return found


def is_below(process: int, ancestor: int, parent_of: dict[int, int]) -> bool:
    while process > 1 and process != ancestor:
        process = parent_of.get(process, 0)
    return process == ancestor


def kill_machine(worker: subprocess.Popen) -> None:
    """Kills all processes of a worker at once, as if its machine had lost power."""
    parent_of = parents()
    processes = [process for process in parent_of if is_below(process, worker.pid, parent_of)]
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for process in processes:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue
    worker.wait()


def worker_of(cluster: Cluster, folder: Path) -> subprocess.Popen | None:
    """The worker whose command deploys the project in that folder."""
    parent_of = parents()
    for process in parent_of:
        proc = Path(f"/proc/{process}")
        try:
            deploys = (proc / "cwd").readlink() == folder and b"--as-member" in (proc / "cmdline").read_bytes()
        except OSError:
            continue
        for worker in cluster.workers if deploys else []:
            if worker.poll() is None and is_below(process, worker.pid, parent_of):
                return worker
    return None


def worker_in_the_middle(fleet: Fleet) -> subprocess.Popen | None:
    """A worker that has just made the first of two things. The provider delays the second, so the kill leaves no orphan."""
    for name, created in fleet.created().items():
        worker = worker_of(fleet.cluster, fleet.folder / name) if len(created) == 1 else None
        if worker is not None and len(fleet.created()[name]) == 1:
            return worker
    return None


def wait_for_create(fleet: Fleet, process: subprocess.Popen) -> None:
    before = sum(map(len, fleet.created().values()))
    wait_for(lambda: process.poll() is not None or sum(map(len, fleet.created().values())) > before, "a create")


def test_two_workers_are_killed_in_the_middle(fleet):
    process = fleet.start("up", "--all", "--stack", "prod", "--on", fleet.cluster.address, "--create", "--yes", "--skip-preview",
                          "--output", "json")
    for _ in range(2):
        kill_machine(wait_for(lambda: worker_in_the_middle(fleet), "a worker in the middle of a stack"))
    out, err = process.communicate(timeout=patience(120))
    assert process.returncode == 0, out + err
    assert outcomes_of(out) == dict.fromkeys(READS, "updated")
    assert "takes it over" in err
    assert all(len(lines) == 2 for lines in fleet.created().values()), fleet.created()
    assert not fleet.journals()


def test_an_interrupt_lets_workers_finish_and_the_next_command_goes_on(fleet):
    args = ("up", "--all", "--stack", "prod", "--on", fleet.cluster.address, "--create", "--yes", "--skip-preview", "--output", "json")
    process = fleet.start(*args)
    wait_for_create(fleet, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=patience(60))
    assert process.returncode == 1 and "stopped" in outcomes_of(out).values(), out + err
    assert not fleet.journals()
    done = sum(map(len, fleet.created().values()))
    assert 0 < done < 2 * len(READS)
    assert set(fleet.outcomes("up", "--skip-preview").values()) <= {"updated", "unchanged"}
    assert all(len(lines) == 2 for lines in fleet.created().values()), fleet.created()


def test_a_bad_cluster_is_reported_before_any_step(fleet, tmp_path):
    begun = time.monotonic()
    for address, why in (("dask://127.0.0.1:9", "no Dask scheduler answers there"), ("tcp://127.0.0.1:8786", "dask://HOST")):
        process = fleet.start("up", "--all", "--stack", "prod", "--create", "--yes", "--on", address)
        out, err = process.communicate(timeout=patience(60))
        assert process.returncode != 0 and why in err and address in err, err
        assert "Traceback" not in err
    assert time.monotonic() - begun < patience(30)

    (tmp_path / "distributed.py").write_text("raise ImportError(\"No module named 'distributed'\")\n")
    _, err = fleet.run("up", "--create", "--yes", code=1, env={"PYTHONPATH": str(tmp_path)})
    assert "pip install 'kingpost[fleet]'" in err and "Traceback" not in err
    worker = fleet.start("fleet", "worker", fleet.cluster.address, env={"PYTHONPATH": str(tmp_path)})
    _, err = worker.communicate(timeout=patience(60))
    assert worker.returncode == 1 and "pip install 'kingpost[fleet]'" in err

    _, err = fleet.run("up", "--create", "--yes", "--show-secrets", code=2)
    assert "no secret leaves the workers" in err
    assert not any(fleet.created().values())
