# SPDX-License-Identifier: Apache-2.0
"""Assertions about what an operation did or would do, which say why it is so when they fail.

They take a ``kingpost.Result``, of a preview as well as of an up. Resources are named by their names, by a shell pattern
of them, or by URN.
"""

from __future__ import annotations

import fnmatch
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, get_args

from ..errors import Error
from ..result import Reason, Result, Step
from ..stack import Stack
from ..values import Secret, unwrap
from ..words import StepKind

_REPLACEMENT = ("replace", "create-replacement", "delete-replaced", "read-replacement", "import-replacement")
_QUIET = ("same", "read", "refresh")
_STEPS = (*get_args(StepKind), "none")
_SHORTEST_LEAK = 4  # shorter texts occur everywhere


def _is_framework(step: Step) -> bool:
    return step.type == "pulumi:pulumi:Stack" or step.type.startswith("pulumi:providers:")


def _is_like(step: Step, pattern: str) -> bool:
    return fnmatch.fnmatchcase(step.urn if "::" in pattern else step.name, pattern)


def _why(reason: Optional[Reason]) -> str:
    """The reason, and the ones that caused it."""
    said: List[str] = []
    while reason is not None:
        said.append(reason.said + (f" (because of {reason.by.rpartition('::')[2]})" if reason.by else ""))
        reason = reason.cause
    return ", because: ".join(said) or "no reason is known"


def steps_of(result: Result) -> Dict[str, str]:
    """{URN: what became of the resource}: "create", "update", "delete", "replace", "same" and so on."""
    found: Dict[str, str] = {}
    for step in result.steps:
        op = "replace" if step.op in _REPLACEMENT else step.op
        if found.get(step.urn) in (None, "same", "refresh", "read") or op == "replace":
            found[step.urn] = op
    return found


def _telling(result: Result, urn: str) -> Optional[Step]:
    """The step whose reason says most of a resource."""
    steps = [step for step in result.steps if step.urn == urn]
    return next((step for step in steps if step.op == "replace"), steps[-1] if steps else None)


def _explained(result: Result, urn: str) -> str:
    step = _telling(result, urn)
    return _why(step.reason) if step is not None else "it took no step"


def assert_steps(result: Result, expected: Mapping[str, str], *, others: str = "same") -> None:
    """Each resource that ``expected`` names took that step: {"db": "replace", "web": "update", "old": "delete"}.

    ``others`` says what the rest may do: "same" (nothing, the default) or "any". The stack itself and providers count only
    if they are named. "none" is the step of a resource that takes none.
    """
    __tracebackhide__ = True
    found = {step.urn: step for step in result.steps}
    ops, problems, named = steps_of(result), [], set()
    for pattern, wanted in expected.items():
        if wanted not in _STEPS:
            raise ValueError(f"there is no step {wanted!r}; {pattern} may be expected to take: {', '.join(_STEPS)}")
        urns = [urn for urn, step in found.items() if _is_like(step, pattern)]
        named.update(urns)
        if not urns and wanted != "none":
            problems.append(f"{pattern}: expected {wanted}, but there is no such resource")
        problems += [
            f"{found[urn].name}: expected {wanted}, got {ops[urn]}: {_explained(result, urn)}"
            for urn in urns
            if ops[urn] != wanted
        ]
    if others == "same":
        problems += [
            f"{step.name}: not expected, got {ops[urn]}: {_explained(result, urn)}"
            for urn, step in found.items()
            if urn not in named and not _is_framework(step) and ops[urn] not in _QUIET
        ]
    elif others != "any":
        raise ValueError(f'others is "same" or "any", not {others!r}')
    _raise(problems, "the steps are not those that were expected")


def assert_no_replacements(result: Result, protect: str = "*") -> None:
    """No resource that is like ``protect`` is replaced, and so deleted."""
    __tracebackhide__ = True
    problems = [
        f"{step.name} is replaced, and what it is now is deleted: {_explained(result, step.urn)}"
        for step in _each(result, "replace")
        if _is_like(step, protect)
    ]
    _raise(problems, f"resources like {protect!r} must not be replaced")


def assert_no_deletes(result: Result, protect: str = "*") -> None:
    """No resource that is like ``protect`` is deleted, be it for good or to be replaced."""
    __tracebackhide__ = True
    assert_no_replacements(result, protect)
    problems = [
        f"{step.name} is deleted: {_explained(result, step.urn)}"
        for step in _each(result, "delete")
        if _is_like(step, protect)
    ]
    _raise(problems, f"resources like {protect!r} must not be deleted")


