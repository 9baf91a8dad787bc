# SPDX-License-Identifier: Apache-2.0
"""Runs one phase of the load on one command, and tells what the command alone used.

Program and provider are one process of ours (kp_load), to which the command is told to connect; what they use is told
separately. So the command's own children are its helpers, and their use counts as its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

ARGUMENTS = {
    "create": ["up", "--yes", "--skip-preview"],
    "noop-preview": ["preview"],
    "noop-up": ["up", "--yes", "--skip-preview"],
    "change10": ["up", "--yes", "--skip-preview"],
    "refresh": ["refresh", "--yes", "--skip-preview"],
    "destroy": ["destroy", "--yes", "--skip-preview"],
}
PHASES = list(ARGUMENTS)
CHANGED = 10


@dataclass(frozen=True)
class Load:
    count: int
    shape: str = "wide"
    latency_ms: int = 0
    phases: tuple[str, ...] = tuple(PHASES)

    @property
    def name(self) -> str:
        return f"{self.shape} {self.count:,}" + (f", {self.latency_ms} ms" if self.latency_ms else "")

    def expected_calls(self, phase: str) -> dict[str, int]:
        """The calls that the provider must get; a run with other calls measures something else."""
        return {"create": self.count if phase == "create" else 0,
                "update": min(CHANGED, self.count) if phase == "change10" else 0,
                "read": self.count if phase == "refresh" else 0,
                "delete": self.count if phase == "destroy" else 0}


@dataclass
class Engine:
    """A pulumi-compatible command with a project and a stack of its own."""

    name: str
    command: Path
    root: Path
    env: dict[str, str] = field(init=False)

    def begin(self) -> None:
        project, backend, home = (self.root / name for name in ("project", "backend", "home"))
        for folder in (project, backend, home):
            folder.mkdir(parents=True)
        (project / "Pulumi.yaml").write_text("name: bench\nruntime: go\n")
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PULUMI_")}
        self.env = kept | {
            "PULUMI_HOME": str(home), "PULUMI_BACKEND_URL": backend.as_uri(), "PULUMI_CONFIG_PASSPHRASE": "bench",
            "PULUMI_SKIP_UPDATE_CHECK": "true", "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "KINGPOST_CORE_DUMPS": "true"}  # else /proc would tell only root what it has written
        subprocess.run([self.command, "stack", "init", "dev", "--non-interactive"], cwd=self.root / "project",
                       env=self.env, check=True, capture_output=True)


class Failed(Exception):
    """A phase that did not do what it should: there is nothing to compare."""


def measure(engine: Engine, load: Load, phase: str, load_program: Path) -> dict:
    """One phase; the figures of the command, and beside them those of the load."""
    changed = CHANGED if phase in ("change10", "refresh", "destroy") else 0
    serving = subprocess.Popen(
        [load_program, "--shape", load.shape, "--count", str(load.count), "--changed", str(changed), "--latency-ms",
         str(load.latency_ms)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        port = serving.stdout.readline().strip()
        figures, said = _run(engine, phase, port)
        account = json.loads(serving.communicate("", timeout=60)[0])
    finally:
        serving.kill()
        serving.wait()
    if figures["exit_code"] != 0:
        raise Failed(f"{engine.name}: {phase} of {load.name} ended with {figures['exit_code']}:\n{said[-2000:]}")
    asked = {call: account["calls"][call] for call in load.expected_calls(phase)}
    if asked != load.expected_calls(phase):
        raise Failed(f"{engine.name}: {phase} of {load.name} made other calls than it should: {asked}\n{said[-2000:]}")
    return {"engine": engine.name, "shape": load.shape, "count": load.count, "latency_ms": load.latency_ms,
            "phase": phase, **figures, "load_cpu_s": round(account["cpu_s"], 3), "calls": account["calls"],
            "in_flight_max": account["in_flight_max"]}


def _run(engine: Engine, phase: str, port: str) -> tuple[dict, str]:
    argv = [engine.command, *ARGUMENTS[phase], "--non-interactive", "--color=never", "--stack=dev",
            f"--client=127.0.0.1:{port}"]
    env = engine.env | {"PULUMI_DEBUG_PROVIDERS": f"load:{port}"}
    with (engine.root / f"{phase}.log").open("w+") as log:
        began = time.monotonic()
        process = subprocess.Popen(argv, cwd=engine.root / "project", env=env, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it is still there to be looked at
        wall = time.monotonic() - began
        written = _bytes_written(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        said = log.read()
    return {"exit_code": process.returncode, "wall_s": round(wall, 3),
            "cpu_s": round(usage.ru_utime + usage.ru_stime, 3), "memory_mib": round(usage.ru_maxrss / 1024, 1),
            "written_mib": round(written / 2**20, 2)}, said


def _bytes_written(pid: int) -> int:
    """The bytes that the process caused to be sent to storage; 0 where the kernel does not tell."""
    try:
        text = Path(f"/proc/{pid}/io").read_text()
    except OSError:
        return 0
    return int(dict(line.split(": ") for line in text.splitlines())["write_bytes"])
