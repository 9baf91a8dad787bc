# SPDX-License-Identifier: Apache-2.0
"""Stacks in state stores that are written in Python."""

import threading

import kingpost
import pulumi
import pytest
from kingpost import MemoryStateStore
from harness.processes import wait_for
from module_support import Thing, World, ops

KEY = ".pulumi/stacks/site/dev.json"


class Watched(MemoryStateStore):
    """Keeps its calls, and fails when the test says so."""

    url = "watched://here"

    def __init__(self):
        super().__init__()
        self.calls, self.fails = [], lambda call: None
        self.threads = set()

    def _note(self, call):
        self.calls.append(call)
        self.threads.add(threading.current_thread().name)
        self.fails(call)

    def get(self, key):
        self._note(f"get {key}")
        return super().get(key)

    def put(self, key, data, **conditions):
        self._note(f"put {key}")
        return super().put(key, data, **conditions)

    def bytes(self):
        return b"".join(self.get(info.key).data for info in self.list(""))


def program(**inputs):
    return lambda: (Thing("a", key=pulumi.Output.secret("hunter2"), **inputs), Thing("b")) and None


def stack_in(store, declared=None, world=None, **options):
    providers = {"test": world or World()}
    return kingpost.Stack("site", "dev", declared or program(), providers=providers, backend=store, passphrase="right", **options)


def test_a_stack_lives_in_a_store_of_objects():
    store, world = Watched(), World()
    stack_in(store, world=world).up()
    assert store.get(KEY) is not None and b"hunter2" not in store.bytes()
    another = stack_in(store, program(color="red"), world)
    assert ops(another.up()) == {"a": "update", "b": "same"}
    assert len(another.history()) == 2 and another.export()["deployment"]["resources"]
    snapshot = kingpost.Snapshot.open("site", "dev", backend=store, passphrase="right")
    assert snapshot.find("a")[0].inputs["key"] == kingpost.Secret("hunter2")
    another.destroy()
    assert not world.things
    with pytest.raises(kingpost.WrongPassphrase):
        kingpost.Stack("site", "dev", backend=store, passphrase="wrong").export(show_secrets=True)


def test_a_stack_lives_in_any_store_of_obstore():
    obstore = pytest.importorskip("obstore")
    memory, world = obstore.store.MemoryStore(), World()
    for changes in ({"a": "create", "b": "create"}, {"a": "same", "b": "same"}):
        assert ops(stack_in(kingpost.ObstoreStateStore(memory), world=world).up()) == changes
    assert obstore.get(memory, KEY).bytes()


def test_its_objects_are_the_files_of_a_folder(tmp_path):
    store, world = MemoryStateStore(), World()
    stack_in(store, world=world).up()
    for info in store.list(""):
        path = tmp_path / info.key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(store.get(info.key).data)
    assert (tmp_path / KEY).exists()
    result = stack_in(f"file://{tmp_path}", world=world).preview()
    assert ops(result) == {"a": "same", "b": "same"}


def test_two_operations_keep_each_other_out():
    store = MemoryStateStore()
    inside, go_on = threading.Event(), threading.Event()

    class Slow(World):
        def create(self, request):
            if not request.preview:
                inside.set()
                go_on.wait(60)
            return super().create(request)

    first = threading.Thread(target=stack_in(store, world=Slow()).up)
    first.start()
    inside.wait(60)
    try:
        with pytest.raises(kingpost.StackLocked):
            stack_in(store).up()
    finally:
        go_on.set()
        first.join()
    assert ops(stack_in(store).preview()) == {"a": "same", "b": "same"}


def test_an_exception_of_a_store_fails_the_operation_by_name():
    store = Watched()

    def refuse(call):
        if call == f"get {KEY}":
            raise ConnectionError("no route to host")

    store.fails = refuse
    with pytest.raises(kingpost.Error, match=r"watched://here: get of \.pulumi/.*ConnectionError: no route to host"):
        stack_in(store).up()
    store.fails = lambda call: None
    assert stack_in(store).up().summary["create"] == 3


def test_an_interrupted_operation_is_recovered_from_the_store():
    store, world = Watched(), World()

    def refuse(call):
        if call == f"put {KEY}":
            raise OSError("the disk is full")

    store.fails = refuse
    with pytest.raises(kingpost.Error, match="the disk is full"):
        stack_in(store, world=world).up()
    assert len(world.things) == 2
    store.fails = lambda call: None
    result = stack_in(store, world=world).up()
    assert ops(result) == {"a": "same", "b": "same"} and len(world.things) == 2


@pytest.mark.parametrize("answer, error", [(lambda key: b"bytes", "must return a kingpost.StoredObject or None, not bytes"),
                                           (lambda key: kingpost.StoredObject(b"", "", 0), "must answer the tag of the object, a text, not ''")])
def test_nonsense_of_a_store_is_told(answer, error):
    store = MemoryStateStore()
    store.get = answer
    with pytest.raises(kingpost.Error, match=error):
        stack_in(store).up()


def test_a_backend_is_a_url_or_a_store():
    with pytest.raises(TypeError, match="a URL or a kingpost.StateStore, not dict"):
        stack_in({})


def test_a_store_is_let_go_with_its_stacks():
    import gc
    import weakref

    def callbacks():
        return {thread for thread in threading.enumerate() if thread.name == "kingpost-callback"}

    of_others = callbacks()  # a callback of another test that hangs may hold a thread
    store = MemoryStateStore()
    stack_in(store).up()
    gone = weakref.ref(store)
    del store
    wait_for(lambda: gc.collect() >= 0 and gone() is None, "the end of the store")
    wait_for(lambda: callbacks() <= of_others, "the end of its callbacks")
