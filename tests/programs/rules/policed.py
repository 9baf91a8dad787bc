# SPDX-License-Identifier: Apache-2.0
"""1: a value that the pack of tests/programs/policies blocks. 2: it passes, one value draws a warning. 3: too many things."""

from pulumi import ResourceOptions

from thing import Thing


def program(step: int) -> None:
    brief = Thing("brief", "no")
    Thing("judged", "forbidden" if step == 1 else "allowed", ResourceOptions(depends_on=[brief]))
    if step == 3:
        Thing("third")
        Thing("fourth")
