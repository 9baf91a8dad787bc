# SPDX-License-Identifier: Apache-2.0
"""A remote component with a secret, an option that reaches its children, and outputs that flow on."""

import pulumi
from pulumi import ResourceOptions

from thing import Thing


class Shelf(pulumi.ComponentResource):
    stamps: pulumi.Output[list]
    keyword: pulumi.Output[str]

    def __init__(self, name: str, label, keyword, opts=None):
        props = {"label": label, "keyword": keyword, "stamps": None}
        super().__init__("shelves:index:Shelf", name, props, opts, remote=True)


def program(step: int) -> None:
    source = Thing("source", f"label {step}")
    shelf = Shelf("shelf", source.stamp, pulumi.Output.secret("hush"), ResourceOptions(depends_on=[source]))
    Thing("after", shelf.stamps.apply(lambda stamps: stamps[-1]))
    pulumi.export("stamps", shelf.stamps)
    pulumi.export("keyword", shelf.keyword)
