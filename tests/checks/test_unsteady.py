# SPDX-License-Identifier: Apache-2.0
"""The list of unsteady tests: what nightly logs add to it, and when it is a defect."""

import subprocess
import sys

import pytest
import unsteady

PY = "tests/py/test_a.py::TestB::test_c[x::y]"
CPP = 'a "name" that goes on'


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """One Python and one C++ test, and the list as it begins."""
    monkeypatch.setattr(unsteady, "REPOSITORY", tmp_path)
    monkeypatch.setattr(unsteady, "LIST", tmp_path / "tests/unsteady.md")
    (tmp_path / "tests/py").mkdir(parents=True)
    (tmp_path / "tests/cpp/base").mkdir(parents=True)
    (tmp_path / "tests/py/test_a.py").write_text("class TestB:\n    def test_c(self):\n        pass\n")
    (tmp_path / "tests/cpp/base/a_test.cc").write_text('TEST_CASE("a \\"name\\" that "\n          "goes on") {}\n')
    unsteady.LIST.write_text("# Unsteady tests\n\nWhat it is.\n\nNightly runs: none yet\n\n| test | was unsteady in the runs of |\n|---|---|\n")
    return tmp_path


def record(monkeypatch, folder, date: str, *tests: str) -> int:
    log = folder / "tests.log"
    log.write_text("".join(f"before\nUNSTEADY, passed alone: {test}\nafter\n" for test in tests))
    monkeypatch.setattr(sys, "argv", ["unsteady.py", "--record", str(log), "--run", date])
    return unsteady.main()


def test_twice_in_ten_runs_is_a_defect_until_it_is_mended(repository, monkeypatch, capsys):
    assert record(monkeypatch, repository, "2026-01-01", PY, CPP) == 0
    assert record(monkeypatch, repository, "2026-01-01", CPP) == 0  # the same run again
    assert record(monkeypatch, repository, "2026-01-02", PY) == 1
    assert f"{PY}: was unsteady in 2 of the last 10 nightly runs" in capsys.readouterr().out
    text = unsteady.LIST.read_text()
    assert "Nightly runs: 2026-01-01, 2026-01-02\n" in text and f"| `{PY}` | 2026-01-01, 2026-01-02 |\n" in text
    unsteady.LIST.write_text(text.replace(f"| `{PY}` | 2026-01-01, 2026-01-02 |\n", ""))
    monkeypatch.setattr(sys, "argv", ["unsteady.py"])
    assert unsteady.main() == 0


def test_runs_before_the_last_ten_are_forgotten(repository, monkeypatch):
    assert record(monkeypatch, repository, "2026-01-01", CPP) == 0
    for day in range(2, 11):
        assert record(monkeypatch, repository, f"2026-01-{day:02}") == 0
    assert CPP in unsteady.LIST.read_text()
    assert record(monkeypatch, repository, "2026-01-11", CPP) == 0
    assert f"| `{CPP}` | 2026-01-11 |" in unsteady.LIST.read_text()


def test_a_row_of_a_test_that_is_gone_is_a_defect(repository, monkeypatch, capsys):
    assert record(monkeypatch, repository, "2026-01-01", "was here once", "tests/py/test_a.py::test_gone") == 1
    told = capsys.readouterr().out
    assert "was here once: there is no such test any more" in told and "test_gone: there is no such test" in told


def test_a_list_that_cannot_be_read_is_a_defect(repository, monkeypatch):
    unsteady.LIST.write_text(unsteady.LIST.read_text() + "| a test | yesterday |\n")
    monkeypatch.setattr(sys, "argv", ["unsteady.py"])
    with pytest.raises(SystemExit, match="not a row"):
        unsteady.main()


def test_the_list_of_this_repository_is_in_order():
    assert subprocess.run([sys.executable, unsteady.__file__], check=False).returncode == 0
