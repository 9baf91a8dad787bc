# SPDX-License-Identifier: Apache-2.0
"""Which sources clang-tidy is given."""

import subprocess

import pytest
import tidy


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Three commits on main, oldest first: base/a and base/b; base/b's header; a page."""
    monkeypatch.setattr(tidy, "REPOSITORY", tmp_path)

    def git(*command: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *command], cwd=tmp_path, check=True,
                       capture_output=True)

    git("init", "-b", "main")
    (tmp_path / "cpp" / "base").mkdir(parents=True)
    for names in (["cpp/base/a.cc", "cpp/base/b.cc", "cpp/base/b.h"], ["cpp/base/b.h"], ["README.md"]):
        for name in names:
            with (tmp_path / name).open("a") as file:
                file.write("// more\n")
        git("add", ".")
        git("commit", "-m", "a change")
    return tmp_path


def test_what_was_changed_last_comes_first_and_headers_stand_for_their_sources(repository):
    assert tidy.changed_last(9) == ["cpp/base/b.cc", "cpp/base/a.cc"]
    assert tidy.changed_last(1) == ["cpp/base/b.cc"]


def test_what_is_not_committed_is_newer_than_any_commit(repository):
    (repository / "cpp/base/new.cc").touch()
    (repository / "cpp/base/only_a_header.h").touch()
    with (repository / "cpp/base/a.cc").open("a") as file:
        file.write("// more\n")
    assert tidy.changed_last(9) == ["cpp/base/a.cc", "cpp/base/new.cc", "cpp/base/b.cc"]


def test_on_main_only_what_is_not_committed_differs_from_it(repository):
    assert tidy.changed_since_main() == []
    (repository / "cpp/base/a.cc").unlink()
    (repository / "cpp/base/b.h").write_text("")
    assert tidy.changed_since_main() == ["cpp/base/b.cc"]
