# SPDX-License-Identifier: Apache-2.0
"""The Python module: several stacks, backends and sizes, and the command."""

import os
import subprocess
import sys
import textwrap
import threading
import time
from typing import Optional, TypedDict

import kingpost
import pulumi
import pytest
from harness import Command
from harness.patience import patience
from module_support import Thing, World, ops, resource

N = 200


def test_two_stacks_at_once():
    worlds = [World(), World()]
    results = [None, None]
    meeting = threading.Barrier(2, timeout=patience(60))

    def run(index):
        def program():
            meeting.wait()  # both programs are inside
            Thing(f"thing-of-{pulumi.get_stack()}")
            pulumi.export("stack", pulumi.get_stack())
            pulumi.export("config", pulumi.Config().require("name"))

        stack = kingpost.Stack("proj", f"s{index}", program, providers={"test": worlds[index]}, config={"name": index})
        results[index] = stack.up()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index in range(2):
        assert results[index].outputs == {"stack": f"s{index}", "config": str(index)}
        assert ops(results[index]) == {f"thing-of-s{index}": "create"}
        assert len(worlds[index].things) == 1


def test_many_resources_in_parallel():
    class Busy(World):
        running = most = 0

        def create(self, request):
            with self.lock:
                self.running += 1
                self.most = max(self.most, self.running)
            time.sleep(0.005)
            with self.lock:
                self.running -= 1
            return super().create(request)

    def program():
        for i in range(N):
            Thing(f"t{i}", index=i)

    world = Busy()
    stack = kingpost.Stack("proj", "dev", program, providers={"test": world}, parallel=8)
    assert stack.up().summary == {"create": N + 1}
    assert len(world.things) == N and 2 <= world.most <= 8
    assert stack.up().summary == {"same": N + 1}
    assert stack.destroy(parallel=32).summary == {"delete": N + 1}


def test_coroutine_program():
    async def program():
        pulumi.export("size", Thing("a").size)

    assert kingpost.Stack("proj", "dev", program, providers={"test": World()}).up().outputs == {"size": 1}


def test_file_backend(tmp_path):
    url = f"file://{tmp_path}"
    world = World()

    def open_stack(passphrase="right"):
        return kingpost.Stack(
            "proj", "dev", lambda: Thing("a", s=pulumi.Output.secret("hush")) and None,
            providers={"test": world}, backend=url, passphrase=passphrase,
        )

    open_stack().up()
    file = tmp_path / ".pulumi" / "stacks" / "proj" / "dev.json"
    assert file.exists() and "hush" not in file.read_text()
    result = open_stack().up()
    assert ops(result) == {"a": "same"} and resource(result, "a").inputs["s"].value == "hush"
    saved = file.read_bytes()
    with pytest.raises(kingpost.Error, match="passphrase"):
        open_stack("wrong").up()
    assert file.read_bytes() == saved
    assert not list((tmp_path / ".pulumi" / "locks").rglob("*.json"))
    open_stack().destroy()


def test_stack_references():
    def read():
        pulumi.export("copy", pulumi.StackReference("organization/base/dev").get_output("value"))

    kingpost.Stack("base", "dev", lambda: pulumi.export("value", "v"), backend="mem://shared").up()
    assert kingpost.Stack("app", "dev", read, backend="mem://shared").up().outputs == {"copy": "v"}


def test_a_stack_whose_key_is_another_ones_can_be_referred_to(tmp_path):
    def read():
        pulumi.export("copy", pulumi.StackReference("organization/base/dev").get_output("value"))

    url = f"file://{tmp_path}"
    kingpost.Stack("base", "dev", lambda: pulumi.export("value", "v"), backend=url, passphrase="theirs").up()
    result = kingpost.Stack("app", "dev", read, backend=url, passphrase="ours").up()
    assert result.outputs == {"copy": "v"}  # nothing in it is secret


def test_an_empty_checkpoint_is_no_new_stack(tmp_path):
    def open_stack():
        return kingpost.Stack(
            "proj", "dev", lambda: Thing("a") and None,
            providers={"test": world}, backend=f"file://{tmp_path}", passphrase="",
        )

    world = World()
    open_stack().up()
    (tmp_path / ".pulumi" / "stacks" / "proj" / "dev.json").write_bytes(b"")
    for operation in ("preview", "up", "destroy", "export"):
        with pytest.raises(kingpost.Error, match=r"dev.json is empty; an older copy is beside it"):
            getattr(open_stack(), operation)()
    assert len(world.things) == 1


