# SPDX-License-Identifier: Apache-2.0
"""Each callback of the user's code, and each way in which it can fail to return. Every one fails its operation soon, with a text
that names what went wrong, and none is ignored."""

import asyncio
import dataclasses
import functools
import os
import sys
import threading
import time
import traceback
from typing import Optional, TypedDict

import grpc
import kingpost
import pulumi
import pytest
from harness.patience import patience
from kingpost._bridge import failure
from kingpost._callback import GRACE_SECONDS, CallbackFailed, Causes, guarded, told


class BadText(Exception):
    def __str__(self):
        return self.detail["message"]  # there is no such attribute


def raising(error):
    def misbehave():
        raise error() if callable(error) else error

    return misbehave


def file_that_is_not_utf8():
    open(os.fsdecode(b"/nowhere/\xe9.txt"))


class Closed(Exception):
    """An exception that refuses every access to its attributes."""

    def __getattribute__(self, name):
        raise RuntimeError(name)

    def __setattr__(self, name, value):
        raise RuntimeError(name)


class OfAnotherClass(Exception):
    @property
    def __class__(self):
        raise RuntimeError("it has no class")


class Undecided(Exception):
    def __bool__(self):
        raise RuntimeError("neither true nor false")


class WithInner(Exception):
    """An exception with the attribute in which the SDK keeps an error of a component."""

    @property
    def inner(self):
        raise RuntimeError("there is none")


