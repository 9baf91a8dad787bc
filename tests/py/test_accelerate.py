# SPDX-License-Identifier: Apache-2.0
"""Programs do the same with the accelerators of the Python SDK as without them: the same requests byte for byte, the same
states, the same exit codes, the same texts."""

import os
import subprocess
import sys

import pytest

from harness import Command, Workspace
from harness.accelerated import Run, check_equal, messages, play, users_lines
from harness.commands import PROGRAMS, REPOSITORY
from harness.requests import name_of

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


def run_program(root, program: str, python: str, accelerate: bool, *verbs: str) -> list[Run]:
    # The provider keeps the interpreter of the tests. PYTHONHASHSEED: the SDK puts outputs and dependencies into sets.
    runtime = f"{{name: python, options: {{virtualenv: {os.path.dirname(os.path.dirname(python))}}}}}"
    return play(root, PROGRAMS / "accelerated", program, accelerate, verbs, {"PYTHONHASHSEED": "0"}, runtime=runtime)


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("program", WORKING)
def test_requests_and_states_are_those_of_the_sdk_alone(program, python, tmp_path):
    theirs = run_program(tmp_path, program, python, False, "preview", "up", "preview")
    ours = run_program(tmp_path, program, python, True, "preview", "up", "preview")
    assert ours[0].code == 0, ours[0].text
    check_equal(ours, theirs)


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("program", BROKEN)
def test_failures_are_told_as_by_the_sdk_alone(program, python, tmp_path):
    """Where one output fails because of another, the SDK raises the error of either, with more or less of its trace and causes.
    So the test checks only that Kingpost prints all that the SDK prints."""
    ours, = run_program(tmp_path, program, python, True, "up")
    theirs, = run_program(tmp_path, program, python, False, "up")
    assert ours.code == theirs.code, f"{ours.text}\n-- without:\n{theirs.text}"
    assert messages(ours.text)[:1] == messages(theirs.text)[:1]  # none where this release of the SDK recovers
    assert set(messages(theirs.text)) <= set(messages(ours.text))
    assert set(users_lines(theirs.text)) <= set(users_lines(ours.text))
    assert "kingpost_accelerate" not in ours.text
    sent = {}
    for method, body in theirs.requests:
        sent.setdefault(name_of(method, body), []).append(body)
    different = [name_of(m, b) for m, b in ours.requests if name_of(m, b) in sent and b not in sent[name_of(m, b)]]
    assert different == []


def test_unused_modules_are_not_loaded(tmp_path):
    """Code that asks all modules for their files, as `inspect` and the launcher of a standby do, loads none either."""
    ws = Workspace(tmp_path, Command.kingpost(), PROGRAMS / "accelerated")
    (ws.project / "Pulumi.yaml").write_text("name: unused\nruntime: python\n")
    (ws.project / "__main__.py").write_text("""
import inspect, sys, pulumi
inspect.getsource(pulumi.Output)
unused = ("dill._dill", "pulumi.automation._stack", "opentelemetry.sdk.resources", "grpc.aio._server")
assert [name for name in unused if name in sys.modules] == []
assert sys.modules["pulumi.automation"].__file__.endswith("automation/__init__.py")
assert pulumi.automation.Stack.__module__ == "pulumi.automation._stack"

import grpc, grpc.aio, opentelemetry.sdk.trace.export
from google.protobuf import struct_pb2, text_format
from opentelemetry.sdk.trace import TracerProvider
from pulumi.runtime import _instrumentation

assert grpc.aio.server.__module__ == "grpc.aio._server"
assert text_format.MessageToString(struct_pb2.Value(bool_value=True)) == "bool_value: true\\n"
taken = _instrumentation.SdkTracerProvider
assert isinstance(taken(), TracerProvider) and isinstance(TracerProvider(), taken) and issubclass(TracerProvider, taken)
class Own(taken):
    pass
assert TracerProvider in Own.__mro__ and taken.get_tracer is TracerProvider.get_tracer
""")
    ws.run("stack", "init", "dev")
    ws.run("preview")


def test_a_trace_goes_on_in_the_program(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), PROGRAMS / "accelerated")
    (ws.project / "Pulumi.yaml").write_text("name: traced\nruntime: python\n")
    (ws.project / "__main__.py").write_text("""
import pulumi
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
print("provider:", type(trace.get_tracer_provider()) is TracerProvider)
print("trace:", hex(trace.get_current_span().get_span_context().trace_id))
""")
    ws.run("stack", "init", "dev")
    number = "0af7651916cd43dd8448eb211c80319c"
    env = {"TRACEPARENT": f"00-{number}-b7ad6b7169203331-01"}
    for accelerate in "10":
        out = ws.run("preview", "--stack", "dev", env=env | {"KINGPOST_ACCELERATE": accelerate}).out
        assert "provider: True" in out and f"trace: 0x{number.lstrip('0')}" in out


def test_a_trace_names_the_users_line(tmp_path):
    run, = run_program(tmp_path, "failing.in_the_module", sys.executable, True, "up")
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
    """The guard compares texts. If a function differs by one word, the accelerator stays off, and a line says so."""
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
