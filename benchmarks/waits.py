# SPDX-License-Identifier: Apache-2.0
"""Measures the waits of a user: the first stack, a provider that starts slowly, a saved file under `watch`; see README.md.

bench.py runs it with --waits. Everything is a process of its own, as on a user's machine: programs run on the real SDK.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from machine import REPOSITORY
from measure import Failed

TEMPLATE = REPOSITORY / "cpp" / "cli" / "templates" / "data" / "python-provider"
THINGS = REPOSITORY / "tests" / "programs" / "things" / "__main__.py"
PEER_HOST = REPOSITORY / "tests" / "py" / "harness" / "peer_host.py"
SLOW_START_S = 2
SETTLE_S = 0.5  # between two saves: an editor is not quicker, and the next interpreter is ready by then
PATIENCE_S = 300

STASHES = """import pulumi
for i in range({count}):
    pulumi.Stash(f"stash-{{i}}", input=f"value {{i}}" if i else "edit {edit}")
"""
TWO_THINGS = """import pulumi
class Thing(pulumi.CustomResource):
    def __init__(self, name):
        super().__init__("things:index:Thing", name, {"value": name, "stamp": None}, pulumi.ResourceOptions(version="1.0.0"))
Thing("one"), Thing("two")
"""


@dataclass
class Place:
    """A project, a store and a PULUMI_HOME for one command."""

    engine: str
    command: Path
    root: Path
    env: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        for folder in (self.project, self.home, self.root / "backend", self.root / "bin"):
            folder.mkdir(parents=True)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PULUMI_", "KINGPOST_")) and k != "VIRTUAL_ENV"}
        self.env = kept | {
            "PATH": os.pathsep.join([str(self.root / "bin"), os.path.dirname(sys.executable), *self._folders(kept)]),
            "PULUMI_HOME": str(self.home), "PULUMI_BACKEND_URL": (self.root / "backend").as_uri(),
            "PULUMI_CONFIG_PASSPHRASE": "bench", "PULUMI_SKIP_UPDATE_CHECK": "true", "NO_COLOR": "1",
            "PULUMI_PYTHON_CMD": sys.executable, "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true"}
        if self.engine != "kingpost":
            _stand_in(self.root / "bin")

    def _folders(self, kept: dict[str, str]) -> list[str]:
        """$PATH without the reference's dynamic providers, which it needs, and which are not ours."""
        folders = kept.get("PATH", "").split(os.pathsep)
        of_peer = [folder for folder in folders if (Path(folder) / "pulumi-resource-pulumi-python").exists()]
        return [folder for folder in folders if self.engine != "kingpost" or folder not in of_peer]

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def home(self) -> Path:
        return self.root / "home"

    def write(self, files: dict[str, str]) -> None:
        """As editors do: beside the file, and then in its place."""
        for name, text in files.items():
            (self.project / f"{name}.tmp").write_text(text)
            os.replace(self.project / f"{name}.tmp", self.project / name)

    def run(self, *args: str) -> tuple[float, float]:
        """Seconds of the clock, and of the processors by the command and all that it started."""
        with (self.root / "log").open("w+") as log:
            began = time.monotonic()
            process = subprocess.Popen([self.command, *args, "--non-interactive"], cwd=self.project, env=self.env,
                                       stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.monotonic() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            log.seek(0)
            if process.returncode != 0:
                raise Failed(f"{self.engine}: {' '.join(args)} ended with {process.returncode}:\n{log.read()[-2000:]}")
        return wall, usage.ru_utime + usage.ru_stime


def _stand_in(folder: Path) -> None:
    """For a command whose language hosts are not at hand. What their start takes is told beside the figures."""
    for name, line in {"pulumi-language-python": f'exec {sys.executable} {PEER_HOST} python "$@"',
                       "pulumi-resource-pulumi-python": f'exec {sys.executable} -u -m pulumi.dynamic "$@"'}.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)


@contextmanager
def place(engine: str, command: Path, files: dict[str, str]):
    with tempfile.TemporaryDirectory(prefix="kingpost-waits-") as root:
        made = Place(engine, command, Path(root))
        made.write(files)
        made.run("stack", "init", "dev")
        yield made


def python_files(program: str) -> dict[str, str]:
    return {"Pulumi.yaml": "name: waits\nruntime: python\n", "__main__.py": program}


def stashes(language: str, count: int, edit: int = 0) -> dict[str, str]:
    if language == "python":
        return python_files(STASHES.format(count=count, edit=edit))
    resources = {f"stash-{i}": {"type": "pulumi:index:Stash", "properties": {"input": f"value {i}" if i else f"edit {edit}"}}
                 for i in range(count)}
    return {"Pulumi.yaml": json.dumps({"name": "waits", "runtime": "yaml", "resources": resources})}


