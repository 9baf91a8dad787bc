# SPDX-License-Identifier: Apache-2.0
"""Which sources clang-tidy is given."""

import json
import subprocess

import pytest
import tidy


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A commit on main: base/a and base/b with its header."""
    folder = tmp_path / "repository"
    monkeypatch.setattr(tidy, "REPOSITORY", folder)
    monkeypatch.setattr(tidy, "memory", lambda: tmp_path / "cache" / "passed")
    (folder / "cpp" / "base").mkdir(parents=True)
    git(folder, "init", "-b", "main")
    for name in ("cpp/base/a.cc", "cpp/base/b.cc", "cpp/base/b.h"):
        (folder / name).write_text("// all there is\n")
    commit(folder, "a beginning")
    return folder


def git(folder, *command: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *command], cwd=folder, check=True,
                   capture_output=True)


def commit(folder, message: str) -> None:
    git(folder, "add", ".")
    git(folder, "commit", "-m", message)


def change(folder, name: str) -> None:
    (folder / name).write_text((folder / name).read_text() + "// and more\n")
    commit(folder, f"more in {name}")


def test_on_a_branch_what_differs_from_main_was_changed(repository):
    git(repository, "checkout", "-b", "topic")
    change(repository, "cpp/base/a.cc")
    (repository / "cpp/base/new.cc").touch()
    assert tidy.changed_last() == ["cpp/base/a.cc", "cpp/base/new.cc"]


def test_on_main_what_came_after_the_last_pass_was_changed(repository):
    tidy.remember_pass()
    assert tidy.changed_last() == []
    change(repository, "cpp/base/a.cc")
    (repository / "cpp/base/b.h").write_text("")
    tidy.remember_pass()  # not with uncommitted changes
    assert tidy.changed_last() == ["cpp/base/a.cc", "cpp/base/b.h"]
    (repository / "cpp/base/b.h").unlink()
    assert tidy.changed_last() == ["cpp/base/a.cc"]


def test_on_main_where_nothing_is_remembered_the_last_merge_was_changed(repository):
    assert len(tidy.changed_last()) == 3  # all there is, from the first commit on
    change(repository, "cpp/base/b.cc")
    git(repository, "checkout", "-b", "topic")
    change(repository, "cpp/base/a.cc")
    git(repository, "checkout", "main")
    git(repository, "merge", "--no-ff", "topic")
    assert tidy.changed_last() == ["cpp/base/a.cc"]
    change(repository, "cpp/base/b.h")
    assert tidy.changed_last() == ["cpp/base/a.cc", "cpp/base/b.h"]
    git(repository, "checkout", "--orphan", "another")
    commit(repository, "another history")
    tidy.remember_pass()
    git(repository, "checkout", "main")
    assert tidy.changed_last() == ["cpp/base/a.cc", "cpp/base/b.h"]  # what passed in it says nothing of this one


def test_a_header_stands_for_its_source_or_for_the_first_that_includes_it(repository):
    (repository / "cpp/base/only.h").touch()
    (repository / "cpp/base/nobody.h").touch()
    (repository / "cpp/base/a.cc").write_text('#include "base/only.h"\n')
    assert tidy.sources_of(["cpp/base/b.h", "cpp/base/only.h", "cpp/base/nobody.h"]) == ["cpp/base/b.cc", "cpp/base/a.cc"]


def test_a_build_in_batches_gives_our_files_the_largest_batch_first(repository):
    build = repository / "build"
    (build / "batches").mkdir(parents=True)
    (build / "batches" / "ab.cc").write_text('#include "base/a.cc"\n#include "base/b.cc"\n#include "base/b.h"\n')
    (build / "batches" / "messages.cc").write_text('#include "pulumi/alias.pb.cc"\n')
    files = ["cpp/base/b.cc", "build/batches/ab.cc", "build/batches/messages.cc", "build/not_made_yet.cc"]
    (build / "compile_commands.json").write_text(json.dumps([{"file": str(repository / file)} for file in files]))
    assert tidy.compiled_in(build) == [str(repository / "build/batches/ab.cc"), str(repository / "cpp/base/b.cc")]
    assert tidy.compiled_in(build, ["cpp/base/a.cc"]) == [str(repository / "build/batches/ab.cc")]
    assert tidy.compiled_in(build, ["cpp/base/c.cc"]) == []
