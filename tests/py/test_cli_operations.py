# SPDX-License-Identifier: Apache-2.0
"""preview, up, refresh and destroy from the command's side: output, JSON, event log, exit codes, signals, history."""

import re
import json
import os
import signal
import subprocess

import pytest

from harness.patience import patience
from harness.processes import wait_for
from test_cli_stacks import Cli

PROGRAM = """
import pulumi

config = pulumi.Config()

class Group(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("demo:index:Group", name, {}, opts)
        self.register_outputs({"label": config.get("label") or "plain"})

group = Group("outer")
for name in (config.get("inner") or "a").split():
    Group(name, pulumi.ResourceOptions(parent=group))
pulumi.export("label", config.get("label") or "plain")
pulumi.export("key", pulumi.Output.secret("hunter22"))
print("the token is " + (config.get("token") or "unset"))
"""

SLOW = """
import os, time
import pulumi
from pulumi import dynamic

class Provider(dynamic.ResourceProvider):
    def create(self, inputs):
        open("creating", "w").close()
        while inputs["waits"] and not os.path.exists("go_on"):
            time.sleep(0.02)
        return dynamic.CreateResult("id", inputs)

class Slow(dynamic.Resource):
    def __init__(self, name, waits, opts=None):
        super().__init__(Provider(), name, {"waits": waits}, opts)

first = Slow("first", True)
Slow("second", False, pulumi.ResourceOptions(depends_on=[first]))
"""

# A component whose one input is nested as deep as the wire allows; the bytes are put together by hand, as no SDK would.
DEEP = """
import pulumi
from pulumi.runtime import settings
from pulumi.runtime.proto import resource_pb2

def varint(number):
    low = bytes([number & 0x7F | (0x80 if number > 0x7F else 0)])
    return low + varint(number >> 7) if number > 0x7F else low

def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload

value = field(3, b"x")
for _ in range(3300):
    value = field(5, field(1, field(1, b"k") + field(2, value)))
register = settings.get_monitor().RegisterResource
register._request_serializer = lambda message: message if isinstance(message, bytes) else message.SerializeToString()
asked = resource_pb2.RegisterResourceRequest(type="demo:index:Deep", name="deep").SerializeToString()
register(asked + field(5, field(1, field(1, b"k") + field(2, value))))
print("the deep one is registered")
"""


# Shows a secret of the configuration as a plain string, whole and as a part of others.
SHOWS = """
import json
import pulumi

text = pulumi.Config().require("text")
step = pulumi.Config().get("step") or "0"

class Group(pulumi.ComponentResource):
    def __init__(self, name, props):
        super().__init__("demo:index:Group", name, props)

Group("one", {"plain": text, "inside": f"{step} <{text}>", "document": json.dumps({"k": text, "step": step}),
              "list": [step, text], "long": step + "x" * 100 + text})
pulumi.export("text", text)
pulumi.export("step", step + text)
"""


@pytest.fixture
def cli(tmp_path):
    cli = Cli(tmp_path)
    (cli.project / "__main__.py").write_text(PROGRAM)
    cli("stack", "init", "dev")
    return cli


def up(cli, *args, **kwargs):
    return cli("up", "--yes", "--skip-preview", "--stack", "dev", "--color", "never", *args, **kwargs)


