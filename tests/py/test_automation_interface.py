# SPDX-License-Identifier: Apache-2.0
"""The SDK's generated interface for single commands: the command line knows each of them, with all of its flags."""

import inspect
import subprocess

import pytest
from pulumi.automation import interface
from pulumi.automation._cmd import CommandResult

from harness import Command
from harness.patience import patience

_OF_THE_SDK = {"cwd", "additional_env", "on_output", "on_error"}
# The interface gives its value as a word of its own, where the command wants it behind "=": the peer fails, too.
_NOT_GIVEN = {"suppress_permalink"}
# Flags whose values the command line checks, and which the command must get past.
_VALUES = {"color": "never", "output": "json", "format": "json", "type": "string", "verbose": 1}


class Recorded:
    """Stands for the command: keeps what it would have been called with."""

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
    """Where it fails, it is not for a word or a flag that it does not know; what is of Pulumi Cloud says so."""
    command = Command.kingpost()
    env = command.environment(tmp_path) | {"PULUMI_HOME": str(tmp_path / "home"), "HOME": str(tmp_path),
                                           "PULUMI_BACKEND_URL": (tmp_path / "nowhere").as_uri()}
    run = subprocess.run([str(command.path), *CALLS[name]], cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, text=True,
                         capture_output=True, timeout=patience(60))
    said = run.stdout + run.stderr
    assert "unknown flag" not in said and "unknown command" not in said and "invalid argument" not in said, CALLS[name]
