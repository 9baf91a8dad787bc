# SPDX-License-Identifier: Apache-2.0
"""Which sources clang-tidy is given."""

import json
import subprocess

import pytest
import tidy


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A commit on main: base/a and base/b with its header."""
    monkeypatch.setattr(tidy, "REPOSITORY", tmp_path)

    def git(*command: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *command], cwd=tmp_path, check=True,
                       capture_output=True)

    git("init", "-b", "main")
    (tmp_path / "cpp" / "base").mkdir(parents=True)
    for name in ("cpp/base/a.cc", "cpp/base/b.cc", "cpp/base/b.h"):
        (tmp_path / name).write_text("// all there is\n")
    git("add", ".")
    git("commit", "-m", "a beginning")
    return tmp_path


def test_on_main_only_what_is_not_committed_differs_from_it(repository):
    assert tidy.changed_since_main() == []
    (repository / "cpp/base/a.cc").unlink()
    (repository / "cpp/base/b.h").write_text("")  # a header stands for its source
    (repository / "cpp/base/new.cc").touch()
    (repository / "cpp/base/only_a_header.h").touch()
    assert tidy.changed_since_main() == ["cpp/base/b.cc", "cpp/base/new.cc"]


def test_a_build_in_batches_gives_our_files_the_largest_batch_first(repository):
    build = repository / "build"
    (build / "batches").mkdir(parents=True)
    (build / "batches" / "ab.cc").write_text('#include "base/a.cc"\n#include "base/b.cc"\n#include "base/b.h"\n')
    (build / "batches" / "messages.cc").write_text('#include "pulumi/alias.pb.cc"\n')
    files = ["cpp/base/b.cc", "build/batches/ab.cc", "build/batches/messages.cc", "build/not_made_yet.cc"]
    (build / "compile_commands.json").write_text(json.dumps([{"file": str(repository / file)} for file in files]))
    assert tidy.compiled_in(build) == [str(repository / "build/batches/ab.cc"), str(repository / "cpp/base/b.cc")]