def events(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_life_of_a_stack(cli):
    preview = cli("preview", "--stack", "dev").stdout
    assert "Previewing update (dev):" in preview and "+ 3 to create" in preview and "Duration" not in preview
    run = up(cli)
    assert "Updating (dev):" in run.stdout and "    + 3 created\n" in run.stdout and "Duration: " in run.stdout
    assert re.search(r"^    label *: \"plain\"$", run.stdout, re.M) and re.search(r"^    key *: \[secret\]$", run.stdout, re.M)
    assert "hunter22" not in run.stdout
    assert "    3 unchanged\n" in up(cli).stdout
    assert "3 unchanged" in cli("refresh", "--yes", "--skip-preview").stdout
    gone = cli("destroy", "--yes", "--skip-preview").stdout
    assert "Destroying (dev):" in gone and "    - 3 deleted\n" in gone
    history = cli.json("stack", "history", "--json", "--page-size", "2", "--page", "1")
    assert [h["kind"] for h in history] == ["destroy", "refresh"]
    assert history[0]["result"] == "succeeded" and history[0]["resourceChanges"]["delete"] == 3
    assert "resourceChanges" in history[0] and history[0]["endTime"].endswith("Z")
    assert cli("stack", "history", "--page", "99").stdout == "No stack updates found on page '99'\n"


def test_an_unchanged_update_leaves_the_state_file_alone(cli):
    up(cli)
    file = cli.state / ".pulumi" / "stacks" / "demo" / "dev.json"
    before = file.read_bytes()
    assert b"hunter22" not in before
    up(cli)
    assert file.read_bytes() == before


def test_a_preview_is_one_json_document(cli):
    plan = json.loads(cli("preview", "--json").stdout)
    assert [s["op"] for s in plan["steps"]] == ["create"] * 3
    assert plan["changeSummary"] == {"create": 3} and plan["duration"] > 0
    assert plan["steps"][1]["newState"]["type"] == "demo:index:Group"
    assert "hunter22" not in json.dumps(plan)


def test_updates_stream_events_as_json(cli):
    lines = [json.loads(line) for line in up(cli, "--json").stdout.splitlines()]
    assert [e["sequence"] for e in lines] == list(range(len(lines)))
    assert "preludeEvent" in lines[0] and "cancelEvent" in lines[-1]


def test_the_event_log_ends_with_its_mark_and_holds_no_secret(cli, tmp_path):
    cli("config", "set", "token", "--secret", "s3cr3t-token")
    log = tmp_path / "events.json"
    run = up(cli, "--event-log", str(log))
    written = events(log)
    assert "preludeEvent" in written[0] and written[-1].keys() >= {"sequence", "timestamp", "cancelEvent"}
    assert written[0]["preludeEvent"]["config"]["demo:token"] == "[secret]"
    summary = [e["summaryEvent"] for e in written if "summaryEvent" in e]
    assert summary[0]["resourceChanges"] == {"create": 3} and summary[0]["result"] == "succeeded"
    for text in (log.read_text(), run.stdout, run.stderr):
        assert "s3cr3t-token" not in text and "hunter22" not in text
    assert "the token is [secret]" in run.stdout


def test_an_event_log_is_filtered_for_what_changes(cli, tmp_path):
    """As `events filter` of the reference: steps that change nothing go, and of inputs those stay that a step names."""
    update = {"op": "update", "urn": "u", "diffs": ["a"], "old": {"inputs": {"a": 1, "b": {}}, "outputs": {"b": 2}},
              "new": {"inputs": {"a": "é", "b": {}}, "outputs": {"b": 2}}}
    create = {"op": "create", "urn": "u", "old": None, "new": {"inputs": {"a": 1}}}
    summary = {"sequence": 4, "summaryEvent": {"durationSeconds": 1}}
    events = [{"sequence": 1, "resourcePreEvent": {"metadata": update, "planning": True}},
              {"sequence": 2, "resOutputsEvent": {"metadata": update | {"op": "same"}}},
              {"sequence": 3, "resOpFailedEvent": {"metadata": create, "status": 1}}, summary]
    log = "".join(json.dumps(event) + "\n" for event in events)
    assert cli("events", "filter", stdin=log).stdout == log
    kept = [json.loads(line) for line in cli("events", "filter", "--changes-only", stdin=log).stdout.splitlines()]
    update["old"]["inputs"], update["new"]["inputs"] = {"a": 1}, {"a": "é"}
    assert kept == [events[0], events[2], summary]
    refused = cli("events", "filter", "--changes-only", stdin=log + "[1]\n", ok=False)
    assert refused.returncode == 1 and "line 5 is no JSON object" in refused.stderr



@pytest.mark.parametrize("target", ["tcp://127.0.0.1:1", "/nonexistent/folder/events", "fifo"])
def test_a_bad_event_log_does_not_harm(cli, tmp_path, target):
    if target == "fifo":
        target = str(tmp_path / "fifo")
        os.mkfifo(target)
    assert "+ 3 created" in up(cli, "--event-log", target).stdout


def test_unexpected_changes_have_their_own_status(cli):
    run = cli("preview", "--expect-no-changes", ok=False)
    assert run.returncode == 7 and "no changes were expected but changes were proposed" in run.stderr
    up(cli)
    assert cli("preview", "--expect-no-changes").returncode == 0


def test_a_saved_plan_constrains_the_update(cli, tmp_path):
    plan = tmp_path / "plan.json"
    cli("preview", "--save-plan", str(plan))
    assert json.loads(plan.read_text())["resourcePlans"]
    cli("config", "set", "inner", "a b")
    assert up(cli, "--plan", str(plan), ok=False, PULUMI_EXPERIMENTAL="true").returncode != 0


def test_a_plan_knows_nothing_of_what_targets_leave_out(cli, tmp_path):
    plan = tmp_path / "plan.json"
    cli("preview", "--save-plan", str(plan), "--target", "**::outer")
    planned = {urn.rsplit("::", 1)[1]: entry for urn, entry in json.loads(plan.read_text())["resourcePlans"].items()}
    assert {name: planned[name]["state"] is None for name in ("outer", "a")} == {"outer": False, "a": True}


def test_configuration_on_the_command_line_is_kept(cli):
    assert '"loud"' in up(cli, "--config", "label=loud").stdout
    assert cli("config", "get", "label").stdout == "loud\n"


def test_a_failing_program_fails_the_update(cli):
    (cli.project / "__main__.py").write_text("raise Exception('boom')\n")
    run = up(cli, ok=False)
    assert run.returncode == 1 and "boom" in run.stdout


# Where frames are checked by a sanitizer, a level takes kilobytes: then the stack is as `./dev sanitize` has it.
@pytest.mark.parametrize("stack", ["unlimited", "1024" if patience(1) == 1 else "65536"])
def test_the_deepest_values_need_no_large_stack(cli, stack):
    if subprocess.run(["bash", "-c", f"ulimit -s {stack}"], capture_output=True).returncode:
        pytest.skip(f"this user may not set the stack's size to {stack}")
    (cli.project / "__main__.py").write_text(DEEP)
    shell = f"ulimit -s {stack}; exec {cli.command.path} up --yes --skip-preview"
    run = subprocess.run(["bash", "-c", shell], cwd=cli.project, env=cli.env, capture_output=True, text=True,
                         timeout=patience(120))
    assert run.returncode == 0 and "the deep one is registered" in run.stdout, run.stdout[-2000:] + run.stderr[-2000:]


def test_diff_shows_properties(cli):
    up(cli)
    cli("config", "set", "label", "loud")
    shown = up(cli, "--diff").stdout
    assert '~ label: "plain" => "loud"' in shown


@pytest.mark.parametrize("secret", ["hunter-22", "first hunter\nsecond hunter\n"])
def test_a_secret_of_the_configuration_is_masked_in_plain_values(cli, secret, tmp_path):
    (cli.project / "__main__.py").write_text(SHOWS)
    cli("config", "set", "--secret", "text", "--raw", stdin=secret)
    log = tmp_path / "events.json"
    for step in ("0", "1"):
        cli("config", "set", "step", step)
        runs = [cli("preview", "--diff"), cli("preview", "--json"), cli("preview", "--output", "markdown"),
                up(cli, "--diff", "--event-log", str(log)), cli("refresh", "--yes", "--diff")]
        for run in runs:
            assert "hunter" not in run.stdout + run.stderr, run.stdout
        assert runs[0].stdout.count("[secret]") >= 4 and "[secret]" in runs[3].stdout
        assert "hunter" not in log.read_text()
    assert "hunter" in cli("preview", "--diff", "--show-secrets", "--config", "step=2").stdout


def test_a_stack_of_another_project_is_left_alone(cli, tmp_path):
    other, nowhere = tmp_path / "other", tmp_path / "nowhere"
    for folder in (other, nowhere):
        folder.mkdir()
    (other / "Pulumi.yaml").write_text("name: other\nruntime: yaml\noutputs: {whose: other}\n")
    cli("stack", "init", "dev", "--cwd", str(other))
    cli("up", "--yes", "--skip-preview", "--cwd", str(other))
    name = "organization/other/dev"
    for words in (["preview"], ["up", "--yes"], ["destroy", "--yes"], ["refresh", "--yes", "--skip-preview"]):
        refused = cli(*words, "--stack", name, ok=False)
        assert refused.returncode == 2 and refused.stderr.startswith('error: provided project name "other" doesn\'t match')
    assert cli("stack", "output", "whose", "--stack", name).stdout == "other\n"
    cli("destroy", "--yes", "--stack", name, "--cwd", str(nowhere))  # what is recorded needs no project


def test_a_stack_is_removed_after_all_of_it_is_gone(cli):
    up(cli)
    urn = "urn:pulumi:dev::demo::demo:index:Group::outer"
    cli("state", "protect", "--yes", urn)
    kept = cli("destroy", "--yes", "--skip-preview", "--exclude-protected", "--remove").stdout
    assert "There are still 2 protected resources" in kept
    cli("state", "unprotect", "--yes", "--all")
    cli("destroy", "--yes", "--skip-preview", "--remove", "--target", urn)
    assert cli.json("stack", "ls", "--json")[0]["resourceCount"] == 1
    cli("destroy", "--yes", "--skip-preview", "--remove")
    assert cli.json("stack", "ls", "--json") == []


def test_a_reader_that_goes_away_does_not_stop_the_update(cli):
    shell = f"{cli.command.path} up --yes --skip-preview | head -1"
    subprocess.run(["bash", "-c", shell], cwd=cli.project, env=cli.env, check=True, capture_output=True,
                   timeout=patience(60))
    wait_for(lambda: len(cli.json("stack", "export")["deployment"].get("resources") or []) == 3, "the end of the update")


def start_slow(cli):
    (cli.project / "__main__.py").write_text(SLOW)
    process = subprocess.Popen([cli.command.path, "up", "--yes", "--skip-preview"], cwd=cli.project, env=cli.env,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: (cli.project / "creating").exists() or process.poll() is not None, "the creation")
    assert process.poll() is None, process.communicate()
    return process


def rows(cli):
    deployment = cli.json("stack", "export")["deployment"]
    return {r["urn"].rsplit("::", 1)[1] for r in deployment["resources"]}, deployment.get("pending_operations") or []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_one_signal_finishes_what_is_in_flight(cli, number):
    process = start_slow(cli)
    process.send_signal(number)
    assert any("received an interrupt" in line for line in process.stderr)
    (cli.project / "go_on").touch()
    out, err = process.communicate(timeout=patience(60))
    assert process.returncode == 1, out + err
    names, pending = rows(cli)
    assert "first" in names and "second" not in names and not pending
    assert not list((cli.state / ".pulumi" / "locks").rglob("*.json"))


def interrupt_twice(cli):
    process = start_slow(cli)
    process.send_signal(signal.SIGINT)
    assert any("received an interrupt" in line for line in process.stderr)  # two that wait together are one
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=patience(60))
    assert process.returncode == 8


