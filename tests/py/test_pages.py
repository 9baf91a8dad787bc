# SPDX-License-Identifier: Apache-2.0
"""The pages of `kingpost graph` and `--timings` in a real browser, without a network: search, folding, reasons."""

import json
import shutil
import subprocess

import pytest

from harness import Command
from harness.browser import Browser, chromium_or_skip
from harness.commands import PROGRAMS
from harness.patience import patience

NAMES = "[...document.querySelectorAll('g.node:not(.dim)')].map(g => g.dataset.urn.split('::').pop())"


def node(name):
    return f"g.node[data-urn$='::{name}']"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    shutil.copytree(PROGRAMS / "screens", folder / "project")
    (folder / "plugins").mkdir()
    (folder / "plugins" / "things").symlink_to(PROGRAMS / "things")
    (folder / "state").mkdir()
    return folder


@pytest.fixture(scope="module")
def run(folder):
    command = Command.kingpost()
    env = command.environment(folder) | {"PULUMI_HOME": str(folder / "home"),
                                         "PULUMI_BACKEND_URL": f"file://{folder}/state"}

    def run(*args, scene="first"):
        subprocess.run([command.path, *args], cwd=folder / "project", env=env | {"SCENE": scene}, check=True,
                       capture_output=True, timeout=patience(120))
    run("stack", "init", "dev")
    run("up", "--yes", "--skip-preview")
    return run


@pytest.fixture
def browser(tmp_path):
    with Browser(chromium_or_skip(), tmp_path / "profile") as browser:
        yield browser
        assert all(address.startswith(("file:", "data:", "about:")) for address in browser.requests)
        assert browser.errors == []


def test_the_graph_is_searched_folded_and_explained(folder, run, browser):
    page = folder / "change.html"
    run("graph", "--preview", str(page), scene="second")
    browser.open(page)
    everything = {"site-dev", "box", "script", "policy", "rules", "資料", "key"}
    assert set(browser.script(NAMES)) == everything
    assert "7 resources" in browser.script("document.getElementById('count').textContent")

    browser.click("#search")
    browser.type("資料")
    assert browser.script(NAMES) == ["資料"]
    assert "1 found" in browser.script("document.getElementById('count').textContent")
    browser.script("const s = document.getElementById('search'); s.value = ''; s.dispatchEvent(new Event('input'));")

    browser.click(node("box") + " rect", 12, 14)  # its sign
    assert set(browser.script(NAMES)) == everything - {"script", "policy"}
    assert "2 inside, changes" in browser.script(f"document.querySelector(`{node('box')}`).textContent")
    browser.click("#unfold")
    assert set(browser.script(NAMES)) == everything

    browser.click(node("key") + " rect")
    said = browser.script("document.getElementById('side').innerText")
    assert "Would be: replace" in said and "# forces replacement" in said and "[secret]" in said
    assert "hunter22" not in browser.script("document.documentElement.outerHTML")
    browser.click("#side a:nth-of-type(2)")  # what it needs, after what it is a part of
    assert browser.script("document.querySelector('#side h2').textContent") == "資料"

    browser.click(node("資料") + " rect")  # chosen no more
    browser.click("#changes")
    assert set(browser.script(NAMES)) == everything, "all of these change, or have in them what does"


def test_the_timings_are_searched(folder, run, browser):
    page, trace = folder / "timings.html", folder / "timings.json"
    run("up", "--yes", "--skip-preview", f"--timings={page}", scene="chain")
    browser.open(page)
    shown = "[...document.querySelectorAll('.row')].filter(r => !r.hidden).map(r => r.title.split(' ')[0].split('\\n')[0])"
    assert {urn.split("::")[-1] for urn in browser.script(shown)} == {"key", "front", "back"}
    browser.click("#critical")
    assert len(browser.script(shown)) == browser.script("document.querySelectorAll('.row.critical').length") >= 1
    browser.click("#critical")
    browser.click("#search")
    browser.type("front")
    assert len(browser.script(shown)) == 1
    assert browser.script("getComputedStyle(document.querySelector('.row .bar')).position") == "absolute"

    run("up", "--yes", "--skip-preview", f"--timings={trace}", scene="chain2")
    events = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
    assert {"back", "front"} <= {event["args"]["urn"].split("::")[-1] for event in events}
    assert all(event["dur"] >= 0 and event["tid"] >= 1 for event in events)


def test_the_graph_of_a_state_has_no_reasons(folder, run, browser):
    page = folder / "state.html"
    run("graph", str(page))
    browser.open(page)
    assert browser.script("document.getElementById('changes').hidden")
    browser.click(node("key") + " rect")
    assert "Would be" not in browser.script("document.getElementById('side').innerText")
