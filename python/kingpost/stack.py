# SPDX-License-Identifier: Apache-2.0
"""Stack: a program and its recorded state, and the operations on them."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Type, Union

from . import _kingpost
from ._bridge import policy_parts, provider_parts
from ._callback import Causes
from ._checked import listed, listener, mapped, spelled, optional_text, seconds, text_argument, whole
from ._operation import RunningOperation
from ._pool import CallbackPool
from ._process import claim_process
from ._program import Hooks, HooksGiven, Program, ProgramBridge, Transforms, checked_hooks, checked_program, checked_transforms, require_program
from ._store_bridge import store_bridge
from ._settings import checked_options, configuration, failure_of, masking
from .events import Event, EventStream
from .operations import OnEvent, StackOperations
from .policies import PolicyException, PolicyLike, PolicyPack
from .provider import Provider
from .result import Result, make_result
from .state_store import StateStore

_MIN_THREADS, _MAX_THREADS = 4, 64


class Stack(StackOperations):
    """A stack of a project.

    program:    declares resources with the ``pulumi`` package: a function or a coroutine function. Or the folder of a
                project in any language, with its Pulumi.yaml; its settings file is read, too
    providers:  package -> kingpost.Provider; other packages are looked for as plugins, as the command does
    policies:   functions of a kingpost.PolicyResource, or what kingpost.policy and kingpost.stack_policy made of them
    policy_config: settings of policies by their names, "level" among them
    policy_exceptions: kingpost.PolicyException of violations that are allowed
    hooks:      "before_create" and the like -> functions, called for every custom resource
    transforms: functions that change resources before they are registered
    config:     "key" or "project:key" -> value; a kingpost.Secret is a secret
    backend:    "memory" (this object's own), "mem://NAME" (shared by name in this process), "file://PATH", or a
                kingpost.StateStore
    passphrase: encrypts secrets; by default PULUMI_CONFIG_PASSPHRASE, in memory one made up for this process
    secrets_provider: what encrypts the secrets of a new stack: "passphrase", or the URL of a key service, as in
                "awskms://alias/NAME?region=REGION". A stack that exists keeps its own; another one is refused:
                change_secrets_provider goes from one to the other
    parallel:   how many resources are worked on at a time
    callback_timeout: seconds after which a call of a provider or policy fails its resource; by default the time that
                the program allows with custom timeouts, else none

    The state is kept between calls. Any thread may call; one operation at a time, others fail with StackLocked. Each
    operation has a twin for event loops, ``up_async`` and so on. As a context manager, a stack cancels at the end of the
    block what is still under way.

    Failures are kingpost.Errors: StackLocked, UnknownStack, WrongPassphrase, StateDamaged, ResourceFailed,
    PolicyViolation, ProgramFailed, Cancelled.
    """

    @spelled(analyzers="its name is policies=[...]")
    def __init__(
        self,
        project: str,
        name: str,
        program: Union[Program, str, "os.PathLike[str]", None] = None,
        *,
        providers: Optional[Mapping[str, Provider]] = None,
        policies: Sequence[PolicyLike] = (),
        policy_config: Optional[Mapping[str, Mapping[str, Any]]] = None,
        policy_exceptions: Sequence[PolicyException] = (),
        hooks: Optional[HooksGiven] = None,
        transforms: Transforms = (),
        config: Optional[Mapping[str, Any]] = None,
        backend: Union[str, StateStore] = "memory",
        passphrase: Optional[str] = None,
        secrets_provider: Optional[str] = None,
        parallel: int = 16,
        organization: str = "organization",
        callback_timeout: Optional[float] = None,
    ) -> None:
        self.project: str = text_argument("project", project)
        self.name: str = text_argument("name", name)
        self.program: Union[Program, str, "os.PathLike[str]", None] = checked_program(program)
        self.providers: Dict[str, Provider] = mapped("providers", "packages and their providers", providers)
        self.policies: List[PolicyLike] = listed("policies", policies)
        self.policy_config: Dict[str, Mapping[str, Any]] = mapped(
            "policy_config", "policies and their settings", policy_config
        )
        self.policy_exceptions: List[PolicyException] = listed("policy_exceptions", policy_exceptions)
        self.hooks: Hooks = checked_hooks(hooks)
        self.transforms: Transforms = checked_transforms(transforms)
        self.config: Dict[str, Any] = mapped("config", "keys and values", config)
        self.backend = backend
        self.parallel: int = whole("parallel", parallel)
        self.callback_timeout: Optional[float] = callback_timeout
        seconds("callback_timeout", 0 if callback_timeout is None else callback_timeout)
        for package, provider in self.providers.items():
            text_argument("a package in providers", package)
            if ":" in package:
                raise ValueError(f"providers has packages and their providers: write {package.split(':')[0]!r} for the type {package!r}")
            if not isinstance(provider, Provider):
                raise TypeError(f"the provider of {package} must be a kingpost.Provider, not {type(provider).__name__}")
        # Refuses now what is wrong with them.
        PolicyPack("policies", self.policies, self.policy_config, exceptions=self.policy_exceptions)
        if (self.hooks or self.transforms) and isinstance(program, (str, os.PathLike)):
            raise TypeError("hooks and transforms need a program that is a Python function; a project has its own")
        claim_process()
        self._store = store_bridge(backend)
        try:
            self._session = _kingpost.Session(
                project,
                name,
                text_argument("organization", organization),
                self._store if self._store is not None else text_argument("backend", backend),
                optional_text("passphrase", passphrase),
                optional_text("secrets_provider", secrets_provider) or "",
            )
        except _kingpost.Failure as failure:
            error = self._error_from(failure)
            raise error from error.__cause__
        self._busy = threading.Lock()
        self._running: Optional[RunningOperation] = None
        self._streams: List[EventStream] = []

    def __repr__(self) -> str:
        return f"<kingpost.Stack {self.project}/{self.name} in {self.backend}>"

    def __enter__(self) -> "Stack":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self._interrupt()

    async def __aenter__(self) -> "Stack":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self._interrupt()

    # --- events -----------------------------------------------------------------------------------

    def events(self) -> EventStream:
        """The events of this object's operation that is under way, from now on, or of the next one:

        events = stack.events()
        update = asyncio.create_task(stack.up_async())
        async for event in events: ...
        result = await update
        """
        stream = EventStream(asyncio.get_running_loop())
        self._streams = [*self._streams, stream]
        running = self._running
        if running is not None:
            running.want_events()
        return stream

    # --- one operation ----------------------------------------------------------------------------

    def _operate(self, operation: str, on_event: Optional[OnEvent], **given: Any) -> Result:
        __tracebackhide__ = True
        claim_process()
        listener("on_event", on_event)
        options = self._options(given)
        if operation == "update" or options["run_program"]:
            require_program(self.program, self.name)
        with self._alone():
            return self._run(operation, options, on_event)

    def _options(self, given: Dict[str, Any]) -> Dict[str, Any]:
        given_parallel = given.get("parallel")
        at_once = whole("parallel", self.parallel if given_parallel is None else given_parallel)
        return {
            **checked_options(given),
            "parallel": at_once,
            "project_folder": self._project_folder(),
            "virtualenv": sys.prefix if sys.prefix != sys.base_prefix else "",
            "callback_timeout": seconds("callback_timeout", 0 if self.callback_timeout is None else self.callback_timeout),
        }

    def _project_folder(self) -> str:
        is_folder = isinstance(self.program, (str, os.PathLike)) and bool(self.program)
        return str(Path(self.program).resolve()) if is_folder else ""  # type: ignore[arg-type]

    def _run(self, operation: str, options: Dict[str, Any], on_event: Optional[OnEvent]) -> Result:
        __tracebackhide__ = True
        config, secret_keys = configuration(self.project, self.config)
        mask = masking([config[key] for key in secret_keys])
        debug = options.pop("debug")
        pool = CallbackPool(min(max(options["parallel"], _MIN_THREADS), _MAX_THREADS))
        streams = self._streams
        causes = self._store.causes if self._store is not None else Causes()
        causes.clear()
        running = RunningOperation(pool, mask, partial(self._hear, on_event))
        options["wants_events"] = on_event is not None or bool(streams)
        self._running = running
        try:
            running.begin(
                _kingpost.Run(
                    self._session,
                    operation,
                    options,
                    config,
                    secret_keys,
                    self._program_bridge(causes),
                    provider_parts(self.providers, pool, debug, causes),
                    policy_parts(self.policies, self.policy_config, self.policy_exceptions, pool, debug, causes),
                )
            )
            outcome = running.wait()
        except BaseException:
            running.settle()
            raise
        finally:
            self._running = None
            for stream in self._streams:
                stream.put(None)
            self._streams = []
        result = make_result(outcome, mask)
        if not outcome["ok"]:
            error = failure_of(outcome, result, mask(outcome["message"]), causes, mask, running.stopped)
            raise error from error.__cause__
        return result

    def _hear(self, on_event: Optional[OnEvent], event: Event) -> None:
        for stream in self._streams:
            stream.put(event)
        if on_event is not None:
            on_event(event)

    def _program_bridge(self, causes: Causes) -> Optional[ProgramBridge]:
        if isinstance(self.program, (str, os.PathLike)):
            return None
        program = checked_program(self.program)
        assert not isinstance(program, (str, os.PathLike))
        return ProgramBridge(program or (lambda: None), checked_hooks(self.hooks), self.transforms, causes)
