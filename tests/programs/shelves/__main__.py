# SPDX-License-Identifier: Apache-2.0
"""A remote component: `shelves:index:Shelf` holds two things with its label."""

from typing import Optional, TypedDict

import pulumi
from pulumi.provider.experimental import component_provider_host


class Thing(pulumi.CustomResource):
    stamp: pulumi.Output[str]

    def __init__(self, name: str, value, opts: pulumi.ResourceOptions):
        super().__init__("things:index:Thing", name, {"value": value, "stamp": None}, opts)


class ShelfArgs(TypedDict):
    label: pulumi.Input[str]
    keyword: Optional[pulumi.Input[str]]


class Shelf(pulumi.ComponentResource):
    stamps: pulumi.Output[list[str]]
    keyword: Optional[pulumi.Output[str]]

    def __init__(self, name: str, args: ShelfArgs, opts: Optional[pulumi.ResourceOptions] = None):
        super().__init__("shelves:index:Shelf", name, {}, opts)
        things = [Thing(f"{name}-{i}", pulumi.Output.concat(args["label"], f" {i}"), pulumi.ResourceOptions(parent=self))
                  for i in range(2)]
        self.stamps = pulumi.Output.all(*[thing.stamp for thing in things])
        self.keyword = pulumi.Output.from_input(args.get("keyword"))
        self.register_outputs({"stamps": self.stamps, "keyword": self.keyword})


if __name__ == "__main__":
    component_provider_host([Shelf], "shelves")
