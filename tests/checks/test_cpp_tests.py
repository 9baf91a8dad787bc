# SPDX-License-Identifier: Apache-2.0
"""The C++ tests on all cores: each case runs once, failures are told whole, and what passes alone is unsteady."""

import re
import subprocess
import sys
from pathlib import Path

import cpp_tests
import pytest
from unsteady import told_in

# Stands for kp_tests: cases by name with what becomes of them each time, in a folder where it counts its runs.
FAKE = """#!{python}
import os, pathlib, re, signal, sys
cases = {cases!r}
if sys.argv[1] == "--list-test-names-only":
    names = [name for name in cases if len(sys.argv) == 2 or name.endswith("long")]
    print("\\n".join(names))
    sys.exit(len(names))
wanted = [re.sub(r"\\\\(.)", r"\\1", name) for name in re.split(r"(?<!\\\\),", sys.argv[1])]
code = 0
for name in wanted:
    runs = pathlib.Path(__file__).parent / re.sub(r"\\W", "_", name)
    runs.touch()
    with runs.open("a") as file:
        file.write("x")
    end = cases[name][min(len(runs.read_text()), len(cases[name])) - 1]
    if end == "crash":
        os.kill(os.getpid(), signal.SIGABRT)
    if end == "failed":
        print("told of", name)
        code = 1
    with open(os.environ["KINGPOST_CASE_RESULTS"], "a") as file:
        file.write(f"{{end}}\\t0.5\\t{{name}}\\n")
print("SKIPPED [1] there is no snow")
sys.exit(code)
"""
MANY = {f"case {number}": ["passed"] for number in range(35)}
ODD = {'of "quotes", commas, [brackets] and \\': ["passed"], "takes long": ["passed"]}


@pytest.fixture
def run(tmp_path):
    def play(cases: dict[str, list[str]], *flags: str) -> tuple[int, str]:
        program = tmp_path / "kp_tests"
        program.write_text(FAKE.format(python=sys.executable, cases=cases))
        program.chmod(0o755)
        done = subprocess.run([sys.executable, cpp_tests.__file__, *flags, "--", str(program)], text=True, check=False,
                              capture_output=True)
        assert not done.stderr
        return done.returncode, done.stdout
    return play


def test_each_case_runs_once(run, tmp_path):
    code, out = run({**MANY, **ODD})
    assert code == 0 and "C++ tests: 37 cases, 0 failed" in out
    counts = {path.name: len(path.read_text()) for path in tmp_path.iterdir() if path.name != "kp_tests"}
    assert len(counts) == 37 and set(counts.values()) == {1}
    assert "slowest 10 C++ cases:" in out and len(re.findall(r"^ +0\.50 s  ", out, re.MULTILINE)) == 10
    assert re.findall("SKIPPED.*", out) == ["SKIPPED [5] there is no snow"]  # once for each process


def test_cases_with_the_tag_begin_first(run):
    assert cpp_tests.groups(["a", "takes long", "b"], {"takes long"}) == [["takes long"], ["a", "b"]]


def test_a_failed_case_is_reported(run):
    code, out = run({**MANY, "falls over": ["failed"]})
    assert code == 1 and "told of falls over" in out and "1 failed" in out and not told_in(out)


@pytest.mark.parametrize("first", ["failed", "crash"])
def test_a_case_that_passes_alone_is_unsteady(run, tmp_path, first):
    cases = {"wavers": [first, "passed"], **MANY}
    code, out = run(cases)
    assert code == 0 and told_in(out) == ["wavers"] and "36 cases, 1 failed" in out
    for path in tmp_path.iterdir():
        path.unlink()
    code, out = run(cases, "--strict")
    assert code == 1 and told_in(out) == ["wavers"]


def test_a_crash_is_told_with_the_case(run):
    code, out = run({"falls hard": ["crash"], **MANY})
    assert code == 1 and "ended with -6 in: falls hard" in out and "36 cases, 1 failed" in out


def test_many_failures_are_not_tried_again(run, tmp_path):
    code, out = run({f"fails {number}": ["failed", "passed"] for number in range(3)})
    assert code == 1 and "3 failed" in out and not told_in(out)


def test_a_program_without_cases_is_a_failure(run):
    assert run({})[0] == 1
    assert Path(cpp_tests.__file__).stat().st_mode & 0o100
