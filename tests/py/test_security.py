# SPDX-License-Identifier: Apache-2.0
"""No other user of the machine reaches an operation, and no output holds a secret."""

import base64
import contextlib
import json
import os
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest

from harness import Command, Workspace
from harness.patience import patience
from harness.processes import PATIENCE_S, children_of, kill_group, wait_for
from harness.rules import configure, rules_workspace
from harness.screens import ENTER, Screen
from harness.slow_update import slow

NOBODY = 65534

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")


def sockets_of(pid: int) -> set[str]:
    inodes = set()
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        try:
            link = os.readlink(fd)
        except OSError:
            continue
        if link.startswith("socket:["):
            inodes.add(link[8:-1])
    return inodes


def listening_ports(pid: int) -> list[int]:
    inodes, ports = sockets_of(pid), []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                ports.append(int(fields[1].rsplit(":", 1)[1], 16))
    return ports


def listening_paths(pid: int) -> list[Path]:
    inodes = sockets_of(pid)
    lines = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    return [Path(fields[7]) for fields in lines if len(fields) > 7 and fields[6] in inodes and fields[3] == "00010000"]


# Greets the engine as a gRPC client of another user would, and prints the answer.
STRANGER = r"""
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
family, address = sys.argv[1], sys.argv[2]
try:
    if family == "unix":
        s = socket.socket(socket.AF_UNIX); s.connect(address)
    elif family == "ipv6":
        s = socket.socket(socket.AF_INET6); s.connect(("::ffff:127.0.0.1", int(address)))
    else:
        s = socket.socket(); s.connect(("127.0.0.1", int(address)))
    s.settimeout(float(sys.argv[3]))
    s.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
    print("served" if s.recv(16) else "hung up")
except (ConnectionError, PermissionError) as error:
    print(type(error).__name__)
"""


