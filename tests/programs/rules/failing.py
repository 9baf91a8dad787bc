# SPDX-License-Identifier: Apache-2.0
"""1: two things, one on the other. 2: the first fails to update. 3: a value that Check refuses. 4: all well again.
5: the program itself raises. 6: the first will fail to be deleted."""

from pulumi import ResourceOptions

from thing import Thing


def program(step: int) -> None:
    first = {1: "one", 2: "two", 3: "invalid", 4: "four", 5: "four", 6: "four"}[step]
    apart = Thing("apart", f"step {step}")
    a = Thing("first", first, ResourceOptions(depends_on=[apart]), fail={2: "update", 6: "delete"}.get(step, ""))
    Thing("second", first if step != 3 else "three", ResourceOptions(depends_on=[a]))
    if step == 5:
        raise ValueError("the program cannot go on")
