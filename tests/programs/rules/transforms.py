# SPDX-License-Identifier: Apache-2.0
"""1: a stack transform rewrites every thing, a transform of a box what is in it. 2: the same program again, other text."""

import pulumi
from pulumi import ResourceOptions, ResourceTransformArgs, ResourceTransformResult

from thing import Box, Thing


def program(step: int) -> None:
    def everything(args: ResourceTransformArgs):
        if args.type_ != "things:index:Thing":
            return None
        return ResourceTransformResult({**args.props, "owner": f"team {step}"}, args.opts)

    def inside(args: ResourceTransformArgs):
        if args.type_ != "things:index:Thing":
            return None
        return ResourceTransformResult({**args.props, "value": f"boxed {args.props['value']}"},
                                       ResourceOptions.merge(args.opts, ResourceOptions(protect=False)))

    pulumi.runtime.register_resource_transform(everything)
    box = Box("box", ResourceOptions(transforms=[inside]))
    pulumi.export("boxed", Thing("inner", "text", ResourceOptions(parent=box)).value)
    pulumi.export("plain", Thing("outer", "text").value)