def test_two_signals_stop_at_once_and_keep_what_was_begun(cli):
    interrupt_twice(cli)
    names, pending = rows(cli)
    assert "second" not in names
    assert [p["type"] for p in pending] == ["creating"] and pending[0]["resource"]["urn"].endswith("::first")

    urn = pending[0]["resource"]["urn"]
    cli("refresh", "--yes", "--import-pending-creates", urn, "--import-pending-creates", "the,id")
    names, pending = rows(cli)
    assert "first" in names and not pending


def in_terminal(cli, args, typed, rows=24, columns=100):
    """Runs the command in a terminal, types each text when its prompt appears, and returns what the screen got."""
    import fcntl
    import pty
    import struct
    import termios

    pid, master = pty.fork()
    if pid == 0:
        os.chdir(cli.project)
        os.execve(cli.command.path, [str(cli.command.path), *args], cli.env | {"TERM": "xterm"})
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    screen, waiting = b"", list(typed)
    try:
        while chunk := os.read(master, 65536):
            screen += chunk
            if waiting and waiting[0][0].encode() in screen[screen.rfind(b"\x00asked") + 1:]:
                screen += b"\x00asked"
                os.write(master, waiting.pop(0)[1].encode() + b"\r")
    except OSError:
        pass  # the end of a terminal
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(master)
    return status, screen.replace(b"\x00asked", b"").decode()


