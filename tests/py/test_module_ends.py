# SPDX-License-Identifier: Apache-2.0
"""The Python module in unkind surroundings: interpreters that end, signals, event loops, other processes, other libraries."""

import os
import subprocess
import sys
import textwrap

import pytest
from harness.patience import patience

HERE = os.path.dirname(__file__)
PRELUDE = """
import asyncio, os, signal, sys, threading, time
import kingpost, pulumi
from module_support import Thing, World

class Slow(World):
    begun = threading.Event()
    seconds = 0.0
    def create(self, request):
        if not request.preview:
            self.begun.set()
            time.sleep(self.seconds)
        return super().create(request)

def pair():
    Thing("b", of=Thing("a").size)

def open_stack(world, program=pair, **options):
    return kingpost.Stack("proj", "dev", program, providers={"test": world}, **options)
"""


def run(script, *args, timeout=120):
    """(exit code, standard output, standard error) of a process of its own."""
    code = textwrap.dedent(PRELUDE) + textwrap.dedent(script)
    done = subprocess.run([sys.executable, "-c", code, *args], cwd=HERE, capture_output=True, text=True, timeout=timeout)
    return done.returncode, done.stdout, done.stderr


def test_an_interpreter_that_ends_cancels_what_daemon_threads_do(tmp_path):
    script = """
        world = Slow()
        world.seconds = 0.5
        stack = open_stack(world, backend=sys.argv[1], passphrase="")
        threading.Thread(target=lambda: stack.up(), daemon=True).start()
        world.begun.wait(30)
        print("bye")
    """
    code, out, err = run(script, f"file://{tmp_path}")
    assert (code, out) == (0, "bye\n") and "terminate" not in err and "Fatal" not in err
    assert not list((tmp_path / ".pulumi" / "locks").rglob("*.json"))
    assert not list((tmp_path / ".pulumi" / "journals").rglob("*.journal"))
    # Steps in flight are recorded, no other step was begun, and no process holds the stack.
    look = """
        stack = open_stack(World(), backend=sys.argv[1], passphrase="")
        print([r["urn"].split("::")[-1] for r in stack.export()["deployment"]["resources"][2:]])
        print(stack.up().summary)
    """
    code, out, err = run(look, f"file://{tmp_path}")
    assert code == 0 and out.splitlines()[0] == "['a']" and "'create': 1" in out.splitlines()[1], err


def test_an_interpreter_ends_though_a_callback_never_does():
    script = """
        import kingpost._operation as operation
        operation._LAST_CANCEL_SECONDS, operation._LAST_END_SECONDS = 0.3, 3.0
        world = Slow()
        world.seconds = 1000.0
        stack = open_stack(world)
        threading.Thread(target=lambda: stack.up(), daemon=True).start()
        world.begun.wait(30)
        print("bye")
    """
    code, out, err = run(script)
    assert (code, out) == (0, "bye\n") and "terminate" not in err and "Fatal" not in err


# Coroutines that still wait when the loop of their operation goes are not destroyed (cpp/base/loop.cc). They may hold
# memory, but no object that this test looks for.
def test_operations_that_are_cancelled_leave_nothing_behind(tmp_path):
    script = """
        import gc, pathlib, weakref
        worlds = []

        async def cancelled():
            world = Slow()
            world.begun, world.seconds = threading.Event(), 0.2
            worlds.append(weakref.ref(world))
            folder = pathlib.Path(sys.argv[1], str(len(worlds)))  # what is there already needs no create
            folder.mkdir()
            async with open_stack(world, backend=f"file://{folder}", passphrase="") as stack:
                task = asyncio.create_task(stack.up_async())
                await asyncio.to_thread(world.begun.wait, 30)
                task.cancel()
                try:
                    await task
                except asyncio.CancelledError:
                    return
            raise SystemExit("was not cancelled")

        def left():
            deadline = time.monotonic() + 20
            while any(world() is not None for world in worlds) and time.monotonic() < deadline:
                gc.collect()  # a thread of the pool may still hold what it ran last
                time.sleep(0.05)
            states = pathlib.Path(sys.argv[1])
            files = [path for kind in ("locks", "journals") for path in states.glob(f"*/.pulumi/{kind}/**/*.j*")]
            children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            alive = sum(world() is not None for world in worlds)
            return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task")), len(children), alive, files

        found = []
        for count in (2, 4):
            for _ in range(count):
                asyncio.run(cancelled())
            found.append(left())
        print(found[0] == found[1], found[1][3:], found)
    """
    code, out, err = run(script, str(tmp_path))
    assert code == 0 and out.startswith("True (0, [])"), (out, err)


