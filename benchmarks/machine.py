# SPDX-License-Identifier: Apache-2.0
"""The circumstances of a figure: the machine it was taken on, how quick that is, and which code was measured."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import platform
import subprocess
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def describe() -> dict:
    return {"cpu": _cpu(), "cores": os.cpu_count(), "memory_gib": round(_memory_kib() / 2**20),
            "system": f"{platform.system()} {platform.release()}", "load": round(os.getloadavg()[0], 1),
            "yardstick_s": yardstick()}


def yardstick() -> float:
    """Seconds of processor time for a fixed piece of work: figures of two machines compare as multiples of it."""
    def once() -> float:
        began = time.process_time()
        document = json.dumps([{"name": f"thing-{i}", "values": list(range(20))} for i in range(2000)])
        for _ in range(5):
            json.loads(document)
        hashlib.pbkdf2_hmac("sha256", b"yardstick", b"salt", 200_000)
        return time.process_time() - began
    return round(min(once() for _ in range(3)), 4)


def commit() -> dict:
    def git(*args: str) -> str:
        done = subprocess.run(["git", *args], cwd=REPOSITORY, text=True, capture_output=True, check=False)
        return done.stdout.strip()
    return {"commit": git("rev-parse", "--short=10", "HEAD"), "subject": git("log", "-1", "--format=%s"),
            "changed": bool(git("status", "--porcelain", "--untracked-files=no")),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M")}


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _memory_kib() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemTotal"):
            return int(line.split()[1])
    return 0