def test_a_refresh_asks_what_became_of_an_interrupted_create(cli):
    interrupt_twice(cli)
    code, screen = in_terminal(cli, ["refresh", "--stack", "dev"], [("What became of it?", "skip"), ("Enter chooses", "yes")])
    assert code == 0 and "Still pending" in screen and [p["type"] for p in rows(cli)[1]] == ["creating"], screen
    answers = [("What became of it?", "import"), ("ID:", "the,id"), ("Enter chooses", "yes")]
    code, screen = in_terminal(cli, ["refresh", "--stack", "dev"], answers)
    names, pending = rows(cli)
    assert code == 0 and "first" in names and not pending, screen


def test_a_refresh_forgets_an_interrupted_create_that_did_not_take_place(cli):
    interrupt_twice(cli)
    answers = [("What became of it?", "clear"), ("Enter chooses", "yes")]
    code, screen = in_terminal(cli, ["refresh", "--stack", "dev"], answers)
    names, pending = rows(cli)
    assert code == 0 and "first" not in names and not pending and "Still pending" not in screen, screen


def test_an_interrupted_create_that_was_made_again_is_adopted_once(cli):
    interrupt_twice(cli)
    urn = rows(cli)[1][0]["resource"]["urn"]
    (cli.project / "go_on").touch()
    cli("up", "--yes", "--skip-preview")
    told = cli("refresh", "--yes")
    assert f"  * {urn}\n" in told.stdout + told.stderr and [p["type"] for p in rows(cli)[1]] == ["creating"]
    cli("refresh", "--yes", "--import-pending-creates", urn, "--import-pending-creates", "id")
    recorded = cli.json("stack", "export")["deployment"]
    assert "pending_operations" not in recorded
    assert [(r["id"], r.get("delete")) for r in recorded["resources"] if r["urn"] == urn] == [("id", None)]


