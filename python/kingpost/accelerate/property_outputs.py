# SPDX-License-Identifier: Apache-2.0
"""An output of a resource is one future.

For each property the SDK makes four futures (value, known, secret, dependencies) and a task that waits for them and puts
them together. The code that resolves a property knows all four at once, so one future is enough.

Equal because the future gets the same record. A failing property is built as the SDK builds it, with its task. So the
error passes through the same frames and arrives in the same turn of the loop.
"""

from __future__ import annotations

import asyncio
import functools
from typing import Any, Callable, Dict, Optional, Set

from .guard import Known
from .swap import Swaps

KNOWN: Known = {
    "pulumi.runtime.rpc:transfer_properties": ("0e7c02ffa04ff20b", "1090661dcd11312c"),
    "pulumi.output:Output.__init__": ("f883e4f64c918cfb",),
    "pulumi.output:Output._track": ("72569ad70fd52b20",),
    "pulumi.output:Output._from_data": ("cd70e3b38ee181f6",),
    "pulumi.output:_OutputData.__post_init__": ("dfbb14fef710f99c",),
}


def install(swaps: Swaps) -> None:
    from pulumi.output import Output, _OutputData
    from pulumi.runtime import rpc, settings

    def transfer_properties(res: Any, props: Any, custom: bool) -> Dict[str, Callable[..., None]]:
        resolvers: Dict[str, Callable[..., None]] = {}
        for name in props:
            if name == "urn" or (name == "id" and custom):
                continue
            data: "asyncio.Future[Any]" = asyncio.Future()
            resolvers[name] = functools.partial(resolve, res, data)
            res.__dict__[name] = Output._from_data(data)
        return resolvers

    def resolve(
        res: Any,
        data: "asyncio.Future[Any]",
        value: Any,
        is_known: bool,
        is_secret: bool,
        deps: Optional[Set[Any]],
        failed: Optional[Exception],
    ) -> None:
        resources = set(deps) if deps else set()
        resources.add(res)
        if failed is not None:
            fail(data, resources, failed)
        else:
            data.set_result(_OutputData(resources=resources, value=value, is_known=is_known, is_secret=is_secret))

    def fail(data: "asyncio.Future[Any]", resources: Set[Any], error: Exception) -> None:
        failing: "asyncio.Future[Any]" = asyncio.Future()
        failing.set_exception(error)
        by_sdk: "asyncio.Future[Any]" = Output(resources, failing, failing)._data
        with settings.SETTINGS.lock:
            settings.SETTINGS.outputs.discard(by_sdk)  # `data` is tracked already

        def pass_on(done: "asyncio.Future[Any]") -> None:
            told = done.exception()
            data.set_exception(error if told is None else told)

        by_sdk.add_done_callback(pass_on)

    swaps.add(rpc.transfer_properties, transfer_properties)
