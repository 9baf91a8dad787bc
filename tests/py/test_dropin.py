# SPDX-License-Identifier: Apache-2.0
"""The commands, settings and outputs that a team uses with the reference. Both commands must behave alike.

Each test runs on this command, and on the real one where KINGPOST_PEER names it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from harness import Command, Workspace, peer_or_skip
from harness.cobol import with_cobol

DYNAMIC = """
import os
import pulumi
from pulumi import dynamic

class Provider(dynamic.ResourceProvider):
    def configure(self, req):
        self.seen = {"password": req.config.get("password"), "other": req.config.get("other:size"),
                     "environment": os.environ.get("PULUMI_CONFIG")}
    def create(self, inputs):
        return dynamic.CreateResult("id", {"seen": self.seen})

class Thing(dynamic.Resource):
    def __init__(self, name):
        super().__init__(Provider(), name, {"seen": None})

pulumi.export("seen", Thing("thing").seen)
"""
PLAIN = 'import pulumi\npulumi.export("size", pulumi.Config().get("size"))\n'
REFUSING = """
import sys
import pulumi
from pulumi.provider import Provider, main
from pulumi.errors import InputPropertiesError

class Refusing(Provider):
    def construct(self, name, resource_type, inputs, options=None):
        raise InputPropertiesError("failed to create resource", [
            {"property_path": "foo", "reason": "the failure reason"}, {"property_path": "gone", "reason": "is missing"},
            {"property_path": "deep.key", "reason": "is hidden"}])
    def call(self, token, args):
        raise InputPropertiesError("failed to call", [{"property_path": "foo", "reason": "the failure reason"}])

main(Refusing("1.0.0"), sys.argv[1:])
"""
REMOTE = """
import pulumi

class Component(pulumi.ComponentResource):
    def __init__(self, name, props):
        super().__init__("refusing:index:Component", name, props, None, True)

if pulumi.Config().get("call"):
    pulumi.runtime.call("refusing:index:call", {"foo": "bar"})
else:
    Component("c", {"foo": "bar", "deep": pulumi.Output.secret({"key": "hidden"})})
