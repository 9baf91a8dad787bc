# SPDX-License-Identifier: Apache-2.0
"""The candidates of shells for a command that is being typed: in a real bash, and in zsh and fish where installed."""

import os
import shutil
import signal
import subprocess

import pytest

from harness import Command, Workspace
from harness.screens import Screen

PROGRAM = """
import pulumi

class Group(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("demo:index:Group", name, {}, opts)

Group("inner", pulumi.ResourceOptions(parent=Group("outer")))
pulumi.export("url", "http://example.com")
"""
OUTER = "urn:pulumi:dev::shop::demo:index:Group::outer"
INNER = "urn:pulumi:dev::shop::demo:index:Group$demo:index:Group::inner"


@pytest.fixture(scope="module")
def ws(tmp_path_factory):
    root = tmp_path_factory.mktemp("completion")
    (root / "project").mkdir()
    (root / "project" / "Pulumi.yaml").write_text("name: shop\nruntime: python\nconfig:\n  region: {type: string, default: eu}\n")
    (root / "project" / "__main__.py").write_text(PROGRAM)
    ws = Workspace(root, Command.kingpost())
    ws.run("stack", "init", "staging", "--no-select")
    ws.config(size="3", **{"other:size": "4"})
    ws.secret("password", "hunter22")
    ws.run("stack", "tag", "set", "owner", "platform")
    ws.up()
    return ws


@pytest.fixture
def offered(ws):
    def offer(*words):
        done = subprocess.run([ws.command.path, "__complete", *words], cwd=ws.project, env=ws.environment(),
                              capture_output=True, text=True, check=True)
        kind, *lines = done.stdout.splitlines()
        return kind if kind != ":words" else [line.split("\t")[0] for line in lines]

    return offer


@pytest.mark.parametrize("words, some", [
    (("sta",), ["stack", "state"]),
    (("stack", "se"), ["select"]),
    (("stack", "tag", ""), ["get", "ls", "rm", "set"]),
    (("up", "--skip-p"), ["--skip-plugin-pre-install", "--skip-preview"]),
    (("stack", "select", ""), ["dev", "staging"]),
    (("stack", "select", "s"), ["staging"]),
    (("up", "--stack", ""), ["dev", "staging"]),
    (("up", "-s", "d"), ["dev"]),
    (("up", "--stack=s"), ["--stack=staging"]),
    (("--non-interactive", "stack", "rm", "d"), ["dev"]),
    (("config", "get", ""), ["other:size", "password", "region", "size"]),
    (("config", "rm-all", "size", "p"), ["password"]),
    (("config", "get", "--stack", "staging", ""), ["region"]),
    (("up", "--target", "urn:pulumi:dev::shop::demo"), [INNER, OUTER]),
    (("up", "-t", OUTER, "-t", OUTER[:-2]), [OUTER]),
    (("state", "delete", "--yes", "urn:pulumi:dev::shop::demo:index:Group::"), [OUTER]),
    (("stack", "output", ""), ["url"]),
    (("stack", "tag", "get", "o"), ["owner"]),
    (("preview", "--color", "a"), ["always", "auto"]),
    (("completion", ""), ["bash", "fish", "zsh"]),
    (("plugin", "rm", "re"), ["resource"]),
    (("new", "python-c"), ["python-component"]),
    (("stack", "init", ""), []),
    (("stack", "select", "dev", ""), []),
    (("destory", ""), []),
])
def test_matching_words_are_offered(offered, words, some):
    assert offered(*words) == some


def test_files_are_left_to_the_shell(offered):
    assert offered("stack", "import", "--file", "") == ":files"
    assert offered("-C", "") == ":folders"


def test_nothing_is_said_where_nothing_can_be_read(ws, tmp_path):
    done = subprocess.run([ws.command.path, "__complete", "up", "--target", ""], cwd=tmp_path, capture_output=True, text=True,
                          env=ws.environment() | {"PULUMI_BACKEND_URL": "file:///nowhere"}, check=True)
    assert (done.stdout, done.stderr) == (":words\n", "")


# ---- shells ---------------------------------------------------------------------------------------------------------

@pytest.fixture
def bash(ws):
    env = {**ws.environment(), "PATH": f"{ws.command.path.parent}:{os.environ['PATH']}", "PS1": "> ", "HISTFILE": ""}
    screen = Screen(["/bin/bash", "--norc", "--noprofile", "-i"], ws.project, env, columns=200)
    screen.wait_for(">")
    screen.send("bind 'set bell-style none'; source <(kingpost completion bash); echo rea''dy\r")
    screen.wait_for("ready")
    yield screen
    os.kill(screen.pid, signal.SIGKILL)
    screen.finish()


@pytest.mark.parametrize("typed, line", [
    ("kingpost stack sel", "kingpost stack select "),
    ("kingpost up --stack st", "kingpost up --stack staging "),
    ("kingpost up --stack=st", "kingpost up --stack=staging "),
    ("kingpost config get other:", "kingpost config get other:size "),
    (f"kingpost state get {OUTER[:-3]}", f"kingpost state get {OUTER} "),
    ("kingpost state get urn:pulumi:dev::shop::demo:index:Group\\$d",
     "kingpost state get " + INNER.replace("$", "\\$") + " "),
    ("kingpost state get 'urn:pulumi:dev::shop::demo:index:Group$d", f"kingpost state get '{INNER}' "),
    ("kingpost up --config reg", "kingpost up --config region="),
    ("kingpost stack import --file Pulumi.y", "kingpost stack import --file Pulumi.yaml "),
])
def test_bash_completes(bash, typed, line):
    bash.send(typed + "\t#")
    bash.wait_for(line + "#")


def test_bash_lists_what_there_is(bash):
    bash.send("kingpost stack tag \t\t")
    bash.wait_for("get  ls   rm   set")


@pytest.mark.parametrize("shell, check", [("zsh", ["-n"]), ("fish", ["--no-execute"]), ("bash", ["-n"])])
def test_scripts_are_in_order(ws, tmp_path, shell, check):
    script = tmp_path / f"completion.{shell}"
    script.write_text(ws.run("completion", shell).out)
    assert ws.run("gen-completion", shell).out == script.read_text()
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, *check, script], check=True)


def test_fish_completes(ws):
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    env = {**ws.environment(), "PATH": f"{ws.command.path.parent}:{os.environ['PATH']}"}
    text = "kingpost completion fish | source; complete -C 'kingpost stack select s'"
    done = subprocess.run(["fish", "--no-config", "-c", text], cwd=ws.project, env=env, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["staging"], done.stderr


def test_another_shell_is_refused(ws):
    run = ws.run("completion", "csh", check=False)
    assert run.code == 2 and 'unsupported shell "csh" (expected bash, fish or zsh)' in run.err
