# SPDX-License-Identifier: Apache-2.0
"""--timings: where the time of an operation went, as a table at its end."""

import json
import re

from harness import Command
from harness.rules import configure, rules_workspace

ROWS = ["provider calls", "saving", "waiting for a slot", "planning", "starting plugins", "start of the SDK",
        "program", "plugins, begun early", "everything else"]


def read_table(text: str, title: str) -> dict[str, list[float]]:
    """Row → its numbers: seconds, summed up, times, longest."""
    assert title in text, text
    table = {}
    for line in text.partition(title)[2].splitlines():
        row = re.fullmatch(r" {4,}([A-Za-z][A-Za-z, ]*?) {2,}([\d. ]+)", line)
        if row:
            table.setdefault(row[1], [float(number) for number in row[2].split()])
    return table


def test_each_run_ends_with_its_table(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "failing")
    configure(ws, step=1)
    out = ws.run("up", "--yes", "--timings", "--stack", "dev", env={"THINGS_DELAY_MS": "150"}).out
    preview, _, update = out.partition("Timings of the update")
    table = read_table(preview, "Timings of the preview")
    assert "Create" in table, "previews ask providers, too"
    table = read_table("Timings of the update" + update, "Timings of the update")
    assert set(ROWS) < set(table)
    seconds, _, calls, longest = table["provider calls"]
    # Three things, each on the one before, take 150 ms each.
    assert table["Create"][1] == 3 and table["Create"][0] >= 0.45
    assert seconds >= 0.45 and longest >= 0.15 and calls >= 7
    assert table["saving"][2] > 6, "every step is begun and ended"
    assert table["waiting for a slot"][2] >= 3
    assert table["start of the SDK"][0] > 0 and table["program"][0] > 0
    assert abs(sum(table[row][0] for row in ROWS) - table["all"][0]) < 0.01, "the shares add up"


def test_json_stays_json(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "failing")
    configure(ws, step=1)
    run = ws.run("preview", "--json", "--timings", "--stack", "dev")
    json.loads(run.out)
    assert "Timings of the preview" in run.err
    assert "Timings" not in ws.run("preview", "--stack", "dev").out
