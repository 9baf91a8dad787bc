# SPDX-License-Identifier: Apache-2.0
"""Runs named commands, each with a time limit, and tells at the end how each of them fared.

    run([Stage("spelling", ["codespell"]), Stage("types", ["mypy"], limit_s=120)], side_by_side=2)

A stage passes when its command ends with 0. What it prints is shown when it fails.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SKIPPED = 77  # the exit code with which a stage says that it has nothing to do here


@dataclass(frozen=True)
class Stage:
    name: str
    command: list[str]
    limit_s: float = 300
    env: dict[str, str] = field(default_factory=dict)
    needs: str = ""  # a variable; without it the stage is skipped


@dataclass(frozen=True)
class Ended:
    stage: Stage
    result: str  # passed, skipped, failed, or too slow
    seconds: float
    said: str


def run(stages: list[Stage], side_by_side: int = 1, logs: Path | None = None) -> int:
    """0 if no stage failed. With `logs` the whole output of each stage is kept there, as NAME.log."""
    with ThreadPoolExecutor(side_by_side) as pool:
        ends = list(pool.map(lambda stage: _told(_play(stage, logs), logs), stages))
    width = max(len(end.stage.name) for end in ends)
    print(f"\n{'stage':{width}}  result        time")
    for end in ends:
        print(f"{end.stage.name:{width}}  {end.result:9} {end.seconds:7.1f} s  {_last_line(end)}")
    return 1 if any(end.result in ("failed", "too slow") for end in ends) else 0


def _play(stage: Stage, logs: Path | None) -> Ended:
    if stage.needs and not os.environ.get(stage.needs):
        return Ended(stage, "skipped", 0, f"{stage.needs} is not set")
    began = time.monotonic()
    output = (logs / f"{stage.name}.log").open("w+") if logs else subprocess.PIPE
    try:
        process = subprocess.Popen(stage.command, cwd=REPOSITORY, env=os.environ | stage.env, text=True, stdout=output,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        return Ended(stage, "failed", 0, f"{stage.command[0]}: {error.strerror}")
    try:
        said = process.communicate(timeout=stage.limit_s)[0] or ""
        result = {0: "passed", SKIPPED: "skipped"}.get(process.returncode, "failed")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # with all that it started
        said, result = process.communicate()[0] or "", "too slow"
    if logs:
        output.seek(0)
        said = output.read()
        output.close()
    return Ended(stage, result, time.monotonic() - began, said.rstrip())


def _told(ended: Ended, logs: Path | None) -> Ended:
    told = [f"── {ended.stage.name}: {ended.result}"]
    if ended.result in ("failed", "too slow"):
        lines = ended.said.splitlines()
        told.append(f"   $ {textwrap.shorten(shlex.join(ended.stage.command), 110)}")
        told += ["   " + line for line in (lines[-60:] if logs else lines)]
    print("\n".join(told), flush=True)
    return ended


def _last_line(ended: Ended) -> str:
    """Why a stage was skipped."""
    return ended.said.splitlines()[-1] if ended.result == "skipped" and ended.said else ""


def chosen(stages: list[Stage], names: list[str]) -> list[Stage]:
    """Those of the stages that are named; all of them without a name."""
    known = [stage.name for stage in stages]
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no stage called {', '.join(unknown)}; there are: {', '.join(known)}")
    return [stage for stage in stages if not names or stage.name in names]
