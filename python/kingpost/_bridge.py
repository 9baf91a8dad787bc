# SPDX-License-Identifier: Apache-2.0
"""Between the extension and the user's objects: dicts on one side, typed requests and responses on the other.

Every method gets a dict and answers one; "error" in it stands for an exception of the user's code. Worker threads.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Optional, Tuple, Type

from . import provider as api
from .errors import InitializationFailed
from .policies import Policy, PolicyResource

Message = Dict[str, Any]


def text_of(error: BaseException) -> str:
    return str(error) or type(error).__name__


def failure(error: BaseException) -> Message:
    answer: Message = {"error": text_of(error)}
    if isinstance(error, InitializationFailed):
        answer["init_failed"] = {
            "id": str(error.id),
            "outputs": error.outputs,
            "inputs": error.inputs,
            "reasons": error.reasons,
        }
    return answer


def failures_of(failures: api.Failures) -> List[Tuple[str, str]]:
    pairs = []
    for item in failures or ():
        pairs.append(("", item) if isinstance(item, str) else (str(item[0]), str(item[1])))
    return pairs


class ProviderBridge:
    """A kingpost.Provider as the extension calls it."""

    def __init__(self, provider: api.Provider) -> None:
        self._provider = provider

    def _ask(self, method: str, request: Any, expected: Optional[Type[Any]], read: Callable[[Any], Message]) -> Message:
        try:
            response = getattr(self._provider, method)(request)
            if expected is not None and not isinstance(response, expected):
                raise TypeError(
                    f"{type(self._provider).__name__}.{method} must return a kingpost.{expected.__name__}, "
                    f"not {type(response).__name__}"
                )
            return read(response)
        except Exception as error:  # noqa: BLE001 - whatever the user's code raises is the operation's error
            return failure(error)

    def configure(self, fields: Message) -> Message:
        return self._ask("configure", api.ConfigureRequest(**fields), None, lambda _: {})

    def check(self, fields: Message) -> Message:
        return self._ask(
            "check",
            api.CheckRequest(**fields),
            api.CheckResponse,
            lambda r: {"inputs": r.inputs, "failures": failures_of(r.failures)},
        )

    def diff(self, fields: Message) -> Message:
        def read(r: api.DiffResponse) -> Message:
            detailed = None
            if r.detailed is not None:
                detailed = {
                    str(path): (kind, False) if isinstance(kind, str) else (kind[0], bool(kind[1]))
                    for path, kind in r.detailed.items()
                }
            return {
                "changes": None if r.changes is None else bool(r.changes),
                "replaces": r.replaces,
                "stables": r.stables,
                "diffs": r.diffs,
                "delete_before_replace": bool(r.delete_before_replace),
                "detailed": detailed,
            }

        return self._ask("diff", api.DiffRequest(**fields), api.DiffResponse, read)

    def create(self, fields: Message) -> Message:
        return self._ask(
            "create",
            api.CreateRequest(**fields),
            api.CreateResponse,
            lambda r: {"id": str(r.id or ""), "outputs": r.outputs},
        )

    def read(self, fields: Message) -> Message:
        return self._ask(
            "read",
            api.ReadRequest(**fields),
            api.ReadResponse,
            lambda r: {"id": str(r.id or ""), "inputs": r.inputs, "outputs": r.outputs if r.id else None},
        )

    def update(self, fields: Message) -> Message:
        return self._ask("update", api.UpdateRequest(**fields), api.UpdateResponse, lambda r: {"outputs": r.outputs})

    def delete(self, fields: Message) -> Message:
        return self._ask("delete", api.DeleteRequest(**fields), None, lambda _: {})

    def invoke(self, fields: Message) -> Message:
        return self._ask(
            "invoke",
            api.InvokeRequest(**fields),
            api.InvokeResponse,
            lambda r: {"result": r.result, "failures": failures_of(r.failures)},
        )

    def cancel(self, _: Message) -> Message:
        try:
            self._provider.cancel()
        except Exception as error:  # noqa: BLE001
            return failure(error)
        return {}


class PolicyBridge:
    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def analyze(self, fields: Message) -> Message:
        resource = PolicyResource(**fields)
        try:
            self._policy(resource)
        except Exception as error:  # noqa: BLE001
            return failure(error)
        return {"violations": resource._violations}


class ProgramBridge:
    """The program: run as the SDK runs an inline one, in a context of its own, so that runs do not disturb each other."""

    def __init__(self, program: Callable[[], Any]) -> None:
        self._program = program
        self._context = contextvars.copy_context()

    def start(self, fields: Message) -> Message:
        done = fields.pop("done")
        # A daemon: a program that ignores a cancellation must not keep the process from ending.
        threading.Thread(target=self._run_and_tell, args=(fields, done), name="kingpost-program", daemon=True).start()
        return {}

    def _run_and_tell(self, fields: Message, done: Callable[[Message], None]) -> None:
        try:
            answer = self._context.run(self._run, fields)
        except BaseException as error:  # noqa: BLE001 - the operation waits for an answer
            answer = {"message": text_of(error), "reported": False}
        done(answer)

    def _run(self, fields: Message) -> Message:
        import grpc
        import pulumi
        from pulumi import runtime

        from . import accelerate

        accelerate.install_once()
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
            loop.run_until_complete(runtime.run_in_stack(self._program))
        except pulumi.RunError as error:
            return self._failed(str(error))
        except grpc.RpcError as error:
            if error.code() == grpc.StatusCode.UNAVAILABLE:
                return {"message": "", "reported": True}  # the engine is ending the run, and says why
            return self._failed(str(error.details()))
        except BaseException as error:  # noqa: BLE001
            return self._failed(f"the program raised {type(error).__name__}: {error}\n{traceback.format_exc()}")
        finally:
            self._close(loop, executor)
        return {"message": "", "reported": False}

    @staticmethod
    def _failed(message: str) -> Message:
        import pulumi

        try:
            pulumi.log.error(message)
        except Exception:  # noqa: BLE001 - the engine no longer listens
            return {"message": message, "reported": False}
        return {"message": message, "reported": True}

    @staticmethod
    def _close(loop: asyncio.AbstractEventLoop, executor: ThreadPoolExecutor) -> None:
        pending = asyncio.all_tasks(loop)
        for task in pending:
            task.cancel()
        if pending:
            loop.run_until_complete(asyncio.gather(*pending, return_exceptions=True))
        loop.close()
        executor.shutdown(wait=False)
        sys.stdout.flush()
        sys.stderr.flush()