def stranger(family: str, address) -> str:
    command = ["/usr/bin/python3", "-c", STRANGER, family, str(address), str(patience(20))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/", timeout=patience(60))
    return done.stdout.strip()


@as_root
def test_another_user_is_let_in_nowhere(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    configure(ws, step=1)
    process = ws.start("up", "--parallel", "4", env=slow(300))
    try:
        acked = ws.project / "acked.log"
        wait_for(acked.exists, "the first create")
        ports, paths = listening_ports(process.pid), listening_paths(process.pid)
        names = sorted(path.name for path in paths)
        # The monitor listens on a socket alone. The engine also listens on a port, for plugins.
        assert names == ["engine", "monitor"], f"it listens at {paths}"
        assert len(ports) == 1, f"it listens on {ports}"
        assert stat.S_IMODE(paths[0].parent.stat().st_mode) == 0o700
        refusals = [stranger("ipv4", ports[0]), stranger("ipv6", ports[0])]
        refusals += [stranger("unix", path) for path in paths]
        assert set(refusals) <= {"hung up", "ConnectionResetError", "PermissionError", "BrokenPipeError"}, refusals
        with socket.create_connection(("127.0.0.1", ports[0])) as own:
            own.settimeout(patience(20))
            own.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
            assert own.recv(16), "its own user is not served"
        out, _ = process.communicate(timeout=PATIENCE_S * 3)
    finally:
        kill_group(process)
    assert process.returncode == 0, out
    assert "refused a connection of another user of this machine (uid 65534)" in out
    assert len([row for row in ws.state().rows if row["type"] == "things:index:Thing"]) == 40


# ---- secrets --------------------------------------------------------------------------------------------------------

TOKEN = "c4n4ry-7f1e-token"
PIN = "739154826"
KEY = "-----BEGIN C4N4RY KEY-----\nMIIc4n4ryAAAAfirst+line/of=key\nMIIc4n4ryBBBBsecond+line/key==\n-----END C4N4RY KEY-----\n"
NESTED = {"user": "c4n4ry-user-3c", "list": ["c4n4ry \"quoted\" ümläut <&>"], "pin": int(PIN)}
INPUT = "c4n4ry-input-51aa"
MADE = "c4n4ry-made-9d02"

CANARY_PROGRAM = f"""
import json, os, sys
import pulumi
from thing import Thing

config = pulumi.Config("rules")
token, key, nested = config.require("token"), config.require("key"), config.require_object("nested")
pulumi.log.info("token " + token)
pulumi.log.warn("as JSON " + json.dumps({{"token": token, "key": key, "nested": nested}}))
pulumi.log.info("as a dictionary " + repr(nested) + repr(key))
print("printed", token, nested["list"][0])
print(key, file=sys.stderr)
first = Thing("first", pulumi.Output.secret({INPUT!r}), token=config.require_secret("token"),
              opts=pulumi.ResourceOptions(additional_secret_outputs=["stamp"]))
Thing("told", pulumi.Output.secret({{"deep": [{INPUT!r}, {{"key": key}}]}}),
      opts=pulumi.ResourceOptions(additional_secret_outputs=["stamp"]))
pulumi.export("made", pulumi.Output.secret({MADE!r}))
pulumi.export("url", pulumi.Output.concat("https://user:", first.stamp, "@host"))
if config.get("throw"):
    def throw(stamp):
        raise Exception("cannot use " + stamp + " or " + json.dumps({{"stamp": stamp}}))
    pulumi.Output.unsecret(first.stamp).apply(throw)
"""

# Only the program, its dynamic providers and the plugin, by its protocol, may see these.
CANARIES = [TOKEN, PIN, *KEY.splitlines(), NESTED["user"], NESTED["list"][0], INPUT, MADE,
            json.dumps(NESTED["list"][0])[1:-1], base64.b64encode(TOKEN.encode()).decode()]


def assert_clean(text: str, where: str) -> None:
    for canary in CANARIES:
        at = text.find(canary)
        assert at < 0, f"{canary!r} is in {where}: ...{text[max(at - 200, 0):at + 100]}..."


@pytest.fixture
def canary(tmp_path) -> Workspace:
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    (ws.project / "__main__.py").write_text(CANARY_PROGRAM)
    ws.run("config", "set", "rules:token", "--secret", "--", TOKEN)
    ws.run("config", "set", "rules:key", "--secret", stdin=KEY)
    ws.run("config", "set", "rules:nested", "--secret", "--", json.dumps(NESTED))
    return ws


def assert_no_file_is_dirty(ws: Workspace) -> None:
    """Checks every file except the program, and the things that the provider makes of its inputs."""
    for path in ws.root.rglob("*"):
        inside = path.relative_to(ws.root).parts
        own = inside[:2] in {("project", "__main__.py"), ("project", "things"), ("project", "__pycache__")}
        if path.is_file() and not own:
            assert_clean(path.read_text(errors="replace"), str(path))


@pytest.mark.parametrize("how", [(), ("--json",), ("--diff",)], ids=str)
def test_no_output_file_or_error_holds_a_secret(canary, how):
    plan = canary.root / "plan.json"
    # The provider marks nothing as secret when it reads its things.
    runs = [canary.preview(*how, "--save-plan", str(plan)), canary.up(*how), canary.refresh(*how),
            canary.up(*how, "--refresh", check=False, env={"THINGS_TELL": "create:told"})]
    canary.run("state", "delete", "urn:pulumi:dev::rules::things:index:Thing::told", "--yes")
    runs.append(canary.up(*how, check=False, env={"THINGS_TELL": "create:told"}))
    configure(canary, throw="yes")
    runs.append(canary.up(*how, check=False))
    runs.append(canary.destroy(*how))
    assert [run.code == 0 for run in runs] == [True, True, True, True, False, False, True]
    assert "cannot create told with" in runs[4].out + runs[4].err + runs[4].diagnostics
    assert "cannot use" in runs[5].out + runs[5].err + runs[5].diagnostics
    for run in runs:
        assert_clean(run.out + run.err, f"what {run.args} printed")
        assert "[secret]" in run.out + run.err + run.diagnostics or run in (runs[2], runs[6])
    assert_no_file_is_dirty(canary)
    for command in (["stack"], ["stack", "output"], ["stack", "export"], ["config"], ["stack", "history"]):
        shown = canary.run(*command)
        assert_clean(shown.out + shown.err, " ".join(command))


@pytest.mark.parametrize("columns", [400, 60])
def test_no_terminal_shows_a_secret(canary, columns):
    """Checks the tree that is drawn in place, the lines that scroll away above it, and the details of a preview."""

    def run(*args: str, answers: tuple[tuple[str, str], ...] = (), env: dict[str, str] | None = None) -> int:
        screen = Screen([str(canary.command.path), *args, "--stack", canary.stack], canary.project,
                        canary.environment(env or {}), columns)
        for question, answer in answers:
            screen.wait_for(question)
            screen.send(answer)
        code = screen.finish()
        raw = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.raw.decode(errors="replace")).replace("\r", "")
        assert "[secret]" in raw or args[0] in ("refresh", "destroy")
        assert_clean(raw, f"what {args} wrote to a terminal")
        assert_clean(screen.text(), f"the screen of {args}")
        return code

    asked = (("Enter chooses", "details" + ENTER), ("[urn=", "yes" + ENTER))
    codes = [run("up", answers=asked), run("up", "--yes", "--refresh"), run("refresh", "--yes")]
    canary.run("state", "delete", "urn:pulumi:dev::rules::things:index:Thing::told", "--yes")
    codes.append(run("up", "--yes", env={"THINGS_TELL": "create:told"}))
    configure(canary, throw="yes")
    codes += [run("up", "--yes"), run("destroy", "--yes")]
    assert [code == 0 for code in codes] == [True, True, True, False, False, True]


SHARED_MEMORY = Path("/dev/shm")


def command_lines(pid: int) -> dict[str, str]:
    """The command lines of the process and all its descendants."""
    lines = {}
    for one in [pid, *children_of(pid)]:
        with contextlib.suppress(OSError):
            lines[f"the command line of {one}"] = Path(f"/proc/{one}/cmdline").read_bytes().decode(errors="replace")
    return lines


def in_public(pid: int) -> dict[str, str]:
    """The texts that other users can read while an operation runs: command lines, shared memory."""
    found = command_lines(pid)
    for file in SHARED_MEMORY.rglob("*"):
        with contextlib.suppress(OSError):
            found[str(file)] = file.read_text(errors="replace")
    return found


def test_a_killed_run_leaves_no_secret_in_its_journal_and_temporary_files(canary):
    (canary.root / "tmp").mkdir()
    env = slow(500) | {"TMPDIR": str(canary.root / "tmp")}
    process = canary.start("up", env=env)
    try:
        wait_for((canary.project / "things" / "log").exists, "the first thing")
        wait_for(lambda: [file for file in canary.backend.rglob("*journal*") if file.is_file()], "the journal")
        for where, text in in_public(process.pid).items():
            assert_clean(text, where)
        assert_no_file_is_dirty(canary)
    finally:
        process.kill()
        process.wait()
    assert_no_file_is_dirty(canary)
    canary.up(env=env | {"THINGS_DELAY_MS": "0"})
    assert_no_file_is_dirty(canary)
    assert {"first", "told"} <= canary.state().names


def dumps_core(ws: Workspace, **env: str) -> bool:
    """Crashes a command that holds secrets, and returns whether the system kept its memory."""
    argv = [str(ws.command.path), "up", "--yes", "--skip-preview", "--stack", ws.stack, "--non-interactive"]
    process = subprocess.Popen(
        argv, cwd=ws.project, env=ws.environment(slow(3000) | env), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
    wait_for(lambda: any("plugins/things" in line for line in command_lines(process.pid).values()), "the plugin")
    process.send_signal(signal.SIGABRT)
    _, status = os.waitpid(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == -signal.SIGABRT
    for core in ws.project.glob("core*"):
        core.unlink()
    return os.WCOREDUMP(status)


@as_root  # others may not lift the limit
def test_a_crash_leaves_no_core_file(canary):
    if not dumps_core(canary, KINGPOST_CORE_DUMPS="true"):
        pytest.skip("this system keeps no core files")
    assert not dumps_core(canary)


def test_secrets_are_shown_when_asked_for(canary):
    shown = canary.up("--show-secrets")
    assert TOKEN in shown.out and INPUT in shown.out + canary.state("--show-secrets").document.__str__()


def test_plugins_get_no_secret_by_environment_or_command_line(canary):
    process = canary.start("up", env=slow(3000))
    try:
        def plugins():
            found = {}
            for pid in children_of(process.pid):
                try:
                    line = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
                    found[pid] = (line, Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace"))
                except OSError:
                    continue
            return found if any("plugins/things" in line for line, _ in found.values()) else None

        seen = wait_for(plugins, "the plugin")
        for line, environment in seen.values():
            assert_clean(line, "a command line")
            if "plugins/things" in line:
                assert_clean(environment, "the plugin's environment")
                assert "PULUMI_CONFIG_PASSPHRASE" not in environment
        out, _ = process.communicate(timeout=PATIENCE_S)
    finally:
        kill_group(process)
    assert process.returncode == 0, out


# ---- files ----------------------------------------------------------------------------------------------------------

def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_files_with_secrets_are_for_their_user_alone(canary):
    before = os.umask(0)
    try:
        plan, export, log = (canary.root / name for name in ("plan.json", "export.json", "events.json"))
        log.write_text("old")  # readable by all
        canary.run("preview", "--save-plan", str(plan), "--event-log", str(log))
        canary.up()
        canary.run("stack", "export", "--show-secrets", "--file", str(export))
    finally:
        os.umask(before)
    for path in (plan, export, log, canary.state_file):
        assert mode(path) == 0o600, f"{path} has mode {mode(path):o}"
    assert not log.read_text().startswith("old")


# Tries, as another user of the machine, all accesses to files and processes, and prints those that succeed.
MEDDLER = r"""
import fcntl, json, os, signal, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
roots, pids = json.loads(sys.argv[1])

def attempt(what, do):
    try:
        do()
        print(what)
    except OSError:
        pass

def lock(path):
    fd = os.open(path, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

def meddle(path):
    attempt(f"read {path}", lambda: open(path, "rb").read(1))
    attempt(f"write {path}", lambda: os.close(os.open(path, os.O_WRONLY)))
    attempt(f"lock {path}", lambda: lock(path))
    attempt(f"chmod {path}", lambda: os.chmod(path, 0o777))
    attempt(f"rename {path}", lambda: os.rename(path, path + ".moved"))
    attempt(f"unlink {path}", lambda: os.unlink(path))
    attempt(f"link {path}", lambda: os.link(path, path + ".linked"))

def enter(path):
    attempt(f"list {path}", lambda: os.listdir(path))
    attempt(f"chmod {path}", lambda: os.chmod(path, 0o777))
    attempt(f"rename {path}", lambda: os.rename(path, path + ".moved"))
    attempt(f"create in {path}", lambda: os.close(os.open(path + "/stranger", os.O_WRONLY | os.O_CREAT)))
    attempt(f"link in {path}", lambda: os.symlink("/etc/passwd", path + "/stranger"))

for path in roots:
    enter(path) if path.endswith("/") else meddle(path)
for pid in pids:
    for number in (signal.SIGCONT, signal.SIGINT, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
        attempt(f"signal {number} to {pid}", lambda: os.kill(pid, number))
    for name in ("environ", "mem", "maps", "fd/0", "stack"):
        attempt(f"read /proc/{pid}/{name}", lambda: open(f"/proc/{pid}/{name}", "rb").read(1))
    attempt(f"trace {pid}", lambda: os.readlink(f"/proc/{pid}/exe"))
"""


@pytest.fixture
def open_folder():
    """A folder that every user may enter, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="kingpost-doors-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@as_root
def test_another_user_can_neither_read_nor_disturb_a_run(open_folder):
    before = os.umask(0)  # the least restrictive mask that a user may have set
    try:
        ws = rules_workspace(open_folder / "ws", Command.kingpost(), "many")
        configure(ws, step=1)
        (open_folder / "tmp").mkdir()
        (open_folder / "tmp").chmod(0o1777)
        process = ws.start("up", "--parallel", "4", env=slow(300) | {"TMPDIR": str(open_folder / "tmp")})
    finally:
        os.umask(before)
    try:
        wait_for((ws.project / "acked.log").exists, "the first create")
        # The command's files: its state, journal and locks, and its files in the folder of temporary files.
        state = ws.backend / ".pulumi"
        made = [state, *state.rglob("*"), *(open_folder / "tmp").rglob("*")]
        assert any("lock" in str(path) for path in made) and any("journal" in str(path) for path in made), made
        paths = [f"{path}/" if path.is_dir() else str(path) for path in made]
        done = subprocess.run(["/usr/bin/python3", "-c", MEDDLER, json.dumps([paths, [process.pid, *children_of(process.pid)]])],
                              capture_output=True, text=True, check=True, cwd="/", timeout=patience(60))
        out, _ = process.communicate(timeout=PATIENCE_S * 3)
    finally:
        kill_group(process)
    assert done.stdout == "", done.stdout
    assert process.returncode == 0, out
    assert len([row for row in ws.state().rows if row["type"] == "things:index:Thing"]) == 40


@as_root
def test_secrets_are_not_written_into_a_file_that_another_user_owns(canary):
    canary.up()
    trap = canary.root / "trap.json"
    trap.write_text("theirs")
    os.chown(trap, NOBODY, NOBODY)
    run = canary.run("stack", "export", "--show-secrets", "--file", str(trap), check=False)
    assert run.code == 1 and "another user" in run.err, run.err
    assert trap.read_text() == "theirs"


# ---- providers that die, programs that end early ----------------------------------------------------------------------

DYING = [({"THINGS_DIE": "create:thing-00"}, "has ended unexpectedly"),
         ({"THINGS_NAMELESS": "thing-00"}, "plugin returned empty resource.ID"),
         ({"THINGS_ENDLESS": "thing-00"}, "has 2097160 bytes (it begins \"thing-00xxx")]


@pytest.mark.parametrize("env, error", DYING, ids=["dies", "no ID", "an endless ID"])
def test_a_create_of_unknown_outcome_stays_pending_until_it_is_resolved(tmp_path, env, error):
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    (ws.project / "many.py").write_text("from thing import Thing\n\n\ndef program(step):\n    Thing('thing-00')\n")
    configure(ws, step=1)
    failed = ws.up(check=False, env=env)
    assert failed.code == 1 and error in failed.diagnostics, failed.out
    assert len(failed.out + failed.err + failed.diagnostics) < 50_000
    assert "the engine cannot tell whether the provider created this resource" in failed.diagnostics
    urn = "urn:pulumi:dev::rules::things:index:Thing::thing-00"
    assert [(p["resource"]["urn"], p["type"]) for p in ws.state().pending] == [(urn, "creating")]

    (ws.project / "things").mkdir(exist_ok=True)
    (ws.project / "things" / "thing-00-7.json").write_text(json.dumps({"value": "plain"}))
    ws.refresh("--import-pending-creates", urn, "--import-pending-creates", "thing-00-7")
    state = ws.state()
    assert state.pending == [] and state.named("thing-00")["id"] == "thing-00-7"
    assert ws.up().changed() == {}


def test_a_provider_that_says_no_leaves_nothing_pending(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    (ws.project / "many.py").write_text(
        "from thing import Thing\n\n\ndef program(step):\n    Thing('thing-00', fail='create')\n")
    configure(ws, step=1)
    assert ws.up(check=False).code == 1
    assert ws.state().pending == []


# sys.exit(0) is not among these: the SDK handles it and registers the outputs, so the program has ended well.
ENDINGS = {"half-way": "os._exit(0)", "before anything": None}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_program_that_ends_early_deletes_nothing(tmp_path, ending):
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    body = "    Thing('a')\n    Thing('b')\n"
    (ws.project / "many.py").write_text("import os, sys\nfrom thing import Thing\n\n\ndef program(step):\n" + body)
    configure(ws, step=1)
    ws.up()
    if ENDINGS[ending]:
        (ws.project / "many.py").write_text(
            f"import os, sys\nfrom thing import Thing\n\n\ndef program(step):\n    Thing('a')\n    {ENDINGS[ending]}\n")
    else:
        (ws.project / "sitecustomize.py").write_text("")
        (ws.project / "__main__.py").write_text("import os\nos._exit(0)\n")
    run = ws.up(check=False)
    said = run.out + run.err + run.diagnostics
    assert run.code == 1 and "so the engine deletes nothing" in said, said
    assert {"a", "b"} <= ws.state().names


# For instance a program that sets mocks, which get its outputs. With nothing to delete, its early end is no failure.
def test_a_program_that_ends_early_with_nothing_to_delete_is_warned(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    (ws.project / "many.py").write_text(
        "import os\nfrom thing import Thing\n\n\ndef program(step):\n    Thing('a')\n    os._exit(0)\n")
    configure(ws, step=1)
    run = ws.up()  # the stack's own registration may not have arrived yet
    assert re.search("warning: the program ended before it had registered (its stack|the outputs of its stack),", run.out), run.out


# ---- what comes over the wire ---------------------------------------------------------------------------------------

WIRE_PROGRAM = """
import json
import grpc
import pulumi
from pulumi.runtime.proto import resource_pb2 as pb
from pulumi.runtime.settings import get_monitor

monitor = get_monitor()
for kind, type in json.loads({cases!r}):
    try:
        if kind == "register":
            monitor.RegisterResource(pb.RegisterResourceRequest(type=type, name="x"))
        elif kind == "custom":
            monitor.RegisterResource(pb.RegisterResourceRequest(type=type, name="x", custom=True))
        elif kind == "read":
            monitor.ReadResource(pb.ReadResourceRequest(type=type, name="x", id="i"))
        elif kind == "call":
            monitor.Call(pb.ResourceCallRequest(tok=type))
        else:
            monitor.Invoke(pb.ResourceInvokeRequest(tok=type))
        print("ACCEPTED", kind, type)
    except grpc.RpcError as error:
        print("REFUSED", kind, type, error.code().name, error.details())
"""
WIRE_CASES = [(kind, type) for kind in ("register", "custom", "read", "invoke", "call")
              for type in ("", "a$b:index:C", "pulumi:providers:a$b", "a$pulumi:providers:b", "$:$:$")]
WIRE_CASES += [("invoke", "::"), ("read", "::x")]


def test_types_that_would_break_a_urn_are_refused(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    (ws.project / "__main__.py").write_text(WIRE_PROGRAM.format(cases=json.dumps(WIRE_CASES)))
    run = ws.up(check=False)
    assert "ACCEPTED" not in run.out, run.out
    assert run.out.count("REFUSED") >= len(WIRE_CASES), run.out + run.err
    assert run.code == 0, run.out + run.err
    assert {row["type"] for row in ws.state().rows} <= {"pulumi:pulumi:Stack", "pulumi:providers:pulumi"}


def test_repair_reads_what_no_other_command_does(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "aliases")
    configure(ws, step=1)
    ws.up()
    document = json.loads(ws.state_file.read_text())
    rows = document["checkpoint"]["latest"]["resources"]
    urns = [row["urn"] for row in rows]
    rows[-1]["type"] = ""
    rows.append({"urn": "urn:pulumi:dev::rules::::x", "custom": False, "type": ""})
    ws.state_file.write_text(json.dumps(document))
    refused = ws.run("stack", "export", check=False)
    assert refused.code == 1 and "missing required 'type' field" in refused.err
    assert "kingpost state repair" in refused.err
    repaired = ws.run("state", "repair", "--yes")
    assert "the type of its URN" in repaired.err and "dropped urn:pulumi:dev::rules::::x" in repaired.err
    assert [row["urn"] for row in ws.state().rows] == urns
    assert ws.up().changed() == {}


def test_an_empty_plan_is_no_plan(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "aliases")
    configure(ws, step=1)
    (tmp_path / "plan.json").write_text("")
    run = ws.up("--plan", str(tmp_path / "plan.json"), check=False)
    assert run.code != 0 and "plan.json" in run.err and "empty" in run.err, run.err
    assert ws.state().rows == []


BAD_IMPORTS = ['{"resources": ["x"]}', '{"resources": [7, null]}', '{"resources": 7}', '{"resources": {"a": 1}}',
               '{"nameTable": [], "resources": []}', '{"resources": [{"type": "a:b:C", "name": "n", "id": "i", "inputs": 3}]}',
               "[" * 100000 + "]" * 100000,
               '{"resources": [{"type": "a:b:C", "name": "n", "id": "i", "inputs": ' + '{"k":' * 100000 + "1" + "}" * 100001 + "]}", '{"resources": [{"type": "$", "name": "n", "id": "i"}]}']


@pytest.mark.parametrize("text", BAD_IMPORTS, ids=lambda text: text[:40])
def test_import_files_of_other_shapes_are_refused_in_words(tmp_path, text):
    ws = rules_workspace(tmp_path, Command.kingpost(), "aliases")
    (tmp_path / "import.json").write_text(text)
    run = ws.run("import", "--file", str(tmp_path / "import.json"), "--yes", "--skip-preview", check=False)
    assert 0 < run.code < 128, f"code {run.code}\n{run.out}\n{run.err}"
    assert "error: " in run.err and "terminate called" not in run.err


def test_a_plugin_that_names_no_port_is_named(tmp_path):
    ws = rules_workspace(tmp_path, Command.kingpost(), "aliases")
    configure(ws, step=1)
    run = ws.up(check=False, env={"THINGS_SILENT": "600", "KINGPOST_PLUGIN_START_TIMEOUT": "5"})
    said = run.out + run.err + run.diagnostics
    assert run.code == 1 and "things (resource) plugin" in said and "wrote no port to stdout within 5 s" in said, said
    assert "still looking for a port" in said
    bad = ws.up(check=False, env={"KINGPOST_PLUGIN_START_TIMEOUT": "soon"})
    assert bad.code == 1 and "KINGPOST_PLUGIN_START_TIMEOUT" in bad.out + bad.err + bad.diagnostics