def test_a_terminal_shows_a_tree_asks_and_explains(cli):
    code, screen = in_terminal(cli, ["up", "--stack", "dev"], [("Enter chooses", "details"), ("Group: (create)", "yes")])
    assert code == 0, screen
    assert "Previewing update (dev):" in screen and "Do you want to perform this update?" in screen
    assert "+ demo:index:Group: (create)" in screen and "[urn=" in screen
    assert "└─" in screen and "+ 3 created" in screen and "hunter22" not in screen


def test_no_means_no(cli):
    code, screen = in_terminal(cli, ["up", "--stack", "dev"], [("Enter chooses", "no")])
    assert code == 1 and "confirmation declined, not proceeding with the update" in screen
    assert "resources" not in cli.json("stack", "export")["deployment"]


@pytest.mark.parametrize("rows, columns", [(1, 1), (3, 10)])
def test_a_tiny_terminal_is_no_trouble(cli, rows, columns):
    code, screen = in_terminal(cli, ["up", "--yes", "--stack", "dev"], [], rows, columns)
    assert code == 0 and "3 created" in screen


def test_settings_of_policy_packs_need_their_packs(cli):
    alone = cli("preview", "--policy-pack-config", "a.json", ok=False)
    assert alone.returncode == 2
    assert alone.stderr == 'error: "--policy-pack-config" must be specified with "--policy-pack"\n'
    more = cli("preview", "--policy-pack", "a", "--policy-pack", "b", "--policy-pack-config", "a.json", ok=False)
    assert 'number of "--policy-pack-config" flags must match the number of "--policy-pack" flags' in more.stderr


@pytest.mark.parametrize("description, problem", [
    (None, "open ../pack/PulumiPolicy.yaml: no such file or directory"),
    ("", "project is missing a 'runtime' attribute"),
    ("version: 1.0.0\n", "project is missing a 'runtime' attribute"),
    ("runtime: [python]\n",
     "invalid YAML file: runtime section must be a string or an object with name and options attributes"),
])
def test_a_policy_pack_that_cannot_be_loaded_is_told_with_its_path(cli, description, problem):
    pack = cli.project.parent / "pack"
    pack.mkdir()
    if description is not None:
        (pack / "PulumiPolicy.yaml").write_text(description)
    failed = cli("preview", "--stack", "dev", "--non-interactive", "--policy-pack", "../pack", ok=False)
    assert failed.returncode == 1
    assert f'error: failed to load Pulumi policy project located at "../pack": {problem}' in failed.stderr
