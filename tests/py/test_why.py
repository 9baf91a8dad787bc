# SPDX-License-Identifier: Apache-2.0
"""Why each step is taken: --explain under the changes, and `kingpost why` of the last operation or preview."""

import json
import re
import shutil

import pytest

from harness import Command
from harness.commands import PROGRAMS
from harness.screens import Screen, check, normalised, piped

PROGRAM = """
import os
import pulumi

class Thing(pulumi.CustomResource):
    def __init__(self, name, opts=None, **inputs):
        super().__init__("things:index:Thing", name, {"stamp": None, **inputs}, opts)

scene = os.environ.get("SCENE", "first")
zone = "a" if scene == "first" else "b"
db = Thing("db", key=zone, value="v", deleteFirst=True)
app = Thing("app", key=db.stamp, value="v", deleteFirst=True)
web = Thing("web", key=app.stamp, value="v")
after = pulumi.ResourceOptions(depends_on=web)  # one after the other, so that screens repeat
calm = Thing("calm", after, value="v")
size = Thing("size", pulumi.ResourceOptions(depends_on=calm), value=zone, fail="update" if scene == "broken" else None)
if scene == "first":
    gone = Thing("gone", after, value="v")
else:
    fresh = Thing("fresh", pulumi.ResourceOptions(depends_on=size), value=pulumi.Output.secret("hunter22"))
if scene == "twins":
    class Other(pulumi.ComponentResource):
        def __init__(self):
            super().__init__("boxes:index:Box", "calm", {})
    Other()
"""

ZONE = "`key` changed and the provider cannot change it in place"
NEEDS = "its input `key` comes from there, and the provider said that a change of `key` means a new one"


def urn(name):
    return f"urn:pulumi:dev::shop::things:index:Thing::{name}"


QUIET = ("--yes", "--skip-preview", "--parallel", "1")


class Site:
    """A project with the program above and a backend of its own."""

    def __init__(self, folder):
        self.folder, self.project = folder, folder / "project"
        self.command = Command.kingpost()
        self.project.mkdir(parents=True)
        (folder / "state").mkdir()
        (folder / "plugins").mkdir()
        (folder / "plugins" / "things").symlink_to(PROGRAMS / "things")
        (self.project / "__main__.py").write_text(PROGRAM)
        (self.project / "Pulumi.yaml").write_text(
            "name: shop\nruntime: python\nplugins:\n  providers:\n    - name: things\n      path: ../plugins/things\n")
        self.env = self.command.environment(folder) | {
            "PULUMI_HOME": str(folder / "home"), "PULUMI_BACKEND_URL": f"file://{folder}/state"}

    def __call__(self, *args, scene="first", code=0, **env):
        argv = [str(self.command.path), *args]
        return normalised(piped(argv, self.project, self.env | {"SCENE": scene} | env, code), self.folder)

    def screen(self, *args, scene="first", columns=80):
        return Screen([str(self.command.path), *args], self.project, self.env | {"SCENE": scene}, columns, 100)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A stack as the first scene makes it. Tests that change it copy it."""
    site = Site(tmp_path_factory.mktemp("why"))
    site("stack", "init", "dev")
    site("up", *QUIET)
    return site


@pytest.fixture
def site(made, tmp_path):
    site = Site(tmp_path / "site")
    shutil.copytree(made.folder / "state", site.folder / "state", dirs_exist_ok=True)
    shutil.copytree(made.project / "things", site.project / "things")
    shutil.copy(made.project / "Pulumi.dev.yaml", site.project)
    site("stack", "select", "dev")
    return site


EXPLAINED = {
    "explain-preview": (("preview",), "second"),
    "explain-preview-diff": (("preview", "--diff"), "second"),
    "explain-preview-sames": (("preview", "--show-sames"), "second"),
    "explain-preview-markdown": (("preview", "--output", "markdown"), "second"),
    "explain-destroy": (("destroy", "--preview-only"), "first"),
}


@pytest.mark.parametrize("story", EXPLAINED)
def test_a_preview_explains_each_change(made, story):
    args, scene = EXPLAINED[story]
    check(story, made(*args, "--explain", "--parallel", "1", scene=scene))


@pytest.mark.parametrize("columns", [60, 160])
def test_a_terminal_shows_the_reasons_below_the_rows(made, columns):
    screen = made.screen("preview", "--explain", "--parallel", "1", scene="second", columns=columns)
    assert screen.finish() == 0
    check(f"explain-preview-{columns}", normalised(screen.text(), made.folder))


def test_nothing_is_explained_unless_it_is_asked_for(made):
    text = made("preview", "--show-sames", "--parallel", "1", scene="second")
    assert "in place" not in text and "new in the program" not in text and "as they were" not in text


def test_an_update_explains_what_it_does_and_what_failed(site):
    text = site("up", "--explain", *QUIET, scene="broken", code=1)
    assert f"things:index:Thing db replaced (Ns) [diff: ~key]\n        replaced: {ZONE}\n" in text
    assert f"        goes first with `app`: {NEEDS}\n        because `db` is replaced: {ZONE} (by way of `app`)\n" in text
    assert re.search(r"size \*\*updating failed.*\n        update: `fail`, `value` changed\n", text)


def test_a_refresh_says_what_it_found(site):
    for drifted, change in (("size-1", {"value": "drifted"}), ("calm-1", None)):
        file = site.project / "things" / f"{drifted}.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | change)) if change else file.unlink()
    text = site("refresh", "--explain", *QUIET)
    assert re.search(r" size updated .*\n        updated: a refresh found that `value` changed\n", text), text
    assert re.search(r" calm deleted .*\n        deleted: a refresh found that it is gone\n", text), text


def test_the_document_of_a_preview_has_the_reasons(made):
    steps = json.loads(made("preview", "--json", scene="second"))["steps"]
    because = {step["urn"].rpartition("::")[2]: step["because"] for step in steps}
    assert because["app"] == {
        "rule": "input-replaced", "source": "provider", "properties": ["key"], "by": urn("db"),
        "said": NEEDS.replace("there", "`db`")}
    assert because["db"] == {"rule": "not-in-place", "said": ZONE, "source": "provider", "properties": ["key"]}
