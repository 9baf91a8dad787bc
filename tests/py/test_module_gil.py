# SPDX-License-Identifier: Apache-2.0
"""The Python module: which threads take the GIL, and how often. The extension counts those of its own threads."""

import kingpost
import pytest
from kingpost import _kingpost
from module_support import Thing, World


def visits(work):
    before, _ = _kingpost.gil_use()
    work()
    return _kingpost.gil_use()[0] - before


def project_of(folder, count):
    stashes = "".join(f"  s{i}:\n    type: pulumi:index:Stash\n    properties: {{input: {i}}}\n" for i in range(count))
    (folder / "Pulumi.yaml").write_text(f"name: proj\nruntime: yaml\nresources:\n{stashes}")
    return folder


@pytest.mark.parametrize("count", [1, 60])
def test_a_run_without_callbacks_never_has_it(tmp_path, count):
    stack = kingpost.Stack("proj", "dev", project_of(tmp_path, count))
    for operation in (stack.preview, stack.up, stack.up, stack.refresh, stack.destroy):
        results, heard = [], []
        assert visits(lambda operation=operation, to=results: to.append(operation())) == 0
        assert visits(lambda operation=operation, to=heard: operation(on_event=to.append)) == 0
        assert len(results[0].steps) >= count and heard[-1].kind == "summary"


def test_a_callback_has_it_and_calls_that_wait_share_one_visit():
    def program():
        for i in range(40):
            Thing(f"t{i}")

    stack = kingpost.Stack("proj", "dev", program, providers={"test": World()})
    calls = 4 * 40  # each is checked, created, and answers both
    assert 0 < visits(stack.up) <= calls
    times, seconds = _kingpost.gil_use()
    assert times > 0 and seconds > 0
