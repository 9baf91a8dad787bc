# SPDX-License-Identifier: Apache-2.0
"""How each of the suites is set up, run and read. A folder for each in build/suites, made once for each version."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Literal

from tests.reference import registries
from tests.reference.followed import engine_version

Outcome = Literal["passed", "failed", "skipped"]
_LIMIT_S = 3600


class Suite:
    """A suite that has been set up; `run` plays it on a command."""

    language = ""

    def __init__(self, folder: Path):
        self.version = self.released()
        whole = "-whole" if os.environ.get("KINGPOST_SUITES_CHECKOUT") else ""
        self.folder = folder / f"{self.language}-{self.version}{whole}"
        if not (self.folder / "done").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            sources = registries.go_sdk(self.version)
            self.folder.mkdir(parents=True)
            self.set_up(sources)
            (self.folder / "done").touch()

    def released(self) -> str:
        return engine_version()

    def set_up(self, sources: Path) -> None:
        raise NotImplementedError

    def command(self, report: Path, only: str) -> list[str]:
        raise NotImplementedError

    def outcomes(self, report: Path) -> dict[str, Outcome]:
        raise NotImplementedError

    @property
    def place(self) -> Path:
        """Where the suite is started."""
        return self.folder

    def run(self, pulumi: Path, name: str, only: str) -> dict[str, Outcome]:
        """The result of each test, by its name. The output stays in NAME.log."""
        work = self.folder / f"run-{name}"
        shutil.rmtree(work, ignore_errors=True)
        (work / "bin").mkdir(parents=True)
        (work / "home").mkdir()
        (work / "bin" / "pulumi").symlink_to(pulumi)
        report = work / "report"
        # A suite that takes too long counts with what it has reported.
        with (self.folder / f"{name}.log").open("w") as log, contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(self.command(report, only), cwd=self.place, stdout=log, stderr=subprocess.STDOUT, check=False,
                           stdin=subprocess.DEVNULL, env=self.environment(work), timeout=_LIMIT_S)
        return self.outcomes(report) if report.exists() else {}

    def environment(self, work: Path) -> dict[str, str]:
        """A home of its own: plugins, logins and caches of the machine do not count."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PULUMI_", "KINGPOST_"))}
        hosts = os.environ.get("KINGPOST_SUITES_HOSTS") if work.name == "run-peer" else None
        path = [str(work / "bin"), *([hosts] if hosts else []), str(self.folder / "venv" / "bin"), os.environ["PATH"]]
        return kept | {"HOME": str(work / "home"), "PULUMI_HOME": str(work / "home" / ".pulumi"), "PATH": os.pathsep.join(path),
                       "GOMODCACHE": _go("GOMODCACHE"), "GOCACHE": _go("GOCACHE"), "PULUMI_SKIP_UPDATE_CHECK": "true"}


def _go(variable: str) -> str:
    if not shutil.which("go"):
        return ""
    return subprocess.run(["go", "env", variable], capture_output=True, text=True, check=True).stdout.strip()


def _copied(source: Path, target: Path) -> None:
    """The module cache is read-only, and its copies are written to."""
    shutil.copytree(source, target, symlinks=True)
    subprocess.run(["chmod", "-R", "u+w", str(target)], check=True)


def completed(target: Path, inside: str) -> None:
    """The folders that are Go modules of their own, which the SDK's module lacks, from a checkout of the reference's
    repository where KINGPOST_SUITES_CHECKOUT names one."""
    checkout = os.environ.get("KINGPOST_SUITES_CHECKOUT")
    for module in sorted(Path(checkout, inside).rglob("go.mod")) if checkout else []:
        place = target / module.parent.relative_to(Path(checkout, inside))
        if not place.exists():
            _copied(module.parent, place)


