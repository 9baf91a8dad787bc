# SPDX-License-Identifier: Apache-2.0
"""Everyday stories as a user sees them, recorded in tests/data/screens.

KINGPOST_ACCEPT=1 records them anew; read what changed before it is committed. Each story runs the command behind a
terminal of 60, 80 or 160 columns, or without one, and its screen is compared without what differs from run to run.
"""

import re
import shutil
import socket

import pytest

from harness import Command
from harness.commands import PROGRAMS
from harness.screens import DOWN, ENTER, Screen, check, normalised, piped


class Site:
    """A project with the program of the screens and a backend of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.command = Command.kingpost()
        self.project = folder / "project"
        shutil.copytree(PROGRAMS / "screens", self.project)
        (folder / "plugins").mkdir()
        (folder / "plugins" / "things").symlink_to(PROGRAMS / "things")
        (folder / "state").mkdir()
        self.env = self.command.environment(folder) | {
            "PULUMI_HOME": str(folder / "home"), "PULUMI_BACKEND_URL": f"file://{folder}/state"}

    def argv(self, *args):
        return [str(self.command.path), *args]

    def piped(self, *args, scene="first", code=0, **env):
        return self.shown(piped(self.argv(*args), self.project, self.env | {"SCENE": scene} | env, code))

    def screen(self, *args, scene="first", columns=80, rows=100, **env):
        return Screen(self.argv(*args), self.project, self.env | {"SCENE": scene} | env, columns, rows)

    def shown(self, text):
        return normalised(text, self.folder)


QUIET = ("--yes", "--skip-preview", "--parallel", "1")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The stack of the first scene. Stories that change it work on a copy."""
    site = Site(tmp_path_factory.mktemp("site"))
    site.piped("stack", "init", "dev")
    check("first-up-piped", site.piped("up", *QUIET))
    return site


@pytest.fixture
def site(made, tmp_path):
    site = Site(tmp_path)
    shutil.rmtree(tmp_path / "state")
    shutil.copytree(made.folder / "state", tmp_path / "state")
    shutil.copytree(made.project / "things", site.project / "things")
    for settings in made.project.glob("Pulumi.*.yaml"):
        shutil.copy(settings, site.project)
    site.piped("stack", "select", "dev")
    return site


PIPED = {
    "preview-piped": (("preview", "--parallel", "1"), "second", 0),
    "preview-diff-piped": (("preview", "--diff", "--parallel", "1"), "second", 0),
    "preview-same-piped": (("preview", "--parallel", "1"), "first", 0),
    "preview-markdown": (("preview", "--output", "markdown"), "second", 0),
    "preview-expected-same": (("preview", "--expect-no-changes", "--parallel", "1"), "second", 7),
    "preview-broken-piped": (("preview", "--parallel", "1"), "broken", 1),
    "preview-replacement-steps": (("preview", "--show-replacement-steps", "--parallel", "1"), "second", 0),
    "preview-target": (("preview", "--target", "**rules", "--parallel", "1"), "second", 0),
    "preview-urns": (("preview", "--urns", "--parallel", "1"), "second", 0),
    "refresh-markdown": (("refresh", "--preview-only", "--output", "markdown"), "first", 0),
    "graph-mermaid": (("graph", "--format", "mermaid"), "first", 0),
    "stack-piped": (("stack",), "first", 0),
    "stack-ids": (("stack", "--show-ids"), "first", 0),
    "stack-ls-piped": (("stack", "ls"), "first", 0),
    "stack-output-piped": (("stack", "output"), "first", 0),
    "unknown-command": (("previw",), "first", 2),
    "unknown-flag": (("preview", "--paralel", "1"), "first", 2),
    "unknown-stack": (("preview", "--stack", "nowhere"), "first", 6),
    "up-without-yes": (("up",), "first", 2),
}


@pytest.mark.parametrize("story", PIPED)
def test_without_a_terminal(made, story):
    args, scene, code = PIPED[story]
    check(story, made.piped(*args, scene=scene, code=code))


