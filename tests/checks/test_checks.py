# SPDX-License-Identifier: Apache-2.0
"""Each check finds the defect that is planted for it, and nothing where there is none."""

import os
import re
import subprocess
import sys

import check
import new_option
import nightly
import pytest
from stages import REPOSITORY, SKIPPED, Stage, run

_OWN = {name: [sys.executable, str(REPOSITORY / "tests" / "checks" / f"{name}.py")] for name in ("includes", "licence", "markdown", "paths")}
_CHECKS = {
    "format": ["clang-format", "--dry-run", "-Werror", f"--style=file:{REPOSITORY / '.clang-format'}"],
    "python": ["ruff", "check", "--quiet", "--config", str(REPOSITORY / "pyproject.toml")],
    "types": ["mypy", "--config-file", str(REPOSITORY / "pyproject.toml")],
    "pyright": ["basedpyright", "--level", "error"],
    "shell": ["shellcheck"],
    "tidy": ["clang-tidy", "--quiet", f"--config-file={REPOSITORY / '.clang-tidy'}"],
    "spelling": ["codespell", "--toml", str(REPOSITORY / "pyproject.toml")],
    **_OWN,
    "rules": [sys.executable, str(REPOSITORY / "tests" / "checks" / "rules.py"), str(REPOSITORY / "docs" / "rules.md")],
}
_HOME = "/home/" + "alice/kingpost"  # spelled so that the checks do not find this file
_MISSPELT = "etarepes"[::-1]
_ABSENT, _RULE = "3." + "99", "ru" + "le"

