# SPDX-License-Identifier: Apache-2.0
"""The SDK's generated interface for single commands: the command line knows each of them, with all of its flags."""

import inspect
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from pulumi.automation import interface
from pulumi.automation._cmd import CommandResult

from harness import Command, Workspace, peer_or_skip
from harness.patience import patience

_OF_THE_SDK = {"cwd", "additional_env", "on_output", "on_error"}
# The interface gives their values as words of their own, where the command wants them behind "=": the peer fails, too.
_NOT_GIVEN = {"suppress_permalink", "refresh", "attach_debugger"}
# Flags whose values the command line checks, and which the command must get past.
_VALUES = {"color": "never", "output": "json", "format": "json", "type": "string", "verbose": 1}


class Recorded:
    """Stands in for the command, and keeps its arguments."""

    def run(self, args, *_):
        self.args = args
        return CommandResult(stdout="", stderr="", code=0)


def calls() -> dict[str, list[str]]:
    """The words of each function, called with everything that it takes."""
    found = {}
    for name, function in inspect.getmembers(interface.API, inspect.isfunction):
        if name in ("__init__", "_run"):
            continue
        positional, flags = [], {}
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            kind = str(parameter.annotation)
            if parameter.name in _OF_THE_SDK | _NOT_GIVEN:
                continue
            value = (_VALUES.get(parameter.name) if parameter.name in _VALUES else True if kind == "bool" else
                     1 if "int" in kind else ["x"] if "list" in kind else "x")
            if parameter.kind is parameter.KEYWORD_ONLY:
                flags[parameter.name] = value
            elif parameter.kind is parameter.VAR_POSITIONAL:
                positional.append("x")
            else:
                positional.append(value)
        command = Recorded()
        function(interface.API(command), *positional, **flags)
        found[name] = command.args
    return found


CALLS = calls()


def test_the_interface_has_its_functions():
    assert len(CALLS) > 80 and {"refresh", "about_env", "state_protect"} <= CALLS.keys()


@pytest.mark.parametrize("name", CALLS)
def test_the_command_line_knows_a_function_and_all_of_its_flags(name, tmp_path):
    """The command may fail, but not because it does not know a word or a flag. Calls for Pulumi Cloud say so."""
    command = Command.kingpost()
    env = command.environment(tmp_path) | {"PULUMI_HOME": str(tmp_path / "home"), "HOME": str(tmp_path),
                                           "PULUMI_BACKEND_URL": (tmp_path / "nowhere").as_uri()}
    run = subprocess.run([str(command.path), *CALLS[name]], cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, text=True,
                         capture_output=True, timeout=patience(60))
    said = run.stdout + run.stderr
    assert "unknown flag" not in said and "unknown command" not in said and "invalid argument" not in said, CALLS[name]


# ---- beside the peer -------------------------------------------------------------------------------------------------

ROOT, PART = ("urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "urn:pulumi:dev::shop::pulumi:pulumi:Stack$shop:index:Part::a")
# The value of an argument for which "x" is not enough. The SDK itself adds --yes, and --json where there is one.
_GIVEN = {
    "_import": (("shop:index:Part", "b", "id"), {}), "cancel": (("dev",), {}), "config_copy": ((), {"dest": "other"}),
    "config_get": (("region",), {}), "config_remove": (("region",), {}), "config_remove_all": (("region", "size"), {}),
    "config_set": (("color", "red"), {}), "config_set_all": ((), {"plaintext": ["color=red"]}),
    "convert": ((), {"_from": "yaml", "language": "python", "out": "converted", "generate_only": True}),
    "new": (("./template",), {"generate_only": True, "force": True}), "org_set_default": (("organization",), {}),
    "state_get": ((PART,), {}), "state_move": ((PART,), {"dest": "other", "include_parents": True}),
    "state_promote": (("nothing",), {}), "state_protect": ((PART,), {}), "state_remove": ((PART,), {}),
    "state_rename": ((PART, "c"), {}), "state_taint": ((PART,), {}), "state_unprotect": ((PART,), {}),
    "state_untaint": ((PART,), {}),
}
# Function -> why the two commands do not end alike.
_ON_PURPOSE = {
    "about": "this one names the project; the stand-in for the peer's language host lists no dependencies, which is told as an error",
    "install": "the stand-in for the peer's language host installs nothing",
    "org_get_default": "state in folders has one organization, which `org get-default` tells",
} | dict.fromkeys(("org_search", "org_audit_log", "org_member", "org_role", "org_usage"),
                  "the peer prints the help of the group, this one that it is of Pulumi Cloud")


def words_of(name: str) -> list[str]:
    """The words with which the SDK calls the command, for the required arguments and those in _GIVEN."""
    command = Recorded()
    function = getattr(interface.API, name)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    positional, options = _GIVEN.get(name, (tuple("x" for p in parameters if p.kind is not p.KEYWORD_ONLY), {}))
    options = {p.name: "x" for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty} | options
    function(interface.API(command), *positional, **options)
    return command.args


def state_of_parts() -> dict:
    stamp = "2026-01-01T00:00:00Z"
    rows = [{"urn": ROOT, "type": "pulumi:pulumi:Stack"}, {"urn": PART, "type": "shop:index:Part", "parent": ROOT}]
    rows = [row | {"custom": False, "created": stamp, "modified": stamp} for row in rows]
    return {"version": 3, "deployment": {"manifest": {"time": stamp, "magic": "", "version": ""}, "resources": rows}}


class World:
    """A project with two stacks, made once and restored before each run."""

    def __init__(self, command: Command, folder: Path):
        self.command = command
        self.ws = Workspace(folder / "now", command, init=False)
        (self.ws.project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (self.ws.project / "__main__.py").write_text("import pulumi\n")
        (self.ws.project / "template").mkdir()
        (self.ws.project / "template" / "Pulumi.yaml").write_text(
            "name: ${PROJECT}\ndescription: ${DESCRIPTION}\nruntime: python\n")
        (self.ws.project / "state.json").write_text(json.dumps(state_of_parts()))
        self.ws.run("stack", "init", "dev")
        self.ws.run("stack", "import", "--file", "state.json", "--stack", "dev")
        self.ws.run("stack", "init", "other", "--no-select")
        self.ws.run("config", "set-all", "--plaintext", "region=here", "--plaintext", "size=3", "--stack", "dev")
        self.made = folder / "made"
        shutil.copytree(self.ws.root, self.made, symlinks=True)

    def ended(self, words: list[str]) -> tuple[int, str, str]:
        shutil.rmtree(self.ws.root)
        shutil.copytree(self.made, self.ws.root, symlinks=True)
        run = subprocess.run([str(self.command.path), *words], cwd=self.ws.project, env=self.ws.environment(), text=True,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=patience(120))
        return run.returncode, run.stdout, run.stderr


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    peer = peer_or_skip()
    return [World(command, tmp_path_factory.mktemp(command.name)) for command in (Command.kingpost(), peer)]


def keys_of(text: str) -> object:
    """The members of a JSON object; None for any other text."""
    try:
        read = json.loads(text)
    except ValueError:
        return None
    return sorted(read) if isinstance(read, dict) else type(read).__name__


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_a_function_ends_as_with_the_peer(name, worlds):
    words = words_of(name)
    (code, out, err), (peer_code, peer_out, peer_err) = [world.ended(words) for world in worlds]
    said = f"{words}\n{code}: {out}{err}\n--- the peer:\n{peer_code}: {peer_out}{peer_err}"
    same = (code == 0) == (peer_code == 0) and (code != 0 or keys_of(out) == keys_of(peer_out))
    assert same != (name in _ON_PURPOSE), said
