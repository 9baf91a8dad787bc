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
    gone = Thing("gone", pulumi.ResourceOptions(depends_on=size), value="v")
else:
    fresh = Thing("fresh", pulumi.ResourceOptions(depends_on=size), value=pulumi.Output.secret("hunter22"))
if scene == "twins":
    class Other(pulumi.ComponentResource):
        def __init__(self):
            super().__init__("boxes:index:Box", "calm", {})
    Other()
"""

ZONE = "`key` changed and the provider cannot change it in place"
NEEDS = "its input `key` comes from there, and a change of `key` forces a replacement"


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
    """The stack of the first scene. Tests that change it work on a copy."""
    site = Site(tmp_path_factory.mktemp("why"))
    site("stack", "init", "dev")
    site("up", *QUIET)
    return site


def copy_stack(made, site):
    shutil.copytree(made.folder / "state", site.folder / "state", dirs_exist_ok=True)
    shutil.copytree(made.project / "things", site.project / "things")
    shutil.copy(made.project / "Pulumi.dev.yaml", site.project)
    site("stack", "select", "dev")


@pytest.fixture
def site(made, tmp_path):
    site = Site(tmp_path / "site")
    copy_stack(made, site)
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


CHAIN = f"""\
web (things:index:Thing) in the last %s, AGO:
    goes first with `app`: {NEEDS}
    because `app` goes first with `db`: {NEEDS}
    because `db` is replaced: {ZONE}
"""
CALM = "calm (things:index:Thing) in the last preview of an update, AGO:\n    same: its inputs are unchanged"


@pytest.fixture(scope="module")
def previewed(tmp_path_factory, made):
    """The same stack after a preview of changes."""
    site = Site(tmp_path_factory.mktemp("previewed") / "site")
    copy_stack(made, site)
    site("preview", scene="twins")
    return site


def test_the_whole_chain_is_told(previewed):
    assert previewed("why", "web") == CHAIN % "preview of an update"
    assert previewed("why", urn("web"), "--stack", "dev") == CHAIN % "preview of an update"
    screen = previewed.screen("why", "web", columns=200)
    assert screen.finish() == 0
    assert normalised(screen.text()) == CHAIN % "preview of an update"


def test_the_chain_for_programs(previewed):
    told = json.loads(previewed("why", "web", "--json"))
    links = [(link["urn"], link["because"]["rule"], link["because"].get("by")) for link in told.pop("chain")]
    assert links == [(urn("web"), "input-replaced", urn("app")), (urn("app"), "input-replaced", urn("db")),
                     (urn("db"), "not-in-place", None)]
    assert told == {"urn": urn("web"), "type": "things:index:Thing", "kind": "update", "preview": True, "time": "TIME",
                    "result": "succeeded", "op": "replace", "said": f"goes first with `app`: {NEEDS}"}


def test_an_unchanged_resource_has_a_reason(previewed, site):
    assert previewed("why", urn("calm")) == CALM + "; the provider was asked\n"
    site("preview", PULUMI_ENABLE_LEGACY_DIFF="true")
    assert site("why", "calm") == CALM + "; the provider was not asked\n"


def test_a_name_must_mean_one_resource(previewed):
    box = "urn:pulumi:dev::shop::boxes:index:Box::calm"
    assert previewed("why", "calm", code=1) == (
        f'error: "calm" is the name of 2 resources; pass the URN of one of them:\n  {box}\n  {urn("calm")}\n')
    assert previewed("why", "wbe", code=1) == (
        'error: neither this stack nor its last operation has a resource "wbe"\nDid you mean:\n  web\n'
        "`kingpost stack --show-urns` lists the resources of the stack\n")
    previewed("stack", "init", "empty", "--no-select")
    assert previewed("why", "web", "--stack", "empty", code=1) == (
        "error: no reasons are kept for stack empty yet: run `kingpost preview` or `kingpost up` first\n")


def test_the_later_one_of_update_and_preview_is_told_and_a_rename_is_followed(site):
    site("preview", scene="first")
    site("up", *QUIET, scene="second")
    assert site("why", "web") == CHAIN % "update"
    assert "    deleted: the program no longer registers it\n" in site("why", "gone")
    assert "    created: it is new in the program\n" in site("why", "fresh")
    history = site.folder / "state" / ".pulumi" / "history" / "shop"
    kept = sorted(history.rglob("*.reasons.json"))
    assert [file.name for file in kept] == ["dev-operation.reasons.json", "dev-preview.reasons.json"]
    assert len(json.loads(kept[0].read_text())["steps"]) == 6 and "hunter22" not in kept[0].read_text()

    site("stack", "rename", "prod")
    chain = json.loads(site("why", "web", "--json"))["chain"]
    assert [link["urn"] for link in chain] == [urn(name).replace("dev", "prod") for name in ("web", "app", "db")]
    site("destroy", *QUIET)
    assert "in the last destroy, AGO:\n    deleted: this is a destroy\n" in site("why", "web")
    site("stack", "rm", "prod", "--yes")
    assert not list(history.rglob("*.reasons.json"))


def test_a_step_that_failed_is_told_as_tried(site):
    site("up", *QUIET, scene="broken", code=1)
    assert site("why", "size").endswith("    update: `fail`, `value` changed; this failed\n")
    assert site("why", "gone").endswith("    no step: the update failed before it reached this resource\n")


def test_an_operation_that_kept_no_reasons_is_pointed_out(site):
    history = site.folder / "state" / ".pulumi" / "history" / "shop" / "dev"
    (history / "dev-4102444800000000000.history.json").write_text('{"kind": "update", "endTime": 4102444800}')
    assert "warning: since then there was an operation (update) that kept no reasons\n" in site("why", "web")


def test_a_preview_needs_no_store_that_can_be_written(site):
    history = site.folder / "state" / ".pulumi" / "history" / "shop" / "dev"
    shutil.rmtree(history)
    history.write_text("in the way")
    assert "warning" not in site("preview", scene="second")
    assert "warning: could not write the reasons for `kingpost why`: " in site("up", *QUIET, scene="second")
