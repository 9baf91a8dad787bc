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
from .comparison import compare, describe
from .crashes import CrashPoint, CrashReport, crash_anywhere
from .fake_provider import Call, FakeProvider, ProviderDied, Thing
from .faults import Fault
from .policy_watch import PolicyWatch
from .stack_under_test import CheckSnapshot, MakeStack, StackUnderTest
from .store_contract import state_store_contract

__all__ = [
    "Call",
    "CheckSnapshot",
    "CrashPoint",
    "CrashReport",
    "FakeProvider",
    "Fault",
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
    "describe",
    "state_store_contract",
    "steps_of",
]
