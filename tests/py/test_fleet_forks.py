# SPDX-License-Identifier: Apache-2.0
"""Python programs of a fleet are forks of one interpreter, and see nothing of that.

The first program of an interpreter is started in the ordinary way. These tests have one of that kind, `first`, which all
others come after.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from harness import Command
from harness.patience import patience
from harness.processes import kill_all_in, kill_alone, processes_in, wait_for, wait_until_nothing_runs

from test_fleet import Fleet

IS_FORK = "'--fork-server' in open('/proc/self/cmdline').read().split('\\0')"


@pytest.fixture
def fleet(tmp_path) -> Fleet:
    made = Fleet(tmp_path, Command.kingpost())
    (made.folder / "kingpost.yaml").write_text("stack: prod\n")
    add(made, "first", f"pulumi.export('fork', {IS_FORK})\n", first=True)
    yield made
    kill_all_in(tmp_path)


def add(fleet: Fleet, name: str, program: str, first: bool = False, options: str = "") -> Path:
    path = fleet.folder / name
    path.mkdir()
    (path / "Pulumi.yaml").write_text(f"name: {name}\nruntime: {{name: python, options: {{{options}}}}}\n")
    reads = "" if first else "first = pulumi.StackReference('organization/first/prod').get_output('fork')\n"
    (path / "__main__.py").write_text("import os, sys\nimport pulumi\n" + reads + program)
    fleet.run("stack", "init", "prod", cwd=path)
    return path


def up(fleet: Fleet, *args: str, code: int = 0, env: dict[str, str] | None = None) -> dict[str, dict]:
    """One program after the other. The references of the first run are found while it runs."""
    return fleet.all("up", "--skip-preview", "--parallel-stacks", "1", *args, code=code, env=env)


def test_a_fork_sees_what_an_interpreter_of_its_own_would(fleet):
    program = f"""
import json, random, threading
pulumi.export('fork', {IS_FORK})
pulumi.export('seen', dict(
    folder=os.getcwd(), argv=sys.argv, file=__file__, name=__name__, path=sys.path[0], input=sys.stdin.read(),
    flags='--fork-server' in sys.orig_argv, config=pulumi.Config().get('word'), project=pulumi.get_project(),
    threads=threading.active_count(), leftovers=hasattr(pulumi, 'left'), group=os.getpgid(0) == os.getpid(),
    files=sorted(int(file) for file in os.listdir('/proc/self/fd') if int(file) < 3), word=os.environ['WORD']))
