"""Programs do the same with the accelerators of the Python SDK as without them: the same requests byte for byte, the same
states, the same exit codes, the same texts."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness import Command, Workspace
from harness.commands import PROGRAMS, REPOSITORY
from harness.compare import differences, normalize
from harness.requests import describe, name_of, read_requests, recording_environment

VALUES = ["plain", "mixed", "changed_later", "layers", "tree", "chain", "applied"]
FAILING = ["in_the_module", "in_an_apply", "in_the_apply_of_an_input", "by_an_input_of_an_odd_type",
           "by_an_odd_type_in_an_output", "by_a_key_that_is_no_text", "by_a_number_too_large", "by_a_lone_surrogate",
           "by_a_list_for_another_type", "by_an_awaitable", "by_a_circle", "by_depending_on_a_child",
           "with_its_own_message", "with_an_exit_code", "caught_too_late", "caught_early", "at_the_provider",
           "in_two_places"]
QUICK = {"values.plain", "values.mixed", "typed.gates", "failing.in_an_apply", "failing.by_an_input_of_an_odd_type",
         "failing.caught_too_late", "failing.by_a_circle"}


def corpus(*programs: str) -> list:
    return [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in programs]


WORKING = corpus(*(f"values.{name}" for name in VALUES), "typed.gates")
BROKEN = corpus(*(f"failing.{name}" for name in FAILING))
# Interpreters that have other releases of the SDK; the one of the tests if none is named.
PYTHONS = [p for p in os.environ.get("KINGPOST_SDK_PYTHONS", "").split(os.pathsep) if p] or [sys.executable]

# The folders of the two runs have names of one length, so that one can stand for the other inside a message.
WITH, WITHOUT = "acc1", "acc0"


@dataclass
class Run:
    code: int
    text: str
    requests: list
    state: dict


def play(root: Path, program: str, python: str, accelerate: bool, verbs=("preview", "up")) -> list[Run]:
    """The program's operations, in a folder of their own."""
    name = WITH if accelerate else WITHOUT
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "plugins").mkdir()
    (folder / "plugins" / "things").symlink_to(PROGRAMS / "things")
    ws = Workspace(folder, Command.kingpost(), PROGRAMS / "accelerated")
    (ws.project / "Pulumi.dev.yaml").write_text(json.dumps({"config": {"accelerated:program": program}}))
    return [operate(ws, verb, python, accelerate, name) for verb in verbs]


def operate(ws: Workspace, verb: str, python: str, accelerate: bool, name: str) -> Run:
    record = ws.root / f"{verb}.requests"
    yes = () if verb == "preview" else ("--yes", "--skip-preview")
    # PYTHONHASHSEED: the SDK puts outputs and dependencies into sets.
    env = recording_environment(record) | {
        "KINGPOST_ACCELERATE": "1" if accelerate else "0", "PULUMI_PYTHON_CMD": python, "PYTHONHASHSEED": "0"}
    run = ws.run(verb, *yes, "--stack", "dev", check=False, env=env)
    scrub = (f"/{WITHOUT}/".encode(), f"/{WITH}/".encode())
    state = normalize(ws.state().document, {f"/{name}/": "/_/"}) if verb == "up" else {}
    for resource in state.get("deployment", {}).get("resources", {}).values():
        # The test provider writes a dict into it, whose order is another one in every run.
        if "{" in str(resource.get("outputs", {}).get("stamp")):
            resource["outputs"]["stamp"] = sorted(resource["outputs"]["stamp"])
    return Run(run.code, plain_text(run.out + run.err), read_requests(record, scrub), state)


def plain_text(text: str) -> str:
    """What was printed, without what differs between any two runs: folders, addresses in memory, times."""
    text = text.replace(f"/{WITHOUT}/", f"/{WITH}/")
    text = re.sub(r"0x[0-9a-f]+", "0x_", text)
    return re.sub(r"\(\d+(\.\d+)?m?s\)|\d+(\.\d+)?m?s$|Duration: .*", "", text, flags=re.M)


def in_any_order(text: str) -> list[str]:
    """Resources finish in another order in every run."""
    return sorted(line.rstrip() for line in text.splitlines() if line.strip())


def diagnostics(text: str) -> list[str]:
    """What a failing program told. How far the engine came meanwhile is another story in every run."""
    told = re.split(r"^(?:Outputs|Resources):", text.partition("Diagnostics:")[2], maxsplit=1, flags=re.M)[0]
    return [line.removeprefix("    ").rstrip() for line in told.splitlines() if line.strip()]


def messages(text: str) -> list[str]:
    return [line for line in diagnostics(text) if not line.startswith(" ")]


def users_lines(text: str) -> list[str]:
    """The places in the program's own files that a trace names."""
    return [line for line in diagnostics(text) if line.startswith('  File "') and "/project/" in line]


