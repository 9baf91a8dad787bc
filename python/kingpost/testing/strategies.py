# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies: programs made by chance, which get smaller when one of them fails.

    @given(programs())
    def test_nothing_is_left_behind(program):
        stack = StackUnderTest(program)
        stack.up()
        stack.destroy()
        assert not stack.fake.things
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from hypothesis import strategies as st

#: The types of the resources.
TYPES = ("test:index:Thing", "test:index:Other")


@dataclass(frozen=True)
class SampleResource:
    """``after`` and ``parent`` name earlier resources; an input "from_NAME" is the ID of each in ``uses``."""

    name: str
    type: str
    inputs: Tuple[Tuple[str, Any], ...] = ()
    secrets: Tuple[str, ...] = ()  #: inputs that are secret
    uses: Tuple[str, ...] = ()
    after: Tuple[str, ...] = ()
    parent: Optional[str] = None
    component: bool = False
    delete_before_replace: bool = False


@dataclass(frozen=True)
class SampleProgram:
    """A program for a Stack: calling it declares its resources with the ``pulumi`` package."""

    resources: Tuple[SampleResource, ...] = ()

    def __call__(self) -> None:
        made: Dict[str, Any] = {}
        for resource in self.resources:
            made[resource.name] = _declare(resource, made)


def _declare(resource: SampleResource, made: Mapping[str, Any]) -> Any:
    import pulumi

    options = pulumi.ResourceOptions(
        parent=made[resource.parent] if resource.parent is not None else None,
        depends_on=[made[name] for name in resource.after],
        delete_before_replace=resource.delete_before_replace or None,
    )
    if resource.component:
        return pulumi.ComponentResource(resource.type + "Group", resource.name, None, options)
    inputs = {key: pulumi.Output.secret(value) if key in resource.secrets else value for key, value in resource.inputs}
    inputs.update({f"from_{name}": made[name].id for name in resource.uses})
    return pulumi.CustomResource(resource.type, resource.name, inputs, options)


_TEXTS = st.sampled_from(("", "x", "ünï"))
_VALUES = st.one_of(st.booleans(), st.integers(-3, 3), _TEXTS, st.lists(st.integers(0, 2), max_size=2))


@st.composite
def programs(
    draw: st.DrawFn, *, max_size: int = 6, types: Sequence[str] = TYPES, keys: Sequence[str] = ("a", "b", "c")
) -> SampleProgram:
    """Programs of up to ``max_size`` resources "r0", "r1" ..., which depend on, use and own each other."""
    resources: List[SampleResource] = []
    chosen = draw(st.lists(st.integers(0, max_size - 1), unique=True, max_size=max_size))
    for number in chosen:
        parents = {resource.name: resource.parent for resource in resources}
        parent = draw(st.sampled_from([None, *parents]))
        # A resource below a component is part of it, and cannot wait for it.
        above = set(_ancestors(parent, parents))
        # Neither can it wait for a resource that waits for one of these: a wait for a component is a wait for all that
        # is below it.
        barred = set(above)
        for resource in resources:
            waits = barred & {*resource.uses, *resource.after} or (resource.parent in barred and resource.parent not in above)
            if waits:
                barred.add(resource.name)
        others = [resource for resource in resources if resource.name not in barred]
        inputs = draw(st.dictionaries(st.sampled_from(list(keys)), _VALUES, max_size=len(keys)))
        resources.append(
            SampleResource(
                f"r{number}",
                draw(st.sampled_from(list(types))),
                tuple(sorted(inputs.items())),
                tuple(sorted(draw(st.sets(st.sampled_from(sorted(inputs)))))) if inputs else (),
                _some(draw, [resource.name for resource in others if not resource.component]),
                _some(draw, [resource.name for resource in others]),
                parent,
                draw(st.booleans()) and draw(st.booleans()),
                draw(st.booleans()),
            )
        )
    return SampleProgram(tuple(resources))


def stories(*, length: int = 2, max_size: int = 5) -> st.SearchStrategy[List[SampleProgram]]:
    """Programs of one stack, one after the other: their resources have the same names, and differ otherwise."""
    return st.lists(programs(max_size=max_size), min_size=length, max_size=length)


def _ancestors(name: Optional[str], parents: Mapping[str, Optional[str]]) -> Iterator[str]:
    while name is not None:
        yield name
        name = parents[name]


def _some(draw: st.DrawFn, names: Sequence[str]) -> Tuple[str, ...]:
    return tuple(sorted(draw(st.sets(st.sampled_from(list(names)), max_size=2)))) if names else ()
