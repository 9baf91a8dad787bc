# SPDX-License-Identifier: Apache-2.0
"""Stack: a program and its recorded state, and the operations on them."""

from __future__ import annotations

import importlib.util
import json
import os
import threading
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from . import _kingpost
from ._bridge import PolicyBridge, ProgramBridge, ProviderBridge
from .errors import Error
from .policies import Policy, policy_name
from .provider import Provider
from .result import Result, make_result
from .values import Secret, unwrap

_POLL_SECONDS = 0.2  # how soon a KeyboardInterrupt is noticed
_MIN_THREADS, _MAX_THREADS = 4, 64
_MIN_MASKED_LENGTH = 3  # shorter texts occur everywhere

# The engine's threads do not survive a fork, so a child of a process that used it cannot.
_used_by_pid: Optional[int] = None
_forked_after_use = False


def _after_fork_in_child() -> None:
    global _forked_after_use
    _forked_after_use = _used_by_pid is not None


os.register_at_fork(after_in_child=_after_fork_in_child)


def _claim_process() -> None:
    global _used_by_pid
    if _forked_after_use:
        raise Error(
            "kingpost was used before this process was forked, and cannot be used in the child; "
            "start the process with multiprocessing's 'spawn' method, or fork before the first use"
        )
    _used_by_pid = os.getpid()


def _config_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    return json.dumps(unwrap(value))


