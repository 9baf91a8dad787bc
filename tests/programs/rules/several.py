# SPDX-License-Identifier: Apache-2.0
"""A chain a, b, c and one apart. 1: made. 2: the values of a and apart are new, and with a those of b and c. 3: one more."""

from thing import Thing


def program(step: int) -> None:
    a = Thing("a", f"a {min(step, 2)}")
    b = Thing("b", a.stamp)
    c = Thing("c", b.stamp)
    Thing("apart", f"apart {min(step, 2)}")
    if step >= 3:
        Thing("late", c.stamp)