PLANTED = [
    ("format", "a.cc", "int  x;\n", "int x;\n"),
    ("includes", "a.cc", "std::vector<int> x;\n", "#include <vector>\nstd::vector<int> x;\n"),
    ("includes", "a.cc", "#include <string>\nint F() { return memcmp(a, b, 2); }\n", "#include <cstring>\nint F() { return memcmp(a, b, 2); }\n"),
    ("includes", "a.cc", "#include <vector>\nvoid F() { std::sort(a, b); }\n", "// std::sort\nint x = 1'000; auto y = \"std::sort\";\n"),
    ("python", "a.py", "import os\n", "import os\n\nprint(os.name)\n"),
    ("python", "b.py", "def f(x=[]):\n    return x\n", "def f(x=()):\n    return x\n"),
    ("types", "a.py", "def f(x):\n    return x\n", "def f(x: int) -> int:\n    return x\n"),
    ("pyright", "a.py", "x: int = 'one'\n", "x: int = 1\n"),
    ("shell", "a.sh", "#!/bin/sh\nrm $1\n", '#!/bin/sh\nrm "$1"\n'),
    ("tidy", "a.cc", "void F(int a, int b) { if (a = b) F(b, a); }\n", "void F(int a, int b) { if (a == b) F(b, a); }\n"),
    ("tidy", "a.cc", "double F(int a, int b) { return a / b; }\n", "double F(int a, int b) { return 1.0 * a / b; }\n"),
    ("spelling", "a.txt", f"This is {_MISSPELT}\n", "This is separate\n"),
    ("paths", "a.txt", f"see {_HOME}\n", "see /usr/lib, /home/someone/shop and https://example.com/home/alice\n"),
    ("licence", "a.cc", "int x;\n", "// SPDX-License-Identifier: Apache-2.0\nint x;\n"),
    ("licence", "run", "#!/bin/sh\nls\n", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nls\n"),
    ("licence", "a.py", "\n\n\n# SPDX-License-Identifier: Apache-2.0\n", "# SPDX-License-Identifier: Apache-2.0\n"),
    ("markdown", "a.md", "[it](absent.md)\n", "[it](a.md)\n"),
    ("markdown", "a.md", "# One\n[it](#two)\n", "# One\n[it](#one)\n"),
    ("markdown", "a.md", "`engine/absent.cc`\n", "`engine/deployment.cc`\n"),
    ("markdown", "a.md", "`./dev dance`\n", "`./dev test`\n"),
    ("markdown", "a.md", "```python\ndef f(:\n```\n", "```python\ndef f():\n    pass\n```\n"),
    ("markdown", "a.md", "```json\n{,}\n```\n", "```json\n{}\n```\n"),
    ("markdown", "a.md", "```yaml\na: [\n```\n", "```yaml\na: []\n```\n"),
    ("markdown", "a.md", "```sh\nif\n```\n", "```sh\nls\n```\n"),
    ("markdown", "a.md", "```sh\nls\n", "text\n"),
    ("rules", "a.cc", f"// Checked (row {_ABSENT}).\n", "// Checked (row 3.13).\n"),
    ("rules", "a.cc", f"// Checked (rows 3.13 to\n// {_ABSENT}).\n", "// Checked (rows 3.13 to\n// 3.15).\n"),
    ("rules", "a.py", f"# Checked (rows 3.13, {_ABSENT} and 4.1)\n", "# Checked (rows 3.13, 3.15 and 4.1)\n"),
    ("rules", "a.md", "As group 1" "2 has it\n", "As group 10 has it\n"),
    ("rules", "a.yaml", f"# as {_RULE} 3.13 has it\n", "# as row 3.13 has it\n"),
]

# A text of the page of rules, and its replacement.
PLANTED_IN_RULES = [
    ("### 3.13 Check\n", "### 3.13 Checks\n"), ("### 3.14 Policies", "### 3.9 Policies"),
    ("* Decided in `decisions/new_state.cc`", "* See `decisions/new_state.cc`"), ("`decisions/new_state.cc`", "`decisions/absent.cc`"),
    ("(`ChooseByMode`)", "(`ChooseByMood`)"), ("`decisions/aliases.cc` (`InheritedFromParent`)", "`engine/resource_requests.cc` (`InheritedFromParent`)"), ("* Shown by `an-import-records-what-exists`\n", ""),
    ("* Shown by `an-import-records-what-exists`\n", "* Shown by `absent`\n"),
    ("`tests/cpp/model/integrity_oracle_test.cc`", "`tests/cpp/model/absent_test.cc`"),
]


@pytest.mark.parametrize(("check", "name", "defect", "good"), PLANTED, ids=[f"{p[0]}-{i}" for i, p in enumerate(PLANTED)])
def test_a_planted_defect_is_found(check, name, defect, good, tmp_path):
    def code_for(content: str) -> int:
        (tmp_path / name).write_text(content)
        return subprocess.run([*_CHECKS[check], name], cwd=tmp_path, capture_output=True, check=False).returncode

    assert code_for(good) == 0
    assert code_for(defect) != 0


@pytest.mark.parametrize(("file", "code"), [
    ('#include "base/one.h"\nnamespace k { One x; }\n', 0), ("namespace k { One x; }\n", 1),
    ('#include "base/all.h"\nnamespace k { One x; }\n', 0),  # by way of another
    ('#include "base/one.h"\nnamespace k { int x = Twice(2); }\n', 1), ('#include "base/all.h"\nnamespace k { int x = Twice(2); }\n', 0),
    ("namespace k { int x = y.Twice(2) + y->One + Other::One; }\n", 0), ("namespace k { struct One {}; One x; }\n", 0),
    ("namespace other { One x; }\n", 0), ("namespace other { k::One x; }\n", 1),
    ("namespace k { int Hidden(Seen x); }\n", 0),  # the layer sees nothing of the other's
])
def test_an_include_that_only_a_neighbour_has_is_found(file, code, tmp_path):
    (tmp_path / "cpp" / "base").mkdir(parents=True)
    (tmp_path / "cpp" / "top").mkdir()
    sources = {
        "cpp/base/one.h": "namespace k {\nstruct One {};\n}\n",
        "cpp/base/all.h": '#include "base/one.h"\nnamespace k {\nint Twice(int x);\n}\n',
        "cpp/base/user.cc": '#include "base/all.h"\n',
        "cpp/top/top.h": '#include "base/one.h"\nnamespace k {\nstruct Seen {};\n}\n',
        "cpp/base/it.cc": file,
    }
    for name, text in sources.items():
        (tmp_path / name).write_text(text)
    assert subprocess.run([*_CHECKS["includes"], *sources], cwd=tmp_path, capture_output=True, check=False).returncode == code


@pytest.mark.parametrize(("written", "code"), [("x: int = len('one')\n", 0), ("x = len('one')\n", 1)])
def test_a_type_that_checkers_of_users_would_have_to_guess_is_found(written, code, tmp_path):
    package = tmp_path / "planted"
    package.mkdir()
    (package / "py.typed").touch()
    (package / "__init__.py").write_text(written)
    stage = next(stage for stage in check.stages() if stage.name == "typed")
    command = ["planted" if part == "kingpost" else part for part in stage.command]
    assert subprocess.run(command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True,
                          check=False).returncode == code


@pytest.mark.parametrize(("part", "instead"), PLANTED_IN_RULES)
def test_a_defect_planted_in_the_page_of_rules_is_found_and_mended_where_it_can_be(part, instead, tmp_path):
    whole, page = (REPOSITORY / "docs" / "rules.md").read_text(), tmp_path / "rules.md"
    assert part in whole

    def code(*more: str) -> int:
        return subprocess.run([*_CHECKS["rules"][:2], page, *more], capture_output=True, check=False).returncode

    page.write_text(whole)
    assert code() == 0
    page.write_text(whole.replace(part, instead, 1))
    assert code() == 1
    assert code("--write") == 0
    assert (page.read_text() == whole) == (part.startswith("### 3.13") or "`absent`" in instead)


@pytest.mark.parametrize(("command", "code", "word"), [
    (["true"], 0, "passed"), (["false"], 1, "failed"), (["sleep", "20"], 1, "too slow"),
    (["sh", "-c", "sleep 20 & wait"], 1, "too slow"),  # with all that it started
    (["sh", "-c", f"echo no network; exit {SKIPPED}"], 0, "skipped"), (["no-such-command"], 1, "failed"),
])
def test_a_stage_is_told_as_it_ended(command, code, word, capsys):
    assert run([Stage("one", ["true"]), Stage("it", command, limit_s=1)]) == code
    assert f"── it: {word}" in capsys.readouterr().out


def test_a_stage_without_what_it_needs_is_skipped_and_all_output_is_kept(monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("KINGPOST_ABSENT", raising=False)
    stages = [Stage("apart", ["false"], needs="KINGPOST_ABSENT"), Stage("loud", ["sh", "-c", "echo something; exit 3"])]
    assert run(stages, logs=tmp_path) == 1
    told = capsys.readouterr().out
    assert "── apart: skipped" in told and "KINGPOST_ABSENT is not set" in told and "   something" in told
    assert (tmp_path / "loud.log").read_text() == "something\n"


def test_every_verb_of_dev_is_defined():
    script = (REPOSITORY / "dev").read_text()
    called = re.findall(r"^  [\w |-]+\) (\w+)(?: \"\$@\")? ;;", script, re.MULTILINE)
    assert len(called) > 10
    assert [name for name in called if f"\n{name}() {{" not in script] == []


@pytest.mark.parametrize("table", [check, nightly])
def test_no_stage_hides_another(table):
    names = [stage.name for stage in table.stages()]
    assert sorted(names) == sorted(set(names))


def test_an_option_takes_few_lines_in_few_files():
    counts = new_option.lines_added()
    assert sum(counts.values()) <= new_option.LINES_MAX and len(counts) <= new_option.FILES_MAX