def _each(result: Result, op: str) -> List[Step]:
    ops = steps_of(result)
    found = {step.urn: step for step in result.steps if ops[step.urn] == op}
    return list(found.values())


# --- secrets --------------------------------------------------------------------------------------


def assert_secret(result: Result, name: str) -> None:
    """The stack output, or every property, of that name is secret, and its text shows up nowhere in clear."""
    __tracebackhide__ = True
    found = [(where, value) for where, value in _values(result) if _last_part(where) == name]
    if name in result.outputs:
        found.append((f"the stack output {name!r}", result.outputs[name]))
    if not found:
        raise AssertionError(f"nothing is called {name!r}: neither a stack output nor a property of a resource")
    problems = [f"{where} is not a secret" for where, value in found if not isinstance(value, Secret)]
    plaintexts = {text for _, value in found if isinstance(value, Secret) for text in _texts(value.value)}
    _raise(problems + _leaks(result, plaintexts), f"{name!r} must be secret")


def assert_no_leaks(result: Result) -> None:
    """No text of any secret shows up in clear: in outputs, properties or messages."""
    __tracebackhide__ = True
    plaintexts = {text for _, value in _values(result) if isinstance(value, Secret) for text in _texts(value.value)}
    for value in result.outputs.values():
        plaintexts.update(_texts(value.value) if isinstance(value, Secret) else ())
    _raise(_leaks(result, plaintexts), "secrets must not show")


def _last_part(where: str) -> str:
    return where.rpartition(".")[2]


def _walk(where: str, value: Any) -> Iterator[Tuple[str, Any]]:
    """Every part of a value, without those inside a secret."""
    yield where, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _walk(f"{where}.{key}", item)
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(value):
            yield from _walk(f"{where}[{number}]", item)


def _values(result: Result) -> Iterator[Tuple[str, Any]]:
    states = {state.urn: state for state in result.resources}
    states.update({step.urn: step.new for step in result.steps if step.new is not None})
    for state in states.values():
        if state.type == "pulumi:pulumi:Stack":
            continue
        for section, properties in (("inputs", state.inputs), ("outputs", state.outputs)):
            yield from _walk(f"{state.name}.{section}", properties)


def _texts(secret: Any) -> List[str]:
    found = [value for _, value in _walk("", unwrap(secret)) if isinstance(value, str)]
    return [text for text in found if len(text) >= _SHORTEST_LEAK]


def _leaks(result: Result, plaintexts: Any) -> List[str]:
    shown = list(_values(result))
    for name, value in result.outputs.items():
        shown += _walk(f"the stack output {name!r}", value)
    shown += [("a message", diagnostic.message) for diagnostic in result.diagnostics]
    return [
        f"{where} shows the text of a secret in clear"
        for where, value in shown
        if isinstance(value, str) and any(text in value for text in plaintexts)
    ]


# --- refactorings ---------------------------------------------------------------------------------


def assert_refactoring(stack: Stack, program: Callable[[], Any]) -> Result:
    """The stack's program, which is deployed, and ``program`` mean the same resources: none is created, deleted or
    replaced. Previews only; the result is that of the new program's preview."""
    __tracebackhide__ = True
    kept, stack.program = stack.program, program
    try:
        result = stack.preview()
    except Error as error:
        if error.result is None:
            raise
        result = error.result
        if not result.steps:
            raise
    finally:
        stack.program = kept
    created, deleted = _each(result, "create"), _each(result, "delete")
    problems = [f"{step.name} is replaced: {_explained(result, step.urn)}" for step in _each(result, "replace")]
    for step in deleted:
        heirs = [other for other in created if other.type == step.type]
        if heirs:
            names = " or ".join(other.urn for other in heirs)
            problems.append(
                f"{step.urn} is deleted, and {names} is created in its place: it is called otherwise now and lacks an "
                "alias. Declare it with opts=pulumi.ResourceOptions(aliases=["
                f'pulumi.Alias(...)]) that names {step.urn!r}'
            )
        else:
            problems.append(f"{step.urn} is deleted: {_explained(result, step.urn)}")
    if not deleted:
        problems += [f"{step.urn} is created: {_explained(result, step.urn)}" for step in created]
    _raise(problems, "the refactoring changes resources")
    return result


def _raise(problems: List[str], headline: str) -> None:
    __tracebackhide__ = True
    if problems:
        raise AssertionError("\n".join([f"{headline}:", *(f"  - {problem}" for problem in problems)]))