CHANGING = {
    "up-piped": (("up", *QUIET), "second", 0),
    "up-broken-piped": (("up", *QUIET), "broken", 1),
    "up-refused-piped": (("up", *QUIET), "refused", 1),
    "up-ci": (("up", *QUIET), "second", 0),
    "refresh-piped": (("refresh", *QUIET), "first", 0),
    "destroy-piped": (("destroy", *QUIET), "first", 0),
}


@pytest.mark.parametrize("story", CHANGING)
def test_changes_without_a_terminal(site, story):
    args, scene, code = CHANGING[story]
    env = {"CI": "true"} if story.endswith("-ci") else {}
    check(story, site.piped(*args, scene=scene, code=code, **env))


@pytest.mark.parametrize("story, args", [
    ("help", ("stack", "--help")), ("templates", ("new", "--list-templates", "--offline"))])
def test_lines_are_broken_in_a_narrow_terminal(made, story, args):
    screen = made.screen(*args, columns=60)
    assert screen.finish() == 0
    check(f"{story}-60", made.shown(screen.text()))


@pytest.mark.parametrize("columns", [60, 80, 160])
@pytest.mark.parametrize("story", ["preview", "preview-diff", "stack"])
def test_in_a_terminal(made, story, columns):
    args = {"preview": ("preview", "--parallel", "1"), "preview-diff": ("preview", "--diff", "--parallel", "1"),
            "stack": ("stack", "--show-ids")}[story]
    screen = made.screen(*args, scene="second" if story != "stack" else "first", columns=columns)
    assert screen.finish() == 0
    check(f"{story}-{columns}", made.shown(screen.text()))


@pytest.mark.parametrize("args", [
    ("--help",), ("up", "--help"), ("stack", "tag", "--help"), ("about",), ("about", "env"), ("doctor",), ("plugin", "ls"),
    ("new", "--list-templates", "--offline"), ("stack", "--show-urns"), ("stack", "ls"), ("stack", "history"),
    ("stack", "output"), ("config",), ("whoami", "--verbose"), ("why", "rules"), ("refresh", "--stack", "a-stack-that-nobody-has-made-anywhere"),
    ("state", "delete", "urn:pulumi:dev::site::things:index:Thing::nothing", "--yes")], ids=" ".join)
def test_no_word_is_torn_in_a_narrow_terminal(made, args):
    """At 60 columns each word of the wide display, in colours, is whole if a line has room for it."""
    shown = {}
    for columns in (60, 500):
        screen = made.screen(*args, columns=columns, rows=300, NO_COLOR="")
        code = screen.finish()
        shown[columns] = (code, re.sub(r"\d+", "0", screen.text()).split())
    assert shown[60][0] == shown[500][0]
    lost = {word for word in shown[500][1] if len(word) <= 50} - set(shown[60][1])
    assert not lost, screen.text()


def without_padding(text):
    """Removes the padding of rows. It depends on times, which differ, and text without room goes to the next line."""
    text = re.sub(r"\n +(?=\[diff)", " ", re.sub(r"\(\d[\dms.]*\)", "(Ns)", text))
    return re.sub(r" +(?=\[diff|Info|\n|$)", " ", text)


@pytest.mark.parametrize("story, scene, code, columns", [
    ("up", "second", 0, 80), ("up-broken", "broken", 1, 200), ("up-refused", "refused", 1, 80)])
def test_changes_in_a_terminal(site, story, scene, code, columns):
    screen = site.screen("up", *QUIET, scene=scene, columns=columns)  # a trace has paths that are not to be broken
    assert screen.finish() == code, screen.text()
    check(f"{story}-{columns}", site.shown(without_padding(screen.text())))
    text = screen.text()
    assert text.count("hello from the program") == 1 and "\x1b" not in text


def test_the_question_is_a_menu(site):
    screen = site.screen("up", "--parallel", "1", scene="second", rows=30)
    screen.wait_for("Enter chooses")
    check("question-80", site.shown(screen.text()))
    screen.send(DOWN + ENTER)
    screen.wait_for("q goes back")
    assert "things:index:Thing: (update)" in screen.text()
    menus = screen.raw.count(b"Enter chooses")
    screen.send("q")
    screen.wait_until(lambda: screen.raw.count(b"Enter chooses") > menus, "the menu again")
    screen.send("no" + ENTER)
    assert screen.finish() == 1
    assert "^[" not in screen.text() and "confirmation declined" in screen.text()


