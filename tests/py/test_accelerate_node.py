# SPDX-License-Identifier: Apache-2.0
"""Programs do the same with the accelerators of the Node.js SDK as without them: the same requests byte for byte, the same
states, the same exit codes, the same texts."""

import re

import pytest

from harness import Command, PROGRAMS, Workspace, node_modules
from harness.accelerated import check_equal, in_any_order, play

SOURCE = PROGRAMS / "accelerated-node"
PROGRAMS_THAT_WORK = ["plain", pytest.param("mixed"), pytest.param("layers", marks=pytest.mark.slow), "closure"]


def run_program(root, program, accelerate, *verbs, **env):
    return play(root, SOURCE, program, accelerate, verbs, env, node_modules())


@pytest.mark.parametrize("program", PROGRAMS_THAT_WORK)
def test_requests_and_states_are_those_of_the_sdk_alone(program, tmp_path):
    ours = run_program(tmp_path, program, True, "preview", "up")
    assert ours[0].code == 0, ours[0].text
    check_equal(ours, run_program(tmp_path, program, False, "preview", "up"))


@pytest.mark.parametrize("program, env", [
    ("leak", {"PULUMI_DEBUG_PROMISE_LEAKS": "1"}),
    pytest.param("leak", {}, marks=pytest.mark.slow),
    pytest.param("refuse", {}, marks=pytest.mark.slow),
    pytest.param("stop", {}, marks=pytest.mark.slow),
])
def test_failures_are_told_as_by_the_sdk_alone(program, env, tmp_path):
    ours, = run_program(tmp_path, program, True, "preview", **env)
    theirs, = run_program(tmp_path, program, False, "preview", **env)
    assert ours.code == theirs.code != 0
    assert told(ours) == told(theirs)
    if env:
        assert "STACK_TRACE" in ours.text and "index.js" in ours.text, "the stack that is formatted late names the file"


def told(run):
    """The output in any order of lines. The numbers of promises differ between runs."""
    return in_any_order(re.sub(r"CONTEXT\(\d+\)", "CONTEXT(_)", run.text))


def test_debugging_says_what_was_on(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), SOURCE, modules=node_modules())
    (ws.project / "Pulumi.yaml").write_text("name: accelerated\nruntime: nodejs\n")
    (ws.project / "index.js").write_text('require("@pulumi/pulumi").log.debug("a word of the program");\n')
    loud = ws.run("preview", "--debug", "--stack", "dev").out
    assert "the SDK is accelerated: log_messages: off, the messages are asked for; " in loud
    assert "lazy_stack: on" in loud and "a word of the program" in loud
    assert "lazy_modules (runtime/closure/codePaths.js): on" in loud
    off = ws.run("preview", "--debug", "--stack", "dev", env={"KINGPOST_ACCELERATE": "0"}).out
    assert "is accelerated" not in off and "a word of the program" in off
    quiet = ws.run("preview", "--stack", "dev").out
    assert "a word of the program" not in quiet


def test_the_sdk_is_compiled_once_for_all_programs(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), SOURCE, modules=node_modules())
    (ws.project / "Pulumi.yaml").write_text("name: accelerated\nruntime: nodejs\n")
    (ws.project / "index.js").write_text('console.log("compiled code:", require("module").getCompileCacheDir?.());\n')
    cache = tmp_path / "cache"

    def preview(**env):
        return ws.run("preview", "--stack", "dev", env={"XDG_CACHE_HOME": str(cache), **env}).out

    def compiled():
        return {path.name for path in cache.glob("kingpost/node-code-*/*/*")}

    assert f"compiled code: {cache}/kingpost/node-code-" in preview()
    first = compiled()
    assert len(first) > 100
    preview()
    assert compiled() == first
    for off in ({"KINGPOST_ACCELERATE": "0"}, {"NODE_DISABLE_COMPILE_CACHE": "1"}):
        assert "compiled code: undefined" in preview(**off)
    assert f"compiled code: {tmp_path}/own/" in preview(NODE_COMPILE_CACHE=str(tmp_path / "own"))
