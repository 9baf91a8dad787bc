# SPDX-License-Identifier: Apache-2.0
"""Killed and interrupted in the middle of an update: nothing acknowledged is lost, nothing is left running."""

import signal
import time

import pytest

from harness.processes import PATIENCE_S, kill_alone, kill_group, wait_until_nothing_runs
from harness.rules import things_log
from harness.slow_update import acknowledged_things, many, recorded_things, start_and_wait  # noqa: F401 - a fixture

def test_kill_9_loses_nothing_that_was_acknowledged(many):
    process = start_and_wait(many, 6)
    kill_alone(process, many.root)
    acked = acknowledged_things(many)

    exported = many.run("stack", "export")
    state = many.state()
    recorded = recorded_things(many)
    pending = {row["resource"]["urn"].rsplit("::", 1)[1] for row in state.pending}
    made = {line.split()[1] for line in things_log(many)}
    assert acked and acked <= recorded, f"lost: {sorted(acked - recorded)}"
    assert recorded <= made, f"claimed but never made: {sorted(recorded - made)}"
    forgotten = {id.rsplit("-", 1)[0] for id in made - recorded} - pending
    assert not forgotten, f"made, neither in the state nor pending: {sorted(forgotten)}"
    assert "recovered" in exported.err.lower(), f"says nothing of a recovery: {exported.err!r}"
    for name in pending:
        assert name in exported.err, f"does not name the pending {name}: {exported.err!r}"

    # A pending create that did happen would be made twice; the test settles them as a person would.
    again = many.up("--parallel", "16", check=False)
    assert again.code == 0, again.out + again.err
    assert len(recorded_things(many)) == 40


@pytest.mark.parametrize("signal_count", [1, 2])
def test_interrupt_saves_what_is_in_flight_and_leaves_no_process(many, signal_count):
    process = start_and_wait(many, 4)
    for _ in range(signal_count):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    out, _ = process.communicate(timeout=PATIENCE_S)
    # The second one ends with 8, or with 1 when the cancelled calls came back first.
    assert process.returncode in ((1,) if signal_count == 1 else (1, 8)), out
    wait_until_nothing_runs(many.root)
    state = many.state()
    recorded = recorded_things(many)
    made = {line.split()[1] for line in things_log(many)}
    assert acknowledged_things(many) <= recorded < {f"thing-{i:02}-1" for i in range(40)}
    if signal_count == 1:
        assert recorded == made and state.pending == [], "one interrupt waits for what is in flight"
    many.run("cancel", "--yes", "dev", check=False)
    assert many.destroy().code == 0


def test_a_second_command_is_told_of_the_lock(many):
    process = start_and_wait(many, 2)
    try:
        refused = many.up(check=False)
        assert refused.code != 0 and "the stack is currently locked by" in refused.err, refused.err
    finally:
        kill_group(process)
