# SPDX-License-Identifier: Apache-2.0
"""Writes every request of a program to the resource monitor to a file: on PYTHONPATH, with KINGPOST_RECORD_REQUESTS.

It wraps the serializers that the SDK's stub hands to its channel, blocking or asyncio, so that the record is exactly
what goes out.
"""

import os
import struct
import threading

if os.environ.get("KINGPOST_RECORD_REQUESTS"):
    import grpc._channel
    import grpc.aio._channel

    LOCK = threading.Lock()

    def recording(method, serialize):
        def record(message):
            raw = serialize(message)
            name = method.rpartition("/")[2].encode()
            with LOCK, open(os.environ["KINGPOST_RECORD_REQUESTS"], "ab") as file:
                file.write(struct.pack("<II", len(name), len(raw)) + name + raw)
            return raw

        return record

    def wrap(channel):
        original = channel.unary_unary

        def unary_unary(self, method, request_serializer=None, *arguments, **options):
            if method.startswith("/pulumirpc.ResourceMonitor/"):
                request_serializer = recording(method, request_serializer)
            return original(self, method, request_serializer, *arguments, **options)

        channel.unary_unary = unary_unary

    wrap(grpc._channel.Channel)
    wrap(grpc.aio._channel.Channel)
