# SPDX-License-Identifier: Apache-2.0
"""Channels on which a call fails when the engine has gone, instead of being tried again for ever.

An engine that ends says GOAWAY on its connections. That may arrive in one packet with the SETTINGS of a new connection. Then
grpcio (1.85, at least) takes the connection for a good one, finds that the call never left, and begins it anew, at once and
on the same connection. Such retries are "transparent", so nothing limits them. Each takes memory of the call, 100 MB in a
second, for as long as the connection is open. A call without a deadline uses up the machine's memory.
An engine that has gone does not come back, so no call is worth a second attempt.

A program sees no change while its engine lives, because the SDK asks for no retries.
"""

from __future__ import annotations

from typing import Any

NO_RETRIES = ("grpc.enable_retries", 0)


def never_retry() -> None:
    """For all channels that the SDK opens from now on."""
    from pulumi.runtime import settings

    options: Any = vars(settings).get("_GRPC_CHANNEL_OPTIONS")  # under this name in every release
    if isinstance(options, list) and NO_RETRIES not in options:
        options.append(NO_RETRIES)