def test_a_stack_is_asked_for(site):
    site.piped("stack", "init", "prod")
    site.piped("stack", "unselect")
    screen = site.screen("stack", "ls")
    assert screen.finish() == 0
    screen = site.screen("stack", "--show-name")
    screen.wait_for("Enter chooses")
    check("which-stack-80", site.shown(screen.text()))
    screen.send("dev" + ENTER)
    assert screen.finish() == 0 and screen.text().rstrip().endswith("\ndev")
    assert site.piped("stack", "--show-name") == "dev\n"
    screen = site.screen("stack", "select")
    screen.wait_for("Enter chooses")
    screen.send("q")
    assert screen.finish() == 6
    screen = site.screen("stack", "init")
    screen.wait_for("Name of the new stack:")
    screen.send("test\r")
    assert screen.finish() == 0 and site.piped("stack", "--show-name") == "test\n"


def test_a_stack_that_is_not_there_is_offered(site):
    screen = site.screen("preview", "--stack", "prod")
    screen.wait_for("There is no stack 'prod'. Make it now?")
    screen.send("no" + ENTER)
    assert screen.finish() == 6 and "prod" not in site.piped("stack", "ls")
    screen = site.screen("preview", "--stack", "prod")
    screen.wait_for("Enter chooses")
    screen.send(ENTER)
    assert screen.finish() == 0 and "7 to create" in screen.text()
    assert "prod*" in site.piped("stack", "ls")
    assert "no stack named 'nowhere' found" in site.piped("destroy", "--yes", "--stack", "nowhere", code=6)


def test_the_table_of_timings_fits_a_narrow_terminal(made):
    screen = made.screen("preview", "--timings", columns=60, rows=200)
    assert screen.finish() == 0
    table = screen.text().partition("Timings of the preview\n")[2]
    assert re.match(r" +seconds summed up times +longest\n    provider calls +\d+\.\d+ +\d+\.\d+ +\d+ +\d+\.\d+\n", table), table


def test_words_are_whole_where_rows_are_not_drawn(made):
    for args in ("preview", "--non-interactive", "--stack", "dev"), ("preview", "--diff", "--stack", "dev"):
        shown = {}
        for columns in (60, 500):
            screen = made.screen(*args, scene="refused", columns=columns, rows=300)
            assert screen.finish() == 0
            shown[columns] = screen.text().split()
        assert not {word for word in shown[500] if len(word) < 50} - set(shown[60]), args


def test_a_store_that_does_not_answer_is_told_of(site):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = f"127.0.0.1:{silent.getsockname()[1]}"
        url = f"s3://team?endpoint={server}&disableSSL=true&s3ForcePathStyle=true&region=us-east-1"
        screen = site.screen("stack", "ls", PULUMI_BACKEND_URL=url, AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b")
        screen.wait_for(f"still waiting for http://{server} to answer (10s)")
        screen.interrupt()
        assert screen.finish() != 0


def test_output_comes_as_it_is_said(site):
    screen = site.screen("up", *QUIET, scene="slow")
    screen.wait_for("said before the wait")  # the program waits for long
    assert "Resources:" not in screen.text()
    screen.interrupt()
    screen.finish()


def test_a_warning_is_told_once_and_counted(made):
    text = made.piped("preview", scene="warned")
    assert text.count("    warning: mind the gap\n") == 1 and text.rstrip().endswith("1 warning, see above")


def test_protected_resources_that_are_left_are_counted(site):
    site.piped("up", *QUIET, scene="protected")
    assert "There are still 9 protected resources" in site.piped("destroy", *QUIET, "--exclude-protected")


def test_packages_that_are_missing_are_named(made, tmp_path):
    site = Site(tmp_path)
    (site.project / "Pulumi.yaml").write_text("name: site\nruntime: nodejs\n")
    (site.project / "package.json").write_text('{"main": "index.js", "dependencies": {"@pulumi/pulumi": "3"}}')
    site.piped("stack", "init", "dev")
    assert "run `kingpost install`" in site.piped("preview", code=1)
    screen = site.screen("preview")
    screen.wait_for("Install them now")
    screen.send("no" + ENTER)
    assert screen.finish() == 1
