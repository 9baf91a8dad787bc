# SPDX-License-Identifier: Apache-2.0
"""The program: run as the SDK runs an inline one, in a context of its own, so that runs do not disturb each other."""

from __future__ import annotations

import asyncio
import contextvars
import importlib.util
import inspect
import logging
import os
import threading
from pathlib import Path
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence, Union, get_args

from ._bridge import Answer, Message
from ._callback import GRACE_SECONDS, Causes, clean, guarded, is_from_own_code, readable, told, trace_of
from ._checked import listed, mapped
from ._garbage import rare_collection
from ._loops import BorrowedLoop
from .errors import Error, ProgramFailed
from .words import HookTime

Program = Callable[[], Union[None, Awaitable[Any], Any]]
#: A function of a ``pulumi.ResourceHookArgs``.
Hook = Callable[[Any], Any]
#: By when they are called: "before_create", "after_delete", "on_error".
Hooks = Mapping[HookTime, Sequence[Hook]]
#: As users give them: where there is one, it needs no list.
HooksGiven = Mapping[HookTime, Union[Hook, Sequence[Hook]]]
#: Functions of a ``pulumi.ResourceTransformArgs``.
Transforms = Sequence[Callable[[Any], Any]]

HOOK_TIMES = get_args(HookTime)


def require_program(program: Union[Program, str, "os.PathLike[str]", None], stack: str) -> None:
    if program is None:
        raise Error(f"stack {stack} has no program to run; pass one to kingpost.Stack")
    if isinstance(program, (str, os.PathLike)):
        if not Path(program).exists():
            raise ProgramFailed(f"there is no project in {program}: no such folder")
    elif importlib.util.find_spec("pulumi") is None:
        raise Error("a program needs the package pulumi; install it with: pip install 'kingpost[program]'")


def checked_program(
    program: Union[Program, str, "os.PathLike[str]", None],
) -> Union[Program, str, "os.PathLike[str]", None]:
    if isinstance(program, (str, os.PathLike)):
        if not os.fspath(program):
            raise ValueError("a program is a function, or the folder of a project, not the empty text; '.' is this folder")
        return program
    if program is None:
        return program
    if not callable(program):
        raise TypeError(f"a program is a function, or the folder of a project, not {type(program).__name__}")
    if inspect.isgeneratorfunction(program) or inspect.isasyncgenfunction(program):
        raise TypeError(_NOT_A_GENERATOR)
    return program


_NOT_A_GENERATOR = (
    "the program is a generator, because there is a yield in it, and would declare nothing; declare resources in a function "
    "without yield"
)


class ProgramBridge:
    def __init__(
        self, program: Program, hooks: Hooks, transforms: Transforms, causes: Optional[Causes] = None
    ) -> None:
        self._program = program
        self._causes = noted = causes or Causes()
        self._hooks: Hooks = {
            time: [guarded(function, noted, "hook") for function in functions] for time, functions in hooks.items()
        }
        self._transforms = [guarded(transform, noted, "transform") for transform in transforms]
        self._context = contextvars.copy_context()

    def submit(self, _: str, fields: Message, answer: Answer) -> None:
        done = fields.pop("done")
        # A daemon: a program that ignores a cancellation must not keep the process from ending.
        threading.Thread(target=self._run_and_tell, args=(fields, done), name="kingpost-program", daemon=True).start()
        answer.set({})

    def _run_and_tell(self, fields: Message, done: Callable[[Message], None]) -> None:
        try:
            answer = self._context.run(self._run, fields)
        except BaseException as error:  # noqa: BLE001 - the operation waits for an answer
            answer = {"message": self._causes.note(error, "program"), "reported": False}
        done(answer)

    def _declare(self) -> Any:
        """The user's program, with what the stack adds to every resource."""
        add_to_every_resource(self._hooks, self._transforms)
        failure: Optional[BaseException] = None
        made: Any = None
        before = _declarations()
        try:
            made = without_generators(self._program())
            if inspect.isroutine(made) and _declarations() == before:
                name = getattr(self._program, "__name__", "it")
                raise TypeError(
                    f"the program returned a function and declared nothing, so everything would be deleted; pass {name}(), "
                    "which makes the program"
                )
        except BaseException as error:  # noqa: BLE001
            failure = readable(error)
        if failure is not None:  # here, so that it has no context
            raise failure
        return _readably(made) if inspect.iscoroutine(made) else made

    def _run(self, fields: Message) -> Message:
        import grpc
        import pulumi
        from pulumi import runtime

        from . import _direct, accelerate
        from ._loop_calls import EngineCalls
        from ._sdk_callbacks import causes_of_run, guard_sdk_callbacks
        from ._refused_values import refuse_what_is_lost

        accelerate.install_once()
        accelerate.channels.never_retry()  # of components, also where the SDK is left as it is
        causes_of_run.set(self._causes)
        guard_sdk_callbacks()
        refuse_what_is_lost()
        calls = EngineCalls(fields["address"])
        # Failed tasks are reported by the SDK itself.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        runtime.reset_options(
            project=fields["project"],
            monitor_address=_direct.monitor(calls),
            engine_address=accelerate.without_debugging(_direct.engine(calls)),
            stack=fields["stack"],
            parallel=fields["parallel"],
            preview=fields["preview"],
            organization=fields["organization"],
        )
        runtime.set_all_config(fields["config"], fields["config_secret_keys"] or None)

        try:
            with rare_collection(), BorrowedLoop(min(max(fields["parallel"], 1) * 4, 256), calls) as loop:
                loop.run(runtime.run_in_stack(self._declare))
        except _direct.EngineRefused as error:  # not an RpcError of the program's own calls
            if error.code() == grpc.StatusCode.UNAVAILABLE:
                return {"message": "", "reported": True}  # the engine is ending the run, and says why
            return self._failed(clean(str(error.details())))
        except pulumi.RunError as error:
            return self._failed(self._causes.note(error, "program"))
        except BaseException as error:  # noqa: BLE001
            self._causes.note(error, "program")
            trace = f"\n{trace_of(error)}" if is_from_own_code(error) else ""
            return self._failed(f"the program raised {_with_kind(error)}{trace}")
        return {"message": "", "reported": False}

    @staticmethod
    def _failed(message: str) -> Message:
        from pulumi.runtime import settings
        from pulumi.runtime.proto import engine_pb2

        engine: Any = settings.get_engine()
        request = engine_pb2.LogRequest(severity=engine_pb2.ERROR, message=message, urn="")
        try:
            # With a deadline, because nobody would end a thread that waits for an engine which no longer answers.
            engine.Log(request, timeout=GRACE_SECONDS)
        except Exception:  # noqa: BLE001 - the engine no longer listens
            return {"message": message, "reported": False}
        return {"message": message, "reported": True}