pulumi.export('random', [random.random(), os.getpid()])
pulumi.left = True
"""
    names = ["first", "second", "third"]
    for name in names:
        if name == "first":
            (fleet.folder / name / "__main__.py").write_text("import os, sys\nimport pulumi\n" + program)
        else:
            add(fleet, name, program)
        fleet.run("config", "set", "word", f"of {name}", cwd=fleet.folder / name)
    up(fleet, env={"WORD": "for all"})
    outputs = {name: fleet.outputs(name) for name in names}
    assert [outputs[name]["fork"] for name in names] == [False, True, True]
    ordinary = outputs["first"]["seen"]
    assert ordinary["folder"] == str(fleet.folder / "first") and ordinary["word"] == "for all"
    for name in names[1:]:
        as_first = {key: re.sub(rf"\b{name}\b", "first", value) if isinstance(value, str) else value
                    for key, value in outputs[name]["seen"].items()}
        assert as_first == ordinary
    assert len({str(outputs[name]["random"]) for name in names}) == 3
    assert len({outputs[name]["random"][1] for name in names}) == 3
    wait_until_nothing_runs(fleet.root)


def test_a_preview_and_its_update_share_the_interpreter(fleet):
    add(fleet, "second", f"pulumi.Stash('thing', input=[{IS_FORK}, first])\n")
    fleet.all("up", "--parallel-stacks", "1")
    assert fleet.outputs("first")["fork"] is True, "the update: its preview was the first program"
    assert [one["outputs"]["input"] for one in fleet.state("second") if one["type"].endswith("Stash")] == [[True, True]]


def test_a_module_of_the_program_that_hides_one_of_the_sdk_is_imported(fleet):
    path = add(fleet, "second", "import semver\n"
                                f"pulumi.export('seen', [{IS_FORK}, semver.MINE, first])\n")
    (path / "semver.py").write_text("MINE = 'mine'\nclass VersionInfo: pass\n"
                                    "def __getattr__(name): return VersionInfo\n")
    up(fleet)
    assert fleet.outputs("second")["seen"] == [False, "mine", False]


def test_what_a_program_installs_the_next_one_can_import(fleet, tmp_path):
    packages = tmp_path / "packages"
    packages.mkdir()
    (fleet.folder / "first" / "__main__.py").write_text("import pulumi\npulumi.export('fork', 1)\n")
    add(fleet, "second", "open(os.environ['PYTHONPATH'] + '/fresh.py', 'w').write('VALUE = 5')\npulumi.export('done', first)\n")
    add(fleet, "third", "second = pulumi.StackReference('organization/second/prod').require_output('done')\n"
                        f"def late(_):\n    import fresh\n    return [fresh.VALUE, {IS_FORK}]\n"
                        "pulumi.export('seen', second.apply(late))\n")
    (fleet.folder / "kingpost.yaml").write_text(
        "stack: prod\nmembers:\n- {folder: first}\n- {folder: second}\n- {folder: third, after: [second]}\n")
    up(fleet, env={"PYTHONPATH": str(packages)})
    assert fleet.outputs("third")["seen"] == [5, False]


def test_a_relative_python_path_is_that_of_each_program(fleet):
    for name in ("first", "second"):
        path = fleet.folder / name
        if name != "first":
            add(fleet, name, "")
        (path / "lib").mkdir()
        (path / "lib" / "mine.py").write_text(f"NAME = '{name}'\n")
        (path / "__main__.py").write_text(f"import pulumi, mine\npulumi.export('seen', [mine.NAME, {IS_FORK}])\n")
    up(fleet, env={"PYTHONPATH": "lib"})
    assert [fleet.outputs(name)["seen"] for name in ("first", "second")] == [["first", False], ["second", False]]


def test_each_virtual_environment_has_its_own_interpreter(fleet, tmp_path):
    ours = sysconfig.get_path("purelib")
    for environment in ("red", "blue"):
        venv = tmp_path / environment
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
        (site,) = venv.glob("lib/python*/site-packages")
        (site / "ours.pth").write_text(ours + "\n")
        (site / "color.py").write_text(f"NAME = '{environment}'\n")
    for environment in ("red", "blue"):
        for number in range(3):
            add(fleet, f"{environment}{number}", f"import color\npulumi.export('seen', [color.NAME, {IS_FORK}, first])\n",
                options=f"virtualenv: {tmp_path / environment}")
    up(fleet)
    for environment in ("red", "blue"):
        seen = [fleet.outputs(f"{environment}{number}")["seen"] for number in range(3)]
        assert {one[0] for one in seen} == {environment} and sorted(one[1] for one in seen) == [False, True, True]


@pytest.mark.parametrize("end, told", [
    ("os.kill(os.getpid(), 9)", "exited unexpectedly: signal: Killed"), ("os._exit(7)", "non-zero exit code: 7"), ("raise ValueError('odd')", "odd"),
    ("sys.exit(3)", "non-zero exit code: 3"), ("print('out'); print('err', file=sys.stderr); raise pulumi.RunError('said')", "said")])
def test_the_end_of_a_fork_is_told_as_that_of_a_process(fleet, end, told):
    add(fleet, "second", f"if not {IS_FORK}:\n    raise Exception('no fork')\n{end}\n")
    failed = up(fleet, code=1)
    assert failed["second"]["outcome"] == "failed" and told in failed["second"]["why"], failed
    assert failed["first"]["outcome"] == "updated"


def test_the_sdk_that_is_missing_is_told_for_each_stack(fleet, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty"], check=True)
    for number in range(3):
        add(fleet, f"empty{number}", "", options=f"virtualenv: {tmp_path / 'empty'}")
    out = fleet.run("up", "--all", "--yes", "--skip-preview", code=1).out
    for number in range(3):
        assert re.search(rf"empty{number}/prod \| +It looks like the Pulumi SDK has not been installed", out), out


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["kill", "interrupt"])
def test_no_fork_outlives_the_command(fleet, number):
    here = fleet.folder / "waits"
    add(fleet, "second", f"import time\nopen({str(here)!r}, 'w').write(str({IS_FORK}))\ntime.sleep(1000)\n")
    process = fleet.start("up", "--all", "--yes", "--skip-preview", "--parallel-stacks", "1")
    wait_for(lambda: here.exists() and here.read_text(), "the fork")
    assert here.read_text() == "True" and processes_in(fleet.root)
    if number == signal.SIGKILL:
        kill_alone(process, fleet.root)
    else:
        os.kill(process.pid, number)
        os.kill(process.pid, number)
        assert process.wait(patience(60)) != 0
    process.stdout.close()
    wait_until_nothing_runs(fleet.root)


def test_no_fork_outlives_the_reaper(fleet):
    pid = fleet.folder / "pid"
    add(fleet, "second", f"import time\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(1000)\n")
    process = fleet.start("up", "--all", "--yes", "--skip-preview", "--parallel-stacks", "1")
    fork = int(wait_for(lambda: pid.exists() and pid.read_text(), "the fork"))
    (reaper,) = [one for one in processes_in(fleet.root) if Path(f"/proc/{one}/comm").read_text() == "kingpost-reaper\n"]
    assert Path(f"/proc/{fork}/stat").read_text().rpartition(")")[2].split()[1] == str(reaper)
    os.kill(reaper, signal.SIGKILL)
    assert "signal: Killed" in process.communicate(timeout=patience(60))[0]
    wait_until_nothing_runs(fleet.root)


def test_without_accelerators_each_program_is_a_process_of_its_own(fleet):
    add(fleet, "second", f"pulumi.export('seen', {IS_FORK})\npulumi.export('first', first)\n")
    up(fleet, env={"KINGPOST_ACCELERATE": "0"})
    assert fleet.outputs("second") == {"seen": False, "first": False}