"""


@pytest.fixture(params=["kingpost", "peer"])
def make(request, tmp_path):
    """Makes a project with this program, for either command."""
    command = Command.kingpost() if request.param == "kingpost" else peer_or_skip()

    def workspace(program: str = PLAIN, more: str = "") -> Workspace:
        project = tmp_path / "project"
        project.mkdir()
        (project / "Pulumi.yaml").write_text(f"name: shop\nruntime: python\n{more}")
        (project / "__main__.py").write_text(program)
        return Workspace(tmp_path, command)

    return workspace


def told(run) -> str:
    return run.out + run.err


# ---- 1: dynamic providers -------------------------------------------------------------------------------------------

def test_dynamic_providers_get_the_whole_configuration(make):
    ws = make(DYNAMIC)
    ws.secret("password", "hunter22")
    ws.config(**{"other:size": "3", "pulumi-python:own": "y"})
    ws.up()
    seen = ws.outputs()["seen"]
    assert (seen["password"], seen["other"]) == ("hunter22", "3")
    assert json.loads(seen["environment"]) == {"own": "y"}
    provider = ws.state().named("default")
    assert provider["inputs"]["other:size"] == "3" and provider["inputs"]["pulumi-python:own"] == "y"
    assert "ciphertext" in provider["inputs"]["shop:password"]
    ws.preview("--expect-no-changes")


# ---- 2: requiredPulumiVersion ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("verb", ["up", "preview", "refresh", "destroy"])
def test_the_required_version_is_checked_before_anything_else(make, verb):
    ws = make("raise SystemExit(1)\n", 'requiredPulumiVersion: ">99.0.0"\n')
    run = ws.operate(verb, check=False)
    assert run.code == 1
    assert "Pulumi CLI version 3." in told(run) and 'does not satisfy the version range ">99.0.0"' in told(run)
    ws.run("config", "set", "other", "works")


def test_a_range_that_is_none_is_told(make):
    ws = make(PLAIN, "requiredPulumiVersion: bogus\n")
    run = ws.preview(check=False)
    assert run.code == 1 and 'parsing CLI version range "bogus"' in told(run)


# ---- 3: texts -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("call", [False, True], ids=["construct", "call"])
def test_a_refused_construct_or_call_names_the_properties(make, call, tmp_path):
    plugin = tmp_path / "refusing"
    plugin.mkdir()
    (plugin / "PulumiPlugin.yaml").write_text("runtime: python\n")
    (plugin / "__main__.py").write_text(REFUSING)
    ws = make(REMOTE, f"plugins:\n  providers:\n  - name: refusing\n    path: {plugin}\n")
    if call:
        ws.config(call="yes")
    run = ws.up(check=False)
    assert run.code == 1
    assert '- property foo with value "bar" has a problem: the failure reason' in run.diagnostics
    if not call:
        assert "- property gone has a problem: is missing" in run.diagnostics
        # The reference shows values inside a secret (docs/differences.md).
        assert ws.command.is_peer or '"hidden"' not in told(run) + run.diagnostics


@pytest.mark.parametrize("config, missing", [("a: {type: string}", "value 'a'"),
                                             ("a: {type: string}, b: {type: integer}", "values 'a' and 'b'")])
def test_missing_configuration_is_told_as_such(make, config, missing):
    ws = make(PLAIN, f"config: {{{config}}}\n")
    run = ws.preview(check=False)
    assert f"validating stack config: Stack 'dev' is missing configuration {missing}" in told(run)


def test_yaml_that_is_none_is_told(make):
    ws = make()
    (ws.project / "Pulumi.yaml").write_text("name: shop\nruntime: python\na: [\n")
    run = ws.preview(check=False)
    assert run.code != 0 and "invalid YAML file" in told(run)


@pytest.mark.parametrize("document, says", [
    ({"version": 99}, "the stack 'dev' is newer than what this version of the Pulumi CLI understands. Please update"),
    ({"version": 0}, "the stack 'dev' is too old to be used by this version of the Pulumi CLI"),
    ({"version": 4, "features": ["what"]}, "features that are not supported by this version of the Pulumi CLI: what."),
], ids=["new", "old", "features"])
def test_imports_of_other_versions_are_refused(make, document, says):
    ws = make()
    (ws.root / "import.json").write_text(json.dumps(document | {"deployment": {}}))
    run = ws.run("stack", "import", "--file", str(ws.root / "import.json"), check=False)
    assert run.code == 1 and says in told(run)


# ---- 5: small things ------------------------------------------------------------------------------------------------

def test_a_settings_file_that_is_named_is_made(make):
    ws = make()
    ws.run("config", "set", "--config-file", str(ws.root / "new.yaml"), "size", "3")
    assert "shop:size: \"3\"" in (ws.root / "new.yaml").read_text()


def test_keys_with_an_equals_sign_are_quoted(make):
    ws = make()
    ws.run("config", "set-all", "--plaintext", '"foo="=v', "--plaintext", "a=b=c")
    listed = json.loads(ws.run("config", "--json").out)
    assert (listed["shop:foo="]["value"], listed["shop:a"]["value"]) == ("v", "b=c")


def test_colours_that_are_none_are_refused(make):
    run = make().run("whoami", "--color", "bogus", check=False)
    assert run.code == 1
    assert "unsupported color option: 'bogus'.  Supported values are: auto, always, never, raw" in run.err


def test_a_stack_is_destroyed_from_anywhere(make):
    ws = make()
    ws.config(size="3")
    ws.up()
    elsewhere = ws.root / "elsewhere"
    elsewhere.mkdir()
    ws.run("destroy", "--yes", "-C", str(elsewhere), "-s", "organization/shop/dev")
    assert ws.state().rows == []


def test_whoami_tells_more_when_asked(make):
    run = make().run("whoami", "-v")
    assert run.out.startswith("Access token source: none\nUser: ") and "\nBackend URL: file://" in run.out


def test_a_mistyped_folder_is_an_error(make):
    ws = make()
    run = ws.run("stack", "ls", check=False, env={"PULUMI_BACKEND_URL": f"file://{ws.root}/typo"})
    assert run.code == 1 and "unable to open state directory" in run.err and not (ws.root / "typo").exists()
    assert ws.run("login", f"file://{ws.root}/typo", check=False).code == 1


def test_logging_in_and_out(make):
    ws = make()
    ws.run("login", "--cloud-url", ws.backend.as_uri())
    assert json.loads((ws.home / "credentials.json").read_text())["current"] == ws.backend.as_uri()
    assert "Logged out of " + ws.backend.as_uri() in ws.run("logout", ws.backend.as_uri()).out
    # Without a name, `logout` takes the backend that commands would use: here that of PULUMI_BACKEND_URL.
    other = ws.root / "other"
    other.mkdir()
    ws.run("login", other.as_uri())
    assert "Logged out of " + ws.backend.as_uri() in ws.run("logout").out
    assert json.loads((ws.home / "credentials.json").read_text())["current"] == other.as_uri()
    for words in (("--all", other.as_uri()), ("--cloud-url", other.as_uri(), other.as_uri())):
        refused = ws.run("logout", *words, check=False)
        assert refused.code != 0 and "only one of --all, --cloud-url or argument URL may be specified" in refused.err
    assert "Logged out of everything" in ws.run("logout", "--all").out


# ---- 6: flags by environment, JSON ----------------------------------------------------------------------------------

def test_flags_are_taken_from_variables(make):
    ws = make()
    ws.run("up", env={"PULUMI_OPTION_YES": "true", "PULUMI_OPTION_SKIP_PREVIEW": "1", "PULUMI_OPTION_MESSAGE": "by env"})
    entry = json.loads(ws.run("stack", "history", env={"PULUMI_OPTION_JSON": "true"}).out)[0]
    assert entry["message"] == "by env"
    given = json.loads(ws.run("config", "set-all", env={"PULUMI_OPTION_PLAINTEXT": '"a=1,2",b=3'}).out or "null")
    assert given is None
    listed = json.loads(ws.run("config", "--json").out)
    assert (listed["shop:a"]["value"], listed["shop:b"]["value"]) == ("1,2", "3")


@pytest.mark.parametrize("verb, op", [("preview", "create"), ("up", "create"), ("refresh", None), ("destroy", None)])
def test_output_json_is_one_line(make, verb, op):
    ws = make()
    run = ws.operate(verb, "--output", "json")
    summary = json.loads(run.out)
    assert summary["result"] == "succeeded" and summary["duration"] > 0
    if op:
        assert summary["summary"] == {op: 1}
        urn = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"
        assert summary["resources"] == [{"urn": urn, "type": "pulumi:pulumi:Stack", "name": "shop-dev", "op": op}]


def test_output_and_json_exclude_each_other(make):
    ws = make()
    assert "any flags in the group [json output]" in ws.preview("--output", "json", "--json", check=False).err
    assert 'invalid --output value "bogus"' in ws.preview("--output", "bogus", check=False).err


@pytest.mark.parametrize("verb, words, group, sorted_group", [
    ("preview", ["--target", "a", "--exclude", "b"], "target exclude", "exclude target"),
    ("destroy", ["--yes", "--exclude-protected", "--ignore-protect"], *["exclude-protected ignore-protect"] * 2)])
def test_flags_that_contradict_each_other_are_refused(make, verb, words, group, sorted_group):
    run = make().run(verb, *words, check=False)
    assert run.code and run.err.strip() == (f"error: if any flags in the group [{group}] are set none of the others can be; "
                                            f"[{sorted_group}] were all set")


def test_previews_may_stream(make):
    ws = make()
    assert "steps" in json.loads(ws.preview("--json").out)
    lines = ws.preview("--json", env={"PULUMI_ENABLE_STREAMING_JSON_PREVIEW": "true"}).out.splitlines()
    assert any("summaryEvent" in json.loads(line) for line in lines)


@pytest.mark.parametrize("words", [("stack",), ("stack", "ls"), ("plugin", "ls"), ("whoami",), ("about",),
                                   ("stack", "history"), ("stack", "tag", "ls")], ids=" ".join)
def test_lists_are_printed_as_json(make, words):
    json.loads(make().run(*words, "--output", "json").out)


# ---- 7: names -------------------------------------------------------------------------------------------------------

def test_commands_have_the_names_people_type(make):
    ws = make()
    ws.run("stack", "new", "two", "--no-select")
    ws.run("config", "set", "a", "1")
    ws.run("config", "copy", "--dest", "two")
    ws.run("config", "remove", "a")
    ws.run("config", "set", "b", "1")
    ws.run("config", "delete-all", "b")
    ws.run("stack", "tag", "set", "owner", "me")
    assert "owner" in ws.run("stack", "tag", "list").out
    assert [s["name"] for s in json.loads(ws.run("stack", "list", "--tag", "owner=me", "--json").out)] == ["dev"]
    ws.run("stack", "tag", "remove", "owner")
    ws.run("plugin", "list")
    assert "Current stack is dev" in ws.run("stack", "get").out
    ws.up()
    urn = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"
    assert "Type: pulumi:pulumi:Stack\nURN:  " + urn in ws.run("state", "get", urn).out
    assert json.loads(ws.run("state", "get", urn, "--output", "json").out)["urn"] == urn
    ws.run("state", "remove", urn, "--yes")
    ws.run("stack", "remove", "two", "--yes")
    assert ws.run("help", "stack").out and "PULUMI_BACKEND_URL" in ws.run("about", "env").out


STASHES = """
import pulumi
first = pulumi.Stash("first", input={"a": 1})
pulumi.Stash("second", input=first.output, opts=pulumi.ResourceOptions(parent=first))
"""


def test_the_graph_is_written_as_its_flags_say(make):
    ws = make(STASHES)
    ws.up()

    def graph(*flags: str) -> str:
        ws.run("stack", "graph", "graph.out", *flags)
        return (ws.project / "graph.out").read_text()

    painted = graph("--dependency-edge-color", "#123456", "--parent-edge-color", "#654321", "--dot-fragment", "bgcolor=red;")
    assert "digraph" in painted and all(text in painted for text in ("#123456", "#654321", "bgcolor=red;", "Stash", "->"))
    assert "->" not in graph("--ignore-dependency-edges", "--ignore-parent-edges")
    assert 'label="second"' not in painted and 'label="second"' in graph("--short-node-name", "--ignore-parent-edges")


# ---- 9: history -----------------------------------------------------------------------------------------------------

CI = {"PULUMI_DISABLE_CI_DETECTION": "", "GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "42", "GITHUB_RUN_NUMBER": "7",
      "GITHUB_EVENT_NAME": "push", "GITHUB_REPOSITORY": "acme/shop", "GITHUB_SHA": "abc", "GITHUB_REF": "refs/heads/x"}


def git(folder, *arguments):
    names = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=trunk"]
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True, capture_output=True)


def test_the_history_tells_who_and_why(make):
    ws = make()
    git(ws.project, "init")
    git(ws.project, "remote", "add", "origin", "git@github.com:acme/shop.git")
    git(ws.project, "add", "Pulumi.yaml", "__main__.py")
    git(ws.project, "commit", "-m", "Open the shop\n\nAt last.", "--author", "Grace <grace@example.com>")
    ws.operate("up", "--exec-agent", "robot", env=CI)
    (entry,) = json.loads(ws.run("stack", "history", "--json").out)
    assert entry["message"] == "Open the shop"
    environment = entry["environment"]
    head = environment.pop("git.head")
    assert len(head) == 40
    expected = {
        "git.headName": "refs/heads/trunk", "git.committer": "Ada", "git.committer.email": "ada@example.com",
        "git.author": "Grace", "git.author.email": "grace@example.com", "git.dirty": "true", "vcs.owner": "acme",
        "vcs.repo": "shop", "vcs.kind": "github.com", "vcs.root": ".", "ci.system": "GitHub Actions",
        "ci.build.id": "42", "ci.build.number": "7", "ci.build.type": "push", "ci.pr.headSHA": "abc",
        "ci.build.url": "https://github.com/acme/shop/actions/runs/42", "exec.kind": "cli", "exec.agent": "robot",
        "pulumi.env.PULUMI_BACKEND_URL": "set", "pulumi.env.PULUMI_SKIP_UPDATE_CHECK": "true",
        "pulumi.flag.yes": "true", "pulumi.flag.stack": "set", "pulumi.flag.non-interactive": "true",
        "pulumi.os": "linux", "runtime.name": "python", "stack.environments": "[]", "updatePlan": "false"}
    assert {key: environment.get(key) for key in expected} == expected
    assert "git.author: Grace" in ws.run("stack", "history").out


def test_without_a_repository_variables_tell(make):
    ws = make()
    ws.operate("up", env={"PULUMI_GIT_HEAD": "abc", "PULUMI_GIT_AUTHOR": "Ada", "PULUMI_GIT_COMMIT_MESSAGE": "one\ntwo",
                          "PULUMI_VCS_REPO_OWNER": "acme", "PULUMI_DISABLE_CI_DETECTION": "1"})
    (entry,) = json.loads(ws.run("stack", "history", "--json").out)
    assert entry["message"] == "one"
    assert (entry["environment"]["git.head"], entry["environment"]["vcs.owner"]) == ("abc", "acme")
    assert "ci.system" not in entry["environment"]


# ---- of this command alone ------------------------------------------------------------------------------------------

@pytest.fixture
def ours(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (project / "__main__.py").write_text(PLAIN)
    return Workspace(tmp_path, Command.kingpost())


@pytest.mark.parametrize("words, says", [
    (("policy", "ls"), "DIY backend does not support resource policy"),
    (("console",), "graph FILE.html"), (("env", "ls"), "config set-all"), (("env", "setup", "aws"), "does not support Pulumi ESC"),
    (("policy", "get", "x"), "requires the Pulumi Cloud backend"), (("stack", "policy", "ls"), "requires the Pulumi Cloud"),
    (("policy", "exception", "list"), "--policy-pack-config"), (("logs", "share"), "requires the Pulumi Cloud backend"),
    (("logs", "decrypt"), "only pulumi itself can read the logs"),
    (("stack", "webhook", "ls"), "--event-log"), (("stack", "history", "events", "1"), "--event-log"), (("org", "member", "ls"), "'organization'")], ids=" ".join)
def test_an_unavailable_command_gives_the_reason_and_the_remedy(ours, words, says):
    run = ours.run(*words, check=False)
    assert run.code == 1 and "is not available: " in run.err and says in run.err


def test_flags_for_dot_are_refused_for_other_pictures(ours):
    ours.run("stack", "init", "other")
    run = ours.run("stack", "graph", "graph.svg", "--dot-fragment", "bgcolor=red;", check=False)
    assert run.code == 2 and "--format dot" in run.err and not (ours.project / "graph.svg").exists()


@pytest.mark.parametrize("typed, guess", [("destory", "did you mean destroy?"), ("refrsh", "did you mean refresh?"),
                                          ("canceled", "see 'kingpost --help'"), ("stack sel", "did you mean stack select?"), ("stack remov", "see 'kingpost stack"), ("state moe", "see 'kingpost state")])
def test_guesses_are_never_dangerous(ours, typed, guess):
    run = ours.run(*typed.split(), check=False)
    assert run.code != 0 and guess in run.err


def test_a_variable_that_is_no_value_for_its_flag_is_named(ours):
    run = ours.run("up", env={"PULUMI_OPTION_PARALLEL": "many"}, check=False)
    assert run.code == 2 and "PULUMI_OPTION_PARALLEL" in run.err and '"many"' in run.err


def test_environments_of_the_service_are_refused(ours):
    run = ours.preview("--override-env", "acme/prod", check=False)
    assert run.code == 2 and "--override-env" in run.err


def test_state_get_keeps_secrets(ours):
    (ours.project / "__main__.py").write_text('import pulumi\npulumi.export("key", pulumi.Output.secret("hunter22"))\n')
    ours.up()
    urn = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"
    for more in ((), ("--output", "json")):
        assert "hunter22" not in ours.run("state", "get", urn, *more).out
        assert "hunter22" in ours.run("state", "get", urn, *more, "--show-secrets").out
    assert json.loads(ours.run("stack", "--output", "json").out)["outputs"] == {"key": "[secret]"}
    assert json.loads(ours.run("stack", "--json", "--show-secrets").out)["outputs"] == {"key": "hunter22"}


def test_about_shows_the_runtime(ours):
    about = json.loads(ours.run("about", "--json").out)
    version = ".".join(str(part) for part in sys.version_info[:3])
    assert (about["runtime"]["language"], about["runtime"]["version"]) == ("python", version)
    assert about["currentStack"]["fullyQualifiedName"] == "organization/shop/dev"
    runtime = about["runtime"]
    assert (runtime["toolchain"], runtime["typechecker"]) == ("Pip", "None")
    assert re.fullmatch(r"\d+(\.\d+)+", runtime["toolchainVersion"])
    shown = ours.run("about").out
    assert f" toolchainVersion='{runtime['toolchainVersion']}'" in shown
    assert re.search(r"^language +python +3\.\d+\.\d+$", shown, re.MULTILINE), shown
    assert re.search(r"\nDependencies:\nNAME +VERSION\n(\S+ +\S+\n)*pip +\d", shown), shown
    direct, every = ({one["name"] for one in json.loads(ours.run("about", "--json", *more).out)["dependencies"]}
                     for more in ((), ("--transitive",)))
    assert direct < every and {"pulumi", "grpcio"} <= every and "grpcio" not in direct


def test_about_lists_the_plugin_of_the_programs_language(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), init=False)
    (ws.project / "Pulumi.yaml").write_text("name: shop\nruntime: cobol\n")
    missing = json.loads(ws.run("about", "--json").out)
    assert missing["plugins"] == [] and "no language plugin 'pulumi-language-cobol' found" in missing["errors"][-1]
    with_cobol(ws)
    about = json.loads(ws.run("about", "--json").out)
    assert about["plugins"] == [{"name": "cobol", "version": "1.0.0", "kind": "language"}]
    assert re.search(r"^language +cobol +1\.0\.0$", ws.run("about").out, re.MULTILINE)


def test_about_shows_what_a_node_program_stands_on(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), init=False)
    compiler = ws.project / "node_modules" / "typescript"
    compiler.mkdir(parents=True)
    (compiler / "package.json").write_text('{"name": "typescript", "version": "5.4.3"}')
    (ws.project / "node_modules" / "@a" / "b").mkdir(parents=True)
    (ws.project / "node_modules" / "@a" / "b" / "package.json").write_text('{"name": "@a/b", "version": "1.0.0"}')
    (ws.project / "package.json").write_text('{"devDependencies": {"typescript": "^5.0.0"}, "dependencies": {"c": "^2"}}')
    (ws.project / "Pulumi.yaml").write_text("name: shop\nruntime: nodejs\n")
    about = json.loads(ws.run("about", "--json").out)
    assert about["dependencies"] == [{"name": "c", "version": "^2"}, {"name": "typescript", "version": "5.4.3"}]
    every = json.loads(ws.run("about", "--json", "-t").out)["dependencies"]
    assert every == [{"name": "@a/b", "version": "1.0.0"}, {"name": "typescript", "version": "5.4.3"}]
    runtime = about["runtime"]
    assert (runtime["language"], runtime["packagemanager"]) == ("nodejs", "npm")
    assert runtime["version"] == subprocess.check_output(["node", "--version"], text=True).strip()
    assert runtime["packagemanagerVersion"] == subprocess.check_output(["npm", "--version"], text=True).strip()
    assert runtime["typescriptVersion"] == "5.4.3"


# ---- 4: Python environments -----------------------------------------------------------------------------------------

def packages() -> dict[str, str]:
    """Settings that give a new, empty environment the SDK of this one."""
    return {"PYTHONPATH": str(next(Path(p) for p in sys.path if p.endswith("site-packages"))), "PIP_NO_INDEX": "1"}


@pytest.mark.parametrize("main", ["", "main: src\n"], ids=["here", "in a folder"])
def test_a_virtual_environment_that_is_missing_is_made(ours, main):
    (ours.project / "Pulumi.yaml").write_text(
        f"name: shop\nruntime:\n  name: python\n  options:\n    virtualenv: env\n{main}")
    program = ours.project / "src" if main else ours.project
    program.mkdir(exist_ok=True)
    (program / "__main__.py").write_text('import sys, pulumi\npulumi.export("prefix", sys.prefix)\n')
    (program / "requirements.txt").write_text("# nothing more\n")
    run = ours.preview("--json", env=packages())
    assert "Making the virtual environment" in run.err and json.loads(run.out)["steps"]
    ours.up(env=packages())
    assert ours.outputs()["prefix"] == str(ours.project / "env")


def test_a_virtual_environment_whose_packages_failed_to_install_is_completed_by_the_next_command(ours):
    (ours.project / "Pulumi.yaml").write_text("name: shop\nruntime:\n  name: python\n  options:\n    virtualenv: env\n")
    (ours.project / "__main__.py").write_text("import pulumi\n")
    (ours.project / "requirements.txt").write_text("no-such-package-anywhere\n")
    assert ours.preview("--json", env=packages(), check=False).code != 0
    assert (ours.project / "env" / "bin" / "python").exists()
    (ours.project / "requirements.txt").write_text("# nothing more\n")
    completed = ours.preview("--json", env=packages())
    assert "not finished, and installing the packages" in completed.err
    assert "installing the packages" not in ours.preview("--json", env=packages()).err


def test_install_that_failed_is_completed_by_the_next_command_or_by_itself(ours):
    (ours.project / "Pulumi.yaml").write_text("name: shop\nruntime:\n  name: python\n  options:\n    virtualenv: env\n")
    (ours.project / "__main__.py").write_text("import pulumi\n")

    def install(requirements, **kwargs):
        (ours.project / "requirements.txt").write_text(requirements)
        return ours.run("install", env=packages(), **kwargs)

    install("no-such-package-anywhere\n", check=False)
    assert "not finished" in ours.preview("--json", env=packages(), check=False).err
    install("# nothing more\n")
    assert "installing the packages" not in ours.preview("--json", env=packages()).err
    install("no-such-package-anywhere\n", check=False)  # what was finished is still there
    assert "installing the packages" not in ours.preview("--json", env=packages()).err


def test_install_beside_a_policy_pack_is_for_the_pack(ours):
    pack = ours.project / "pack"
    pack.mkdir()
    (pack / "PulumiPolicy.yaml").write_text("runtime:\n  name: python\n  options:\n    virtualenv: venv\n")
    (pack / "requirements.txt").write_text("# nothing more\n")
    ours.run("install", "-C", str(pack), env=packages())
    assert (pack / "venv" / "bin" / "python").exists() and not (ours.project / "venv").exists()


def test_uv_names_its_environment_by_a_variable_and_finds_it_above(ours):
    above = ours.root / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", above], check=True)
    (ours.project / "Pulumi.yaml").write_text("name: shop\nruntime:\n  name: python\n  options:\n    toolchain: uv\n")
    (ours.project / "__main__.py").write_text('import sys, pulumi\npulumi.export("prefix", sys.prefix)\n')
    ours.up(env=packages())
    assert ours.outputs()["prefix"] == str(above)
    above.rename(ours.root / "named")
    ours.up(env=packages() | {"UV_PROJECT_ENVIRONMENT": str(ours.root / "named")})
    assert ours.outputs()["prefix"] == str(ours.root / "named")


def test_uv_fills_the_environment_that_the_options_name(ours):
    (ours.project / "bar").mkdir()
    (ours.project / "Pulumi.yaml").write_text("name: shop\nmain: bar/\nruntime:\n  name: python\n  options:\n    toolchain: uv\n"
                                              "    virtualenv: bar/.venv\n")
    (ours.project / "pyproject.toml").write_text("[project]\nname = 'shop'\nversion = '1'\n")
    tools = ours.root / "tools"
    tools.mkdir()
    (tools / "uv").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m venv --without-pip "$UV_PROJECT_ENVIRONMENT"\n')
    (tools / "uv").chmod(0o755)
    (ours.project / "bar" / "__main__.py").write_text('import sys, pulumi\npulumi.export("prefix", sys.prefix)\n')
    ours.up(env=packages() | {"PATH": f"{tools}:{ours.environment()['PATH']}"})
    assert ours.outputs()["prefix"] == str(ours.project / "bar" / ".venv")


def test_logs_of_both_tools_are_listed_and_removed(ours):
    folder = ours.home / "logs"
    assert ours.run("logs", "list").out == f"No log files found in {folder}\n"
    folder.mkdir()
    for name in ("pulumi-20261125T103708-9710-plugin_install.log", "organization+shop+dev-20261124T103709.log", "mine.txt"):
        (folder / name).write_text("x" * 10)
    lines = ours.run("logs", "ls").out.splitlines()
    assert lines[0].split() == ["STACK", "CREATED", "UPDATE", "ID", "SIZE", "FILE"]
    assert "(cli: plugin install)" in lines[1] and "9710" in lines[1] and lines[2].startswith("organization/shop/dev")
    listed = json.loads(ours.run("logs", "list", "--output", "json").out)
    assert [(row.get("stack"), row.get("command"), row["size"]) for row in listed] == [
        (None, "plugin install", 10), ("organization/shop/dev", None, 10)]
    assert "--all, --before, or --stack" in ours.run("logs", "remove", "--yes", code=2).err
    assert "--yes must be passed" in ours.run("logs", "remove", "--all", code=2).err
    assert ours.run("logs", "rm", "--before", "2026-11-25", "--yes").out.startswith(f"removed {folder}/organization+shop+dev")
    ours.run("logs", "remove", "--all", "--yes")
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_without_a_login_whoami_fails_as_such_and_asks_nobody(ours):
    run = ours.run("whoami", check=False, env={"PULUMI_BACKEND_URL": ""})
    assert run.code == 3 and "this command requires logging in" in run.err and "login file://PATH" in run.err


@pytest.mark.parametrize("words, says, code", [
    (("stack", "init", "--esc-config", "x"), "ESC-managed environments are not supported by the DIY backend", 1),
    (("stack", "init", "--remote-config", "x"), "remote config is not supported", 1),
    (("up", "--yes", "--coherence-window", "5"), "coherence windows are only supported by the Pulumi Cloud backend", 1),
    (("preview", "--coherence-window", "5"), "coherence windows are only supported by the Pulumi Cloud backend", 1),
    (("refresh", "--yes", "--coherence-window", "5"), "coherence windows are only supported by the Pulumi Cloud backend", 1),
    (("destroy", "--yes", "--coherence-window", "5"), "coherence windows are only supported by the Pulumi Cloud backend", 1),
    (("login", "--credential-helper", "x"), "credential helpers are not run", 1),
    (("logout", "--delete-credentials-key"), "--delete-credentials-key requires --all", 2),
    (("new", "--ai", "a shop"), "has been retired", 1),
    (("new", "--language", "python"), "has been retired", 1),
    (("plugin", "install", "fruit", "x"), "must be one of: analyzer, language, resource, converter, tool", 2)])
def test_flags_that_need_the_cloud_are_refused(ours, words, says, code):
    assert says in ours.run(*words, code=code).err


def test_flags_of_settings_in_environments_change_nothing(ours):
    ours.run("config", "set", "--override-import", "a", "1")
    ours.run("config", "set-all", "--override-import", "--plaintext", "b=2")
    assert ours.run("config", "get", "b").out.strip() == "2" and ours.run("config", "get", "a").out.strip() == "1"
    assert "PULUMI_BACKEND_URL" in ours.run("about", "env", "--json", "--output", "json", "--stack", "x", "--transitive").out
