# SPDX-License-Identifier: Apache-2.0
"""A chain a, b, c, d. 1: made. 2: the key of a changes: what takes its stamp as a key is replaced too, in the order
create-replacement before delete. 3: a is deleted first, and its dependents before it."""

from pulumi import ResourceOptions

from thing import Thing


def program(step: int) -> None:
    key, first = ("one", False) if step == 1 else ("two", False) if step == 2 else ("three", True)
    a = Thing("a", "a", key=key, opts=ResourceOptions(delete_before_replace=first))
    b = Thing("b", "b", key=a.stamp)
    c = Thing("c", b.stamp)
    Thing("d", "d", key=c.stamp)
    Thing("e", "e", opts=ResourceOptions(depends_on=[a]))
