# SPDX-License-Identifier: Apache-2.0
"""1: a box holds a thing. 2: both have new names. 3: the thing moves to the stack. 4: it moves below another box."""

import pulumi
from pulumi import Alias, ResourceOptions

from thing import Box, Thing


def program(step: int) -> None:
    if step == 1:
        box = Box("box")
        Thing("thing", opts=ResourceOptions(parent=box))
    elif step == 2:
        box = Box("crate", ResourceOptions(aliases=[Alias(name="box")]))
        Thing("item", opts=ResourceOptions(parent=box, aliases=[Alias(name="thing")]))
    elif step == 3:
        box = Box("crate")
        Thing("item", opts=ResourceOptions(aliases=[Alias(parent=box)]))
    else:
        Box("crate")
        box = Box("shelf")
        Thing("item", opts=ResourceOptions(parent=box, aliases=[Alias(parent=pulumi.ROOT_STACK_RESOURCE)]))
