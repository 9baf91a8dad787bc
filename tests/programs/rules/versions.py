# SPDX-License-Identifier: Apache-2.0
"""1: things 1.0.0 by the version option. 2: things 2.0.0. 3: an explicit provider. 4: that provider with another region,
which replaces it and all that it made."""

import pulumi
from pulumi import ResourceOptions

from thing import Thing


class Things(pulumi.ProviderResource):
    def __init__(self, name: str, region: str):
        super().__init__("things", name, {"region": region}, ResourceOptions(version="2.0.0"))


def program(step: int) -> None:
    if step <= 2:
        Thing("thing", opts=ResourceOptions(version=f"{step}.0.0"))
    else:
        provider = Things("mine", "north" if step == 3 else "south")
        Thing("thing", opts=ResourceOptions(version="2.0.0"))
        Thing("regional", opts=ResourceOptions(provider=provider))