def check_equal(ours: list[Run], theirs: list[Run]) -> None:
    for accelerated, plain in zip(ours, theirs, strict=True):
        assert accelerated.code == plain.code, f"{accelerated.text}\n-- without:\n{plain.text}"
        assert in_any_order(accelerated.text) == in_any_order(plain.text)
        new = [describe(r) for r in accelerated.requests if r not in plain.requests]
        missing = [describe(r) for r in plain.requests if r not in accelerated.requests]
        assert (new, missing) == ([], [])
        assert len(accelerated.requests) == len(plain.requests) > 0
        assert differences(accelerated.state, plain.state) == []


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("program", WORKING)
def test_requests_and_states_are_those_of_the_sdk_alone(program, python, tmp_path):
    verbs = ("preview", "up", "preview")
    theirs = play(tmp_path, program, python, False, verbs)
    ours = play(tmp_path, program, python, True, verbs)
    assert ours[0].code == 0, ours[0].text
    check_equal(ours, theirs)


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("program", BROKEN)
def test_failures_are_told_as_by_the_sdk_alone(program, python, tmp_path):
    """Where one output fails by another, the SDK raises the error of any of them, and tells more or less of its trace, at
    times nothing. So the messages are to be equal, and the user's lines, if the SDK has named them."""
    ours, = play(tmp_path, program, python, True, ("up",))
    theirs, = play(tmp_path, program, python, False, ("up",))
    assert ours.code == theirs.code, f"{ours.text}\n-- without:\n{theirs.text}"
    assert messages(ours.text) == messages(theirs.text)
    assert users_lines(theirs.text) in (users_lines(ours.text), [])
    assert "kingpost_accelerate" not in ours.text
    sent = {}
    for method, body in theirs.requests:
        sent.setdefault(name_of(method, body), []).append(body)
    different = [name_of(m, b) for m, b in ours.requests if name_of(m, b) in sent and b not in sent[name_of(m, b)]]
    assert different == []
    assert (ours.code != 0) == (program != "failing.caught_early"), ours.text


def test_a_trace_names_the_users_line(tmp_path):
    run, = play(tmp_path, "failing.in_the_module", sys.executable, True, ("up",))
    assert 'failing.py", line' in run.text and 'raise ValueError("the program cannot go on")' in run.text
    assert "kingpost_accelerate" not in run.text


def test_debugging_says_what_was_on(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), PROGRAMS / "accelerated")
    (ws.project / "Pulumi.yaml").write_text("name: accelerated\nruntime: python\n")
    (ws.project / "__main__.py").write_text("import pulumi\npulumi.log.debug('a word of the program')\n")
    loud = ws.run("preview", "--debug", "--stack", "dev").out
    assert "the SDK is accelerated: log_messages: on; final_wait: on;" in loud and "a word of the program" in loud
    off = ws.run("preview", "--debug", "--stack", "dev", env={"KINGPOST_ACCELERATE": "0"}).out
    assert "the SDK is not accelerated" in off
    some = ws.run("preview", "--debug", "--stack", "dev", env={"KINGPOST_ACCELERATE_WITHOUT": "cycles"}).out
    assert "cycles: off, as KINGPOST_ACCELERATE_WITHOUT says" in some
    quiet = ws.run("preview", "--stack", "dev").out
    assert "is accelerated" not in quiet and "a word of the program" not in quiet


def test_a_changed_function_of_the_sdk_is_left_alone(tmp_path):
    """The guard looks at the text: a function that differs by one word keeps its measure off, with a line that says so."""
    (tmp_path / "kingpost_accelerate").symlink_to(REPOSITORY / "python" / "kingpost" / "accelerate")
    check = (
        "import inspect, linecache, pulumi\n"
        "from pulumi.runtime import resource_cycle_breaker as breaker\n"
        "lines = linecache.getlines(breaker.__file__)\n"
        "at = breaker._reachable.__code__.co_firstlineno\n"
        "lines[at] = lines[at].replace('visited', 'been_there')\n"
        "linecache.cache[breaker.__file__] = (1, None, lines, breaker.__file__)\n"
        "before = breaker.declare_dependency\n"
        "import kingpost_accelerate\n"
        "report = kingpost_accelerate.install()\n"
        "assert breaker.declare_dependency is before\n"
        "print(report[2])\n")
    done = subprocess.run([sys.executable, "-c", check], env=os.environ | {"PYTHONPATH": str(tmp_path)},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("cycles: off, this SDK has another pulumi.runtime.resource_cycle_breaker:_reachable (")


def test_a_program_that_sets_thresholds_of_its_own_keeps_them(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), PROGRAMS / "accelerated")
    (ws.project / "Pulumi.yaml").write_text("name: accelerated\nruntime: python\n")
    (ws.project / "__main__.py").write_text(
        "import gc, pulumi\nprint('wide', gc.get_threshold())\ngc.set_threshold(900, 9, 9)\n"
        "pulumi.Output.from_input(1).apply(lambda _: print('own', gc.get_threshold()))\n")
    out = ws.run("preview", "--stack", "dev").out
    assert "wide (50000, 20, 100)" in out and "own (900, 9, 9)" in out


def test_programs_run_where_no_cache_can_be_written(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), PROGRAMS / "accelerated")
    (ws.project / "Pulumi.yaml").write_text("name: accelerated\nruntime: python\n")
    (ws.project / "__main__.py").write_text("import pulumi\n")
    run = ws.run("preview", "--debug", "--stack", "dev", env={"XDG_CACHE_HOME": "/proc/nowhere"})
    assert "the SDK is accelerated: log_messages: on" in run.out


def test_a_cache_that_somebody_else_could_write_is_not_used(tmp_path):
    cache = tmp_path / "cache"
    (cache / "kingpost").mkdir(parents=True)
    ws = Workspace(tmp_path / "ws", Command.kingpost(), PROGRAMS / "accelerated")
    (ws.project / "Pulumi.yaml").write_text("name: accelerated\nruntime: python\n")
    (ws.project / "__main__.py").write_text("import pulumi\n")
    env = {"XDG_CACHE_HOME": str(cache)}
    ws.run("preview", "--stack", "dev", env=env)
    folder, = (cache / "kingpost").iterdir()
    guard = folder / "kingpost_accelerate" / "guard.py"
    text = guard.read_text()
    guard.write_text("raise SystemExit('not ours')\n")
    ws.run("preview", "--stack", "dev", env=env)
    assert guard.read_text() == text, "what was changed is unpacked again"
    (cache / "kingpost").chmod(0o777)
    guard.write_text("raise SystemExit('not ours')\n")
    ws.run("preview", "--stack", "dev", env=env)
    assert guard.read_text() != text, "nothing is written there"
