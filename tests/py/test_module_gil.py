# SPDX-License-Identifier: Apache-2.0
"""The Python module: who has the GIL, and how often. The extension counts its own threads' visits to it."""

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


# To say that it has ended, and to let go of whom it told.
OF_A_RUN = 2


@pytest.mark.parametrize("count", [1, 60])
def test_a_run_without_callbacks_has_it_at_its_end_alone(tmp_path, count):
    stack = kingpost.Stack("proj", "dev", project_of(tmp_path, count))
    for operation in (stack.preview, stack.up, stack.up, stack.refresh, stack.destroy):
        results = []
        assert visits(lambda operation=operation, results=results: results.append(operation())) <= OF_A_RUN
        assert len(results[0].steps) >= count


def test_a_callback_has_it_and_calls_that_wait_share_one_visit():
    def program():
        for i in range(40):
            Thing(f"t{i}")

    stack = kingpost.Stack("proj", "dev", program, providers={"test": World()})
    calls = 4 * 40  # each is checked, created, and answers both
    assert OF_A_RUN < visits(stack.up) <= calls
    times, seconds = _kingpost.gil_use()
    assert times > 0 and seconds > 0