def _with_kind(error: BaseException) -> str:
    """Also of kinds that elsewhere are not named: programs read it as Python's own report."""
    kind, text = type(error).__name__, told(error)
    return text if text.startswith(kind) else f"{kind}: {text}"


def _declarations() -> int:
    """How much the program has asked of the SDK, which makes a task of each request."""
    from pulumi.runtime import get_root_resource

    return len(asyncio.all_tasks()) + len(getattr(get_root_resource(), "outputs", ()))


def without_generators(made: Any) -> Any:
    """The result of a program. A generator has not run: the stack would be found empty, and everything deleted."""
    if inspect.iscoroutine(made):
        return _awaited(made)
    if inspect.isgenerator(made) or inspect.isasyncgen(made):
        raise TypeError(_NOT_A_GENERATOR)
    return made


async def _readably(made: Any) -> Any:
    try:
        return await made
    except BaseException as error:  # noqa: BLE001
        failure = readable(error)
    raise failure


async def _awaited(made: Any) -> Any:
    return without_generators(await made)


# --- what the stack adds --------------------------------------------------------------------------


def checked_hooks(hooks: Optional[HooksGiven]) -> Hooks:
    checked: Dict[HookTime, Sequence[Hook]] = {}
    mapped("hooks", "times and functions", hooks)
    for time, functions in (hooks or {}).items():
        if time not in HOOK_TIMES:
            raise ValueError(f"there are no hooks {time!r}; use one of {', '.join(HOOK_TIMES)}")
        checked[time] = [functions] if callable(functions) else listed(f"hooks[{time!r}]", functions)
        for function in checked[time]:
            if not callable(function):
                raise TypeError(f"a hook must be a function, not {type(function).__name__}")
    return checked


def checked_transforms(transforms: Transforms) -> Transforms:
    checked = listed("transforms", transforms)
    for transform in checked:
        if not callable(transform):
            raise TypeError(f"a transform must be a function, not {type(transform).__name__}")
    return checked


def add_to_every_resource(hooks: Hooks, transforms: Transforms) -> None:
    from pulumi import runtime

    for transform in transforms:
        runtime.register_resource_transform(transform)
    if any(hooks.values()):
        runtime.register_resource_transform(_transform_for(hooks))


def _transform_for(hooks: Hooks) -> Callable[[Any], Any]:
    """Binds the hooks to each custom resource. Their names are the same in every run: deletes are recorded by them."""
    import pulumi

    bound: Dict[str, Any] = {}
    for time, functions in hooks.items():
        make = pulumi.ErrorHook if time == "on_error" else pulumi.ResourceHook
        bound[time] = [
            make(f"{time}-{index}-{function.__name__}", function)
            for index, function in enumerate(functions)
        ]
    binding = pulumi.ResourceHookBinding(**bound)

    def bind(args: Any) -> Any:
        if not args.custom:
            return None
        options = pulumi.ResourceOptions.merge(args.opts, pulumi.ResourceOptions(hooks=binding))
        return pulumi.ResourceTransformResult(props=args.props, opts=options)

    return bind
