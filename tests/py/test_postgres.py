# SPDX-License-Identifier: Apache-2.0
"""State in a real PostgreSQL server: in turns with the real pulumi where KINGPOST_PEER names it, with kills and races.

    KINGPOST_KILLS_POSTGRES=4      kills of operations
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness import Command, Workspace, peer_or_skip
from harness.fault_check import missing_things
from harness.legacy_store import check_legacy, check_upgrade, check_upgraded, check_usable, make_legacy
from harness.patience import patience
from harness.postgres import PASSWORD, PostgresServer
from harness.process_world import NAMES, ProcessWorld
from harness.processes import kill_all_in
from harness.watching import Watching

KILLS = int(os.environ.get("KINGPOST_KILLS_POSTGRES", "4"))
SEED = int(os.environ.get("KINGPOST_KILLS_SEED", "1"))
PROGRAM = """
import os, pulumi
class Part(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("demo:index:Part", name, {})
for number in range(int(os.environ.get("PARTS", "3"))):
    Part(f"part-{number}")
pulumi.export("parts", os.environ.get("PARTS", "3"))
"""
FOREIGN_LOCK = '{"pid":1,"username":"ann","hostname":"elsewhere","timestamp":"2026-11-22T10:00:00Z"}'


@pytest.fixture(scope="module")
def server():
    folder = Path(tempfile.mkdtemp(prefix="kp-pg-"))
    try:
        server = PostgresServer.start(folder)
        yield server
        server.down()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def states(server, request):
    name = re.sub(r"\W", "_", request.node.name.lower())[:50]
    return server.database(name)


def workspace(root, states, command=None, **kw) -> Workspace:
    project = root / "project"
    if not project.exists():
        project.mkdir(parents=True)
        (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (project / "__main__.py").write_text(PROGRAM)
    return Workspace(root, command or Command.kingpost(), env=dict(states.env), **kw)


def put(states, key: str, text: str) -> None:
    states.server.sql(states.name, f"INSERT INTO {states.table} (key, data) VALUES ('{states.name}/{key}', "
                                   f"json_build_object('data', encode('{text}', 'base64')))")


def test_the_contracts_of_buckets_and_stores_hold(states):
    tests = Command.kingpost().path.with_name("kp_tests")
    if not tests.exists():
        pytest.skip(f"{tests} is not built")
    done = subprocess.run([str(tests), "[postgres]"], env=os.environ | {"KINGPOST_TEST_POSTGRES": states.url}, text=True,
                          capture_output=True, timeout=patience(300))
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    assert "No test" not in done.stdout


def test_the_life_of_a_stack_leaves_the_rows_of_the_reference(states, tmp_path):
    ws = workspace(tmp_path, states)
    shown = [ws.up(), ws.up(), ws.preview(), ws.run("stack", "ls"), ws.run("whoami", "-v"), ws.run("stack", "history")]
    keys = [re.sub(r"\d{19}", "TIME", key) for key in states.keys()]
    history = [f".pulumi/history/shop/dev/dev-TIME.{kind}.json" for kind in ("checkpoint", "history")]
    reasons = [f".pulumi/history/shop/dev/dev-{run}.reasons.json" for run in ("operation", "preview")]
    assert sorted(set(keys)) == sorted([
        ".pulumi/meta.yaml", ".pulumi/stacks/shop/dev.json", ".pulumi/stacks/shop/dev.json.bak",
        ".pulumi/backups/shop/dev/dev.TIME.json", ".pulumi/journals/shop/dev/head.json", *history, *reasons])
    shown += [ws.run("stack", "tag", "set", "team", "blue"), ws.run("stack", "rename", "prod")]
    ws.stack = "prod"
    assert "blue" in ws.run("stack", "tag", "ls").out
    assert ws.state().names >= {"part-0", "part-1", "part-2"}
    shown += [ws.destroy(), ws.run("stack", "rm", "prod", "--yes")]
    assert not [key for key in states.keys() if key.endswith("prod.json")]
    assert not states.held()
    everything = "".join(result.out + result.err for result in shown)
    assert PASSWORD not in everything and "canary" not in everything
    assert "postgres://****:****@/" in everything


def test_errors_are_reported_without_the_password(server, states, tmp_path):
    ws = workspace(tmp_path, states)
    wrong = {states.url.replace(PASSWORD, "canary-wrong"): "password authentication failed",
             states.url.replace(f"/{states.name}?", "/nowhere?"): 'database "nowhere" does not exist',
             states.url + "&table=a.b": "search_path=SCHEMA",
             states.url + "&colour=blue": 'unrecognized configuration parameter "colour"',
             "postgres://u:canary@127.0.0.1:9/x": "Connection refused"}
    for url, text in wrong.items():
        done = ws.run("stack", "ls", check=False, env={"PULUMI_BACKEND_URL": url})
        assert done.code != 0
        assert text in done.err, done.err
        assert "canary" not in done.out + done.err
        login = ws.run("login", url, check=False, env={"PULUMI_BACKEND_URL": ""})
        assert login.code != 0 and "canary" not in login.out + login.err


def test_a_schema_and_a_table_of_ones_own(server, states, tmp_path):
    server.sql(states.name, "CREATE SCHEMA teams")
    states.env["PULUMI_BACKEND_URL"] = states.url
    ws = workspace(tmp_path, states, init=False)
    ws.env["PULUMI_BACKEND_URL"] = states.url + "&search_path=teams&table=states"
    ws.run("stack", "init", "dev")
    ws.up()
    assert server.sql(states.name, "SELECT count(*) FROM teams.states WHERE key LIKE '%dev.json'").strip() == "1"


def test_a_role_that_may_only_read_previews_and_sees_the_stack(server, states, tmp_path):
    ws = workspace(tmp_path, states)
    ws.up()
    role = f"reader_{states.name[:20]}"
    server.sql(states.name, f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'", f"GRANT SELECT ON {states.table} TO {role}",
               "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    reading = {"PULUMI_BACKEND_URL": states.url.replace("//pulumi:", f"//{role}:")}
    assert ws.run("stack", "output", "parts", "--stack", "dev", env=reading).out.strip() == "3"
    assert ws.run("preview", "--stack", "dev", "--expect-no-changes", env=reading).code == 0


def test_a_project_whose_name_is_a_pattern_of_another(states, tmp_path):
    """The reference panics on `my_app` beside `my-app`."""
    for name in ("my-app", "my_app"):
        ws = workspace(tmp_path / name, states, init=False)
        (ws.project / "Pulumi.yaml").write_text(f"name: {name}\nruntime: python\n")
        ws.run("stack", "init", "dev")
        ws.up(env={"PARTS": str(len(name))})
    assert len(json.loads(ws.run("stack", "ls", "--all", "--json").out)) == 2


def test_a_foreign_lock_keeps_us_out_until_it_is_cancelled(states, tmp_path):
    ws = workspace(tmp_path, states)
    put(states, ".pulumi/locks/organization/shop/dev/0a.json", FOREIGN_LOCK)
    refused = ws.up(check=False)
    assert refused.code != 0
    assert "the stack is currently locked by 1 lock(s)" in refused.err + refused.out
    assert "created by ann@elsewhere (pid 1) at 2026-11-22T10:00:00Z" in refused.err + refused.out
    ws.preview()
    ws.run("cancel", "--yes")
    ws.up()


def test_one_of_eight_commands_works_at_a_time(states, tmp_path):
    ws = workspace(tmp_path, states)
    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda number: ws.run("up", "--yes", "--skip-preview", "--stack", "dev", check=False,
                                                   env={"PARTS": str(number + 1)}), range(8)))
    assert any(run.code == 0 for run in runs)
    for run in runs:
        assert run.code == 0 or "currently locked" in run.err + run.out, run.err
    assert len(json.loads(ws.run("stack", "history", "--json").out)) == sum(run.code == 0 for run in runs)
    ws.up()
    assert not states.held()


def test_stacks_move_from_folders_and_back_and_go_to_earlier_versions(states, tmp_path):
    ws = workspace(tmp_path, states, init=False)
    folder = ws.backend.as_uri()
    ws.env["PULUMI_BACKEND_URL"] = folder
    ws.run("stack", "init", "dev")
    ws.up(env={"PARTS": "1"})
    ws.up(env={"PARTS": "2"})
    ws.run("stack", "tag", "set", "team", "blue")
    before = ws.run("stack", "export").out
    moved = ws.run("state", "migrate", folder, states.url)
    assert PASSWORD not in moved.out + moved.err
    ws.run("state", "migrate", folder, states.url)  # again: nothing is left to do
    ws.env["PULUMI_BACKEND_URL"] = states.url
    assert ws.run("stack", "export", "--stack", "dev").out == before
    assert len(json.loads(ws.run("stack", "history", "--json", "--stack", "dev").out)) == 2
    assert "blue" in ws.run("stack", "tag", "ls", "--stack", "dev").out
    listed = ws.run("stack", "rollback", "--stack", "dev")
    assert "VERSION" in listed.out and "--to" in listed.out
    assert "has no version 9" in ws.run("stack", "rollback", "--to", "9", "--stack", "dev", code=2).err
    back = ws.run("stack", "rollback", "--to", "1", "--yes", "--stack", "dev")
    assert "- urn:pulumi:dev::shop::demo:index:Part::part-1" in back.out
    assert "part-1" not in ws.state().names
    refused = ws.run("state", "migrate", states.url, folder, check=False)
    assert refused.code != 0 and "another stack of that name" in refused.err
    (tmp_path / "other").mkdir()
    ws.run("state", "migrate", states.url, (tmp_path / "other").as_uri())
    ws.env["PULUMI_BACKEND_URL"] = (tmp_path / "other").as_uri()
    assert "part-1" not in ws.state().names


def test_stacks_without_projects_get_theirs(states, tmp_path):
    ws = workspace(tmp_path, states, init=False)
    make_legacy(ws)
    check_upgrade(ws, states.keys, "shop")
    assert not states.held()


def test_the_server_is_restarted_in_the_middle(server, states, tmp_path):
    world = ProcessWorld.python(tmp_path / "world", Command.kingpost(), states)
    world.delay_ms = 100
    world.begin("update")
    process = world.start("update")
    while not world.told():
        time.sleep(0.05)
        assert process.poll() is None
    server.down()
    server.up()
    done = world.finish(process)
    assert done is not None
    again = world.finish(world.start("update"))
    assert again is not None and again.returncode == 0, again and again.stdout
    assert not world.complaints("update") + missing_things(world.things, len(NAMES)), done.stdout


def test_kills(states, tmp_path):
    root = Path(tempfile.mkdtemp(prefix="kp-"))
    try:
        world = ProcessWorld.python(root / "py", Command.kingpost(), states)
        world.delay_ms = 20
        chance, wrong = random.Random(SEED), []
        for number in range(KILLS):
            operation = chance.choice(["up", "update", "destroy"])
            world.begin(operation)
            process = world.start(operation)
            time.sleep(chance.uniform(0.2, 4.0))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kill_all_in(world.ws.root)
            found = world.complaints(operation)
            again = world.finish(world.start(operation))
            if again is None or again.returncode != 0:
                found.append("stuck: " + (again.stdout[-1500:] if again else "it hangs"))
            left = states.held()
            wrong += [f"{number}. {operation}: {text}" for text in found + world.complaints(operation) + left]
        assert not wrong, "\n".join(wrong)
    finally:
        kill_all_in(root)
        shutil.rmtree(root)


@pytest.mark.slow
def test_both_tools_work_on_a_stack_in_turn(states, tmp_path):
    ours = workspace(tmp_path, states, init=False)
    theirs = ours.with_command(peer_or_skip())
    theirs.run("stack", "init", "dev")
    for number, ws in enumerate([theirs, ours, theirs, ours], 1):
        ws.up(env={"PARTS": str(number)})
        for reader in (ours, theirs):
            assert reader.state().names >= {f"part-{n}" for n in range(number)}
            assert reader.preview(env={"PARTS": str(number)}).summary == {"same": number + 1}
            assert len(json.loads(reader.run("stack", "history", "--json").out)) == number
    ours.run("stack", "tag", "set", "team", "blue")
    assert "blue" in theirs.run("stack", "tag", "ls").out
    theirs.run("config", "set", "--secret", "token", "hush")
    assert ours.run("config", "get", "token").out.strip() == "hush"
    ours.run("stack", "rename", "prod")
    theirs.stack = ours.stack = "prod"
    theirs.destroy()
    ours.run("stack", "rm", "prod", "--yes")


@pytest.mark.slow
def test_both_tools_upgrade_a_store_in_the_same_way(server, tmp_path):
    peer = peer_or_skip()
    for maker, upgrader in ((Command.kingpost(), peer), (peer, Command.kingpost()), (peer, peer)):
        states = server.database(f"upgrade_{maker.name}_{upgrader.name}")
        made = workspace(tmp_path / states.name, states, maker, init=False)
        make_legacy(made)
        check_legacy(states.keys())
        done = made.with_command(upgrader).run("state", "upgrade", "--yes")
        assert "Upgraded 1 stack(s) to project mode" in done.err + done.out
        check_upgraded(states.keys(), "shop")
        for command in (Command.kingpost(), peer):
            check_usable(made.with_command(command), "shop")


@pytest.mark.slow
def test_locks_keep_both_tools_out_of_each_other(states, tmp_path):
    ours = workspace(tmp_path, states)
    theirs = ours.with_command(peer_or_skip())
    slow = "import time\ntime.sleep(8)\n" + PROGRAM
    (ours.project / "__main__.py").write_text(slow)
    for holder, other in ((ours, theirs), (theirs, ours)):
        process = holder.start("up")
        while not [key for key in states.keys() if "/locks/" in key]:
            time.sleep(0.05)
            assert process.poll() is None, process.communicate()
        refused = other.run("up", "--yes", "--skip-preview", "--stack", "dev", check=False)
        assert refused.code != 0 and "the stack is currently locked by 1 lock(s)" in refused.out + refused.err
        out, _ = process.communicate(timeout=patience(120))
        assert process.returncode == 0, out


@pytest.mark.slow
def test_statements_beside_the_reference(server, tmp_path):
    """Prints the table for docs/backends.md."""
    counted: dict[str, dict[str, int]] = {}
    for command in (Command.kingpost(), peer_or_skip()):
        states = server.database(f"count_{command.name}")
        ws = workspace(tmp_path / command.name, states, command, init=False)

        def count(what: str, *args: str, command: Command = command, ws: Workspace = ws, parts: int = 3) -> None:
            before = server.statements()
            ws.run(*args, env={"PARTS": str(parts)})
            counted.setdefault(what, {})[command.name] = server.statements() - before

        count("stack init", "stack", "init", "dev")
        count("up, 3 components", "up", "--yes", "--skip-preview")
        count("up, no change", "up", "--yes", "--skip-preview")
        count("up, 50 components", "up", "--yes", "--skip-preview", parts=50)
        count("preview", "preview", parts=50)
        count("stack ls", "stack", "ls")
        count("stack history", "stack", "history")
        count("stack export", "stack", "export")
        count("destroy", "destroy", "--yes", "--skip-preview")
        count("stack rm", "stack", "rm", "dev", "--yes")
    print("\n" + "\n".join(f"| {what} | {n['peer']} | {n['kingpost']} |" for what, n in counted.items()))
    assert all(n["kingpost"] < n["peer"] for n in counted.values()), counted


def test_a_watch_hears_of_an_update_elsewhere_and_goes_on_when_the_server_is_back(server, states, tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), env=dict(states.env), init=False)

    def save(value: str) -> None:
        stash = {"type": "pulumi:index:Stash", "properties": {"input": value}}
        (ws.project / "Pulumi.yaml").write_text(json.dumps({"name": "shop", "runtime": "yaml", "resources": {"stash": stash}}))

    save("one")
    ws.run("stack", "init", "dev")
    with Watching(ws) as watching:
        watching.until("Resources:")
        assert not states.held()
        ws.up()
        assert "to create" not in watching.until("2 unchanged")
        assert "because another process has changed the state" in watching.out
        server.down()
        save("two")
        watching.until("no plan")
        server.up()
        save("three")
        watching.until("to update")
        assert watching.end() == 0
        assert PASSWORD not in watching.out + watching.err
