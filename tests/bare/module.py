# SPDX-License-Identifier: Apache-2.0
"""A deployment in one process: create, change, nothing to do, destroy."""

import kingpost
import pulumi


class Page(pulumi.CustomResource):
    def __init__(self, name, text):
        super().__init__("files:index:Page", name, {"text": text})


class Files(kingpost.Provider):
    def create(self, request):
        return kingpost.CreateResponse("id", request.inputs)


def deploy(text):
    stack = kingpost.Stack("site", "dev", lambda: Page("front", text), providers={"files": Files()}, backend="mem://pages")
    return stack, stack.up().summary


assert deploy("one")[1] == {"create": 2}  # the page, and the stack itself
assert deploy("two")[1] == {"same": 1, "update": 1}
stack, summary = deploy("two")
assert summary == {"same": 2}
assert stack.destroy().summary == {"delete": 2}
