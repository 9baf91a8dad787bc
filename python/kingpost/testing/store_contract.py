# SPDX-License-Identifier: Apache-2.0
"""The promises of every state store, checked: the native ones are held to the same."""

from __future__ import annotations

import threading
import time
from typing import Callable, List, Optional

from ..state_store import PutRefused, StateStore

__tracebackhide__ = True  # a failing test shows the user's lines

_RACERS = 8
_ROUNDS = 5


def state_store_contract(make: Callable[[], StateStore], *, rounds: int = _ROUNDS) -> None:
    """Checks a store. ``make`` answers one that is empty; all that is put is deleted in the end.

        def test_redis_keeps_the_contract():
            state_store_contract(lambda: Redis("localhost"))

    Raises AssertionError with the promise that is not kept.
    """
    store = make()
    for check in (_bytes, _conditions, _deletes, _lists, _copies):
        check(store)
    for number in range(rounds):
        _one_of_many_creates(store, f"race/create-{number}")
        _no_update_is_lost(store, f"race/count-{number}")
    for info in list(store.list("")):
        store.delete(info.key)
    _promise(not list(store.list("")), "what is deleted is not listed")


def _promise(kept: bool, promise: str) -> None:
    if not kept:
        raise AssertionError(f"the state store does not keep its contract: {promise}")


def _data(store: StateStore, key: str) -> Optional[bytes]:
    found = store.get(key)
    return None if found is None else found.data


def _is_refused(store: StateStore, key: str, *, if_absent: bool = False, if_tag: Optional[str] = None) -> bool:
    try:
        store.put(key, b"refused", if_absent=if_absent, if_tag=if_tag)
    except PutRefused:
        return True
    return False


def _bytes(store: StateStore) -> None:
    every = bytes(range(256))
    _promise(store.get("c/none") is None, "get answers None where nothing is")
    tag = store.put("c/all", every)
    _promise(isinstance(tag, str) and tag != "", "put answers a tag, a text that is not empty")
    found = store.get("c/all")
    _promise(found is not None, "what was put is there at once")
    assert found is not None
    _promise(found.data == every, "bytes come back as they were, all 256 of them")
    _promise(found.tag == tag, "get answers the tag that put answered")
    _promise(abs(found.modified - time.time()) < 7 * 86400, "modified is in seconds since 1970")
    store.put("c/empty", b"")
    _promise(_data(store, "c/empty") == b"", "an empty object is one")
    large = every * 4096
    store.put("c/all", large)
    _promise(_data(store, "c/all") == large, "a second put takes the place of the first, of any size")


def _conditions(store: StateStore) -> None:
    first = store.put("d/x", b"1", if_absent=True)
    _promise(_is_refused(store, "d/x", if_absent=True), "if_absent is refused where something is, with PutRefused")
    _promise(_data(store, "d/x") == b"1", "a put that is refused changes nothing")
    second = store.put("d/x", b"2", if_tag=first)
    _promise(second != first, "each version has a tag of its own")
    _promise(_is_refused(store, "d/x", if_tag=first), "if_tag is refused when another version is there")
    _promise(_data(store, "d/x") == b"2", "a put that is refused changes nothing")
    third = store.put("d/x", b"2")
    _promise(third != second or not _is_refused(store, "d/x", if_tag=second), "a tag names one version")
    store.delete("d/x")
    _promise(_is_refused(store, "d/x", if_tag=third), "if_tag is refused where nothing is")
    _promise(store.get("d/x") is None, "a put that is refused makes nothing")


def _deletes(store: StateStore) -> None:
    store.delete("d/never")
    store.put("d/once", b"x")
    store.delete("d/once")
    store.delete("d/once")
    _promise(store.get("d/once") is None, "delete deletes, and does not mind what is gone")


def _lists(store: StateStore) -> None:
    keys = ["e/a_b/deep/t.json", "e/a_b/s.json", "e/a_b/s.json.bak", "e/a-b/s.json", "e/aXb/s.json"]
    odd = "e/odd +%25=&?#~'/k.json"
    for key in [*keys, odd]:
        store.put(key, b"123")
    _promise(_keys(store, "e/a_b/") == sorted(keys[:3]), "list answers the keys below a prefix, at any depth")
    _promise(_keys(store, "e/a_b/s.json.") == [keys[2]], "a prefix may end within a name")
    _promise(_keys(store, "e/none/") == [], "nothing is listed where nothing is")
    _promise(_keys(store, "e/odd +%25=&?#~'/") == [odd] and _data(store, odd) == b"123", "keys may have odd letters")
    _promise({info.size for info in store.list("e/")} == {3}, "list answers sizes in bytes")
    store.put("e/" + "x" * 200 + "/y", b"")
    _promise(len(_keys(store, "e/x")) == 1, "keys may be long")
    for number in range(1100):
        store.put(f"p/{number:04}", b"")
    _promise(len(_keys(store, "p/")) == 1100, "list answers all of many, not a first page")


def _keys(store: StateStore, prefix: str) -> List[str]:
    return sorted(info.key for info in store.list(prefix))


def _copies(store: StateStore) -> None:
    store.put("f/from", b"x")
    store.copy("f/from", "f/to")
    _promise(_data(store, "f/to") == b"x" and _data(store, "f/from") == b"x", "copy copies")
    try:
        store.copy("f/none", "f/never")
    except KeyError:
        pass
    else:
        _promise(False, "copy raises KeyError where nothing is")
    _promise(store.get("f/never") is None, "a copy of nothing makes nothing")


def _side_by_side(work: Callable[[int], None]) -> None:
    failures: List[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - told on the test's thread
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(_RACERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _one_of_many_creates(store: StateStore, key: str) -> None:
    winners: List[int] = []

    def create(number: int) -> None:
        try:
            store.put(key, str(number).encode(), if_absent=True)
        except PutRefused:
            return
        winners.append(number)

    _side_by_side(create)
    _promise(len(winners) == 1, f"of {_RACERS} puts with if_absent at a time one is done, not {len(winners)}")
    _promise(_data(store, key) == str(winners[0]).encode(), "the object is that of the put that was done")


def _no_update_is_lost(store: StateStore, key: str) -> None:
    store.put(key, b"0")

    def add_one(_: int) -> None:
        while True:
            found = store.get(key)
            assert found is not None
            try:
                store.put(key, str(int(found.data) + 1).encode(), if_tag=found.tag)
                return
            except PutRefused:
                continue

    _side_by_side(add_one)
    _promise(_data(store, key) == str(_RACERS).encode(), "no put with if_tag overwrites another one's work")
