# SPDX-License-Identifier: Apache-2.0
"""Which sources clang-tidy is given."""

import json
import sys

import pytest
import tidy


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Two batches, of two sources and of one, and a clang-tidy that complains of BAD and writes down what it is given."""
    folder = tmp_path / "repository"
    monkeypatch.setattr(tidy, "REPOSITORY", folder)
    monkeypatch.setattr(tidy, "BATCHES", folder / "build")
    monkeypatch.setattr(tidy, "memory", lambda: tmp_path / "cache" / "passed")
    monkeypatch.setattr(tidy, "prepare", lambda *_, **__: None)
    monkeypatch.setattr(tidy, "checker", lambda: b"checks")
    (folder / "cpp").mkdir(parents=True)
    (folder / "build" / "batches").mkdir(parents=True)
    for name in ("a", "b", "c"):
        (folder / "cpp" / f"{name}.cc").write_text("// all there is\n")
    (folder / "build/batches/one.cc").write_text('#include "cpp/c.cc"\n')
    (folder / "build/batches/two.cc").write_text('#include "cpp/a.cc"\n#include "cpp/b.cc"\n')
    (folder / "build/batches/messages.cc").write_text('#include "pulumi/alias.pb.cc"\n')
    files = ["build/batches/one.cc", "build/batches/two.cc", "build/batches/messages.cc", "build/not_made_yet.cc"]
    (folder / "build/compile_commands.json").write_text(json.dumps(
        [{"file": str(folder / file), "command": f"g++ -I{folder} -o {file}.o -c {folder / file}"} for file in files]))
    checker = tmp_path / "checker.py"
    checker.write_text(f"import pathlib, re, sys\n"
                       f"open({str(tmp_path / 'given')!r}, 'a').write(pathlib.Path(sys.argv[-1]).name + '\\n')\n"
                       f"for member in re.findall('\"(.*)\"', open(sys.argv[-1]).read()):\n"
                       f"    'BAD' in pathlib.Path({str(folder)!r}, member).read_text() and sys.exit('bad: ' + member)\n")
    monkeypatch.setattr(tidy, "CLANG_TIDY", [sys.executable, str(checker)])
    return folder


@pytest.fixture
def given(tmp_path):
    """What clang-tidy was given since the last call, in the order of names."""
    def names() -> list[str]:
        file = tmp_path / "given"
        found = sorted(file.read_text().split()) if file.exists() else []
        file.unlink(missing_ok=True)
        return found
    return names


def test_a_batch_that_passed_is_checked_again_only_after_a_change(repository, given):
    assert tidy.check_batches() == []
    assert given() == ["one.cc", "two.cc"]
    assert tidy.check_batches() == []
    assert given() == []
    (repository / "cpp/b.cc").write_text("// NOLINT\n")
    assert tidy.check_batches() == []
    assert given() == ["two.cc"]


def test_a_batch_with_a_complaint_is_checked_until_it_passes(repository, given):
    (repository / "cpp/c.cc").write_text("// BAD\n")
    for _ in range(2):
        assert tidy.check_batches() == ["bad: cpp/c.cc\n"]
        assert "one.cc" in given()
    (repository / "cpp/c.cc").write_text("// good\n")
    assert tidy.check_batches() == []
    assert given() == ["one.cc"]


def test_other_checks_see_everything_again(repository, given, monkeypatch):
    tidy.check_batches()
    given()
    monkeypatch.setattr(tidy, "checker", lambda: b"other checks")
    tidy.check_batches()
    assert given() == ["one.cc", "two.cc"]


def test_what_does_not_compile_never_passes_unseen(repository, given):
    (repository / "cpp/c.cc").write_text('#include "nowhere.h"\n')
    for _ in range(2):
        tidy.check_batches()
        assert "one.cc" in given()


def test_another_copy_of_the_repository_knows_what_passed(repository, given, tmp_path, monkeypatch):
    tidy.check_batches()
    given()
    copy = tmp_path / "copy"
    repository.rename(copy)
    commands = copy / "build/compile_commands.json"
    commands.write_text(commands.read_text().replace(str(repository), str(copy)))
    monkeypatch.setattr(tidy, "REPOSITORY", copy)
    monkeypatch.setattr(tidy, "BATCHES", copy / "build")
    assert tidy.check_batches() == []
    assert given() == []


def test_the_largest_batch_comes_first_and_generated_messages_not_at_all(repository):
    assert list(tidy.compiled_in(repository / "build")) == [str(repository / f"build/batches/{name}.cc") for name in ("two", "one")]
