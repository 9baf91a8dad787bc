# SPDX-License-Identifier: Apache-2.0
"""Real programs with the unmodified Go SDK: built and run by the command itself, no language host beside it."""

import re
import shutil
import subprocess

import pytest

from harness import Command, PROGRAMS, Workspace, differences, peer_or_skip
from harness.patience import patience
from harness.rules import Do, configure, perform, things_log
from harness.sdks import go_build, go_workspace, play
from scenarios import CREATE, HOOKS_LOG, SCENARIOS, Scenario, created, deleted, marked

PROGRAM_NAMES = ["aliases", "failing", "hooks", "importing", "options", "policed", "reading", "remote", "replacement",
                 "transforms", "versions"]
BUILDING = Scenario([Do("up", 1, created("box", "thing")), Do("destroy", 1, deleted("box", "thing"))], [])


@pytest.fixture(scope="module")
def rules_binary(tmp_path_factory):
    return go_build("./rules", tmp_path_factory.mktemp("go") / "rules")


def prepare(root, command, name, binary):
    ws = go_workspace(root, command, name, SCENARIOS[name], {"binary": str(binary)})
    shutil.copytree(PROGRAMS / "policies", root / "policies")
    return ws


@pytest.mark.parametrize("name", marked(PROGRAM_NAMES))
def test_go_program_takes_the_steps_it_should(name, tmp_path, rules_binary):
    ws = prepare(tmp_path, Command.kingpost(), name, rules_binary)
    play(ws, SCENARIOS[name].does)
    assert sorted(things_log(ws)) == SCENARIOS[name].log
    if name == "hooks":
        assert sorted((ws.project / "hooks.log").read_text().splitlines()) == HOOKS_LOG
    assert ws.state().rows == [], "destroy left resources in the state"


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAM_NAMES)
def test_go_program_ends_as_with_the_peer(name, tmp_path, rules_binary):
    peer, ours = peer_or_skip(), Command.kingpost()
    theirs = play(prepare(tmp_path / "peer", peer, name, rules_binary), SCENARIOS[name].does)
    mine = play(prepare(tmp_path / "ours", ours, name, rules_binary), SCENARIOS[name].does)
    found = []
    for (do, run, state), (_, their_run, their_state) in zip(mine, theirs, strict=True):
        found += [f"{do.verb} step {do.step}: steps: {d}" for d in differences(run.steps, their_run.steps)]
        found += [f"{do.verb} step {do.step}: state: {d}" for d in differences(state, their_state)]
    assert not found, "ours (left) and the peer's (right) differ:\n" + "\n".join(found)


def test_the_program_is_built_where_the_options_say_and_nothing_else_is_left(tmp_path, rules_binary):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    for options, target in (({}, None), ({"buildTarget": "out/rules"}, "out/rules")):
        root = tmp_path / ("target" if target else "temporary")
        ws = go_workspace(root, Command.kingpost(), "aliases", BUILDING, options)
        for do in BUILDING.does:
            perform(ws, Do(do.verb, do.step, do.changed, env={"TMPDIR": str(scratch)}))
        assert target is None or (ws.project / target).exists()
        assert [p for p in ws.project.iterdir() if p.name == "rules"] == []
        assert [p for p in scratch.rglob("*") if p.is_file()] == []


def test_stack_traces_name_the_places_of_the_program(tmp_path, rules_binary):
    ws = go_workspace(tmp_path, Command.kingpost(), "aliases", BUILDING, {})
    perform(ws, BUILDING.does[0])
    frames = [frame["sourcePosition"] for row in ws.state().rows for frame in row.get("stackTrace") or []]
    assert any(re.match(r"project:///(?!\.\./).*\.go#\d+$", frame) for frame in frames), frames


def test_a_program_is_built_again_only_after_a_change(tmp_path, rules_binary):
    ws = go_workspace(tmp_path, Command.kingpost(), "aliases", BUILDING, {})
    configure(ws, step=1)
    compiled = subprocess.run(["go", "env", "GOCACHE"], capture_output=True, text=True, check=True).stdout.strip()
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "GOCACHE": compiled}

    def built() -> bool:
        run = ws.preview(env=env)
        return "Compiling the program" in run.out + run.err

    assert [built(), built()] == [True, False]
    source = ws.project / "main.go"
    before = source.read_text()
    source.write_text(before + "\nfunc unused() {}\n")
    assert [built(), built()] == [True, False]
    source.write_text(before)
    assert not built(), "the program before the change is still there"
    sums = ws.project / "go.sum"
    sums.write_text(sums.read_text() + "\n")
    assert built()
    programs = list((tmp_path / "cache").glob("kingpost/built/*/program"))
    for program in programs:
        program.unlink()
    assert built(), "somebody has cleared the cache"


def test_mistakes_of_a_go_program_are_reported(tmp_path, rules_binary):
    ws = go_workspace(tmp_path, Command.kingpost(), "aliases", BUILDING, {"binary": "a", "buildTarget": "b"})
    project = (ws.project / "Pulumi.yaml").read_text()

    def refused(*texts: str) -> None:
        run = ws.up(check=False)
        said = run.out + run.err + run.diagnostics
        assert run.code != 0 and [text for text in texts if text not in said] == [], said

    refused("binary and buildTarget cannot both be specified")
    (ws.project / "Pulumi.yaml").write_text(project.replace("buildTarget: b", "").replace("binary: a", "binary: absent"))
    refused("unable to find 'absent' executable")
    (ws.project / "Pulumi.yaml").write_text(project.replace("buildTarget: b", "").replace("binary: a", ""))
    main = (ws.project / "main.go").read_text()
    (ws.project / "main.go").write_text(main + "\nvar broken int = text\n")
    refused("main.go", "undefined: text", "unable to run `go build`: exit status 1")
    (ws.project / "main.go").write_text("package main\n\nimport \"os\"\n\nfunc main() { os.Exit(7) }\n")
    for name in ("names", "changes", "callbacks", "thing"):
        (ws.project / f"{name}.go").unlink()
    refused("program exited with non-zero exit code: 7")
    by_go = ws.up(check=False, env={"PULUMI_GO_USE_RUN": "true"})
    assert by_go.code != 0 and "exit status 7" in by_go.out + by_go.err and "exit code: 1\n" in by_go.out + by_go.err
    (ws.project / "main.go").unlink()
    refused("Failed to find go files for 'go build'")


def test_go_program_with_go_provider(tmp_path):
    plugin = tmp_path / "plugins" / "vault"
    plugin.mkdir(parents=True)
    go_build("./provider", plugin / "pulumi-resource-vault")
    ws = Workspace(tmp_path, Command.kingpost(), PROGRAMS / "go")
    assert ws.up(timeout=patience(600)).changed() == {"go-keys-dev": CREATE, "first": CREATE, "second": CREATE}
    before = ws.outputs()
    assert len(before["secret"]) == 32 and before["secret"] not in ws.state_file.read_text()
    assert ws.preview("--expect-no-changes").changed() == {}
    ws.config(bits="256")
    assert ws.up().changed() == {"first": ["create-replacement", "replace", "delete-replaced"], "second": ["update"]}
    assert len(ws.outputs()["secret"]) == 64
    ws.config(bits="7")
    refused = ws.up(check=False)
    assert refused.code == 1 and "must be a multiple of eight" in refused.out + refused.err
    ws.destroy()
    assert ws.state().rows == []
