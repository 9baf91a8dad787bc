# SPDX-License-Identifier: Apache-2.0
"""Mistakes and damage: a one-line error that names the thing, the exit code, and an unchanged state."""

import subprocess

import pytest

from harness import Command, Workspace
from harness.patience import patience
from harness.rules import configure, rules_workspace


@pytest.fixture(scope="module")
def stack(tmp_path_factory) -> Workspace:
    ws = rules_workspace(tmp_path_factory.mktemp("bad"), Command.kingpost(), "aliases")
    configure(ws, step=1)
    ws.up()
    return ws


@pytest.fixture
def ws(stack):
    """The stack, restored after each test."""
    files = [stack.state_file, stack.project / "Pulumi.yaml", stack.project / "Pulumi.dev.yaml"]
    before = [file.read_bytes() for file in files]
    yield stack
    for file, content in zip(files, before, strict=True):
        file.write_bytes(content)


def refused(ws: Workspace, *args: str, code: int, names: tuple, env=None) -> None:
    """The command must fail with this code and one error line with all these texts, and write nothing."""
    before = ws.state_file.read_bytes() if list(ws.backend.rglob("dev.json")) else None
    run = ws.run(*args, check=False, env=env)
    errors = [line for line in run.err.splitlines() if line.startswith("error: ")]
    assert run.code == code, f"code {run.code}\n{run.out}\n{run.err}"
    assert len(errors) == 1, f"one error line is expected\n{run.err}"
    for name in names:
        assert name in errors[0], f"{name!r} is not in {errors[0]!r}"
    assert "Traceback" not in run.err and "terminate called" not in run.err
    if before is not None:
        assert ws.state_file.read_bytes() == before, "the state was touched"


VERBS = [("preview",), ("up", "--yes", "--skip-preview"), ("stack", "export"), ("destroy", "--yes", "--skip-preview")]


@pytest.mark.parametrize("verb", VERBS, ids=lambda v: " ".join(v[:2]))
def test_unknown_stack(ws, verb):
    refused(ws, *verb, "--stack", "nope", code=6, names=("no stack named 'nope' found",))


@pytest.mark.parametrize("verb", VERBS, ids=lambda v: " ".join(v[:2]))
def test_truncated_state(ws, verb):
    ws.state_file.write_bytes(ws.state_file.read_bytes()[:400])
    refused(ws, *verb, "--stack", "dev", code=1, names=("dev.json",))


def test_empty_state(ws):
    ws.state_file.write_bytes(b"")
    refused(ws, "preview", "--stack", "dev", code=1, names=("dev.json",))


@pytest.mark.parametrize("verb", VERBS, ids=lambda v: " ".join(v[:2]))
def test_unknown_version(ws, verb):
    ws.state_file.write_bytes(ws.state_file.read_bytes().replace(b'{"version":3', b'{"version":9', 1))
    refused(ws, *verb, "--stack", "dev", code=1, names=("unsupported checkpoint version 9",))


def test_missing_state(ws):
    file = ws.state_file
    content = file.read_bytes()
    backup = file.with_name(file.name + ".bak")
    kept = backup.read_bytes() if backup.exists() else None
    file.unlink()
    backup.unlink(missing_ok=True)
    try:
        refused(ws, "preview", "--stack", "dev", code=6, names=("no stack named 'dev' found",))
        assert not file.exists()
    finally:
        file.write_bytes(content)
        if kept is not None:
            backup.write_bytes(kept)


def test_wrong_passphrase(ws):
    refused(ws, "preview", "--stack", "dev", code=1, names=("incorrect passphrase",),
            env={"PULUMI_CONFIG_PASSPHRASE": "wrong"})


def test_broken_project_file(ws):
    (ws.project / "Pulumi.yaml").write_text("name: [\n")
    refused(ws, "preview", "--stack", "dev", code=1, names=("Pulumi.yaml",))


def test_project_without_a_name(ws):
    (ws.project / "Pulumi.yaml").write_text("runtime: python\n")
    refused(ws, "preview", "--stack", "dev", code=1, names=("Pulumi.yaml", "name"))


def test_unknown_runtime(ws):
    (ws.project / "Pulumi.yaml").write_text("name: rules\nruntime: cobol\n")
    refused(ws, "preview", "--stack", "dev", code=1, names=("pulumi-language-cobol",))


def test_broken_update_plan(ws, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text("{not a plan")
    refused(ws, "up", "--yes", "--skip-preview", "--stack", "dev", "--plan", str(plan), code=1,
            names=("reading the update plan",))


def test_broken_autonaming(ws):
    with open(ws.project / "Pulumi.dev.yaml", "a") as settings:
        settings.write("  pulumi:autonaming: often\n")
    refused(ws, "preview", "--stack", "dev", code=1, names=("autonaming",))


def test_missing_plugin(ws):
    (ws.project / "Pulumi.yaml").write_text("name: rules\nruntime: python\n")
    before = ws.state_file.read_bytes()
    run = ws.run("preview", "--stack", "dev", check=False)
    assert run.code == 1 and "pulumi-resource-things" in run.out + run.err, run.out + run.err
    assert ws.state_file.read_bytes() == before


def test_a_plugin_that_dies_fails_its_resource_and_keeps_the_rest(ws):
    configure(ws, program="hooks", step=1)
    run = ws.up(check=False, env={"THINGS_DIE": "create:hooked"})
    assert run.code == 1 and "hooked" in run.out + run.err, run.out + run.err
    assert [u for u in run.failed if u.endswith("::hooked")]
    assert "hooked" not in ws.state().names


def test_a_plugin_that_dies_at_its_start(ws):
    main = ws.root / "plugins" / "things" / "__main__.py"
    content = main.read_text()
    main.write_text("raise SystemExit('no luck today')\n")
    before = ws.state_file.read_bytes()
    try:
        run = ws.run("preview", "--stack", "dev", check=False)
    finally:
        main.write_text(content)
    assert run.code == 1 and "things" in run.out + run.err and "no luck today" in run.out + run.err, run.out + run.err
    assert ws.state_file.read_bytes() == before


def test_unknown_flag(ws):
    run = ws.run("up", "--bogus", check=False)
    assert run.code != 0 and "--bogus" in run.err


def test_import_of_something_else(ws):
    refused(ws, "stack", "import", "--stack", "dev", "--file", "Pulumi.yaml", code=1, names=("Pulumi.yaml",))


@pytest.mark.parametrize("args", ["preview", "up --yes", "stack ls", "whoami", "config", "schema check x.json", "version",
                                  "__complete stack rm --stack ''", "whoami --cwd /"])
def test_a_folder_that_was_deleted(ws, args):
    """A shell still stands in it."""
    shell = f"mkdir gone && cd gone && rmdir ../gone && exec {ws.command.path} {args}"
    done = subprocess.run(["sh", "-c", shell], cwd=ws.root, env=ws.environment(), capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=patience(60), check=False)
    works = args.startswith(("version", "__complete")) or "--cwd" in args
    assert done.returncode == (0 if works else 1), done.stderr
    assert works or done.stderr.startswith("error: the current folder has been deleted"), done.stderr
    assert "terminate called" not in done.stderr
