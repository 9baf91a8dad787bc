# SPDX-License-Identifier: Apache-2.0
"""The check of words finds what the style forbids, leaves plain sentences alone, and holds rooms to their ceilings."""

import subprocess
import sys

import pytest
import words

LONG = "one " * 31


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.setattr(words, "REPOSITORY", tmp_path)
    monkeypatch.setattr(words, "CEILING", tmp_path / "ceiling.txt")

    def write(name: str, text: str) -> str:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
        return name
    return write


@pytest.mark.parametrize("name, text, rule", [
    ("a.cc", "// Of the first resource.\nint x;\n", 'begins with "Of"'),
    ("a.h", "int x;  // What it was.\n", 'begins with "What"'),
    ("a.cc", "// Who asks\n// first.\n", 'begins with "Who"'),
    ("a.cc", f"// It {LONG}\n// more.\n", "33 words"),
    ("a.cc", 'Fail("the state was changed by "\n     "somebody who came");\n', "names no actor"),
    ("a.cc", 'Warn("run the command again when that is put right");\n', "riddle"),
    ("a.py", 'def f():\n    """What it gives."""\n', 'begins with "What"'),
    ("a.py", "x = 1  # Of this.\n", 'begins with "Of"'),
    ("a.py", "# The first line\n# is told of it.\nx = 1\n", "is told"),
    ("a.md", "It holds. What fails is written.\n", 'begins with "What"'),
    ("a.md", f"| a | {LONG}|\n", "31 words"),
    ("a.md", "* The engine runs.\n* Whoever comes waits.\n", "names no actor"),
])
def test_sentences_that_the_style_forbids_are_found(tree, name, text, rule):
    assert [found for _, found in words.found_in(tree(name, text))] == [rule]


@pytest.mark.parametrize("name, text", [
    ("a.cc", "// Returns the name of the first resource. Empty if there is none.\nint x = 'a';  // the one of A\n"),
    ("a.cc", f"// {'one ' * 20}\n\n// {'one ' * 20}\n"),  # two comments
    ("a.cc", '//   What a drawing shows   --> in columns\nconst char* kText = "// Of a text";\n'),
    ("a.cc", "// What does it cost?\n"),
    ("tests/cpp/a_test.cc", 'TEST_CASE("what nobody knows is not told of at all") {}\n'),
    ("a.md", f"# What a heading says\n\n```sh\n# Of code\n```\n\n- {'one ' * 20}\n- {'one ' * 20}\n"),
    ("a.md", f"One `{LONG}` and [one](https://example.com/{'a-' * 40}).\n"),
    ("a.py", f'def f():\n    """Does it.\n\n    one, two: {"a " * 20}\n    three:    {"a " * 20}\n    """\n'),
    ("a.cc", f"// one {'a ' * 20}   two\n// three {'a ' * 20}  four   five\n"),  # a table
    ("a.py", f'"""Does it.\n\nusage: a.py {LONG}\n"""\n'),
])
def test_plain_sentences_are_left_alone(tree, name, text):
    assert words.found_in(tree(name, text)) == []


def test_a_room_may_exceed_its_ceiling_by_a_few_and_no_more(tree, capsys):
    names = [tree("cpp/engine/a.cc", "// Of A.\n\n" * 40), tree("docs/a.md", "Of A.\n")]
    assert words.main(names) == 1
    assert "cpp/engine: 40 sentences" in capsys.readouterr().out
    assert words.main(["--record", *names]) == 0
    assert "cpp/engine 40\ndocs 1\n" in words.CEILING.read_text()
    assert words.main(names) == 0
    tree("cpp/engine/a.cc", "// Of A.\n\n" * 50)
    assert words.main(names) == 0
    tree("cpp/engine/a.cc", "// Of A.\n\n" * 51)
    assert words.main(names) == 1


def test_recording_lowers_ceilings_and_raises_them_only_when_told(tree):
    names = [tree("cpp/engine/a.cc", "// Of A.\n\n" * 5)]
    words.main(["--record", *names])
    tree("cpp/engine/a.cc", "// Of A.\n\n" * 8)
    words.main(["--record", *names])
    assert words.ceilings() == {"cpp/engine": 5}
    words.main(["--record", "--raise", *names])
    assert words.ceilings() == {"cpp/engine": 8}
    tree("cpp/engine/a.cc", "// A.\n")
    words.main(["--record", *names])
    assert words.ceilings() == {"cpp/engine": 0}


def test_the_list_names_place_and_rule():
    done = subprocess.run([sys.executable, words.__file__, "--list", "dev", "README.md"], text=True, capture_output=True, check=True)
    assert done.stdout.endswith(" sentences\n")
