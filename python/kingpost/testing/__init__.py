# SPDX-License-Identifier: Apache-2.0
"""Tests of programs, policies and providers: ``pip install kingpost[testing]``.

    from kingpost.testing import assert_no_replacements, assert_steps

    def test_a_bigger_site_keeps_its_database(kingpost_stack, fake_provider):
        fake_provider.replaces("aws:rds*", "engine")
        stack = kingpost_stack(small_site)
        stack.up()
        stack.program = big_site
        result = stack.preview()
        assert_no_replacements(result, protect="*db*")
        assert_steps(result, {"web": "update", "cache": "create"})

The fixtures come with the pytest plugin; all else is imported from here. Nothing leaves the process.
"""

import importlib
from typing import TYPE_CHECKING, Any, Dict, List

from .assertions import (
    assert_no_deletes,
    assert_no_leaks,
    assert_no_replacements,
    assert_refactoring,
    assert_secret,
    assert_steps,
    steps_of,
)
from .clock import SimulatedClock
from .fake_provider import Call, FakeProvider, ProviderDied, Thing
from .faults import Fault
from .policy_watch import PolicyWatch
from .stack_under_test import CheckSnapshot, MakeStack, StackUnderTest

if TYPE_CHECKING:
    from .comparison import compare, describe
    from .crashes import CrashPoint, CrashReport, crash_anywhere
    from .fleet_crashes import FleetCrashReport, crash_fleet_anywhere
    from .fleet_under_test import FleetUnderTest
    from .store_contract import state_store_contract

# As in the package itself.
_LATER: Dict[str, str] = {
    **dict.fromkeys(("compare", "describe"), "comparison"),
    **dict.fromkeys(("CrashPoint", "CrashReport", "crash_anywhere"), "crashes"),
    **dict.fromkeys(("FleetCrashReport", "crash_fleet_anywhere"), "fleet_crashes"),
    "FleetUnderTest": "fleet_under_test",
    "state_store_contract": "store_contract",
}


def __getattr__(name: str) -> Any:
    module = _LATER.get(name)
    if name in _LATER.values():
        return importlib.import_module(f".{name}", __name__)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(f".{module}", __name__), name)
    return found


def __dir__() -> List[str]:
    return sorted({*globals(), *_LATER})

__all__ = [
    "Call",
    "CheckSnapshot",
    "CrashPoint",
    "CrashReport",
    "FakeProvider",
    "Fault",
    "FleetCrashReport",
    "FleetUnderTest",
    "MakeStack",
    "PolicyWatch",
    "ProviderDied",
    "SimulatedClock",
    "StackUnderTest",
    "Thing",
    "assert_no_deletes",
    "assert_no_leaks",
    "assert_no_replacements",
    "assert_refactoring",
    "assert_secret",
    "assert_steps",
    "compare",
    "crash_anywhere",
    "crash_fleet_anywhere",
    "describe",
    "state_store_contract",
    "steps_of",
]