def until_port(argv: list[str], env: dict[str, str], cwd: Path) -> float:
    """How long a plugin takes from its start to the line with its port."""
    began = time.monotonic()
    process = subprocess.Popen(argv, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    try:
        if not process.stdout.readline().strip():
            raise Failed(f"{argv[0]} named no port")
        return time.monotonic() - began
    finally:
        process.kill()
        process.wait()


def install_slow_provider(at: Place) -> Path:
    folder = at.home / "plugins" / "resource-things-v1.0.0"
    folder.mkdir(parents=True)
    plugin = folder / "pulumi-resource-things"
    plugin.write_text(f"#!/bin/sh\nsleep {SLOW_START_S}\nexec {sys.executable} -u {THINGS} \"$@\"\n")
    plugin.chmod(0o755)
    return plugin


def commands(engines: dict[str, Path], repeat: int) -> list[dict]:
    """One row for each command and kind of wait, medians; what else the machine does meets all engines in turn."""
    found: dict[tuple[str, str], list[dict]] = {}

    def note(engine: str, name: str, figures: tuple[float, float]) -> None:
        found.setdefault((engine, name), []).append({"wall_s": figures[0], "cpu_s": figures[1]})

    first = {name: (TEMPLATE / name).read_text() for name in ("__main__.py", "text_file.py")}
    for turn in range(repeat):
        for engine, command in engines.items():
            _tell(f"commands, turn {turn + 1} of {repeat}, {engine}")
            with place(engine, command, first | {"Pulumi.yaml": "name: waits\nruntime: python\n"}) as at:
                note(engine, "first stack: up", at.run("up", "--yes"))
                note(engine, "first stack: no-op preview", at.run("preview"))
                if engine != "kingpost":
                    host = ["pulumi-language-python", "127.0.0.1:1"]
                    note(engine, "its language host's stand-in", (until_port(host, at.env, at.project), 0.0))
            with place(engine, command, python_files(TWO_THINGS)) as at:
                plugin = install_slow_provider(at)
                at.run("up", "--yes", "--skip-preview")
                note(engine, f"provider of {SLOW_START_S} s: no-op preview", at.run("preview"))
                if engine == "kingpost":
                    note(engine, "that provider alone", (until_port([str(plugin)], at.env, at.project), 0.0))
            for count in (100, 1000):
                if turn == 0 or count == 100 or engine == "kingpost":  # one of the reference takes long enough
                    with place(engine, command, stashes("python", count)) as at:
                        at.run("up", "--yes", "--skip-preview")
                        note(engine, f"{count:,} in Python: no-op preview", at.run("preview"))
    return [{"engine": engine, "wait": name, "runs": len(runs)} |
            {unit: round(statistics.median(run[unit] for run in runs), 3) for unit in ("wall_s", "cpu_s")}
            for (engine, name), runs in found.items()]


class Watching:
    """`kingpost watch` as a process; pages as they come."""

    def __init__(self, at: Place):
        self.log = (at.root / "watch.log").open("w+")
        self.process = subprocess.Popen([at.command, "watch", "--non-interactive", "--stack", "dev"], cwd=at.project,
                                        env=at.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log)

    def until(self, text: str) -> float:
        """When a page with this text had come."""
        page, deadline = b"", time.monotonic() + PATIENCE_S
        while text.encode() not in page:
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more or time.monotonic() > deadline:
                self.log.seek(0)
                raise Failed(f"no {text!r} from watch:\n{page.decode()[-1000:]}{self.log.read()[-1000:]}")
            page += more
        return time.monotonic()

    def memory_mib(self) -> float:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return round(int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024, 1)

    def own_cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> float:
        """Seconds of the processors, by it and all that it started."""
        os.kill(self.process.pid, signal.SIGINT)
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.process.stdout.close()
        self.log.close()
        return usage.ru_utime + usage.ru_stime


def saves(command: Path, language: str, count: int, number: int) -> dict:
    """From the rename of the saved file to the page with the whole plan."""
    _tell(f"watch, {count:,} in {language}, {number} saves")
    with place("kingpost", command, stashes(language, count)) as at:
        at.run("up", "--yes")
        watching = Watching(at)
        try:
            watching.until("Resources:")
            own_before, times, memory = watching.own_cpu_s(), [], 0.0
            for edit in range(1, number + 1):
                time.sleep(SETTLE_S)
                began = time.monotonic()
                at.write(stashes(language, count, edit))
                times.append(watching.until("Since the plan before") - began)
                if edit == min(10, number):
                    memory = watching.memory_mib()
            own, last_memory = watching.own_cpu_s() - own_before, watching.memory_mib()
            all_cpu = watching.end()
        finally:
            if watching.process.returncode is None:
                watching.process.kill()
    times.sort()
    return {"language": language, "count": count, "saves": number, "p50_s": round(statistics.median(times), 3),
            "p95_s": round(times[min(number - 1, int(number * 0.95))], 3), "cpu_s": round(own / number, 3),
            "all_cpu_s": round(all_cpu / (number + 1), 3), "memory_10_mib": memory, "memory_mib": last_memory}


def run(engines: dict[str, Path], repeat: int, number: int) -> dict:
    if shutil.which("python3") is None:
        raise Failed("no python3 on PATH: the programs need one")
    found = [saves(engines["kingpost"], language, count, number)
             for language, count in (("yaml", 100), ("python", 100), ("python", 1000))]
    return {"saves": found, "commands": commands(engines, repeat)}


def tables(found: dict) -> str:
    lines = ["| wait | command | runs | wall s | CPU s |", "|---|---|---:|---:|---:|"]
    names = list(dict.fromkeys(row["wait"] for row in found["commands"]))
    for row in sorted(found["commands"], key=lambda row: names.index(row["wait"])):
        cpu = f"{row['cpu_s']:.2f}" if row["cpu_s"] else ""
        lines.append(f"| {row['wait']} | {row['engine']} | {row['runs']} | {row['wall_s']:.2f} | {cpu} |")
    lines += ["", "| saved file to the whole plan | saves | p50 s | p95 s | CPU s of watch | with its programs | MiB after 10 | after all |",
              "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for row in found["saves"]:
        lines.append(f"| {row['count']:,} in {'YAML' if row['language'] == 'yaml' else 'Python'} | {row['saves']} | {row['p50_s']:.3f} | "
                     f"{row['p95_s']:.3f} | {row['cpu_s']:.3f} | {row['all_cpu_s']:.3f} | {row['memory_10_mib']:.0f} | {row['memory_mib']:.0f} |")
    return "\n".join(lines)


def _tell(what: str) -> None:
    print(f"── {what}", file=sys.stderr, flush=True)
