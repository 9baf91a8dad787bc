# SPDX-License-Identifier: Apache-2.0
"""For random properties and states: differences are exact, and edits leave sound states."""

import json

import kingpost
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kingpost.testing import StackUnderTest
from kingpost.testing.strategies import programs

LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from(["", "x", "a.b", "ünï"]),
                   st.just(kingpost.UNKNOWN))
KEYS = st.sampled_from(["a", "b", "a.b", "[0]", "ü"])
VALUES = st.recursive(LEAVES, lambda inner: st.one_of(
    st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3), inner.map(kingpost.Secret)), max_leaves=6)
PROPERTIES = st.dictionaries(KEYS, VALUES, max_size=4)
QUICK = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def exact(value):
    """A text that differs for any two different values, also for True and 1."""
    if isinstance(value, kingpost.Secret):
        return f"secret({exact(value.value)})"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{exact(item)}" for key, item in sorted(value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(exact(item) for item in value) + "]"
    return repr(value)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(PROPERTIES, PROPERTIES)
def test_a_difference_is_exact_and_has_two_sides(old, new):
    there, back = kingpost.diff(old, new), kingpost.diff(new, old)
    assert bool(there) == (exact(old) != exact(new))
    assert not kingpost.diff(old, old)
    assert list(there) == list(dict.fromkeys(there)) and set(there) == set(back)
    other = {"add": "delete", "delete": "add", "update": "update"}
    for path, change in there.items():
        assert (change.kind, exact(change.old), exact(change.new)) == (
            other[back[path].kind], exact(back[path].new), exact(back[path].old))
        assert change.kind != "update" or exact(change.old) != exact(change.new)


@QUICK
@given(programs(max_size=5), st.data())
def test_edits_leave_any_state_in_order(program, data):
    stack = StackUnderTest(program)
    stack.up()
    before = kingpost.Snapshot.of(stack)
    again = kingpost.Snapshot.load(before.to_bytes())
    assert again.to_bytes() == before.to_bytes()
    assert not kingpost.diff(before.repair(), before)
    declared = [resource for resource in before if resource.name.startswith("r")]
    if not declared:
        return
    chosen = data.draw(st.sampled_from(declared))

    renamed = before.rename(chosen, "another")
    assert renamed.problem is None and len(renamed) == len(before) and chosen.urn not in renamed
    assert not kingpost.diff(renamed.rename(renamed.find("another")[0], chosen.name), before)

    doomed = {resource.urn for resource in before.dependents(chosen)} | {chosen.urn}
    deleted = before.delete(chosen, dependents=True)
    assert deleted.problem is None and {resource.urn for resource in before} - {r.urn for r in deleted} == doomed
    order = [resource.urn for resource in kingpost.dependency_graph(before)]
    for edge in kingpost.dependency_graph(before).edges():
        assert order.index(edge.target) < order.index(edge.source)
