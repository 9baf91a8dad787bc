# SPDX-License-Identifier: Apache-2.0
"""State stores in Python keep the contract, and the test kit finds one that does not."""

import time

import pytest
from kingpost import MemoryStateStore, ObstoreStateStore, PutRefused
from kingpost.testing import state_store_contract


def over_obstore():
    from obstore.store import MemoryStore

    return ObstoreStateStore(MemoryStore())


@pytest.mark.parametrize("make", [MemoryStateStore, over_obstore])
def test_the_stores_keep_the_contract(make):
    if make is over_obstore:
        pytest.importorskip("obstore")
    state_store_contract(make)


class Careless(MemoryStateStore):
    """A store with a bug: it checks the condition and writes in two steps."""

    def put(self, key, data, *, if_absent=False, if_tag=None):
        found = self.get(key)
        if (if_absent and found) or (if_tag is not None and (found is None or found.tag != if_tag)):
            raise PutRefused(key)
        time.sleep(0.001)
        return super().put(key, data)


class Unconditional(MemoryStateStore):
    def put(self, key, data, *, if_absent=False, if_tag=None):
        return super().put(key, data)


class FirstPage(MemoryStateStore):
    def list(self, prefix):
        return super().list(prefix)[:1000]


class Textual(MemoryStateStore):
    def put(self, key, data, **conditions):
        return super().put(key, data.decode(errors="replace").encode(), **conditions)


class Folders(MemoryStateStore):
    """A store with a bug: it takes a prefix for a folder."""

    def list(self, prefix):
        return super().list(prefix.rstrip("/") + "/" if prefix else "")


@pytest.mark.parametrize("store, promise", [
    (Unconditional, "if_absent is refused where something is"),
    (FirstPage, "list answers all of many, not a first page"),
    (Textual, "bytes come back as they were"),
    (Folders, "a prefix may end within a name"),
    (Careless, "of 8 puts with if_absent at a time one is done|no put with if_tag overwrites"),
])
def test_a_store_that_breaks_a_promise_is_found_out(store, promise):
    with pytest.raises(AssertionError, match=promise):
        state_store_contract(store, rounds=200)
