# SPDX-License-Identifier: Apache-2.0
"""The program: run as the SDK runs an inline one, in a context of its own, so that runs do not disturb each other."""

from __future__ import annotations

import asyncio
import contextvars
import importlib.util
import logging
import os
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence, Union

from ._bridge import Answer, Message, text_of
from .errors import Error, ProgramFailed

Program = Callable[[], Union[None, Awaitable[Any], Any]]
#: A function of a ``pulumi.ResourceHookArgs``.
Hook = Callable[[Any], Any]
#: By when they are called: "before_create", "after_delete", "on_error".
Hooks = Mapping[str, Sequence[Hook]]
#: As users give them: where there is one, it needs no list.
HooksGiven = Mapping[str, Union[Hook, Sequence[Hook]]]
#: Functions of a ``pulumi.ResourceTransformArgs``.
Transforms = Sequence[Callable[[Any], Any]]

HOOK_TIMES = (
    "before_create",
    "after_create",
    "before_update",
    "after_update",
    "before_delete",
    "after_delete",
    "on_error",
)


def require_program(program: Union[Program, str, "os.PathLike[str]", None], stack: str) -> None:
    if program is None:
        raise Error(f"stack {stack} has no program to run; pass one to kingpost.Stack")
    if isinstance(program, (str, os.PathLike)):
        if not Path(program).exists():
            raise ProgramFailed(f"there is no project in {program}: no such folder")
    elif importlib.util.find_spec("pulumi") is None:
        raise Error("a program needs the package pulumi; install it with: pip install 'kingpost[program]'")


_TELL_SECONDS = 5.0  # how long the engine may take to hear of a failure


class ProgramBridge:
    def __init__(self, program: Program, hooks: Hooks, transforms: Transforms) -> None:
        self._program = program
        self._hooks = hooks
        self._transforms = transforms
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
            answer = {"message": text_of(error), "reported": False}
        done(answer)

    def _declare(self) -> Any:
        """The user's program, with what the stack adds to every resource."""
        add_to_every_resource(self._hooks, self._transforms)
        return self._program()

    def _run(self, fields: Message) -> Message:
        import grpc
        import pulumi
        from pulumi import runtime

        from . import accelerate

        accelerate.install_once()
        accelerate.channels.never_retry()  # also where the SDK is left as it is
        # Failed tasks are reported by the SDK itself.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        runtime.reset_options(
            project=fields["project"],
            monitor_address=fields["monitor_address"],
            engine_address=accelerate.engine_for(fields["engine_address"], debug=False),
            stack=fields["stack"],
            parallel=fields["parallel"],
            preview=fields["preview"],
            organization=fields["organization"],
        )
        runtime.set_all_config(fields["config"], fields["config_secret_keys"] or None)

        loop = asyncio.new_event_loop()
        executor = ThreadPoolExecutor(max_workers=min(max(fields["parallel"], 1) * 4, 256))
        loop.set_default_executor(executor)
        loop.set_exception_handler(lambda *_: None)
        try:
            loop.run_until_complete(runtime.run_in_stack(self._declare))
        except pulumi.RunError as error:
            return self._failed(str(error))
        except grpc.RpcError as error:
            if error.code() == grpc.StatusCode.UNAVAILABLE:
                return {"message": "", "reported": True}  # the engine is ending the run, and says why
            return self._failed(str(error.details()))
        except BaseException as error:  # noqa: BLE001
            return self._failed(f"the program raised {type(error).__name__}: {error}\n{traceback.format_exc()}")
        finally:
            close_loop(loop, executor)
        return {"message": "", "reported": False}

    @staticmethod
    def _failed(message: str) -> Message:
        from pulumi.runtime import settings
        from pulumi.runtime.proto import engine_pb2

        engine: Any = settings.get_engine()
        request = engine_pb2.LogRequest(severity=engine_pb2.ERROR, message=message, urn="")
        try:
            # With a deadline, because nobody would end a thread that waits for an engine which no longer answers.
            engine.Log(request, timeout=_TELL_SECONDS)
        except Exception:  # noqa: BLE001 - the engine no longer listens
            return {"message": message, "reported": False}
        return {"message": message, "reported": True}


def close_loop(loop: asyncio.AbstractEventLoop, executor: ThreadPoolExecutor) -> None:
    pending = asyncio.all_tasks(loop)
    for task in pending:
        task.cancel()
    if pending:
        loop.run_until_complete(asyncio.gather(*pending, return_exceptions=True))
    loop.close()
    executor.shutdown(wait=False)
    sys.stdout.flush()
    sys.stderr.flush()


# --- what the stack adds --------------------------------------------------------------------------


def checked_hooks(hooks: Optional[HooksGiven]) -> Hooks:
    checked: Dict[str, Sequence[Hook]] = {}
    for time, functions in (hooks or {}).items():
        if time not in HOOK_TIMES:
            raise ValueError(f"there are no hooks {time!r}; use one of {', '.join(HOOK_TIMES)}")
        checked[time] = [functions] if callable(functions) else list(functions)
        for function in checked[time]:
            if not callable(function):
                raise TypeError(f"a hook must be a function, not {type(function).__name__}")
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
            make(f"{time}-{index}-{getattr(function, '__name__', 'hook')}", _named(function))
            for index, function in enumerate(functions)
        ]
    binding = pulumi.ResourceHookBinding(**bound)

    def bind(args: Any) -> Any:
        if not args.custom:
            return None
        options = pulumi.ResourceOptions.merge(args.opts, pulumi.ResourceOptions(hooks=binding))
        return pulumi.ResourceTransformResult(props=args.props, opts=options)

    return bind


def _named(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """With a ``__name__``, which the SDK asks for and partial functions and objects have none of."""
    if hasattr(function, "__name__"):
        return function

    def hook(args: Any) -> Any:
        return function(args)

    return hook