class OddName(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")


class Nameless(Exception, metaclass=OddName):
    pass


class Endless(Exception):
    def __str__(self):
        return str(self)


def down(levels):
    if not levels:
        raise ValueError("at the bottom")
    return up_again(levels - 1)


def up_again(levels):
    return down(levels)


class Textless(Exception):
    __str__ = {}.get  # no text


def behind_another():
    try:
        raise Closed("inner")
    except Closed:
        raise ValueError("outer")  # noqa: B904 - its context is what this is about


ODD = {
    "an exception without text": (raising(Exception), "Exception"),
    "a failed assertion": (raising(AssertionError), "AssertionError"),
    "a missing key": (lambda: {}["size"], "KeyError: 'size'"),
    "the end of an iterator": (lambda: next(iter(())), "StopIteration"),
    "a text that raises": (raising(BadText), r"BadText \(its text cannot be read: __str__ raised AttributeError\)"),
    "a lone surrogate": (file_that_is_not_utf8, r"FileNotFoundError: .*/\\udce9"),
    "a text of a megabyte": (lambda: raising(ValueError("long " * 200_000))(), "ValueError: long"),
    "sys.exit": (raising(SystemExit(3)), "SystemExit: 3"),
    "a keyboard interrupt": (raising(KeyboardInterrupt), "KeyboardInterrupt"),
    "a cancelled task": (raising(asyncio.CancelledError), "CancelledError"),
    "the end of a generator": (raising(GeneratorExit), "GeneratorExit"),
    "one that is neither true nor false": (raising(Undecided("maybe")), "Undecided: maybe"),
    "one with an inner": (raising(WithInner("outer")), "WithInner: outer"),
    "one that refuses to be asked": (raising(lambda: Closed("odd")), "Closed"),
    "one that is of another class": (raising(lambda: OfAnotherClass("odd")), "OfAnotherClass"),
    "one behind which is such a one": (behind_another, "ValueError: outer"),
    "an endless text": (raising(Endless), r"Endless \(its text cannot be read: __str__ raised RecursionError\)"),
    "a text that is none": (raising(lambda: Textless("odd")), r"Textless \(its text cannot be read: __str__ raised TypeError\)"),
    "a long way down": (lambda: down(300), "ValueError: at the bottom"),
    "no module": (raising(type("Homeless", (Exception,), {"__module__": None})("lost")), "Homeless: lost"),
}


class Odd(kingpost.Provider):
    def __init__(self, misbehave):
        super().__init__()
        self.misbehave = misbehave

    def create(self, request):
        return self.misbehave() or super().create(request)


class OddLater(Odd):
    async def create(self, request):
        return self.misbehave()


class OddStore(kingpost.MemoryStateStore):
    def __init__(self, misbehave):
        super().__init__()
        self.misbehave = misbehave

    def put(self, key, data, **conditions):
        if "journals" in key:
            self.misbehave()
        return super().put(key, data, **conditions)


def OddMethods(method, misbehave):
    """A provider that misbehaves in one method."""
    return type("OddMethods", (kingpost.Provider,), {method: lambda self, _: misbehave()})()


def one_resource():
    pulumi.CustomResource("odd:index:Thing", "one")


def managed(method, misbehave):
    """A class of a provider that misbehaves in one of its methods."""
    provider = kingpost.Provider("odd")

    @provider.resource("odd:index:Thing")
    class Thing(kingpost.ManagedResource):
        inputs: NoInputs

        def create(self) -> str:
            if method == "create":
                misbehave()
            return self.name

        def check(self):
            if method == "check":
                misbehave()

    return provider, lambda: provider.declare(Thing, "one")


@dataclasses.dataclass
class NoInputs:
    pass


class SectionArgs(TypedDict):
    pass


def component_of(misbehave):
    class Section(pulumi.ComponentResource):
        def __init__(self, name: str, args: SectionArgs, opts: Optional[pulumi.ResourceOptions] = None) -> None:
            super().__init__("odd:index:Section", name, {}, opts)
            misbehave()

    return Section


def function_of(misbehave):
    provider = kingpost.Provider("odd")

    @provider.function("odd:index:ask")
    def ask(args: NoInputs) -> NoInputs:
        misbehave()
        return NoInputs()

    return provider, lambda: pulumi.export("answer", provider.ask(ask, NoInputs()).apply(str))


def with_hook(hook):
    options = pulumi.ResourceOptions(hooks=pulumi.ResourceHookBinding(before_create=[hook]))
    pulumi.CustomResource("odd:index:Thing", "one", None, options)


def migrated(migration):
    """A deployed component that migrates its recorded states."""

    def program(options=None):
        parent = pulumi.ComponentResource("odd:index:Group", "one", None, options)
        pulumi.CustomResource("odd:index:Thing", "inner", None, pulumi.ResourceOptions(parent=parent))

    stack = kingpost.Stack("odd", "dev", program, providers={"odd": kingpost.Provider()})
    stack.up()
    stack.program = lambda: program(pulumi.ResourceOptions(state_migrations=[migration]))
    return stack


def stack_with(place, misbehave):
    options = {"providers": {"odd": kingpost.Provider()}}
    program = one_resource

    def callback(_):
        return misbehave()

    async def callback_later(_):
        misbehave()

    async def program_later():
        misbehave()

    if place in ("a provider", "an async provider"):
        options["providers"] = {"odd": (Odd if place == "a provider" else OddLater)(misbehave)}
    elif place == "a policy":
        options["policies"] = [callback]
    elif place == "an async policy":
        options["policies"] = [callback_later]
    elif place == "a stack policy":
        options["policies"] = [kingpost.stack_policy(callback)]
    elif place == "a remediation":
        options["policies"] = [kingpost.policy(level="remediate")(callback)]
    elif place == "a hook":
        options["hooks"] = {"before_create": callback}
    elif place == "an async hook":
        options["hooks"] = {"before_create": callback_later}
    elif place == "a transform":
        options["transforms"] = [callback]
    elif place == "an async transform":
        options["transforms"] = [callback_later]
    elif place == "a check":
        options["providers"] = {"odd": OddMethods("check", misbehave)}
    elif place == "a method of a class":
        provider, program = managed("create", misbehave)
        options["providers"] = {"odd": provider}
    elif place == "a check of a class":
        provider, program = managed("check", misbehave)
        options["providers"] = {"odd": provider}
    elif place == "a function of a provider":
        provider, program = function_of(misbehave)
        options["providers"] = {"odd": provider}
    elif place == "a hook of the program":
        program = lambda: with_hook(pulumi.ResourceHook("odd", callback))
    elif place == "an async hook of the program":
        program = lambda: with_hook(pulumi.ResourceHook("odd", callback_later))
    elif place == "a transform of the program":
        def program():
            pulumi.runtime.register_resource_transform(callback)
            one_resource()
    elif place == "a transform of invokes":
        provider, asks = function_of(lambda: None)
        options["providers"] = {"odd": provider}

        def program():
            pulumi.runtime.register_invoke_transform(callback)
            asks()
    elif place in ("a component", "a constructor of a provider"):
        provider = kingpost.Provider("odd") if place == "a component" else OddMethods("construct", misbehave)
        options["providers"] = {"odd": provider}
        if place == "a component":
            provider.component(component_of(misbehave))
        program = lambda: pulumi.ComponentResource("odd:index:Section", "one", {}, remote=True)
    elif place == "a method of a component":
        options["providers"] = {"odd": OddMethods("call", misbehave)}

        def program():
            thing = pulumi.CustomResource("odd:index:Thing", "one")
            pulumi.export("answer", pulumi.runtime.call("odd:index:Thing/ask", {}, thing))
    elif place == "a transform of one resource":
        program = lambda: pulumi.CustomResource("odd:index:Thing", "one", None, pulumi.ResourceOptions(transforms=[callback]))
    elif place in ("an error hook", "an async error hook"):
        options["providers"] = {"odd": Odd(raising(ValueError("it fails")))}
        options["hooks"] = {"on_error": callback if place == "an error hook" else callback_later}
    elif place == "a state migration":
        return migrated(callback)
    elif place == "an async state migration":
        return migrated(callback_later)
    elif place == "an apply":
        program = lambda: pulumi.export("x", pulumi.Output.from_input(1).apply(callback))
    elif place == "a store":
        options.update(backend=OddStore(misbehave), passphrase="word")
    else:
        program = misbehave if place == "a program" else program_later
    return kingpost.Stack("odd", "dev", program, **options)


PLACES = {
    "a provider": kingpost.ResourceFailed,
    "an async provider": kingpost.ResourceFailed,
    "a policy": kingpost.PolicyFailed,
    "an async policy": kingpost.PolicyFailed,
    "a stack policy": kingpost.PolicyFailed,
    "a remediation": kingpost.PolicyFailed,
    "a hook": kingpost.ResourceFailed,
    "an async hook": kingpost.ResourceFailed,
    "a transform": kingpost.ProgramFailed,
    "an async transform": kingpost.ProgramFailed,
    "a program": kingpost.ProgramFailed,
    "an async program": kingpost.ProgramFailed,
    "a store": kingpost.Error,
    "a check": kingpost.ResourceFailed,
    "a method of a class": kingpost.ResourceFailed,
    "a check of a class": kingpost.ResourceFailed,
    "a function of a provider": kingpost.Error,
    "a hook of the program": kingpost.ResourceFailed,
    "an async hook of the program": kingpost.ResourceFailed,
    "a transform of the program": kingpost.ProgramFailed,
    "a transform of invokes": kingpost.ProgramFailed,
    "a state migration": kingpost.ResourceFailed,
    "an async state migration": kingpost.ResourceFailed,
    "an apply": kingpost.ProgramFailed,
    "a component": kingpost.ResourceFailed,
    "a constructor of a provider": kingpost.ResourceFailed,
    "a method of a component": kingpost.ProgramFailed,
    "a transform of one resource": kingpost.ProgramFailed,
    "an error hook": kingpost.ResourceFailed,
    "an async error hook": kingpost.ResourceFailed,
}

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
            assert __file__ in "".join(traceback.format_exception(type(caught.value), caught.value, caught.value.__traceback__))


@pytest.mark.parametrize("place", ["a provider", "a policy", "a hook", "a transform", "a program", "a store"])
def test_a_hanging_callback_is_given_up_with_its_task(place):
    begun, release = threading.Event(), threading.Event()

    def hang():
        begun.set()
        release.wait(patience(60))

    async def operate():
        task = asyncio.ensure_future(stack_with(place, hang).up_async())
        while not begun.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        since = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - since

    try:
        assert asyncio.run(operate()) < patience(2 * GRACE_SECONDS + 1)
    finally:
        release.set()


@pytest.mark.parametrize("place", ["a provider", "a policy", "a hook", "a transform", "a program", "a store"])
def test_a_hanging_callback_is_given_up_by_a_second_cancel(place):
    begun, release = threading.Event(), threading.Event()

    def hang():
        begun.set()
        release.wait(patience(60))

    stack = stack_with(place, hang)

    def cancel_twice():
        begun.wait()
        stack.cancel()
        time.sleep(0.1)
        stack.cancel()

    threading.Thread(target=cancel_twice, daemon=True).start()
    since = time.monotonic()
    try:
        with pytest.raises(kingpost.Error):
            stack.up()
        assert time.monotonic() - since < patience(2 * GRACE_SECONDS)
    finally:
        release.set()


def test_a_listener_that_hangs_keeps_no_task():
    release = threading.Event()

    async def operate():
        stack = stack_with("a provider", lambda: None)
        task = asyncio.ensure_future(stack.up_async(on_event=lambda _: release.wait(patience(60))))
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    since = time.monotonic()
    try:
        asyncio.run(operate())
    finally:
        release.set()
    assert time.monotonic() - since < patience(GRACE_SECONDS + 4)


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


@pytest.mark.parametrize("way", ["sleeps", "will not be cancelled", "blocks the loop", "cleans up for ever"])
def test_a_coroutine_that_hangs_is_given_up_with_its_task(way):
    release = threading.Event()

    class Hangs(kingpost.Provider):
        async def create(self, request):
            if way == "blocks the loop":
                release.wait(patience(60))
            while not release.is_set():
                try:
                    await asyncio.sleep(0.1 if way == "will not be cancelled" else 1000)
                except asyncio.CancelledError:
                    if way == "sleeps":
                        raise
                    if way == "cleans up for ever":
                        await asyncio.sleep(1000)

    async def operate():
        stack = kingpost.Stack("odd", "dev", one_resource, providers={"odd": Hangs()})
        since = time.monotonic()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(stack.up_async(), 1)
        return time.monotonic() - since

    try:
        assert asyncio.run(operate()) < patience(2 * GRACE_SECONDS + 2)
    finally:
        release.set()


def test_a_coroutine_that_blocks_its_loop_holds_up_its_own_resource_alone():
    release, returned = threading.Event(), []

    class Blocks(kingpost.Provider):
        async def create(self, request):
            if request.name == "blocks":
                returned.append(release.wait(patience(60)))
            return kingpost.CreateResponse("id", {})

    def program():
        blocks = pulumi.CustomResource("odd:index:Thing", "blocks")
        for number in range(3):
            pulumi.CustomResource("odd:index:Thing", f"well-{number}")
        return blocks

    stack = kingpost.Stack("odd", "dev", program, providers={"odd": Blocks()}, callback_timeout=patience(2))
    try:
        with pytest.raises(kingpost.ResourceFailed, match="has not returned after") as caught:
            stack.up(continue_on_error=True)
        assert returned == []
    finally:
        release.set()
    assert sorted(step.name for step in caught.value.result.steps if step.failed) == ["blocks"]
    assert {resource.name for resource in caught.value.result.resources if resource.custom} >= {"well-0", "well-1", "well-2"}


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
    assert files and set(files) == {__file__}


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