class Stack:
    """A stack of a project.

    program:    declares resources with the ``pulumi`` package; may be a coroutine function
    providers:  package -> kingpost.Provider; other packages are looked for as plugins, as the command does
    analyzers:  policies, see kingpost.policies
    config:     "key" or "project:key" -> value; a kingpost.Secret is a secret
    backend:    "memory" (this object's own), "mem://NAME" (shared by name in this process) or "file://PATH"
    passphrase: encrypts secrets; by default PULUMI_CONFIG_PASSPHRASE, in memory one made up for this process
    parallel:   how many resources are worked on at a time

    The state is kept between calls. A call fails with kingpost.Error if another operation holds the stack.
    """

    def __init__(
        self,
        project: str,
        name: str,
        program: Optional[Callable[[], Any]] = None,
        *,
        providers: Optional[Mapping[str, Provider]] = None,
        analyzers: Sequence[Policy] = (),
        config: Optional[Mapping[str, Any]] = None,
        backend: str = "memory",
        passphrase: Optional[str] = None,
        parallel: int = 16,
        organization: str = "organization",
    ) -> None:
        self.project = project
        self.name = name
        self.program = program
        self.providers: Dict[str, Provider] = dict(providers or {})
        self.analyzers: List[Policy] = list(analyzers)
        self.config: Dict[str, Any] = dict(config or {})
        self.backend = backend
        self.parallel = parallel
        for package, provider in self.providers.items():
            if not isinstance(provider, Provider):
                raise TypeError(f"the provider of {package} must be a kingpost.Provider, not {type(provider).__name__}")
        _claim_process()
        try:
            self._session = _kingpost.Session(project, name, organization, backend, passphrase)
        except RuntimeError as error:
            raise Error(str(error)) from None
        self._busy = threading.Lock()

    def __repr__(self) -> str:
        return f"<kingpost.Stack {self.project}/{self.name} in {self.backend}>"

    def preview(self, **options: Any) -> Result:
        """Tells what ``up`` would do, and changes nothing. Options as of ``up``."""
        return self._operate("update", preview=True, **options)

    def up(self, **options: Any) -> Result:
        """Makes the stack what the program says.

        targets, excludes: URNs, or patterns with ``*``, to confine the operation to or to leave out
        replace:           URNs of resources to replace though nothing changed
        refresh:           look at the resources as they are first
        continue_on_error: go on with what does not depend on a failure
        parallel:          instead of the stack's own
        target_dependents, exclude_dependents: with what depends on them
        """
        return self._operate("update", **options)

    def refresh(self, *, preview: bool = False, **options: Any) -> Result:
        """Reads every resource and records it as it is. Options as of ``up``, and ``run_program``."""
        return self._operate("refresh", preview=preview, **options)

    def destroy(self, *, preview: bool = False, **options: Any) -> Result:
        """Deletes every resource. Options as of ``up``, and ``run_program``."""
        return self._operate("destroy", preview=preview, **options)

    def export(self) -> Dict[str, Any]:
        """The recorded state as ``kingpost stack export`` writes it. Secrets are encrypted."""
        _claim_process()
        try:
            document: Dict[str, Any] = json.loads(self._session.export_state())
        except RuntimeError as error:
            raise Error(str(error)) from None
        return document

    # --- one operation --------------------------------------------------------------------------

    def _operate(
        self,
        operation: str,
        *,
        preview: bool = False,
        targets: Iterable[str] = (),
        excludes: Iterable[str] = (),
        replace: Iterable[str] = (),
        refresh: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        run_program: bool = False,
        target_dependents: bool = False,
        exclude_dependents: bool = False,
    ) -> Result:
        _claim_process()
        if operation == "update" or run_program:
            self._require_program()
        steps = max(1, self.parallel if parallel is None else parallel)
        options = {
            "preview": preview,
            "targets": list(targets),
            "excludes": list(excludes),
            "replace": list(replace),
            "refresh": refresh,
            "continue_on_error": continue_on_error,
            "parallel": steps,
            "run_program": run_program,
            "target_dependents": target_dependents,
            "exclude_dependents": exclude_dependents,
            "threads": min(max(steps, _MIN_THREADS), _MAX_THREADS),
        }
        if not self._busy.acquire(blocking=False):
            raise Error(f"an operation on stack {self.name} is running already")
        try:
            return self._run(operation, options)
        finally:
            self._busy.release()

    def _require_program(self) -> None:
        if self.program is None:
            raise Error(f"stack {self.name} has no program to run; pass one to kingpost.Stack")
        if importlib.util.find_spec("pulumi") is None:
            raise Error("a program needs the package pulumi; install it with: pip install 'kingpost[program]'")

    def _run(self, operation: str, options: Dict[str, Any]) -> Result:
        config, secret_keys = self._configuration()
        run = _kingpost.Run(
            self._session,
            operation,
            options,
            config,
            secret_keys,
            ProgramBridge(self.program or (lambda: None)),
            {package: ProviderBridge(provider) for package, provider in self.providers.items()},
            [(policy_name(policy), PolicyBridge(policy)) for policy in self.analyzers],
        )
        interrupted = _wait(run)
        outcome = run.outcome()
        hidden = sorted({config[key] for key in secret_keys if len(config[key]) >= _MIN_MASKED_LENGTH}, key=len)

        def mask(text: str) -> str:
            for plaintext in reversed(hidden):
                text = text.replace(plaintext, "[secret]")
            return text

        result = make_result(outcome, mask)
        if interrupted:
            raise KeyboardInterrupt
        if not outcome["ok"]:
            raise Error(_first_error(result, mask(outcome["message"]), outcome["cancelled"]), result)
        return result

    def _configuration(self) -> Tuple[Dict[str, str], List[str]]:
        texts: Dict[str, str] = {}
        secret_keys: List[str] = []
        for key, value in self.config.items():
            full = key if ":" in key else f"{self.project}:{key}"
            if isinstance(value, Secret):
                secret_keys.append(full)
                value = value.value
            texts[full] = _config_text(value)
        return texts, secret_keys


def _wait(run: "_kingpost.Run") -> bool:
    """Waits for the end. The first KeyboardInterrupt cancels, the second stops at once; True if there was one."""
    interrupts = 0
    while True:
        try:
            if run.wait(_POLL_SECONDS):
                return interrupts > 0
        except KeyboardInterrupt:
            interrupts += 1
            run.cancel() if interrupts == 1 else run.terminate()


def _first_error(result: Result, message: str, cancelled: bool) -> str:
    if cancelled:
        return message or "the operation was cancelled"
    for diagnostic in result.diagnostics:
        if diagnostic.severity == "error":
            return diagnostic.message.strip()
    return message or "the operation failed"