def test_ctrl_c_in_a_callback_cancels():
    script = """
        class Interrupting(World):
            def create(self, request):
                if request.name == "a" and not request.preview:
                    os.kill(os.getpid(), signal.SIGINT)
                    time.sleep(2)
                return super().create(request)

        world = Interrupting()
        try:
            open_stack(world).up()
        except KeyboardInterrupt:
            print("interrupted", [thing["color"] for thing in world.things.values()])
    """
    code, out, err = run(script)
    assert (code, out, err) == (0, "interrupted ['blue']\n", "")


def test_ctrl_c_under_asyncio_cancels():
    script = """
        world = Slow()
        world.seconds = 0.3
        async def main():
            asyncio.get_running_loop().call_later(0.01, lambda: None)
            task = asyncio.create_task(open_stack(world).up_async())
            await asyncio.to_thread(world.begun.wait, 30)
            os.kill(os.getpid(), signal.SIGINT)
            await task
        try:
            asyncio.run(main())
        except KeyboardInterrupt:
            print("interrupted", len(world.things))
    """
    code, out, err = run(script)
    assert (code, out, err) == (0, "interrupted 1\n", "")


def test_where_an_event_loop_runs_already():
    """A blocking call and an awaited one, on the thread whose loop runs, as in cells of a notebook."""
    script = """
        async def program():
            await asyncio.sleep(0)
            pulumi.export("size", Thing("a").size)

        class Later(World):
            async def delete(self, request):
                World.delete(self, request)

        async def cells():
            stack = open_stack(Later(), program)
            print(stack.up().outputs)
            print((await stack.preview_async()).summary)
            stack.destroy()

        asyncio.run(cells())
    """
    code, out, err = run(script)
    assert (code, out) == (0, "{'size': 1}\n{'same': 2}\n"), err


def test_processes_that_a_provider_forks_end():
    code, out, err = run("""
        import multiprocessing

        class Forking(World):
            def create(self, request):
                if not request.preview:
                    child = multiprocessing.get_context("fork").Process(target=int)
                    child.start()
                    child.join(30)
                    print(child.exitcode, flush=True)
                return super().create(request)

        open_stack(Forking(), lambda: Thing("a") and None).up()
    """)
    assert (code, out) == (0, "0\n"), err


def test_processes_that_are_spawned(tmp_path):
    (tmp_path / "work.py").write_text(
        "import multiprocessing, sys\n"
        f"sys.path.insert(0, {HERE!r})\n"
        "import kingpost\n"
        "from module_support import Thing, World\n"
        "def one(number):\n"
        "    stack = kingpost.Stack('proj', f's{number}', lambda: Thing('a') and None, providers={'test': World()})\n"
        "    return stack.up().summary\n"
        "if __name__ == '__main__':\n"
        "    print(one(0))\n"
        "    with multiprocessing.get_context('spawn').Pool(2) as pool:\n"
        "        print(pool.map(one, [1, 2]))\n"
    )
    done = subprocess.run([sys.executable, "work.py"], cwd=tmp_path, capture_output=True, text=True, timeout=patience(120))
    one = "{'create': 2}"
    assert (done.returncode, done.stdout) == (0, f"{one}\n[{one}, {one}]\n"), done.stderr


@pytest.mark.parametrize("first", ["import grpc, google.protobuf.struct_pb2", "import kingpost"])
def test_beside_grpcio_and_protobuf_in_either_order(first):
    script = f"""
        {first}
        import grpc, kingpost, pulumi
        from google.protobuf import struct_pb2
        server = grpc.server(__import__("concurrent.futures").futures.ThreadPoolExecutor(1))
        server.add_insecure_port("127.0.0.1:0")
        server.start()
        stack = kingpost.Stack("proj", "dev", lambda: pulumi.export("x", 1))
        print(stack.up().outputs)
        struct_pb2.Struct().update({{"a": 1}})
        server.stop(None)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=patience(120))
    assert (done.returncode, done.stdout) == (0, "{'x': 1}\n"), done.stderr


@pytest.mark.slow
def test_a_thousand_stacks_leave_nothing_behind():
    script = """
        import gc, resource

        def counts():
            gc.collect()
            with open("/proc/self/status") as file:
                status = dict(line.split(":", 1) for line in file)
            return int(status["Threads"]), len(os.listdir("/proc/self/fd")), int(status["VmRSS"].split()[0])

        def rounds(n):
            for number in range(n):
                with open_stack(World(), lambda: Thing("a") and None) as stack:
                    stack.up()
                    stack.destroy()

        rounds(100)
        threads, files, memory = counts()
        rounds(int(sys.argv[1]))
        time.sleep(2)  # threads that are on their way out
        after = counts()
        print(after[0] - threads, after[1] - files, (after[2] - memory) // 1024)
    """
    code, out, err = run(script, "900", timeout=3000)
    assert code == 0, err
    threads, files, megabytes = map(int, out.split())
    assert threads <= 2 and files <= 2 and megabytes < 40, out
