# SPDX-License-Identifier: Apache-2.0
"""Each callback of the user's code, and each way in which it can fail to return. Every one fails its operation soon, with a text
that names what went wrong, and none is ignored."""

import asyncio
import functools
import sys
import time
import traceback

import grpc
import kingpost
import odd_callbacks
import pytest
from harness.patience import patience
from kingpost._bridge import failure
from kingpost._callback import CallbackFailed, Causes, guarded, told
from odd_callbacks import ODD, PLACES, Closed, Nameless, OfAnotherClass, one_resource, raising, stack_with

# A task that is cancelled has an exception of the loop's own, without a line of the user.
WITHOUT_CAUSE = [("an apply", "a cancelled task")]
# In a task of the SDK's own, what such a class raises as soon as it is asked may come instead.
ASKED = [("an apply", "one that refuses to be asked"), ("an apply", "one that is of another class")]
ASKED += [("an apply", "one behind which is such a one"), ("an apply", "one that is neither true nor false")]


@pytest.mark.parametrize("place", PLACES)
def test_every_exception_fails_the_operation_with_its_text(place):
    for name, (misbehave, text) in ODD.items():
        begun = time.monotonic()
        with pytest.raises(PLACES[place], match=f"RuntimeError|{text}" if (place, name) in ASKED else text) as caught:
            stack_with(place, misbehave).up()
        assert time.monotonic() - begun < patience(10), name
        assert "C++" not in str(caught.value) and str(caught.value).encode()
        if (place, name) not in WITHOUT_CAUSE:
            assert caught.value.__cause__ is not None, (name, place)
            assert odd_callbacks.__file__ in "".join(traceback.format_exception(type(caught.value), caught.value, caught.value.__traceback__))


@pytest.mark.parametrize("name", ODD)
def test_a_listener_that_raises_ends_the_operation_with_what_it_raised(name):
    misbehave, _ = ODD[name]
    caught = None
    try:
        stack_with("a provider", lambda: None).up(on_event=lambda _: misbehave())
    except BaseException as error:  # noqa: BLE001 - pytest.raises would ask it
        caught = error
    assert caught is not None and not issubclass(type(caught), kingpost.Error)


@pytest.mark.parametrize("name", ["the end of an iterator", "a cancelled task", "sys.exit", "the end of a generator", "a text that raises",
                                  "one that is neither true nor false"])
def test_a_listener_beside_an_event_loop_raises_in_its_task(name):
    misbehave, _ = ODD[name]

    async def operate():
        try:
            await stack_with("a provider", lambda: None).up_async(on_event=lambda _: misbehave())
        except BaseException as error:  # noqa: BLE001 - some would end the loop
            return error

    assert isinstance(asyncio.run(asyncio.wait_for(operate(), patience(30))), BaseException)


def test_a_coroutine_function_of_other_arguments_fails_its_resource():
    class Other(kingpost.Provider):
        async def create(self):
            raise AssertionError("never called")

    with pytest.raises(kingpost.ResourceFailed, match="create.*positional argument"):
        kingpost.Stack("odd", "dev", one_resource, providers={"odd": Other()}).up()


def test_a_call_of_the_programs_own_that_finds_nobody_is_the_programs_failure():
    class Unavailable(grpc.RpcError):
        def code(self):
            return grpc.StatusCode.UNAVAILABLE

        def details(self):
            return "the inventory does not answer"

    def program():
        raise Unavailable("the inventory does not answer")

    with pytest.raises(kingpost.ProgramFailed, match="the inventory does not answer"):
        kingpost.Stack("odd", "dev", program).up()


def test_an_exception_that_cannot_be_asked_anything_is_told_all_the_same():
    for kind, name in ((Closed, "Closed"), (Nameless, "Nameless"), (OfAnotherClass, "OfAnotherClass")):  # no parameters, which pytest would ask for their names
        error = kind("odd")
        assert told(error).startswith(name)
        causes = Causes()
        text = causes.note(error, "provider")
        assert causes.of(f"error: {text}", "") is not None and failure(error)["error"] == text
        with pytest.raises(CallbackFailed, match=name):
            guarded(lambda _, error=error: raising(lambda: error)(), Causes(), "hook")(None)


def test_policies_of_functions_without_a_name():
    def check(limit, subject):
        return f"more than {limit}"

    named = [kingpost.policy(functools.partial(check, 1)), kingpost.stack_policy(functools.partial(check, 2))]
    assert [policy.name for policy in named] == ["check", "check"]


def test_the_traceback_leads_to_the_users_line_alone():
    def sized():
        return {}["size"]

    with pytest.raises(kingpost.ResourceFailed) as caught:
        stack_with("a provider", sized).up()
    assert str(caught.value) == "error in one (odd:index:Thing): KeyError: 'size'"
    trace, files = caught.value.__cause__.__traceback__, []
    while trace is not None:
        files.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    assert files[-1] == __file__ and set(files) == {odd_callbacks.__file__, __file__}


@pytest.mark.parametrize("place", ["a provider", "a policy", "a hook", "a transform", "a program"])
@pytest.mark.parametrize("behind", [False, True, "a note", "a group"])
def test_a_cause_that_shows_a_secret_is_not_attached(place, behind):
    def leak():
        if not behind:
            raise ValueError("cannot log in with swordfish")
        if behind == "a note":
            error = ValueError("cannot log in")
            error.__notes__ = ["the password was swordfish"]
            raise error
        if behind == "a group":
            if sys.version_info < (3, 11):
                pytest.skip("groups are of Python 3.11")
            raise ExceptionGroup("cannot log in", [KeyError("first"), ExceptionGroup("inner", [KeyError("swordfish")])])
        try:
            leak_deeper()
        except KeyError as error:
            raise ValueError("cannot log in") from error

    def leak_deeper():
        raise KeyError("swordfish")

    stack = stack_with(place, leak)
    stack.config["token"] = kingpost.Secret("swordfish")
    with pytest.raises(PLACES[place], match="cannot log in" if behind else r"cannot log in with \[secret\]") as caught:
        stack.up()
    assert caught.value.__cause__ is None and "swordfish" not in str(caught.value)
