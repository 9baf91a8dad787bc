# SPDX-License-Identifier: Apache-2.0
"""Pickles of what operations return: for caches and other processes. Secrets are left out of them, unless they are asked for."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Callable, Iterator, Tuple

from . import _kingpost

_with_secrets: "ContextVar[bool]" = ContextVar("kingpost_secrets_in_pickles", default=False)


@contextmanager
def secrets_in_pickles() -> Iterator[None]:
    """Within it ``pickle`` keeps secrets, in clear: for a pickle that does not leave the machine.

        with kingpost.secrets_in_pickles():
            pool.submit(work, result)
    """
    token = _with_secrets.set(True)
    try:
        yield
    finally:
        _with_secrets.reset(token)


def are_secrets_kept() -> bool:
    return _with_secrets.get()


def reduced_resource(resource: "_kingpost.Resource") -> Tuple[Callable[..., Any], Tuple[bytes]]:
    return _resource_of, (_kingpost.dump_resource(resource, are_secrets_kept()),)


def _resource_of(document: bytes) -> "_kingpost.Resource":
    return next(iter(_kingpost.load_snapshot(document, "the pickle", None)))
