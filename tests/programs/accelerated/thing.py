# SPDX-License-Identifier: Apache-2.0
"""The resource that these programs are made of: a file of the test provider, see tests/programs/things."""

from typing import Any, Optional

import pulumi


class Thing(pulumi.CustomResource):
    stamp: pulumi.Output[str]
    value: pulumi.Output[Any]

    def __init__(self, name: str, value: Any = "plain", opts: Optional[pulumi.ResourceOptions] = None, **more: Any):
        super().__init__("things:index:Thing", name, {"value": value, **more, "stamp": None}, opts)


class Box(pulumi.ComponentResource):
    def __init__(self, name: str, opts: Optional[pulumi.ResourceOptions] = None):
        super().__init__("boxes:index:Box", name, None, opts)
