# SPDX-License-Identifier: Apache-2.0
"""Command lines of scripts, and the errors for mistakes in them: the same words on both commands.

Each test runs on this command, and on the real one where KINGPOST_PEER names it.
"""

import pytest

from harness import Command, Workspace, peer_or_skip


@pytest.fixture(params=["kingpost", "peer"])
def ws(request, tmp_path):
    """A project with a stack, on either command."""
    command = Command.kingpost() if request.param == "kingpost" else peer_or_skip()
    project = tmp_path / "project"
    project.mkdir()
    (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (project / "__main__.py").write_text("")
    return Workspace(tmp_path, command)


@pytest.mark.parametrize("line, says", [
    ("up --yes --plan missing", "open missing: no such file or directory"),
    ("stack import --file missing", "could not open file: open missing: no such file or directory"),
    ("stack export --file /missing/x", "open /missing/x: no such file or directory"),
    ("import --yes --file missing", "could not read import file: open missing: no such file or directory"),
    ("import --yes --preview-only a:b:C name id", "--yes and --preview-only cannot be used together"),
    ("import --skip-preview --preview-only a:b:C name id", "--skip-preview and --preview-only cannot be used together"),
    ("refresh --yes --preview-only", "--yes and --preview-only cannot be used together"),
    ("config set a:b:c d", "invalid configuration key: could not parse a:b:c as a configuration key"),
    ("config set --path a[ c", "could not set config: invalid config key path: missing closing bracket in array index"),
    ("config set-all --plaintext x", "config value must be in the form [key]=[value]"),
    ("plugin rm hammer --yes", "unrecognized plugin kind: hammer"),
    ("up --yes --refresh=maybe", "unable to determine value for --refresh"),
], ids=lambda text: text.split(" --file")[0])
def test_mistakes_are_told_in_the_words_that_scripts_look_for(ws, line, says):
    run = ws.run(*line.split(), check=False)
    assert run.code != 0 and says in run.err, run.err


@pytest.mark.parametrize("line", ["config rm-all", "import", "import a:b:C", "preview --remote"])
def test_a_command_without_its_arguments_fails(ws, line):
    assert ws.run(*line.split(), check=False).code != 0


def test_login_takes_the_backend_that_the_environment_names(ws):
    assert "Logged in to" in ws.run("login").out
    told = ws.run("login", env={"PULUMI_BACKEND_URL": "file:///missing/folder"}, check=False)
    assert told.code != 0 and "/missing/folder" in told.err


def test_whoami_tells_the_kind_of_its_token(ws):
    assert ws.run("whoami", "--verbose").out.splitlines()[-1] == "Token type: personal"


def test_a_tag_that_is_not_there_is_removed_without_a_word(ws):
    ws.run("stack", "tag", "rm", "missing")


def test_no_stack_is_selected_without_a_name(ws):
    run = ws.run("stack", "select", env={"PULUMI_STACK": ""}, check=False)
    assert run.code == 6 and "no stack selected; specify a stack name with --stack" in run.err


def test_help_lists_the_flags_of_all_commands(ws):
    told = ws.run("--help").out
    assert "Usage:" in told and all(flag in told for flag in ("--verbose", "--cwd", "--non-interactive"))


@pytest.mark.parametrize("flag, times", [("--suppress-permalink=false", 2), ("--suppress-permalink", 2),
                                         ("--suppress-permalink=true", 0), ("--suppress-outputs", 0)])
def test_the_state_is_named_when_that_is_asked_for(ws, flag, times):
    told = ws.run("up", "--yes", flag).out
    link = f"Permalink: {ws.backend.as_uri()}/.pulumi/stacks/shop/dev.json"
    assert told.count("Permalink:") == told.count(link) == times, told


# ---- operations that Pulumi Cloud would run: the SDKs' remote workspaces look for the flags -------------------------

@pytest.mark.parametrize("verb", ["preview", "up", "refresh", "destroy"])
def test_flags_of_remote_operations_are_known_and_refused(ws, verb):
    experimental = {"PULUMI_EXPERIMENTAL": "true"}
    assert "--remote" not in ws.run(verb, "--help").out
    assert "--remote-pre-run-command" in ws.run(verb, "--help", env=experimental).out
    run = ws.run(verb, "--remote", "https://example.com/x.git", "--remote-git-branch", "main", "--stack", "dev",
                 env=experimental, check=False)
    assert run.code == 1 and "the Pulumi Cloud backend must be used for remote operations" in run.err
