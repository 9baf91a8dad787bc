# SPDX-License-Identifier: Apache-2.0
"""Every block of code of the site runs, or says why it cannot: pages are walked as a reader would walk them."""

import os
import subprocess
import sys

import pytest
from harness import Command, node_modules
from harness.pages import DOCS, blocks_in, blocks_of, is_code, pages, script_of, tabs_of
from harness.patience import patience
from test_guide_code import PROGRAM_PAGES, TEST_PAGES

WALKED = [
    "index.md", "start/install.md", "start/first-stack.md", "start/configuration.md", "start/state.md", "guide/day-two.md",
]
ELSEWHERE = {"guide/ci.md": "yaml"}  # test_ci_recipes.py runs the recipes


def walks():
    for page in WALKED:
        for tab in tabs_of([block for block in blocks_of(DOCS / page) if not block.reason]):
            yield page, tab


def walk(blocks, tab, tmp_path, then=""):
    needs_node = tab == "TypeScript"
    script = script_of(blocks, tab, sys.executable, str(node_modules()) if needs_node else "/nowhere")
    command = Command.kingpost()
    env = command.environment(tmp_path)
    for name in ("PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"):
        env.pop(name, None)
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    env |= {"HOME": str(home), "PULUMI_HOME": str(home / ".pulumi"), "PATH": f"{command.path.parent}:{env['PATH']}",
            # Without the pytest plugin: an installed package and ./dev build register it.
            "PULUMI_PYTHON_CMD": sys.executable, "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    return subprocess.run(["bash", "-c", f"{script}\n{then}"], cwd=folder, env=env, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=patience(300), check=False)


@pytest.mark.parametrize("page, tab", list(walks()))
def test_a_page_is_walked_from_its_beginning_to_its_end(page, tab, tmp_path):
    done = walk(blocks_of(DOCS / page), tab, tmp_path)
    assert done.returncode == 0, f"{page} ({tab})\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("tab", ["Python", "TypeScript", "YAML"])
def test_a_replacement_with_the_same_path_keeps_the_file(tab, tmp_path):
    page = DOCS / "start/first-stack.md"
    end = page.read_text().split("\n").index("## 5. Change it")
    done = walk([block for block in blocks_of(page) if block.line < end], tab, tmp_path,
                "kingpost up --replace '**note'; cat note.txt")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


EXPECTATIONS = {
    '<!-- prints: a -->\n```sh\necho cab\n```\n': "",
    '<!-- prints: x -->\n<!-- prints: - y -->\n```sh\necho x\n```\n': "the block of line 3 did not print: - y",
    '```sh\nprintf "x\\n" > name\n```\n<!-- written by the command -->\n```yaml title="name"\nx\n```\n': "",
    '```sh\nprintf "y\\n" > name\n```\n<!-- written by the command -->\n```yaml title="name"\nx\n```\n': "the block of line 5 failed",
}


@pytest.mark.parametrize("page", EXPECTATIONS)
def test_what_a_page_promises_is_compared_with_what_happens(page, tmp_path):
    done = walk(blocks_in(page, "a page"), "", tmp_path)
    assert (EXPECTATIONS[page] in done.stderr) and (done.returncode == 0) == (not EXPECTATIONS[page]), done


def test_each_block_runs_somewhere_or_says_why_not():
    left = []
    for page in pages():
        name = str(page.relative_to(DOCS))
        whole = WALKED + [os.path.normpath(f"guide/{other}") for other in (*PROGRAM_PAGES, *TEST_PAGES)]
        for block in blocks_of(page):
            runs = block.reason or (name in WALKED) or (name in whole and block.language == "python")
            if is_code(block) and not runs and ELSEWHERE.get(name) != block.language:
                left.append(f"docs/{name}:{block.line}: a block of {block.language}")
    assert left == []


def test_no_code_hides_in_indented_text():
    """Such code would have no language, and no test would see it."""
    hidden = []
    for page in pages():
        fenced, was_blank = False, True
        for number, line in enumerate(page.read_text().split("\n"), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced and was_blank and line.startswith(("    kingpost ", "    pulumi ", "    export ", "    pip ")):
                hidden.append(f"{page.relative_to(DOCS)}:{number}")
            was_blank = not line.strip()
    assert hidden == []
