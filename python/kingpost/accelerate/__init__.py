# SPDX-License-Identifier: Apache-2.0
"""Makes the Python SDK quicker, without touching the installed package.

The launcher imports this before the SDK, and the SDK before the program. Each measure is a file of its own: what it replaces, why,
and why the result is equal. A measure is left out where the SDK's functions that it replaces, or leans on, are not word for
word those it was proved equal to (guard.py). KINGPOST_ACCELERATE=0 leaves all of
them out, KINGPOST_ACCELERATE_WITHOUT=cycles,urn_names some of them.

The command unpacks this folder as the package `kingpost_accelerate`, beside the SDK and interpreter of the program. It
imports only the standard library, `pulumi`, and dependencies of `pulumi`, and runs under Python 3.9 and later.
"""

from __future__ import annotations

import os
import threading
import traceback
from typing import Any, List, Optional, Set

from . import (
    channels,
    cycles,
    deserializing,
    final_wait,
    garbage,
    lazy_modules,
    log_messages,
    property_outputs,
    serializing,
    stack_trace,
    type_cache,
    unknowns,
    urn_names,
)
from .guard import first_unknown
from .swap import Swaps

_FOLDER = os.path.dirname(__file__)

# In this order: what comes later may lean on what the earlier ones replaced.
_MEASURES = (
    log_messages,
    final_wait,
    cycles,
    type_cache,
    stack_trace,
    urn_names,
    unknowns,
    property_outputs,
    serializing,
    deserializing,
)


def is_wanted(measure: str) -> bool:
    """False where the environment says so, of all or of this one."""
    return os.environ.get("KINGPOST_ACCELERATE") not in ("0", "false") and measure not in _without()


def _without() -> Set[str]:
    return {name.strip() for name in os.environ.get("KINGPOST_ACCELERATE_WITHOUT", "").split(",")}


def install() -> List[str]:
    """Puts every measure into place whose functions are known. Returns a line for each, for --debug."""
    without = _without()
    report: List[str] = []
    swaps = Swaps()
    channels.never_retry()
    for measure in _MEASURES:
        name = measure.__name__.rpartition(".")[2]
        unknown = first_unknown(measure.KNOWN)
        if name in without:
            report.append(f"{name}: off, as KINGPOST_ACCELERATE_WITHOUT says")
        elif unknown is not None:
            report.append(f"{name}: off, this SDK has another {unknown}")
        else:
            measure.install(swaps)
            report.append(f"{name}: on")
    swaps.put_in_place()
    return report


_installing = threading.Lock()
_installed = False


def install_once() -> None:
    """For a process that runs programs in itself: kingpost.Stack, and inline programs of the Automation API."""
    global _installed
    with _installing:
        if not _installed and os.environ.get("KINGPOST_ACCELERATE") not in ("0", "false"):
            install()
        _installed = True


def prepare() -> None:
    """Call it before the SDK is imported."""
    lazy_modules.prepare()


def begin_program() -> None:
    """Call it when everything is imported, right before the program."""
    garbage.install()


def engine_for(address: Optional[str], debug: bool) -> Any:
    """The engine that Settings takes: the address, or a stub that sends no debugging messages."""
    if debug or not address or os.environ.get("KINGPOST_ACCELERATE") in ("0", "false"):
        return address
    try:
        return log_messages.stub_for(address)
    except Exception:  # noqa: BLE001  (a release that makes its stub in another way)
        return address


def without_debugging(engine: Any) -> Any:
    """A stub of the engine's service that sends no debugging messages, if that is wanted."""
    return log_messages.WithoutDebugging(engine) if is_wanted("log_messages") else engine


def hide_own_frames(trace: Optional[traceback.TracebackException]) -> None:
    """Takes the frames of this package out of a trace, so that it reads as without it."""
    waiting = [trace]
    seen: Set[int] = set()
    while waiting:
        trace = waiting.pop()
        if trace is None or id(trace) in seen:
            continue
        seen.add(id(trace))
        trace.stack[:] = [frame for frame in trace.stack if os.path.dirname(frame.filename) != _FOLDER]
        waiting += [trace.__cause__, trace.__context__]
