# SPDX-License-Identifier: Apache-2.0
"""How each of the suites is set up, run and read. A folder for each in build/suites, made once for each version."""

from __future__ import annotations

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
        self.folder = folder / f"{self.language}-{self.version}"
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
        with (self.folder / f"{name}.log").open("w") as log:
            subprocess.run(self.command(report, only), cwd=self.place, stdout=log, stderr=subprocess.STDOUT, check=False,
                           stdin=subprocess.DEVNULL, env=self.environment(work), timeout=_LIMIT_S)
        return self.outcomes(report) if report.exists() else {}

    def environment(self, work: Path) -> dict[str, str]:
        """A home of its own: plugins, logins and caches of the machine do not count."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PULUMI_", "KINGPOST_"))}
        return kept | {"HOME": str(work / "home"), "PULUMI_HOME": str(work / "home" / ".pulumi"),
                       "PATH": os.pathsep.join([str(work / "bin"), str(self.folder / "venv" / "bin"), os.environ["PATH"]]),
                       "GOMODCACHE": _go("GOMODCACHE"), "GOCACHE": _go("GOCACHE"), "PULUMI_SKIP_UPDATE_CHECK": "true"}


def _go(variable: str) -> str:
    if not shutil.which("go"):
        return ""
    return subprocess.run(["go", "env", variable], capture_output=True, text=True, check=True).stdout.strip()


def _copied(source: Path, target: Path) -> None:
    """The module cache is read-only, and its copies are written to."""
    shutil.copytree(source, target, symlinks=True)
    subprocess.run(["chmod", "-R", "u+w", str(target)], check=True)


class Python(Suite):
    """With the release of PyPI that requirements.txt pins."""

    language = "python"

    def released(self) -> str:
        from importlib.metadata import version
        return version("pulumi")

    def set_up(self, sources: Path) -> None:
        _copied(sources / "python", self.folder / "python")
        subprocess.run([sys.executable, "-m", "venv", "venv"], cwd=self.folder, check=True)
        subprocess.run(["venv/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", f"pulumi=={self.version}",
                        "pytest", "pytest-asyncio", "pytest-timeout", "pytest-xdist"], cwd=self.folder, check=True)

    @property
    def place(self) -> Path:
        return self.folder / "python" / "lib"

    def command(self, report: Path, only: str) -> list[str]:
        return [str(self.folder / "venv" / "bin" / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2",
                "--timeout", "600", "-o", "addopts=", "--junitxml", str(report), *(["-k", only] if only else []), "test/automation"]

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

    def set_up(self, sources: Path) -> None:
        _copied(sources, self.folder / "sdk")

    @property
    def place(self) -> Path:
        return self.folder / "sdk" / "go" / "auto"

    def command(self, report: Path, only: str) -> list[str]:
        test = ["go", "test", "-json", "-timeout", f"{_LIMIT_S}s", *(["-run", only] if only else []), "."]
        return ["sh", "-c", f'exec "$0" "$@" >"{report}"', *test]

    def outcomes(self, report: Path) -> dict[str, Outcome]:
        words: dict[str, Outcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
        lines = (json.loads(line) for line in report.read_text(encoding="utf-8").splitlines() if line.startswith("{"))
        return {line["Test"]: words[line["Action"]] for line in lines if "Test" in line and line["Action"] in words}


SUITES = {suite.language: suite for suite in (Python, Node, Go)}
