# SPDX-License-Identifier: Apache-2.0
"""`kingpost watch` plans again at each save, and its plan always equals that of a new command."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
import yaml

from harness import Command, PROGRAMS, Workspace, node_modules
from harness.noted_provider import install_noted_provider, noted_events
from harness.patience import patience
from harness.plugin_source import make_executable
from harness.processes import processes_in, wait_for, wait_until_nothing_runs
from harness.screens import CTRL_C, Screen
from harness.watching import Watching

SEED = int(os.environ.get("KINGPOST_WATCH_SEED", "1"))
PROVIDER = f"#!/bin/sh\nexec {sys.executable} -u {PROGRAMS / 'things' / '__main__.py'} \"$@\"\n"


class World:
    """A model of a program: things with values and keys, and a provider of their own. Edits change the model."""

    def __init__(self, language: str, chance: random.Random):
        self.language, self.chance = language, chance
        self.things = {f"thing-{i}": {"value": f"v{i}", "key": "k"} for i in range(4)}
        self.region, self.word, self.broken = "north", "hello", False
        self.serial, self.salt = 100, ""

    def edit(self) -> str:
        name = self.chance.choice(list(self.things) or ["none"])
        self.broken = False
        self.serial += 1
        kind = self.chance.choice(["value", "value", "key", "add", "remove", "region", "word", "broken"])
        if kind == "value" and name in self.things:
            self.things[name]["value"] = f"v{self.serial}"
        elif kind == "key" and name in self.things:
            self.things[name]["key"] = f"k{self.serial}"
        elif kind == "remove" and name in self.things:
            del self.things[name]
        elif kind == "region":
            self.region = "south" if self.region == "north" else "north"
        elif kind == "word":
            self.word = f"hello {self.serial}"
        elif kind == "broken":
            self.broken = True
        else:
            self.things[f"thing-{self.serial}"] = {"value": f"v{self.serial}", "key": "k"}
        return kind

    def files(self) -> dict[str, str]:
        project = {"name": "watched", "runtime": self.language}
        settings = ({"encryptionsalt": self.salt} if self.salt else {}) | {"config": {"watched:word": self.word}}
        if self.language != "yaml":
            name, program = ("__main__.py", self._python()) if self.language == "python" else ("index.js", self._node())
            return {"Pulumi.yaml": json.dumps(project), "Pulumi.dev.yaml": json.dumps(settings), name: program,
                    **({"package.json": '{"name": "watched"}'} if self.language == "nodejs" else {})}
        resources = {"mine": {"type": "pulumi:providers:things", "properties": {"region": self.region},
                              "options": {"version": "1.0.0"}}}
        for name, thing in self.things.items():
            resources[name] = {"type": "things:index:Thing",
                               "properties": {"value": thing["value"], "key": thing["key"]},
                               "options": {"provider": "${mine}", "version": "1.0.0"}}
        project["config"] = {"word": {"type": "string"}}
        project["resources"] = resources
        project["outputs"] = {"word": "${word}" if not self.broken else "${missing}"}
        return {"Pulumi.yaml": json.dumps(project), "Pulumi.dev.yaml": json.dumps(settings)}

    def _python(self) -> str:
        lines = ["import pulumi", "class Things(pulumi.ProviderResource):",
                 "    def __init__(self, name, region):",
                 "        super().__init__('things', name, {'region': region}, pulumi.ResourceOptions(version='1.0.0'))",
                 "class Thing(pulumi.CustomResource):",
                 "    def __init__(self, name, value, key, opts):",
                 "        props = {'value': value, 'key': key, 'stamp': None}",
                 "        super().__init__('things:index:Thing', name, props, opts)",
                 f"mine = Things('mine', {self.region!r})",
                 "opts = pulumi.ResourceOptions(provider=mine, version='1.0.0')"]
        lines += [f"Thing({name!r}, {thing['value']!r}, {thing['key']!r}, opts)" for name, thing in self.things.items()]
        lines.append("pulumi.export('word', pulumi.Config().require('word'))")
        if self.broken:
            lines.append("raise ValueError('broken on purpose')")
        return "\n".join(lines) + "\n"


    def _node(self) -> str:
        lines = ['const pulumi = require("@pulumi/pulumi");',
                 "class Things extends pulumi.ProviderResource {",
                 '    constructor(name, region) { super("things", name, { region }, { version: "1.0.0" }); }', "}",
                 "class Thing extends pulumi.CustomResource {",
                 "    constructor(name, value, key, opts) {",
                 '        super("things:index:Thing", name, { value, key, stamp: undefined }, opts);', "    }", "}",
                 f"const mine = new Things('mine', {self.region!r});",
                 "const opts = { provider: mine, version: '1.0.0' };"]
        lines += [f"new Thing({name!r}, {t['value']!r}, {t['key']!r}, opts);" for name, t in self.things.items()]
        lines.append("exports.word = new pulumi.Config().require('word');")
        if self.broken:
            lines.append("throw new Error('broken on purpose');")
        return "\n".join(lines) + "\n"


def write(ws: Workspace, files: dict[str, str]) -> list[str]:
    """Writes files as an editor does: beside the old file, and then in its place. Returns the changed names."""
    changed = []
    for name, text in files.items():
        path = ws.project / name
        if path.exists() and path.read_text() == text:
            continue
        (ws.project / (name + ".tmp")).write_text(text)
        os.replace(ws.project / (name + ".tmp"), path)
        changed.append(name)
    return changed


def workspace(root, world: World) -> Workspace:
    modules = node_modules() if world.language == "nodejs" else None
    ws = Workspace(root / "ws", Command.kingpost(), modules=modules, init=False)
    write(ws, world.files())
    folder = ws.home / "plugins" / "resource-things-v1.0.0"
    folder.mkdir(parents=True)
    make_executable(folder / "pulumi-resource-things", PROVIDER.encode())
    ws.run("stack", "init", "dev")
    # Commands would add it to settings without, and each edit would be one of two files, which may not be one change.
    world.salt = yaml.safe_load((ws.project / "Pulumi.dev.yaml").read_text())["encryptionsalt"]
    write(ws, world.files())
    return ws


def comparable(document: dict) -> dict:
    """The document without its duration, with steps ordered by URN, because programs register side by side."""
    document = {key: value for key, value in document.items() if key != "duration"}
    document["steps"] = sorted(document.get("steps") or [], key=lambda step: (step["urn"], step["op"]))
    for step in document["steps"]:
        for state in ("oldState", "newState"):
            for time_of in ("created", "modified"):
                (step.get(state) or {}).pop(time_of, None)
    # A slow machine waits for a plugin, and says so.
    document["diagnostics"] = sorted(json.dumps(d, sort_keys=True) for d in document.get("diagnostics") or []
                                     if "written no port to stdout yet" not in d["message"])
    return document


def cold_plan(ws: Workspace) -> dict:
    done = ws.run("preview", "--json", "--stack", "dev", check=False)
    return json.loads(done.out)


def compare_edits(root, language: str, count: int, seed: int) -> None:
    world = World(language, random.Random(f"{language} {seed}"))
    ws = workspace(root, world)
    ws.up()
    write(ws, world.files())  # an edit then is one of one file
    with Watching(ws, "--json") as watching:
        assert comparable(watching.plan()) == comparable(cold_plan(ws))
        history = []
        while len(history) < count:
            history.append(world.edit())
            if not write(ws, world.files()):
                continue
            warm, cold = comparable(watching.plan()), comparable(cold_plan(ws))
            assert warm == cold, f"seed {seed}, after {history}: {watching.err[-2000:]}"
        assert watching.end() == 0
    wait_until_nothing_runs(root)


@pytest.mark.parametrize("language", ["python", "yaml", "nodejs"])
def test_a_warm_plan_is_the_plan_of_a_cold_command(tmp_path, language):
    compare_edits(tmp_path, language, 8, SEED)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "yaml", "nodejs"])
def test_a_warm_plan_is_the_plan_of_a_cold_command_for_many_edits(tmp_path, language):
    compare_edits(tmp_path, language, 200, SEED + 1)


def test_providers_stay_up_and_configured_for_as_long_as_nothing_of_theirs_changes(tmp_path):
    world = World("python", random.Random(1))
    ws = workspace(tmp_path, world)
    ws.env["EARLY_ROOT"] = str(tmp_path)
    install_noted_provider(ws.home, "1.0.0")
    ws.up()
    write(ws, world.files())

    with Watching(ws, "--json") as watching:
        seen = 0

        def fresh() -> list[str]:
            """The events of providers until the next plan; a reused provider has none."""
            nonlocal seen
            watching.plan()
            events = [event.split()[0] for event in noted_events(tmp_path)[seen:]]
            seen += len(events)
            return events

        seen = len(noted_events(tmp_path))
        assert fresh() == ["started", "greeted", "configured"]
        world.things["thing-0"]["value"] = "other"
        write(ws, world.files())
        assert fresh() == []
        world.region = "south"
        write(ws, world.files())
        assert fresh() == ["started", "greeted", "configured"], "the one that is recorded goes on beside it"
        world.region = "north"
        write(ws, world.files())
        assert fresh() == []
        world.things["thing-1"]["value"] = "other"
        write(ws, world.files())
        assert fresh() == []
        install_noted_provider(ws.home, "1.0.0", "another build")
        world.things["thing-2"]["value"] = "other"
        write(ws, world.files())
        assert fresh() == ["started", "greeted", "configured"]
        world.word = "another word"
        write(ws, world.files())
        assert fresh() == ["started", "greeted", "configured"], "its environment tells of the configuration"
        assert watching.end() == 0
    wait_until_nothing_runs(tmp_path)


@pytest.fixture
def ws(tmp_path):
    """A program in YAML with two stashes."""
    ws = Workspace(tmp_path / "ws", Command.kingpost(), init=False)
    save(ws, first="one", second="two")
    ws.run("stack", "init", "dev")
    return ws


def save(ws: Workspace, **stashes: str) -> None:
    resources = {name: {"type": "pulumi:index:Stash", "properties": {"input": value}} for name, value in stashes.items()}
    write(ws, {"Pulumi.yaml": json.dumps({"name": "watched", "runtime": "yaml", "resources": resources})})


def test_it_shows_what_is_new_in_each_plan_and_why(ws):
    with Watching(ws) as watching:
        watching.until("Resources:")
        save(ws, first="one", second="two", third="three")
        text = watching.until("it is new in the program")
        assert "after a change of Pulumi.yaml" in text and "third: now create" in text
        save(ws, first="one", third="three")
        watching.until("second: no longer create")
        save(ws, first="other", third="three")
        watching.until("first: create with other properties")
        assert watching.end() == 0
    wait_until_nothing_runs(ws.root)


def test_errors_are_told_and_the_next_save_is_planned(ws):
    with Watching(ws) as watching:
        watching.until("Resources:")
        (ws.project / "Pulumi.yaml").write_text("name: watched\nruntime: [")
        assert "no plan" in watching.until("error: ")
        save(ws, first="one")
        watching.until("Resources:")
        assert watching.end(signal.SIGTERM) == 0


def test_nothing_is_held_between_plans_and_a_change_of_the_state_is_told(ws):
    with Watching(ws) as watching:
        watching.until("Resources:")
        assert not list(ws.backend.glob(".pulumi/locks/**/*.json"))
        ws.up()  # another process
        text = watching.until("unchanged")
        assert "because another process has changed the state" in text and "to create" not in text
        assert watching.end() == 0


def test_files_that_git_ignores_and_caches_are_not_watched(ws):
    subprocess.run(["git", "init", "--quiet", "."], cwd=ws.project, check=True)
    (ws.project / ".gitignore").write_text("built/\n*.log\n")
    (ws.project / "built").mkdir()
    with Watching(ws) as watching:
        watching.until("Resources:")
        (ws.project / "built" / "a.txt").write_text("x")
        (ws.project / "new.log").write_text("x")
        (ws.project / "node_modules").mkdir()
        (ws.project / "node_modules" / "a.js").write_text("x")
        time.sleep(0.5)
        save(ws, first="changed")
        text = watching.until("after a change of")
        assert "after a change of Pulumi.yaml)" in text, "only this, and no plan before it"
        assert watching.end() == 0


def test_many_files_saved_at_once_are_one_change(ws):
    with Watching(ws) as watching:
        watching.until("Resources:")
        for i in range(50):
            (ws.project / f"part-{i}.txt").write_text("x")
        watching.until("Resources:")
        assert watching.end() == 0
        assert watching.out.count("after a change of") < 10, "fifty saves are a few changes, however slow the machine is"


def test_it_updates_at_each_save_if_it_is_told_to(ws):
    with Watching(ws, "--up") as watching:
        watching.until("3 created")
        save(ws, first="other", second="two")
        wait_for(lambda: ws.state().named("first")["inputs"]["input"] == "other" if "first" in ws.state().names else False,
                 "the update")
        watching.until("Resources:")
        assert watching.end() == 0
    assert not list(ws.backend.glob(".pulumi/locks/**/*.json"))


def test_a_program_that_writes_its_own_folder_is_not_run_without_end(tmp_path):
    ws = Workspace(tmp_path / "ws", Command.kingpost(), init=False)
    write(ws, {"Pulumi.yaml": "name: watched\nruntime: python\n",
               "__main__.py": "import time\nopen('out.txt', 'a').write(f'{time.time()}\\n')\n"})
    ws.run("stack", "init", "dev")
    with Watching(ws) as watching:
        watching.until("out.txt changes in each run of the program")
        assert watching.end() == 0


def test_a_program_that_hangs_is_given_up_for_what_is_saved_then(tmp_path):
    ws = Workspace(tmp_path / "ws", Command.kingpost(), init=False)
    hangs = "import time\nopen('../begun', 'a').close()\ntime.sleep(3600)\n"
    write(ws, {"Pulumi.yaml": "name: watched\nruntime: python\n", "__main__.py": hangs})
    ws.run("stack", "init", "dev")
    with Watching(ws) as watching:
        wait_for((ws.root / "begun").exists, "the program")
        write(ws, {"__main__.py": "import pulumi\npulumi.Stash('quick', input=1)\n"})
        watching.until("quick")
        assert watching.end() == 0
    wait_until_nothing_runs(tmp_path)


@pytest.fixture
def screen(ws):
    """The watch of `ws` on a terminal that shows its first plan."""
    screen = Screen([str(ws.command.path), "watch", "--stack", "dev"], ws.project, ws.environment(), 90, 24)
    screen.wait_for("u deploys this plan")
    yield screen
    if screen.code is None:
        screen.send(CTRL_C)
        screen.finish()


def test_a_key_deploys_the_plan_that_is_shown_and_what_came_of_it_stays_in_view(ws, screen):
    screen.send("u")
    screen.wait_for("after the update)")
    assert "3 created" in screen.text() and "3 unchanged" in screen.text()
    assert set(ws.state().names) >= {"first", "second"}
    screen.send("q")
    assert screen.finish() == 0


def test_an_update_that_fails_stays_in_view(tmp_path):
    ws = Workspace(tmp_path / "ws", Command.kingpost(), init=False)
    write(ws, {"Pulumi.yaml": "name: watched\nruntime: python\n",
               "__main__.py": "import pulumi\nassert pulumi.runtime.is_dry_run(), 'only planned'\n"})
    ws.run("stack", "init", "dev")
    screen = Screen([str(ws.command.path), "watch", "--stack", "dev"], ws.project, ws.environment(), 90, 40)
    screen.wait_for("u deploys this plan")
    screen.send("u")
    screen.wait_for("The next save, or r, plans again")
    assert "only planned" in screen.text()
    screen.send("q")
    assert screen.finish() == 0


def test_the_page_follows_the_size_of_the_terminal(ws, screen):
    save(ws, **{f"stash-{i}": "value" for i in range(30)})
    screen.wait_for("more lines: d shows all")
    screen.resize(120, 140)
    screen.wait_until(lambda: "stash-29" in screen.text() and "more lines" not in screen.text().split("\x1b")[-1],
                      "the whole plan")
    screen.send("q")
    assert screen.finish() == 0


def test_a_key_pressed_during_a_plan_deploys_nothing(tmp_path):
    """The user has not seen the new plan when the key is pressed."""
    ws = Workspace(tmp_path / "ws", Command.kingpost(), init=False)
    program = ("import os, time, pulumi\nopen('../begun', 'a').close()\n"
               "while os.path.exists('../hold'):\n    time.sleep(0.02)\npulumi.Stash('typed', input=1)\n")
    write(ws, {"Pulumi.yaml": "name: watched\nruntime: python\n", "__main__.py": program})
    ws.run("stack", "init", "dev")
    (ws.root / "hold").touch()
    screen = Screen([str(ws.command.path), "watch", "--stack", "dev"], ws.project, ws.environment(), 90, 24)
    screen.wait_until((ws.root / "begun").exists, "the program")
    screen.send("u")
    screen.wait_for("u")
    (ws.root / "hold").unlink()
    screen.wait_for("u deploys this plan")
    screen.send("q")
    assert screen.finish() == 0
    assert not ws.state().rows


def test_a_kill_leaves_nothing(tmp_path):
    ws = workspace(tmp_path, World("python", random.Random(1)))
    ws.up()
    with Watching(ws) as watching:
        watching.until("unchanged")
        wait_for(lambda: any("standby" in line for line in processes_in(tmp_path).values()), "the next interpreter")
        watching.process.kill()
        watching.process.wait(patience(60))
    wait_until_nothing_runs(tmp_path)
