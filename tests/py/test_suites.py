# SPDX-License-Identifier: Apache-2.0
"""The verdict of tests/suites on the outcomes of the Automation API suites."""

import json

from tests.suites import __main__ as suites
from tests.suites.suites import Go, completed


def test_failures_that_are_not_known_are_told(monkeypatch):
    monkeypatch.setattr(suites, "known_failures", lambda _: {"a": "needs a network", "gone": "needs a network"})
    ours = {"a": "failed", "b": "failed", "c": "passed", "d": "skipped"}
    assert suites.told("go", ours, None, whole=True) == ["go: b fails", "go: gone is not in the suite any more"]
    assert suites.told("go", ours, None, whole=False) == ["go: b fails"]


def test_failures_that_a_peer_does_not_have_are_told_even_if_they_are_known(monkeypatch):
    monkeypatch.setattr(suites, "known_failures", lambda _: {"a": "needs a network", "b": "needs a network"})
    ours, peer = {"a": "failed", "b": "failed", "c": "passed"}, {"a": "failed", "b": "passed", "c": "failed"}
    assert suites.told("go", ours, peer, whole=True) == ["go: b passes on the peer"]


def test_a_test_that_never_ends_has_failed(tmp_path):
    """As Go reports a suite that ran into its limit."""
    report = tmp_path / "report"
    rows = [{"Action": "start"}, {"Action": "run", "Test": "TestA"}, {"Action": "pass", "Test": "TestA"},
            {"Action": "run", "Test": "TestB"}, {"Action": "output", "Test": "TestB", "Output": "x"}]
    report.write_text("".join(json.dumps(row) + "\n" for row in rows) + "no JSON\n")
    assert Go.outcomes(Go.__new__(Go), report) == {"TestA": "passed", "TestB": "failed"}


def test_each_known_failure_has_a_reason():
    for language in suites.SUITES:
        assert all(suites.known_failures(language).values()) and suites.known_failures(language)


def test_folders_that_are_go_modules_come_from_a_checkout(tmp_path, monkeypatch):
    checkout, suite = tmp_path / "checkout", tmp_path / "suite"
    for folder in ("made/below", "here"):
        (checkout / "sdk" / folder).mkdir(parents=True)
        (checkout / "sdk" / folder / "go.mod").write_text("module checkout\n")
        (checkout / "sdk" / folder / "main.go").write_text("package main\n")
    (suite / "here").mkdir(parents=True)
    monkeypatch.delenv("KINGPOST_SUITES_CHECKOUT", raising=False)
    completed(suite, "sdk")
    assert [path.name for path in suite.rglob("*")] == ["here"]
    monkeypatch.setenv("KINGPOST_SUITES_CHECKOUT", str(checkout))
    completed(suite, "sdk")
    assert (suite / "made" / "below" / "main.go").exists() and not list((suite / "here").iterdir())
