# SPDX-License-Identifier: Apache-2.0
"""The Python module in a notebook: a real kernel, whose event loop runs already, and whose interrupts are Ctrl-C."""

import os
import pathlib
import textwrap

import pytest
from harness.patience import patience

nbclient = pytest.importorskip("nbclient", reason="a notebook needs nbclient and ipykernel: pip install nbclient ipykernel")
pytest.importorskip("ipykernel", reason="a notebook needs nbclient and ipykernel: pip install nbclient ipykernel")

FIRST = """
import asyncio, pathlib, sys, time
sys.path.insert(0, TESTS)
import kingpost, pulumi
from module_support import Thing, World

def program():
    pulumi.export("size", Thing("b", of=Thing("a").size).size)
"""


def cell(text):
    return textwrap.dedent(text.replace("TESTS", repr(os.path.dirname(os.path.abspath(__file__)))))


def test_a_notebook_deploys_in_cells_that_block_and_cells_that_await(tmp_path):
    import nbformat

    cells = [
        FIRST,
        "stack = kingpost.Stack('proj', 'dev', program, providers={'test': World()})\nprint(stack.up().outputs)",
        "print((await stack.preview_async()).summary)",
        """
        events = stack.events()
        destroy = asyncio.create_task(stack.destroy_async())
        kinds = {event.kind async for event in events}
        print("summary" in kinds, (await destroy).summary)
        """,
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell(text)) for text in cells])
    nbclient.NotebookClient(notebook, timeout=patience(120), kernel_name="python3",
                            resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = ["".join(o.get("text", "") for o in cell.outputs if o.get("name") == "stdout") for cell in notebook.cells]
    assert said == ["", "{'size': 2}\n", "{'same': 3}\n", "True {'delete': 3}\n"]


@pytest.fixture
def kernel(tmp_path):
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(startup_timeout=patience(60), kernel_name="python3", cwd=str(tmp_path))
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def wait_for(path: pathlib.Path):
    import time

    end = time.monotonic() + patience(60)
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} did not come"
        time.sleep(0.05)


@pytest.mark.parametrize("call", ["stack.up()", "await stack.up_async()"])
def test_an_interrupt_of_the_kernel_cancels_cleanly(kernel, tmp_path, call):
    manager, client = kernel

    def run(text):
        printed = []

        def hear(message):
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])

        reply = client.execute_interactive(cell(text), timeout=patience(120), output_hook=hear)
        return reply["content"], "".join(printed)

    started, go_on = tmp_path / "started", tmp_path / "go-on"
    run(FIRST)
    run("""
        class Waiting(World):
            def create(self, request):
                if request.name == "a" and not request.preview:
                    pathlib.Path("started").touch()
                    while not pathlib.Path("go-on").exists():
                        time.sleep(0.05)
                return super().create(request)

            def cancel(self):
                pathlib.Path("cancelled").touch()

        world = Waiting()
        stack = kingpost.Stack("proj", "dev", program, providers={"test": world})
    """)
    # Asked for, and interrupted from outside while the cell runs.
    client.execute(call)
    wait_for(started)
    manager.interrupt_kernel()
    wait_for(tmp_path / "cancelled")
    go_on.touch()
    reply = client.get_shell_msg(timeout=patience(120))["content"]
    assert reply["status"] == "error" and reply["ename"] in ("KeyboardInterrupt", "CancelledError"), reply
    # Steps in flight are recorded, no other step was begun, and the kernel goes on with the stack.
    content, printed = run("print(sorted(r['urn'].split('::')[-1] for r in stack.export()['deployment']['resources'][2:]))\n"
                           "print(sorted(stack.up().summary.items()), len(world.things))")
    assert content["status"] == "ok" and printed == "['a']\n[('create', 1), ('same', 2)] 2\n", (content, printed)
