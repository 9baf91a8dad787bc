# SPDX-License-Identifier: Apache-2.0
"""The URN of a resource is put together from texts directly.

The SDK composes a URN for every resource it registers, from about eight outputs, and uses it only where there is no engine.

Equal because texts need no waiting: the result is an output of the same text, known and without dependencies. Where a part
is not a text, the SDK's function runs.
"""

from __future__ import annotations

import asyncio
from typing import Any, Optional

from .guard import Known
from .swap import Swaps

KNOWN: Known = {
    "pulumi.runtime.resource:create_urn": ("b4efa209c920a83a", "3e9d080a52c8c45a"),
    "pulumi.output:Output._from_data": ("cd70e3b38ee181f6",),
    "pulumi.output:Output.from_input": ("890885e07a39174c", "cbdef13b18570e28"),
}


def install(swaps: Swaps) -> None:
    from pulumi.output import Output, _OutputData
    from pulumi.runtime import resource, settings

    original: Any = resource.create_urn

    def create_urn(
        name: Any, type_: Any, parent: Optional[Any] = None, project: Optional[str] = None, stack: Optional[str] = None
    ) -> Any:
        if type(name) is not str or type(type_) is not str or not (parent is None or type(parent) is str):
            return original(name, type_, parent, project, stack)
        if parent is not None:
            prefix = parent[0 : parent.rfind("::")] + "$"
        else:
            stack = settings.get_stack() if stack is None else stack
            project = settings.get_project() if project is None else project
            prefix = "urn:pulumi:" + stack + "::" + project + "::"
        data: "asyncio.Future[Any]" = asyncio.Future()
        data.set_result(_OutputData(resources=set(), value=prefix + type_ + "::" + name, is_known=True, is_secret=False))
        return Output._from_data(data)

    swaps.add(original, create_urn)
