#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a test of a program costs, and a thousand resources of a program in this process.

usage: kit.py [--tests 20] [--resources 1000] [--repeat 5] [--peer PATH]

    empty       tests that do nothing: the start of pytest
    mocks       two resources under the SDK's mocks
    kit         the same two in a stack of their own: `up` with kingpost_stack
    automation  the same with the Automation API and the command that --peer names, which needs its language host on PATH
    in process  one `up` of a program that is a function, with as many resources as --resources says

Each figure is the median of --repeat runs that take turns. Processor time is that of pytest and all that it has started, from its
start to its end; for `in process` it is that of `up` alone, in a process of its own.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLUGIN = "kingpost.testing.plugin"

EMPTY = """
import pytest

@pytest.mark.parametrize("number", range({tests}))
def test_nothing(number):
    assert number >= 0
"""

PROGRAM = """
import pulumi

def program():
    first = pulumi.CustomResource("cloud:index:Database", "db", {"engine": "postgres", "address": None})
    pulumi.CustomResource("cloud:index:Server", "web", {"size": 1, "database": first.id})
"""

MOCKS = PROGRAM + """
import pytest

class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return args.name + "-id", dict(args.inputs)

    def call(self, args):
        return {}

@pytest.fixture
def mocked():
    pulumi.runtime.set_mocks(Mocks())

@pytest.mark.parametrize("number", range({tests}))
@pulumi.runtime.test
def test_program(mocked, number):
    program()
"""

KIT = PROGRAM + """
import pytest
from kingpost.testing import assert_steps

@pytest.mark.parametrize("number", range({tests}))
def test_program(kingpost_stack, number):
    assert_steps(kingpost_stack(program).up(), {"db": "create", "web": "create"})
"""

AUTOMATION = """
import pulumi
import pytest
from pulumi import automation

def program():
    first = pulumi.Stash("db", input="postgres")
    pulumi.Stash("web", input=first.output)

@pytest.mark.parametrize("number", range({tests}))
def test_program(tmp_path, number):
    options = automation.LocalWorkspaceOptions(
        work_dir=str(tmp_path), env_vars={"PULUMI_BACKEND_URL": tmp_path.as_uri(), "PULUMI_CONFIG_PASSPHRASE": "bench"})
    stack = automation.create_stack("dev", "bench", program=program, opts=options)
    assert stack.up().summary.result == "succeeded"
"""

IN_PROCESS = """
import resource, time
import pulumi
import kingpost
from kingpost.testing import FakeProvider

def program():
    for number in range({resources}):
        pulumi.CustomResource("cloud:index:Thing", f"thing-{number}", {"a": "one", "b": number, "c": True})

def used():
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime

stack = kingpost.Stack("bench", "dev", program, providers={"*": FakeProvider()})
began, cpu = time.perf_counter(), used()
assert len(stack.up().steps_of("create")) >= {resources}
print(used() - cpu, time.perf_counter() - began)
"""


def is_installed() -> bool:
    """A wheel brings the plugin along; a build folder on the path does not."""
    return any(point.value == PLUGIN for point in importlib.metadata.entry_points(group="pytest11"))


def used_by_children() -> float:
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime


def fill(source: str, **values: int) -> str:
    for name, value in values.items():
        source = source.replace("{" + name + "}", str(value))
    return source


def run(arguments: list[str], folder: Path) -> tuple[float, float, str]:
    """Processor and wall seconds, and what it printed."""
    cpu, began = used_by_children(), time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    if done.returncode != 0:
        sys.exit(f"kit.py: {' '.join(arguments)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return used_by_children() - cpu, took, done.stdout


def of_tests(folder: Path, name: str, source: str, tests: int) -> tuple[float, float]:
    file = folder / f"test_{name}.py"
    file.write_text(fill(source, tests=tests))
    plugin = ["-p", PLUGIN] if name == "kit" and not is_installed() else []
    cpu, wall, _ = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, str(file)], folder)
    return cpu, wall


def in_process(folder: Path, resources: int) -> tuple[float, float]:
    (folder / "in_process.py").write_text(fill(IN_PROCESS, resources=resources))
    cpu, wall = run(["in_process.py"], folder)[2].split()[-2:]
    return float(cpu), float(wall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=20)
    parser.add_argument("--resources", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--peer", type=Path, help="a pulumi command; its language hosts on PATH")
    options = parser.parse_args()
    sources = {"empty": EMPTY, "mocks": MOCKS, "kit": KIT}
    if options.peer:
        os.environ["PATH"] = f"{options.peer.resolve().parent}{os.pathsep}{os.environ['PATH']}"
        sources["automation"] = AUTOMATION
    figures: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root)
        for _ in range(options.repeat):
            for name, source in sources.items():
                figures.setdefault(f"{options.tests} tests: {name}", []).append(of_tests(folder, name, source, options.tests))
            figures.setdefault(f"{options.resources:,} resources in process", []).append(in_process(folder, options.resources))
    print("| | processor s | wall s |\n|---|---:|---:|")
    for name, runs in figures.items():
        cpu, wall = (statistics.median(column) for column in zip(*runs, strict=True))
        print(f"| {name} | {cpu:.2f} | {wall:.2f} |")


if __name__ == "__main__":
    main()
