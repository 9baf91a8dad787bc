# SPDX-License-Identifier: Apache-2.0
"""Hooks, transforms and state migrations that a program gives to the SDK itself, guarded as those of a Stack are.
Whatever one raises fails its resource, with a text that is never empty, and becomes the cause of the operation's
error."""

from __future__ import annotations

import threading
from contextvars import ContextVar
from typing import Any, Callable, Dict, Optional

from ._callback import Causes, guarded

#: For the run that a program belongs to. None: other code in this process uses the SDK.
causes_of_run: ContextVar[Optional[Causes]] = ContextVar("causes_of_run", default=None)

_lock = threading.Lock()


def guard_sdk_callbacks() -> None:
    """The SDK makes one servicer of its callbacks for each program. Releases that make it otherwise are left as they are."""
    from pulumi.runtime import settings

    with _lock:
        original: Any = vars(settings).get("_CallbackServicer")
        if isinstance(original, type) and not getattr(original, "guards", False):
            setattr(settings, "_CallbackServicer", _guarding(original))  # noqa: B010 - unknown to type checkers


class _Hook:
    """A hook as the servicer looks at it."""

    def __init__(self, hook: Any, call: Callable[[Any], Any]) -> None:
        self.name = hook.name
        self.opts = getattr(hook, "opts", None)
        self._call = call

    def __call__(self, args: Any) -> Any:
        return self._call(args)


def _guarding(original: Any) -> Any:
    class GuardingServicer(original):  # type: ignore[misc]
        guards = True

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self._causes = causes_of_run.get()
            self._guarded: Dict[Any, Any] = {}

        def _guard(self, function: Any, by: str) -> Any:
            """The same for the same function: the SDK knows callbacks again by them."""
            if self._causes is None:
                return function
            if function not in self._guarded:
                self._guarded[function] = guarded(function, self._causes, by)
            return self._guarded[function]

        def _guard_hook(self, hook: Any) -> Any:
            if self._causes is None:
                return hook
            call = guarded(hook, self._causes, "hook", str(hook.name))
            return _Hook(hook, call)

        def register_transform(self, transform: Any) -> Any:
            return super().register_transform(self._guard(transform, "transform"))

        def register_state_migration(self, migration: Any) -> Any:
            return super().register_state_migration(self._guard(migration, "migration"))

        def do_register_invoke_transform(self, transform: Any) -> Any:
            return super().do_register_invoke_transform(self._guard(transform, "transform"))

        def do_register_resource_hook(self, hook: Any) -> Any:
            return super().do_register_resource_hook(self._guard_hook(hook))

        def do_register_error_hook(self, hook: Any) -> Any:
            return super().do_register_error_hook(self._guard_hook(hook))

    return GuardingServicer
