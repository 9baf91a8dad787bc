#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures of this folder anew: pages in headless Chromium, the terminal out of a recorded screen.

usage: take.py drawings                the drawings alone (needs Graphviz's dot)
       take.py COMMAND [DOCS-SITE]     COMMAND is build/bin/kingpost; DOCS-SITE is what ./dev docs has built
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path.insert(0, str(REPOSITORY / "tests" / "py"))

from harness.browser import Browser, chromium_or_skip  # noqa: E402

SCREEN = REPOSITORY / "tests" / "data" / "screens" / "question-80.txt"
COLUMN, LINE, MARGIN = 8.4, 18, 16  # pixels
COLORS = {"~": "#e5c07b", "+": "#98c379", "-": "#e06c75", "+-": "#c678dd"}


def terminal(text: str) -> str:
    """An SVG of a recorded screen, with the colours that a terminal has."""
    lines = text.rstrip("\n").split("\n")
    width = 2 * MARGIN + COLUMN * 80
    height = 2 * MARGIN + LINE * len(lines)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
           f'font-family="ui-monospace, DejaVu Sans Mono, Noto Sans Mono CJK JP, monospace" font-size="14">',
           f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#1e2127"/>']
    for number, line in enumerate(lines):
        mark = re.match(r" *(\+-|[~+-])(?= )", line)
        bold = number == 0 or line.endswith(":") or line.lstrip().startswith("Type ")
        fill = COLORS.get(mark[1], "#d7dae0") if mark else "#61afef" if line.startswith("> ") else "#d7dae0"
        weight = ' font-weight="700"' if bold else ""
        y = MARGIN + LINE * number + 14
        out.append(f'<text x="{MARGIN}" y="{y}" fill="{fill}"{weight} xml:space="preserve">{escape(line)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


PROGRAM = """
import os
import pulumi

NEXT = os.environ.get("SCENE") == "next"


class Component(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("shop:index:" + name.title(), name)


class Thing(pulumi.CustomResource):
    def __init__(self, type, name, needs=(), parent=None, **inputs):
        options = pulumi.ResourceOptions(parent=parent, depends_on=list(needs))
        super().__init__("aws:" + type, name, {"value": name, **inputs, "stamp": None}, options)


network, backend = Component("network"), Component("backend")
vpc = Thing("ec2/vpc:Vpc", "vpc", parent=network)
zones = [Thing("ec2/subnet:Subnet", "zone-" + zone, [vpc], network) for zone in "abc"]
logs = Thing("s3/bucket:Bucket", "logs", tags="billing" if NEXT else None)
database = Thing("rds/instance:Instance", "database", zones, backend, key="16" if NEXT else "15", size=40 if NEXT else 20)
queue = Thing("sqs/queue:Queue", "queue", [logs], backend)
for number in range(4 if NEXT else 3):
    Thing("ecs/service:Service", f"web-{number}", [database, queue], backend, image=2 if NEXT else 1)
"""


def deployed(command: str, folder: Path) -> Path:
    """A project with a stack that a second scene would change; its pages."""
    project = folder / "project"
    project.mkdir()
    (project / "__main__.py").write_text(PROGRAM)
    (project / "Pulumi.yaml").write_text(
        "name: shop\nruntime: python\nplugins:\n  providers:\n    - name: aws\n      path: ../plugins/aws\n")
    (folder / "plugins").mkdir()
    (folder / "plugins" / "aws").symlink_to(REPOSITORY / "tests" / "programs" / "things")
    (folder / "state").mkdir()
    env = os.environ | {
        "PULUMI_HOME": str(folder / "home"), "PULUMI_BACKEND_URL": f"file://{folder}/state", "THINGS_DELAY_MS": "400",
        "PULUMI_CONFIG_PASSPHRASE": "pictures", "PULUMI_PYTHON_CMD": sys.executable}

    def run(*args: str, scene: str = "first") -> None:
        subprocess.run([command, *args], cwd=project, env=env | {"SCENE": scene}, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    run("stack", "init", "dev")
    run("up", "--yes", "--skip-preview", f"--timings={folder / 'timings.html'}")
    run("graph", "--preview", str(folder / "graph.html"), scene="next")
    return folder


def drawings() -> None:
    """The drawings of the pages, by Graphviz."""
    for source in sorted(HERE.glob("*.dot")):
        svg = subprocess.run(["dot", "-Tsvg", source], check=True, capture_output=True, text=True).stdout
        source.with_suffix(".svg").write_text(re.sub(r"<!--.*?-->\n?|<!DOCTYPE.*?>\n", "", svg, flags=re.S))


def main() -> None:
    drawings()
    if sys.argv[1] == "drawings":
        return
    command = str(Path(sys.argv[1]).resolve())
    (HERE / "terminal.svg").write_text(terminal(SCREEN.read_text()))
    with tempfile.TemporaryDirectory() as scratch:
        pages = deployed(command, Path(scratch))
        with Browser(chromium_or_skip(), Path(scratch) / "profile", 1600, 640) as browser:
            browser.open(pages / "graph.html")
            browser.click("g.node[data-urn$='::database'] rect")
            browser.screenshot(HERE / "graph.png")
            browser.open(pages / "timings.html")
            browser.screenshot(HERE / "timings.png")
            if len(sys.argv) > 2:
                browser.open(Path(sys.argv[2]).resolve() / "index.html")
                browser.screenshot(HERE / "docs.png")


if __name__ == "__main__":
    main()
