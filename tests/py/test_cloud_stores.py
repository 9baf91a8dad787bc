# SPDX-License-Identifier: Apache-2.0
"""State in the buckets of clouds, with the whole command: the life of a stack, a network that fails, in turns with the
real pulumi where KINGPOST_PEER names it, killed. The buckets by themselves are in test_buckets.py.

    KINGPOST_KILLS_BUCKETS=6       kills of operations
"""

import json
import os
import random
import re
import shutil
import signal
import tempfile
import time
import urllib.parse
from dataclasses import replace
from pathlib import Path

import pytest

from harness import Command, Workspace, peer_or_skip
from harness.cloud_services import SERVICES, Service, ServiceStates, versitygw_service
from harness.clouds import AZURITE_ACCOUNT
from harness.faulty_proxy import FaultyProxy
from harness.legacy_store import check_legacy, check_upgrade, check_upgraded, check_usable, make_legacy
from harness.patience import patience
from harness.process_world import ProcessWorld
from harness.processes import kill_all_in

KILLS = int(os.environ.get("KINGPOST_KILLS_BUCKETS", "6"))
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
FOREIGN_LOCK = b'{"pid":1,"username":"ann","hostname":"elsewhere","timestamp":"2026-11-22T10:00:00Z"}'


@pytest.fixture(scope="module", params=list(SERVICES))
def running_service(request, tmp_path_factory):
    yield from SERVICES[request.param](tmp_path_factory.mktemp(request.param))


@pytest.fixture
def service(running_service, request):
    return running_service.below(re.sub(r"\W", "-", request.node.name))


