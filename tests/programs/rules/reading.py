# SPDX-License-Identifier: Apache-2.0
"""1: reads an existing thing with get. 2: manages it. 3: no longer has it. Each step also makes an invoke."""

import pulumi
from pulumi import ResourceOptions

from thing import Thing


def program(step: int) -> None:
    pulumi.export("greeting", pulumi.runtime.invoke("things:index:greet", {"greeting": "Hello", "name": "you"}).value["text"])
    if step == 1:
        found = Thing("found", None, ResourceOptions(id="found-1"))
        pulumi.export("stamp", found.stamp)
    elif step == 2:
        Thing("found", "managed")
    Thing("other")
