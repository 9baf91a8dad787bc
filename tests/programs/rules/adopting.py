# SPDX-License-Identifier: Apache-2.0
"""A box with a thing in it: what `import --file` has brought into the stack."""

from pulumi import ResourceOptions

from thing import Box, Thing


def program(step: int) -> None:
    box = Box("box")
    Thing("held", "found", ResourceOptions(parent=box))
