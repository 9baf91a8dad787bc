# SPDX-License-Identifier: Apache-2.0
"""Commands that lack a word, or have a wrong one: refused in the reference's words, on which programs match."""

import json
import subprocess

import pytest

from harness import Command, Workspace, peer_or_skip
from harness.patience import patience

_NO_RESOURCE = "error: an inline resource must be specified if no converter or import file is used, missing "
MISTAKES = {
    ("state", "delete", "nothing", "--yes"): 'error: "nothing" is not a valid resource URN',
    ("state", "rename", "nothing", "a", "--yes"): "error: The provided input URN is not valid",
    ("state", "protect", "nothing", "--yes"): 'error: No such resource "nothing" exists in the current state',
    ("import", "shop:index:Part", "a"): _NO_RESOURCE + "id",
    ("import", "shop:index:Part"): _NO_RESOURCE + "name and id",
    ("import",): _NO_RESOURCE + "type, name, and id",
    ("import", "shop:index:Part", "a", "b", "c"): "error: only expected at most three arguments",
    ("import", "shop:index:Part", "a", "b", "--file", "x"):
        "error: an inline resource may not be specified in conjunction with an import file",
    ("refresh", "--target"): "error: flag needs an argument: --target",
}
GROUPS = ["logs", "state", "plugin", "policy", "schema", "package", "stack tag", "config env"]


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Workspace:
    return made(Command.kingpost(), tmp_path_factory)


@pytest.fixture(scope="module")
def peers_project(tmp_path_factory) -> Workspace:
    return made(peer_or_skip(), tmp_path_factory)


def made(command: Command, tmp_path_factory) -> Workspace:
    ws = Workspace(tmp_path_factory.mktemp(command.name), command, init=False)
    (ws.project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (ws.project / "__main__.py").write_text("")
    ws.run("stack", "init", "dev")
    return ws


def ended(ws: Workspace, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([str(ws.command.path), *words], cwd=ws.project, env=ws.environment(), text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=patience(60))


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_a_mistake_is_told_in_the_words_of_the_reference(words, project):
    run = ended(project, *words)
    assert run.returncode in (1, 2) and run.stderr.splitlines()[0] == MISTAKES[words]


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_these_are_the_words_of_the_reference(words, peers_project):
    assert ended(peers_project, *words).stderr.splitlines()[0] == MISTAKES[words]


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_without_a_command_shows_its_help_and_fails(group, project):
    alone, helped = ended(project, *group.split()), ended(project, *group.split(), "--help")
    assert alone.stdout == helped.stdout and f"{group} COMMAND" in alone.stdout
    assert (alone.returncode, helped.returncode) == (1, 0)


@pytest.mark.parametrize("group", GROUPS)
def test_the_reference_fails_there_too(group, peers_project):
    assert ended(peers_project, *group.split()).returncode == 1


def test_a_value_that_is_no_number_is_named_with_its_flag(project):
    run = ended(project, "up", "--parallel", "x")
    assert run.returncode == 2 and run.stderr == 'error: invalid argument "x" for "--parallel" flag\n'


def test_org_alone_tells_where_state_is_kept(project):
    run = ended(project, "org")
    assert run.stdout == f"Current Backend: {project.environment()['PULUMI_BACKEND_URL']}\nDefault Org: organization\n"


@pytest.mark.parametrize("flags", ["", "--non-interactive", "--color never", "-v 1 --color=never"])
def test_flags_may_stand_before_a_command_that_is_refused_and_before_help(flags, project):
    refused = ended(project, *flags.split(), "console")
    assert refused.returncode == 1 and "'console' is not available" in refused.stderr
    helped = ended(project, *flags.split(), "help", "stack", "ls")
    assert helped.returncode == 0 and "stack ls [OPTIONS]" in helped.stdout


def test_the_projects_of_a_store_are_listed_with_the_number_of_their_stacks(project):
    listed_as_the_reference_does(project)


def test_the_reference_lists_them_like_this(peers_project):
    listed_as_the_reference_does(peers_project)


def listed_as_the_reference_does(ws: Workspace) -> None:
    name = json.loads(ended(ws, "stack", "ls", "--all", "--json").stdout)[0]["name"]
    project = (ws.project / "Pulumi.yaml").read_text().split("name: ")[1].split()[0]
    assert ended(ws, "project", "ls").stdout == f"PROJECTS:\n  {project} (stacks: 1)\n", name
    assert json.loads(ended(ws, "project", "list", "--json").stdout) == [{"name": project, "stackCount": 1}]
    assert ended(ws, "project", "ls", "--output", "json").stdout == ended(ws, "project", "ls", "--json").stdout


@pytest.mark.parametrize("words", ["search", "search --query x", "member list", "usage get"])
def test_commands_of_pulumi_cloud_are_refused_with_the_reason(words, project):
    run = ended(project, "org", *words.split())
    assert run.returncode == 1 and "is not available: only Pulumi Cloud has organizations" in run.stderr


def test_a_resource_with_a_broken_urn_can_still_be_deleted_from_the_state(project):
    """The reference does not take its URN."""
    record = {"urn": "nothing", "type": "shop:index:Part", "custom": False}
    manifest = {"time": "2026-01-01T00:00:00Z", "magic": "", "version": ""}
    state = {"version": 3, "deployment": {"manifest": manifest, "resources": [record]}}
    (project.project / "broken.json").write_text(json.dumps(state))
    project.run("stack", "import", "--force", "--file", "broken.json")
    assert ended(project, "state", "delete", "nothing", "--yes", "--force").returncode == 0
    assert "resources" not in json.loads(ended(project, "stack", "export").stdout)["deployment"]
