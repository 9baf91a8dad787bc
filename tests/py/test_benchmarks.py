# SPDX-License-Identifier: Apache-2.0
"""The results of the benchmarks: medians, slower parts, the chart."""

import copy
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from harness import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "benchmarks"))
import chart
import report

RUN = {"engine": "kingpost", "shape": "wide", "count": 500, "latency_ms": 0, "wall_s": 1.0, "cpu_s": 0.5,
       "memory_mib": 50.0, "written_mib": 7.0, "load_cpu_s": 0.2}
ENTRY = {"commit": "0123456789", "date": "2026-01-01 00:00", "machine": {"yardstick_s": 0.1},
         "load": [RUN | {"phase": "create"}, RUN | {"phase": "destroy"}], "parts": {"Load1000": 900.0}}


def later(yardstick_s: float = 0.1, part: float = 900.0, **figures: float) -> dict:
    entry = copy.deepcopy(ENTRY) | {"machine": {"yardstick_s": yardstick_s}, "parts": {"Load1000": part}}
    entry["load"][0] |= figures
    return entry


@pytest.mark.parametrize(("entry", "told"), [
    (later(), []),
    (later(cpu_s=0.74), []),
    (later(cpu_s=0.76), ["wide 500 create: 0.76 CPU s, 1.52 times as much as at 0123456789"]),
    (later(part=1800.0), ["Load1000: 1800.0 µs, 2.00 times as much as at 0123456789"]),
    (later(yardstick_s=0.2, cpu_s=1.0, part=1800.0), []),  # a machine of half the speed
    (later(yardstick_s=0.05), ["Load1000: 900.0 µs, 2.00 times as much as at 0123456789",
                               "wide 500 create: 0.50 CPU s, 2.00 times as much as at 0123456789",
                               "wide 500 destroy: 0.50 CPU s, 2.00 times as much as at 0123456789"]),
])
def test_slower_results_are_reported(entry, told):
    assert report.slower(ENTRY, entry, 1.5) == told


def test_parts_that_wait_for_the_disk_are_not_compared():
    entries = [copy.deepcopy(ENTRY) | {"parts": {"AppendAndSync1000": micros}} for micros in (1.0, 9.0)]
    assert report.slower(*entries, 1.5) == []


def test_one_slow_run_of_three_does_not_count():
    entry = later()
    entry["load"] += [RUN | {"phase": "create", "cpu_s": 9.0}, RUN | {"phase": "create"}]
    assert report.slower(ENTRY, entry, 1.5) == []


def test_tables_show_engines_side_by_side():
    lines = report.load_table([*ENTRY["load"], RUN | {"phase": "create", "engine": "pulumi", "cpu_s": 1.25}]).splitlines()
    assert lines[2] == "| wide 500 | create | 1.00 | 0.50 | 50 | 7.0 | 1.00 | 1.25 | 50 | 7.0 | 0.20 |"
    assert lines[3] == "| wide 500 | destroy | 1.00 | 0.50 | 50 | 7.0 |  |  |  |  | 0.20 |"


def test_the_chart_has_a_line_for_each_phase_and_a_point_for_each_commit():
    drawn = ElementTree.fromstring(chart.draw([ENTRY, later(cpu_s=0.4)]))
    svg = "{http://www.w3.org/2000/svg}"
    assert len(drawn.findall(f"{svg}polyline")) == 2 and len(drawn.findall(f"{svg}circle")) == 4
    assert "create, 500" in [text.text for text in drawn.iter(f"{svg}text")]
