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


def filled(page, element, data):
    """The page that the command wrote, filled with other data."""
    text = page.read_text()
    begin = text.index(">", text.index(f'id="{element}"')) + 1
    return text[:begin] + json.dumps(data).replace("<", "\\u003c") + text[text.index("</script>", begin):]


def shop(resources, services):
    """A graph of services. The parts of each form a chain, and each service needs the one before."""
    nodes = [{"urn": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "type": "pulumi:pulumi:Stack", "name": "shop-dev", "parent": -1,
              "component": True}]
    edges, before = [], None
    for service in range(services):
        nodes.append({"urn": f"urn::service-{service}", "type": "shop:index:Service", "name": f"service-{service}", "parent": 0,
                      "component": True})
        at = len(nodes) - 1
        for part in range(resources // services):
            nodes.append({"urn": f"urn::part-{service}-{part}", "type": f"aws:index:Kind{part % 4}", "name": f"part-{service}-{part}",
                          "parent": at})
            i = len(nodes) - 1
            edges += [{"from": i, "to": to, "kind": "value"} for to in {i - 1, i - 3} if to > at]
        if before:
            edges.append({"from": at + 1, "to": before, "kind": "value"})
        before = at + 1
    return {"title": "shop/dev", "planned": False, "nodes": nodes, "edges": edges, "looks": {"": {"fill": "#ffffff", "border": "#94a3b8"}}}


# Points of each line that lie inside of a box that is not one of its ends. The browser's own getPointAtLength takes a
# minute for so many.
CROSSINGS = """(() => { let crossed = 0;
  const boxes = plan.shown.map(n => [n.i, plan.placeOf.get(n.i)]);
  const pointsOf = line => { let x = 0, y = 0; const points = [];
    for (const part of curve(line).match(/[MCH][^MCH]*/g)) {
      const [a, b, c, d, e, f] = part.slice(1).trim().split(/[ ,]+/).map(Number), steps = 40;
      for (let i = 1; i <= steps && part[0] !== "M"; i++) {
        const t = i / steps, u = 1 - t;
        points.push(part[0] === "H" ? [x + (a - x) * t, y]
          : [u * u * u * x + 3 * u * u * t * a + 3 * u * t * t * c + t * t * t * e, u * u * u * y + 3 * u * u * t * b + 3 * u * t * t * d + t * t * t * f]);
      }
      [x, y] = part[0] === "C" ? [e, f] : [a, part[0] === "M" ? b : y];
    }
    return points; };
  for (const line of plan.lines) for (const [x, y] of pointsOf(line)) for (const [i, p] of boxes) {
    if (i !== line.a && i !== line.b && x > p.x + 1 && x < p.x + W - 1 && y > p.y - H / 2 + 1 && y < p.y + H / 2 - 1) crossed++;
  }
  return crossed; })()"""


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


def test_the_graph_fits_its_window_and_its_lines_cross_no_box(folder, run, browser, tmp_path):
    run("graph", str(folder / "state.html"))
    page = tmp_path / "shop.html"
    page.write_text(filled(folder / "state.html", "graph", shop(60, 6)))
    browser.open(page)
    box = browser.script("""(() => { const w = document.getElementById("world").getBoundingClientRect(), m = document.querySelector("main")
        .getBoundingClientRect(); return [w.left - m.left, w.top - m.top, m.right - w.right, m.bottom - w.bottom]; })()""")
    assert min(box) >= 0, "something is cut off"
    assert browser.script("plan.lines.length") > 60
    assert browser.script(CROSSINGS) == 0
    assert browser.script("[...document.querySelectorAll('path.line[d]')].filter(p => p.closest('#world') && "
                          "!p.getAttribute('marker-end') && !p.getAttribute('marker-start')).length") == 0
    assert "part of" in browser.script("document.getElementById('key').innerText")
    before = browser.script("view.scale")
    browser.click("#in")
    assert browser.script("view.scale") > before
    browser.click("#fit")
    assert browser.script("view.scale") == before


def test_the_graph_is_used_with_keys(folder, run, browser):
    run("graph", str(folder / "state.html"))
    browser.open(folder / "state.html")

    def press(key):
        browser.script(f"(document.activeElement || document.body).dispatchEvent(new KeyboardEvent('keydown', "
                       f"{{key: {json.dumps(key)}, bubbles: true}}))")
    press("ArrowRight")
    first = browser.script("document.activeElement.dataset.urn")
    press("ArrowRight")
    assert browser.script("document.activeElement.dataset.urn") not in (first, None)
    press("Enter")
    assert browser.script("document.querySelectorAll('g.chosen').length") == 1
    press("Escape")
    assert browser.script("document.querySelectorAll('g.chosen').length") == 0


@pytest.mark.parametrize("graph", [shop(10_000, 250), shop(10_000, 1)])
def test_ten_thousand_resources_open_folded_in_two_seconds(folder, run, browser, tmp_path, graph):
    run("graph", str(folder / "state.html"))
    page = tmp_path / "large.html"
    page.write_text(filled(folder / "state.html", "graph", graph))
    seconds = cpu_seconds(browser, page)
    assert browser.script("document.querySelectorAll('g.node').length") < 400
    assert "folded" in browser.script("document.getElementById('count').textContent")
    assert seconds < 2


def cpu_seconds(browser, page):
    """Processor time of the page's thread: other work of the machine does not count."""
    browser.call("Performance.disable")
    browser.call("Performance.enable", timeDomain="threadTicks")
    browser.open(page)
    metrics = {metric["name"]: metric["value"] for metric in browser.call("Performance.getMetrics")["metrics"]}
    return metrics["TaskDuration"]


def test_ten_thousand_steps_open_folded_in_two_seconds(folder, run, browser, tmp_path):
    run("up", "--yes", "--skip-preview", f"--timings={folder / 'timings.html'}", scene="chain")
    steps = [{"name": f"step-{i}", "type": f"aws:index:Kind{i % 7}", "op": "create", "outcome": "created", "begin": i / 100,
              "end": i / 100 + 0.5, "says": f"urn::step-{i}"} | ({"critical": True} if i < 5 else {}) for i in range(10_000)]
    page = tmp_path / "large.html"
    page.write_text(filled(folder / "timings.html", "timings", {
        "whole": 101, "looks": {"create": {"fill": "#dcfce7", "border": "#16a34a"}}, "steps": steps}))
    assert cpu_seconds(browser, page) < 2
    assert browser.script("document.querySelectorAll('.row').length") == 5 + 7
    browser.click("#unfold")
    assert browser.script("document.querySelectorAll('.row').length") < 100
    assert browser.script("parseInt(document.getElementById('rows').style.height)") > 200_000
    assert browser.script("document.documentElement.scrollWidth <= innerWidth")