def workspace(root: Path, service: Service, command: Command | None = None, address: str = "", **kw) -> Workspace:
    project = root / "project"
    if not project.exists():
        project.mkdir(parents=True)
        (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (project / "__main__.py").write_text(PROGRAM)
    env = service.env_at(address or service.address)
    return Workspace(root, command or Command.kingpost(), env=env, **kw)


def left_behind(service: Service) -> list[str]:
    """After a successful operation only the head stays, and it is free."""
    left = [key for key in service.keys if "/journals/" in key and not key.endswith("/head.json")]
    return left + service.held()


def test_the_life_of_a_stack_leaves_the_objects_of_the_reference(service, tmp_path):
    ws = workspace(tmp_path, service)
    shown = [ws.up(), ws.up(), ws.preview(), ws.run("stack", "ls"), ws.run("whoami", "-v"), ws.run("stack", "history")]
    keys = {re.sub(r"\d{19}", "TIME", key) for key in service.keys}
    history = [f".pulumi/history/shop/dev/dev-TIME.{kind}.json" for kind in ("checkpoint", "history")]
    assert {key for key in keys if "reasons" not in key} == {
        ".pulumi/meta.yaml", ".pulumi/stacks/shop/dev.json", ".pulumi/stacks/shop/dev.json.bak",
        ".pulumi/backups/shop/dev/dev.TIME.json", ".pulumi/journals/shop/dev/head.json", *history}
    shown += [ws.run("stack", "tag", "set", "team", "blue"), ws.run("stack", "rename", "prod")]
    ws.stack = "prod"
    assert "blue" in ws.run("stack", "tag", "ls").out
    assert ws.state().names >= {"part-0", "part-1", "part-2"}
    shown += [ws.destroy(), ws.run("stack", "rm", "prod", "--yes")]
    assert not [key for key in service.keys if key.endswith("prod.json")]
    assert not left_behind(service)
    everything = "".join(result.out + result.err for result in shown)
    for secret in service.env.values():
        assert secret == AZURITE_ACCOUNT or secret == service.address or secret not in everything


def test_a_network_that_fails_loses_nothing(service, tmp_path):
    proxy = FaultyProxy(service.address, 5)
    with proxy.serving() as address:
        ws = workspace(tmp_path, service, address=address)
        for parts in (2, 4, 1):
            ws.up(env={"PARTS": str(parts)})
            assert {name for name in ws.state().names if name.startswith("part")} == {f"part-{n}" for n in range(parts)}
        ws.destroy()
    assert len(proxy.met) > 5
    assert not left_behind(service)


def writes_of(proxy: FaultyProxy, part: str) -> int:
    return len([line for line in proxy.seen if line.startswith(("PUT", "POST")) and part in line])


def test_without_keys_of_our_own_the_checkpoint_is_saved_with_each_step(service, tmp_path):
    """With a policy that allows only Pulumi's keys, Kingpost cannot write its journal."""
    if not service.url("").startswith("s3:"):
        pytest.skip("paths are written in another way, and the same code is asked")
    proxy = FaultyProxy(service.address, denied="journals")
    with proxy.serving() as address:
        ws = workspace(tmp_path, service, address=address, init=False)
        refused = ws.run("stack", "init", "dev", check=False)
        assert refused.code != 0 and "KINGPOST_CHECKPOINT_EVERY_STEP=true" in refused.err
        plain = {"KINGPOST_CHECKPOINT_EVERY_STEP": "true"}
        ws.env |= plain
        ws.run("stack", "init", "dev")
        proxy.seen.clear()
        ws.up(env={"PARTS": "12"})
        with_each = writes_of(proxy, "/dev.json")
        assert ws.state().names >= {f"part-{n}" for n in range(12)}
        proxy.seen.clear()
        ws.destroy(env={"PULUMI_SKIP_CHECKPOINTS": "true"})
        assert writes_of(proxy, "/dev.json") < with_each
        assert not [line for line in proxy.seen if "journals" in line]

        (ws.project / "__main__.py").write_text(
            "import pulumi, time\nparts = [pulumi.Stash(f'part-{n}', input='x').output for n in range(3)]\n"
            "pulumi.Output.all(*parts).apply(lambda _: time.sleep(600))\n")
        process = ws.start("up")
        deadline = time.monotonic() + patience(60)
        while not ws.state().names >= {"part-0", "part-1", "part-2"}:
            assert time.monotonic() < deadline and process.poll() is None
        locked = ws.run("up", "--yes", "--skip-preview", check=False, env={"PULUMI_STACK": "dev"})
        assert locked.code != 0 and "currently locked by 1 lock(s)" in locked.out + locked.err
        process.kill()
        process.communicate()
        kill_all_in(tmp_path)
        ws.destroy()  # its owner is known to be gone: the same machine
    assert not left_behind(service)


def test_stacks_without_projects_get_theirs(service, tmp_path):
    ws = workspace(tmp_path, service, init=False)
    make_legacy(ws)
    check_upgrade(ws, lambda: service.keys, "shop")
    assert not left_behind(service)


def test_an_upgrade_that_was_cut_off_is_gone_on_with(service, tmp_path):
    """The network ends at each request in turn, from the first one to the last."""
    if not service.url("").startswith("s3:"):
        pytest.skip("another service is asked the same")
    proxy = FaultyProxy(service.address)
    with proxy.serving() as address:
        ws = workspace(tmp_path, service, init=False)
        make_legacy(ws)
        there = {"PULUMI_BACKEND_URL": service.url(address), "AWS_MAX_ATTEMPTS": "1"}
        cut = [ws.run("state", "upgrade", "--yes", check=False, env=there)
               for at in range(4, 60, 4) if proxy.break_at(at, "lost", onwards=True) is None]
    assert cut[0].code != 0
    assert "Upgraded 0 stack(s) to project mode" in cut[-1].err, cut[-1].err  # an earlier one has done it
    check_usable(ws, "shop")


def test_errors_are_reported_without_a_secret(service, tmp_path):
    ws = workspace(tmp_path, service)
    url = ws.env["PULUMI_BACKEND_URL"]
    separator = "&" if "?" in url else "?"
    wrong = {url + f"{separator}zone=canary": 'unknown query parameter "zone"',
             url.replace("team/", "nowhere/"): "nowhere"}
    for bad, text in wrong.items():
        done = ws.run("stack", "ls", check=False, env={"PULUMI_BACKEND_URL": bad})
        assert done.code != 0, done.out
        assert text in done.err, done.err
        assert "canary" not in done.out + done.err


def test_no_credential_is_in_an_object_a_log_or_a_local_copy(service, tmp_path):
    """The test looks while an operation runs, after it was killed, and after another has taken over, with all logs on."""
    if "AWS_SECRET_ACCESS_KEY" not in service.env:
        pytest.skip("objects are the same in all buckets, and are looked at in S3")
    ws = workspace(tmp_path, service)
    (ws.project / "__main__.py").write_text(
        "import os, pulumi, time\npart = pulumi.Stash('part', input='x').output\n"
        "part.apply(lambda _: time.sleep(float(os.environ.get('PAUSE', '0'))))\n")
    process = ws.start("up", "--logtostderr", "-v=9", env={"PAUSE": "600"})
    try:
        deadline = time.monotonic() + patience(60)
        while not [key for key in service.keys if key.endswith("/00000001")]:
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.1)
        stored = b"".join(service.read(service.root + key) for key in service.keys)
    finally:
        process.kill()
        kill_all_in(tmp_path)
    seen = process.communicate()[0]
    done = ws.up("--logtostderr", "-v=9")
    stored += b"".join(service.read(service.root + key) for key in service.keys)
    files = b"".join(file.read_bytes() for file in ws.home.rglob("*") if file.is_file())
    everything = (seen + done.out + done.err).encode() + stored + files
    assert b"part" in stored
    for secret in (service.env["AWS_SECRET_ACCESS_KEY"], "X-Amz-Signature", "Signature=", "AWS4-HMAC"):
        assert secret.encode() not in everything


