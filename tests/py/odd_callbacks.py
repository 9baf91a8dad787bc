# SPDX-License-Identifier: Apache-2.0
"""The places in which the module calls the user's code, and odd ways for that code to end."""

import asyncio
import dataclasses
import os
from typing import Optional, TypedDict

import kingpost
import pulumi


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
