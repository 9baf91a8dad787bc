# SPDX-License-Identifier: Apache-2.0
"""A chain a, b, c, d, in three steps.

1: creates it
2: changes the key of a; resources whose key is the stamp of a replaced one follow, each created before the old is deleted
3: deletes a first, and its dependents before it
"""

from pulumi import ResourceOptions

from thing import Thing


def program(step: int) -> None:
    key, first = ("one", False) if step == 1 else ("two", False) if step == 2 else ("three", True)
    a = Thing("a", "a", key=key, opts=ResourceOptions(delete_before_replace=first))
    b = Thing("b", "b", key=a.stamp)
    c = Thing("c", b.stamp)
    Thing("d", "d", key=c.stamp)
    Thing("e", "e", opts=ResourceOptions(depends_on=[a]))
