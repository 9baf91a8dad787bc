# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: fixtures and an option."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator

import pytest

if TYPE_CHECKING:
    from ..result import Result
    from .fake_provider import FakeProvider
    from .stack_under_test import CheckSnapshot, MakeStack, StackUnderTest

__tracebackhide__ = True  # a failing test shows the user's lines


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("kingpost").addoption(
        "--kingpost-accept", action="store_true", help="write what kingpost_snapshot compares with, instead of comparing"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_exception_interact(node: Any, call: "pytest.CallInfo[Any]") -> None:
    """``--pdb`` opens where the user's code raised, not where its operation was called; the report is made already."""
    from ..errors import Error

    error: Any = call.excinfo.value if call.excinfo is not None else None
    while isinstance(error, Error) and error.__cause__ is not None and error.__cause__.__traceback__ is not None:
        error = error.__cause__
    if call.excinfo is not None and error is not call.excinfo.value and node.config.getoption("usepdb", default=False):
        call.excinfo = pytest.ExceptionInfo.from_exception(error)


@pytest.fixture
def fake_provider() -> "Iterator[FakeProvider]":
    """The fake cloud of the test's stacks, to give it rules and faults. Warns of faults that no call came to."""
    from .fake_provider import FakeProvider

    fake = FakeProvider()
    yield fake
    try:
        fake.assert_faults_used()
    except AssertionError as unused:
        warnings.warn(pytest.PytestWarning(str(unused)), stacklevel=1)


@pytest.fixture
def kingpost_stack(fake_provider: "FakeProvider") -> "MakeStack":
    """Makes stacks: ``kingpost_stack(program, policies=[...], config={...})``, see StackUnderTest. They share the fake
    cloud ``fake_provider``."""
    from .stack_under_test import StackUnderTest

    def make(program: Any = None, **options: Any) -> StackUnderTest:
        options.setdefault("provider", fake_provider)
        return StackUnderTest(program, **options)

    return make


@pytest.fixture
def kingpost_snapshot(request: pytest.FixtureRequest) -> "CheckSnapshot":
    """Compares a result with the file of this test below ``__kingpost__``: ``kingpost_snapshot(stack.up())``.

    A second one in the same test has a name: ``kingpost_snapshot(result, "after")``.
    """
    from .comparison import compare

    def check(result: "Result", name: str = "") -> None:
        __tracebackhide__ = True
        whole = f"{request.cls.__name__}.{request.node.name}" if request.cls is not None else request.node.name
        test = re.sub(r"[^\w.-]+", "-", whole + (f"-{name}" if name else "")).strip("-")
        folder = Path(request.path).parent / "__kingpost__" / Path(request.path).stem
        compare(result, folder / f"{test}.json", accept=bool(request.config.getoption("--kingpost-accept", default=False)))

    return check
