# SPDX-License-Identifier: Apache-2.0
"""The dependencies that values carry in a thing's inputs and in a function's arguments and answer; and checks of existence."""

import pulumi
from pulumi import InvokeOutputOptions, Output, ResourceOptions

from thing import Thing


def program(step: int) -> None:
    first, second = Thing("first"), Thing("second")
    apart = {"deep": [first.stamp, "plain"], "secret": Output.secret("hush")}
    Thing("told", apart, ResourceOptions(depends_on=[second]), word="nothing")
    greeted = pulumi.runtime.invoke_output("things:index:greet", {"greeting": "Hello", "name": first.stamp},
                                           InvokeOutputOptions())
    Thing("greeted", greeted.apply(lambda answer: answer["text"]))
    for name, id in {"made": first.id, "missing": "missing-1"}.items():
        exists = pulumi.runtime.exists_resource(None, "things:index:Thing", id, {}, ResourceOptions())
        pulumi.export(name, exists)
