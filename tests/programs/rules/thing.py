# SPDX-License-Identifier: Apache-2.0
"""The resource that all these programs are made of."""

from typing import Any, Optional

import pulumi


class Thing(pulumi.CustomResource):
    """A file of the test provider; see tests/programs/things."""

    stamp: pulumi.Output[str]
    value: pulumi.Output[Any]

    def __init__(self, name: str, value: Any = "plain", opts: Optional[pulumi.ResourceOptions] = None, **more: Any):
        super().__init__("things:index:Thing", name, {"value": value, **more, "stamp": None}, opts)


class Box(pulumi.ComponentResource):
    """A component with nothing but children."""

    def __init__(self, name: str, opts: Optional[pulumi.ResourceOptions] = None):
        super().__init__("boxes:index:Box", name, None, opts)
        self.register_outputs({})