def test_every_operation_leaves_a_backup(tmp_path):
    stack = kingpost.Stack("proj", "dev", lambda: None, backend=f"file://{tmp_path}", passphrase="")
    stack.up()
    stack.up()
    assert len(list((tmp_path / ".pulumi" / "backups" / "proj" / "dev").glob("dev*.json"))) == 2


def test_the_recovery_of_a_crash_is_reported(tmp_path):
    script = """
        import os, sys, kingpost, pulumi
        from module_support import Thing, World

        class Deadly(World):
            def create(self, request):
                if request.name == "b" and not request.preview:
                    os._exit(9)
                return super().create(request)

        def program():
            Thing("b", of=Thing("a").size)

        kingpost.Stack("proj", "dev", program, providers={"test": Deadly()}, backend=sys.argv[1], passphrase="").up()
    """
    url = f"file://{tmp_path}"
    command = [sys.executable, "-c", textwrap.dedent(script), url]
    assert subprocess.run(command, cwd=os.path.dirname(__file__), timeout=patience(60)).returncode == 9
    stack = kingpost.Stack("proj", "dev", lambda: None, providers={"test": World()}, backend=url, passphrase="")

    def told(result):
        return [d.message for d in result.diagnostics if d.severity == "info" and not d.urn]

    recovered = "recovered an interrupted update: "
    assert [text for text in told(stack.preview()) if text.startswith(recovered)]
    assert [text for text in told(stack.refresh()) if text.startswith(recovered)]
    assert not [text for text in told(stack.refresh()) if text.startswith(recovered)]


def test_addresses_are_never_used_twice(monkeypatch):
    # gRPC remembers for the whole process that no server answered at an address, and a port may soon be another run's.
    # Components are the only code of this process that the engine still gives an address.
    seen = []
    reset_options = pulumi.runtime.settings.reset_options

    def record(**settings):
        seen.extend([settings["monitor_address"], settings["engine_address"]])
        reset_options(**settings)

    provider = kingpost.Provider("proj")

    @provider.component
    class Group(pulumi.ComponentResource):
        def __init__(self, name: str, args: GroupArgs, opts: Optional[pulumi.ResourceOptions] = None) -> None:
            super().__init__("proj:index:Group", name, {}, opts)

    def program():
        pulumi.ComponentResource("proj:index:Group", "group", {}, remote=True)

    monkeypatch.setattr(pulumi.runtime.settings, "reset_options", record)
    for _ in range(2):
        kingpost.Stack("proj", "dev", program, providers={"proj": provider}).up()
    assert len(set(seen)) == 4 and all(address.startswith("unix:") for address in seen)


class GroupArgs(TypedDict):
    pass


def test_messages_of_the_program():
    result = kingpost.Stack("proj", "dev", lambda: pulumi.log.warn("mind the gap")).up()
    assert [(d.severity, d.message.strip()) for d in result.diagnostics] == [("warning", "mind the gap")]


def test_command_by_module(tmp_path):
    path = os.path.dirname(Command.kingpost().path) + os.pathsep + os.environ["PATH"]
    shown = subprocess.run(
        [sys.executable, "-m", "kingpost", "version"], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert shown.returncode == 0 and shown.stdout.startswith("v")


def test_a_state_that_is_read_while_the_stack_is_new_is_encrypted_for_the_same_passphrase():
    def program():
        Thing("t", note=pulumi.Output.secret("hush"))

    stack = kingpost.Stack("proj", "dev", program, providers={"test": World()})
    salts = []
    meeting = threading.Barrier(4, timeout=patience(60))

    def read():
        meeting.wait()
        salts.append(stack.export()["deployment"]["secrets_providers"]["state"]["salt"])

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    meeting.wait()
    stack.up()
    for reader in readers:
        reader.join()
    state = stack.export()["deployment"]
    assert set(salts) == {state["secrets_providers"]["state"]["salt"]}


def test_dynamic_providers_run_in_the_environment_of_the_process(tmp_path):
    script = """
        import kingpost, pulumi
        from pulumi.dynamic import CreateResult, Resource, ResourceProvider

        class Notes(ResourceProvider):
            def create(self, props):
                return CreateResult("note-1", props)

        class Note(Resource):
            def __init__(self, name):
                super().__init__(Notes(), name, {"text": "hello"})

        def program():
            pulumi.export("id", Note("note").id)

        print(kingpost.Stack("proj", "dev", program).up().outputs)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True,
                          env={**os.environ, "PATH": str(tmp_path)}, timeout=patience(120))
    assert done.stdout == "{'id': 'note-1'}\n", done.stderr
