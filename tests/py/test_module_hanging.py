# SPDX-License-Identifier: Apache-2.0
"""Callbacks of the user's code that hang: they are given up with their task, or by a second cancel, and hold up nothing else."""

import asyncio
import contextlib
import threading
import time

import kingpost
import pulumi
import pytest
from harness.patience import patience
from kingpost._callback import GRACE_SECONDS
from odd_callbacks import one_resource, stack_with


class Hang:
    """A callback that waits until it is released."""

    def __init__(self):
        self.begun, self.release = threading.Event(), threading.Event()

    def __call__(self, *_):
        self.begun.set()
        return self.release.wait(patience(60))


@pytest.fixture
def hang():
    hanging = Hang()
    yield hanging
    hanging.release.set()


@pytest.mark.parametrize("place", ["a provider", "a policy", "a hook", "a transform", "a program", "a store"])
def test_a_hanging_callback_is_given_up_with_its_task(hang, place):
    async def operate():
        task = asyncio.ensure_future(stack_with(place, hang).up_async())
        while not hang.begun.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        since = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - since

    assert asyncio.run(operate()) < patience(2 * GRACE_SECONDS + 1)


@pytest.mark.parametrize("place", ["a provider", "a policy", "a hook", "a transform", "a program", "a store"])
def test_a_hanging_callback_is_given_up_by_a_second_cancel(hang, place):
    stack = stack_with(place, hang)

    def cancel_twice():
        hang.begun.wait()
        for _ in range(2):
            with contextlib.suppress(kingpost.UnknownStack):  # a store that hangs holds none yet
                stack.cancel()
            time.sleep(0.1)

    threading.Thread(target=cancel_twice, daemon=True).start()
    since = time.monotonic()
    with pytest.raises(kingpost.Error):
        stack.up()
    assert time.monotonic() - since < patience(2 * GRACE_SECONDS)


def test_a_listener_that_hangs_keeps_no_task(hang):
    async def operate():
        stack = stack_with("a provider", lambda: None)
        task = asyncio.ensure_future(stack.up_async(on_event=hang))
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    since = time.monotonic()
    asyncio.run(operate())
    assert time.monotonic() - since < patience(GRACE_SECONDS + 4)


@pytest.mark.parametrize("way", ["sleeps", "will not be cancelled", "blocks the loop", "cleans up for ever"])
def test_a_coroutine_that_hangs_is_given_up_with_its_task(hang, way):
    class Hangs(kingpost.Provider):
        async def create(self, request):
            if way == "blocks the loop":
                hang()
            while not hang.release.is_set():
                try:
                    await asyncio.sleep(0.1 if way == "will not be cancelled" else 1000)
                except asyncio.CancelledError:
                    if way == "sleeps":
                        raise
                    if way == "cleans up for ever":
                        await asyncio.sleep(1000)

    async def operate():
        stack = kingpost.Stack("odd", "dev", one_resource, providers={"odd": Hangs()})
        since = time.monotonic()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(stack.up_async(), 1)
        return time.monotonic() - since

    assert asyncio.run(operate()) < patience(2 * GRACE_SECONDS + 2)


def test_a_coroutine_that_blocks_its_loop_holds_up_its_own_resource_alone(hang):
    returned = []

    class Blocks(kingpost.Provider):
        async def create(self, request):
            if request.name == "blocks":
                returned.append(hang())
            return kingpost.CreateResponse("id", {})

    def program():
        blocks = pulumi.CustomResource("odd:index:Thing", "blocks")
        for number in range(3):
            pulumi.CustomResource("odd:index:Thing", f"well-{number}")
        return blocks

    stack = kingpost.Stack("odd", "dev", program, providers={"odd": Blocks()}, callback_timeout=patience(2))
    with pytest.raises(kingpost.ResourceFailed, match="has not returned after") as caught:
        stack.up(continue_on_error=True)
    assert returned == []
    assert sorted(step.name for step in caught.value.result.steps if step.failed) == ["blocks"]
    assert {resource.name for resource in caught.value.result.resources if resource.custom} >= {"well-0", "well-1", "well-2"}