class Python(Suite):
    """With the release of PyPI that requirements.txt pins."""

    language = "python"

    def released(self) -> str:
        from importlib.metadata import version
        return version("pulumi")

    def set_up(self, sources: Path) -> None:
        _copied(sources / "python", self.folder / "python")  # whole: some programs install the SDK from there
        completed(self.place / "test" / "automation", "sdk/python/lib/test/automation")
        subprocess.run([sys.executable, "-m", "venv", "venv"], cwd=self.folder, check=True)
        subprocess.run(["venv/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", f"pulumi=={self.version}",
                        "pytest", "pytest-asyncio", "pytest-timeout", "pytest-xdist"], cwd=self.folder, check=True)

    @property
    def place(self) -> Path:
        return self.folder / "python" / "lib"

    def command(self, report: Path, only: str) -> list[str]:
        # Tracebacks are Python's own: pytest's parse the sources again, and Python 3.11 fails at that in deep stacks.
        return [str(self.folder / "venv" / "bin" / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2",
                "--rootdir", ".", "-o", "addopts=", "--tb", "native", "--timeout", "600", "--junitxml", str(report),
                *(["-k", only] if only else []), "test/automation"]

    def outcomes(self, report: Path) -> dict[str, Outcome]:
        found: dict[str, Outcome] = {}
        for case in xml.parse(report).iter("testcase"):
            name = f"{case.get('classname', '').removeprefix('test.automation.')}.{case.get('name')}"
            tags = {child.tag for child in case}
            found[name] = "failed" if tags & {"failure", "error"} else "skipped" if "skipped" in tags else "passed"
        return found


class Node(Suite):
    """With the newest release of npm up to the engine's; the suite is that release's own."""

    language = "nodejs"

    def released(self) -> str:
        return registries.node_release(engine_version())

    def set_up(self, sources: Path) -> None:
        subprocess.run(["npm", "init", "-y"], cwd=self.folder, check=True, capture_output=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", f"@pulumi/pulumi@{self.version}",
                        "mocha", "tsx", "typescript@3", "ts-node@7", "@types/node@22"], cwd=self.folder, check=True)
        _copied(sources / "nodejs" / "tests", self.place / "tests")
        completed(self.place / "tests" / "automation", "sdk/nodejs/tests/automation")

    @property
    def place(self) -> Path:
        return self.folder / "node_modules" / "@pulumi" / "pulumi"

    def command(self, report: Path, only: str) -> list[str]:
        return ["node", "--import", "tsx", str(self.folder / "node_modules" / "mocha" / "bin" / "mocha.js"), "--timeout", "600000",
                "--reporter", "json", "--reporter-option", f"output={report}", *(["--grep", only] if only else []),
                "tests/automation/**/*.spec.ts"]

    def outcomes(self, report: Path) -> dict[str, Outcome]:
        read = json.loads(report.read_text(encoding="utf-8"))
        words: dict[str, Outcome] = {"passes": "passed", "failures": "failed", "pending": "skipped"}
        return {test["fullTitle"]: outcome for key, outcome in words.items() for test in read[key]}


class Go(Suite):
    """The module's own package `auto`."""

    language = "go"

    def environment(self, work: Path) -> dict[str, str]:
        """Its tests use the backend that is logged in to, and take the organization from a variable. PULUMI_BACKEND_URL
        would count where a test logs in by itself, too."""
        told = super().environment(work) | {"PULUMI_TEST_ORG": "organization", "PULUMI_CONFIG_PASSPHRASE": "password"}
        (work / "state").mkdir(exist_ok=True)
        subprocess.run([str(work / "bin" / "pulumi"), "login", (work / "state").as_uri()], check=True, capture_output=True, env=told)
        return told

    def set_up(self, sources: Path) -> None:
        _copied(sources, self.folder / "sdk")
        completed(self.folder / "sdk" / "go" / "auto", "sdk/go/auto")

    @property
    def place(self) -> Path:
        return self.folder / "sdk" / "go" / "auto"

    def command(self, report: Path, only: str) -> list[str]:
        test = ["go", "test", "-json", "-timeout", f"{_LIMIT_S - 300}s", *(["-run", only] if only else []), "."]
        return ["sh", "-c", f'exec "$0" "$@" >"{report}"', *test]

    def outcomes(self, report: Path) -> dict[str, Outcome]:
        words: dict[str, Outcome] = {"run": "failed", "pass": "passed", "fail": "failed", "skip": "skipped"}  # or never ended
        lines = (json.loads(line) for line in report.read_text(encoding="utf-8").splitlines() if line.startswith("{"))
        return {line["Test"]: words[line["Action"]] for line in lines if "Test" in line and line["Action"] in words}


SUITES = {suite.language: suite for suite in (Python, Node, Go)}