@pytest.mark.slow
def test_a_state_of_more_than_100_mb_is_saved_and_read_back(service, tmp_path):
    ws = workspace(tmp_path, service)
    ws.up(env={"PARTS": "1"})
    exported = json.loads(ws.run("stack", "export").out)
    resources = exported["deployment"]["resources"]
    part = next(resource for resource in resources if resource["urn"].endswith("::part-0"))
    for number in range(1100):
        text = f"{number:4}" * 25_000
        resources.append(part | {"urn": part["urn"].replace("part-0", f"large-{number}"), "outputs": {"text": text}})
    ws.run("stack", "import", stdin=json.dumps(exported))
    read = ws.run("stack", "export").out
    assert len(read) > 100_000_000
    assert json.loads(read)["deployment"]["resources"][-1]["outputs"] == {"text": text}
    document = service.read_below_root(".pulumi/stacks/shop/dev.json")
    assert len(document) > 100_000_000
    # Resources outside of the program are deleted step by step, and leave the state.
    ws.up(env={"PARTS": "2"})
    assert {name for name in ws.state().names if name.startswith(("part", "large"))} == {"part-0", "part-1"}
    assert service.read_below_root(".pulumi/stacks/shop/dev.json.bak") == document
    assert not left_behind(service)


@pytest.mark.slow
def test_both_tools_work_on_a_stack_in_turn(service, tmp_path):
    ours = workspace(tmp_path, service, init=False)
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
    assert not left_behind(service)


@pytest.mark.slow
def test_both_tools_upgrade_a_store_in_the_same_way(service, tmp_path):
    peer = peer_or_skip()
    root = service.root.rstrip("/")
    for maker, upgrader in ((Command.kingpost(), peer), (peer, Command.kingpost()), (peer, peer)):
        name = f"{root}-{maker.name}-{upgrader.name}"
        there = replace(service, root=f"{name}/", url=lambda at, name=name: service.url(at).replace(root, name))
        made = workspace(tmp_path / name, there, maker, init=False)
        make_legacy(made)
        check_legacy(there.keys)
        upgraded = made.with_command(upgrader)
        done = upgraded.run("state", "upgrade", "--yes")
        assert "Upgraded 1 stack(s) to project mode" in done.err + done.out
        check_upgraded(there.keys, "shop")
        for command in (Command.kingpost(), peer):
            check_usable(made.with_command(command), "shop")


@pytest.mark.slow
def test_locks_keep_both_tools_out_of_each_other(service, tmp_path):
    ours = workspace(tmp_path, service)
    theirs = ours.with_command(peer_or_skip())
    (ours.project / "__main__.py").write_text("import time\ntime.sleep(8)\n" + PROGRAM)
    for holder, other in ((ours, theirs), (theirs, ours)):
        process = holder.start("up")
        while not [key for key in service.keys if "/locks/" in key]:
            time.sleep(0.1)
            assert process.poll() is None, process.communicate()
        refused = other.run("up", "--yes", "--skip-preview", "--stack", "dev", check=False)
        assert refused.code != 0 and "the stack is currently locked by 1 lock(s)" in refused.out + refused.err
        out, _ = process.communicate(timeout=patience(120))
        assert process.returncode == 0, out


@pytest.mark.slow
def test_requests_beside_the_reference(service, tmp_path):
    """Prints the table for docs/backends.md."""
    if "STORAGE_EMULATOR_HOST" in service.env:
        pytest.skip("the same as on S3")
    counted: dict[str, dict[str, int]] = {}
    for command in (Command.kingpost(), peer_or_skip()):
        proxy = FaultyProxy(service.address)
        with proxy.serving() as address:
            there = replace(service, url=lambda at, name=command.name: service.url(at).replace(
                urllib.parse.quote(service.root.rstrip("/")), f"count-{name}"))
            ws = workspace(tmp_path / command.name, there, command, address=address, init=False)

            def count(what: str, *args: str, command: Command = command, ws: Workspace = ws, proxy=proxy,
                      parts: int = 3) -> None:
                before = proxy.requests
                ws.run(*args, env={"PARTS": str(parts)})
                counted.setdefault(what, {})[command.name] = proxy.requests - before

            count("stack init", "stack", "init", "dev")
            count("up, 3 components", "up", "--yes", "--skip-preview")
            count("up, no change", "up", "--yes", "--skip-preview")
            count("up, 50 components", "up", "--yes", "--skip-preview", parts=50)
            count("preview", "preview", parts=50)
            count("stack ls", "stack", "ls")
            count("stack export", "stack", "export")
            count("destroy", "destroy", "--yes", "--skip-preview")
            count("stack rm", "stack", "rm", "dev", "--yes")
    print("\n" + "\n".join(f"| {what} | {n['peer']} | {n['kingpost']} |" for what, n in counted.items()))
    assert counted["up, 50 components"]["kingpost"] * 2 < counted["up, 50 components"]["peer"]


@pytest.mark.slow
def test_kills_lose_nothing(tmp_path):
    root = Path(tempfile.mkdtemp(prefix="kp-"))
    try:
        for service in versitygw_service(tmp_path):
            states = ServiceStates(service.below("kills"))
            world = ProcessWorld.python(root / "py", Command.kingpost(), states)  # type: ignore[arg-type]
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
                # The seal of a recovered journal stays: a write of the dead owner that is still under way must find it.
                left = states.service.held()
                wrong += [f"{number}. {operation}: {text}" for text in found + world.complaints(operation) + left]
            assert not wrong, "\n".join(wrong)
    finally:
        kill_all_in(root)
        shutil.rmtree(root)
