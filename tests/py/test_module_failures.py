# SPDX-License-Identifier: Apache-2.0
"""The Python module: failures of providers, programs and policies, and their messages."""

import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import kingpost
import pulumi
import pytest
from harness.patience import patience
from module_support import Thing, World, ops, resource


def stack_of(provider, program=None, **options):
    return kingpost.Stack("proj", "dev", program or (lambda: Thing("a") and None), providers={"test": provider}, **options)


def test_provider_that_raises():
    class Broken(World):
        def create(self, request):
            raise ValueError("no space on the moon")

    with pytest.raises(kingpost.Error, match="no space on the moon") as caught:
        stack_of(Broken()).up()
    assert [step.failed for step in caught.value.result.steps if step.name == "a"] == [True]
    assert any(d.severity == "error" and d.urn.endswith("::a") for d in caught.value.result.diagnostics)


def test_other_resources_are_kept_after_a_failure():
    class Picky(World):
        def create(self, request):
            if request.name == "bad":
                raise ValueError("not this one")
            return super().create(request)

    def program():
        Thing("good")
        Thing("bad")

    world = Picky()
    stack = stack_of(world, program)
    with pytest.raises(kingpost.Error, match="not this one"):
        stack.up(continue_on_error=True)
    assert len(world.things) == 1
    assert ops(stack.destroy()) == {"good": "delete"}


def test_initialization_failed_is_recorded():
    class Slow(World):
        broken = True

        def create(self, request):
            response = super().create(request)
            if self.broken and not request.preview:
                raise kingpost.InitializationFailed(response.id, response.outputs, ["it does not answer"])
            return response

    world = Slow()
    stack = stack_of(world)
    with pytest.raises(kingpost.Error) as caught:
        stack.up()
    state = resource(caught.value.result, "a")
    assert state.id == "thing-1" and state.init_errors == ["it does not answer"] and state.outputs["size"] == 1
    world.broken = False
    assert ops(stack.up()) == {"a": "update"}


def test_check_failures():
    with pytest.raises(kingpost.Error, match="must not be negative"):
        stack_of(World(), lambda: Thing("a", size_wanted=-1) and None).preview()


def test_wrong_answers_are_named():
    class Careless(kingpost.Provider):
        def create(self, request):
            return {"id": "x"}

    class Odd(kingpost.Provider):
        def create(self, request):
            return kingpost.CreateResponse("x", {"when": object()})

    with pytest.raises(kingpost.Error, match="Careless.create must return a kingpost.CreateResponse, not dict"):
        stack_of(Careless()).up()
    with pytest.raises(kingpost.Error, match="a value of type object cannot be a resource property"):
        stack_of(Odd()).up()


def test_program_that_raises():
    def program():
        raise RuntimeError("a bad day")

    with pytest.raises(kingpost.Error, match="a bad day"):
        stack_of(World(), program).up()


def test_secrets_of_the_configuration_are_masked():
    def program():
        raise RuntimeError("cannot log in with " + pulumi.Config().require("password"))

    with pytest.raises(kingpost.Error) as caught:
        stack_of(World(), program, config={"password": kingpost.Secret("swordfish")}).up()
    assert "cannot log in with [secret]" in str(caught.value)
    assert "swordfish" not in str(caught.value) + repr(caught.value.result)


def test_policy_stops_a_resource():
    def no_red(resource):
        if resource.properties.get("color") == "red":
            resource.violation("red is out of fashion")

    def prefer_green(resource):
        if resource.type.startswith("test:"):
            resource.violation("have you thought of green?", advisory=True)

    color = "red"
    world = World()
    stack = stack_of(world, lambda: Thing("a", color=color) and None, policies=[no_red, prefer_green])
    for operation in (stack.preview, stack.up):
        with pytest.raises(kingpost.Error, match="red is out of fashion"):
            operation()
    assert not world.things
    color = "blue"
    result = stack.up()
    assert [(d.severity, d.policy, d.message) for d in result.diagnostics] == [
        ("warning", "prefer_green", "have you thought of green?")
    ]
    assert len(world.things) == 1


def test_policy_that_raises():
    def broken(resource):
        raise KeyError("oops")

    with pytest.raises(kingpost.Error, match="oops"):
        stack_of(World(), policies=[broken]).up()


def test_stack_that_cannot_be():
    with pytest.raises(kingpost.Error, match="https://"):
        kingpost.Stack("proj", "dev", backend="https://bucket")
    with pytest.raises(kingpost.Error, match="no program"):
        kingpost.Stack("proj", "dev").up()
    with pytest.raises(TypeError, match="must be a kingpost.Provider"):
        kingpost.Stack("proj", "dev", providers={"test": object()})


def test_program_without_the_sdk(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(kingpost.Error, match=r"pip install 'kingpost\[program\]'"):
        kingpost.Stack("proj", "dev", lambda: None).up()


def test_keyboard_interrupt_finishes_what_is_in_flight():
    class Waiting(World):
        def create(self, request):
            if request.name == "first":
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(2)
            return super().create(request)

    def program():
        first = Thing("first")
        Thing("second", of=first.size)

    world = Waiting()
    stack = stack_of(world, program)
    with pytest.raises(KeyboardInterrupt):
        stack.up()
    assert len(world.things) == 1
    assert ops(stack.destroy()) == {"first": "delete"}


def test_an_engine_that_has_gone_does_not_hold_a_failed_program(monkeypatch):
    from kingpost._program import ProgramBridge
    from pulumi.runtime import settings

    class Gone:
        def Log(self, request, timeout=None):
            assert 0 < timeout < 60
            raise TimeoutError

    monkeypatch.setattr(settings, "get_engine", Gone)
    assert ProgramBridge._failed("boom") == {"message": "boom", "reported": False}


def test_one_operation_at_a_time():
    entered, leave = threading.Event(), threading.Event()

    def program():
        entered.set()
        leave.wait(10)

    stack = stack_of(World(), program)
    other = threading.Thread(target=stack.up)
    other.start()
    entered.wait(10)
    with pytest.raises(kingpost.Error, match="running already"):
        stack.up()
    leave.set()
    other.join()


def test_child_of_a_fork_is_told():
    script = """
        import os, kingpost
        stack = kingpost.Stack("proj", "dev", lambda: None)
        stack.up()
        child = os.fork()
        if child == 0:
            try:
                stack.up()
            except kingpost.Error as error:
                os._exit(7 if "forked" in str(error) else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        stack.up()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=patience(60))


def test_process_ends_in_order_while_a_program_ignores_its_cancellation():
    script = """
        import os, signal, threading, time, kingpost

        def program():
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
            end = time.monotonic() + 20
            while time.monotonic() < end:
                time.sleep(0.001)

        try:
            kingpost.Stack("proj", "dev", program).up()
        except KeyboardInterrupt:
            print("interrupted")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=patience(60))
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")
