# SPDX-License-Identifier: Apache-2.0
"""Interruptions: other commands, `cancel`, signals, kills. Nothing is lost, made twice or left behind unsaid."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from harness import Command, Workspace
from harness.patience import patience, signals_wait_for_reads
from harness.processes import PATIENCE_S, kill_alone, kill_group, wait_until_nothing_runs
from harness.rules import configure, rules_workspace, things_log
from harness.slow_update import acknowledged_things, many, recorded_things, start_and_wait  # noqa: F401 - a fixture


def locks(ws: Workspace) -> list[Path]:
    return [p for p in ws.backend.glob(".pulumi/locks/**/*") if p.is_file()]


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# ---- other commands ----------------------------------------------------------------------------


@pytest.mark.parametrize("args", [
    ("stack", "rm", "dev", "--yes", "--force"),
    ("stack", "rename", "other", "--stack", "dev"),
    ("stack", "tag", "set", "a", "b", "--stack", "dev"),
    ("stack", "import", "--force", "--stack", "dev"),
    ("stack", "change-secrets-provider", "passphrase", "--stack", "dev"),
    ("state", "repair", "--stack", "dev"),
], ids=lambda args: "-".join(args[:2]))
def test_a_running_update_keeps_every_change_of_its_stack_away(many, args):
    exported = json.dumps({"version": 3, "deployment": {}})
    process = start_and_wait(many, 2)
    try:
        before = (many.state_file.read_bytes(), (many.project / "Pulumi.dev.yaml").read_bytes())
        refused = many.run(*args, check=False, stdin=exported)
        assert refused.code != 0 and "the stack is currently locked by" in refused.err, refused.out + refused.err
        assert before == (many.state_file.read_bytes(), (many.project / "Pulumi.dev.yaml").read_bytes())
        assert process.poll() is None
    finally:
        kill_group(process)


def test_a_stack_is_not_removed_with_what_a_killed_update_made(many):
    kill_alone(start_and_wait(many, 4), many.root)
    refused = many.run("stack", "rm", "dev", "--yes", check=False)
    assert refused.code == 1 and "still has resources" in refused.err, refused.out + refused.err
    assert "recovered an interrupted update" in refused.err
    made = {line.split()[1] for line in things_log(many)}
    state = many.state()
    recorded = {row["id"] for row in state.rows if row["type"] == "things:index:Thing"}
    pending = {row["resource"]["urn"].rsplit("::", 1)[1] for row in state.pending}
    assert recorded and {id.rsplit("-", 1)[0] for id in made - recorded} <= pending
    assert (many.project / "Pulumi.dev.yaml").exists()


def test_twenty_settings_set_at_once_none_is_lost(many):
    argv = [str(many.command.path), "--non-interactive", "config", "set", "--stack", "dev"]
    running = [subprocess.Popen([*argv, f"key{i}", str(i), *(["--secret"] if i % 5 == 0 else [])], cwd=many.project,
                                env=many.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
               for i in range(20)]
    for process in running:
        out, _ = process.communicate(timeout=patience(120))
        assert process.returncode == 0, out
    kept = json.loads(many.run("config", "--json", "--show-secrets", "--stack", "dev").out)
    assert {kept.get(f"rules:key{i}", {}).get("value") for i in range(20)} == {str(i) for i in range(20)}


# ---- cancel ------------------------------------------------------------------------------------


def test_a_cancelled_update_stops_and_what_it_did_is_merged(many):
    first = start_and_wait(many, 6)
    assert "has been canceled" in many.run("cancel", "--yes", "dev").out
    second = many.up("--parallel", "4", check=False, env={"THINGS_DELAY_MS": "150"})
    out, _ = first.communicate(timeout=PATIENCE_S)
    assert first.returncode != 0, out
    assert second.code == 0, second.out + second.err

    kept = re.findall(r"`kingpost state recover (\S+)`", out)
    if kept:  # the second came before the first had noticed
        assert "took over" in out or "was removed" in out
        assert (os.stat(kept[0]).st_mode & 0o777) == 0o600
        merged = many.run("state", "recover", kept[0], "--stack", "dev")
        print(merged.out, merged.err)
        assert not Path(kept[0]).exists() and Path(kept[0] + ".merged").exists()
    else:
        assert "the next command on the stack recovers it" in out, out

    # Each thing that exists is in the state: live, or as one that the next update deletes. None is silent.
    made = {line.split()[1] for line in things_log(many) if line.startswith("create ")}
    recorded = recorded_things(many)
    assert made == recorded, f"orphans: {sorted(made - recorded)}\n{out}"
    last = many.up("--parallel", "16", check=False)
    assert last.code == 0, last.out + last.err
    state = many.state()
    assert len([r for r in state.rows if r["type"] == "things:index:Thing"]) == 40
    # A call of the first that was cut off without an answer stays pending, and the second tells of it.
    assert all(operation["resource"]["urn"] in second.out + second.err for operation in state.pending)
    assert {p.stem for p in (many.project / "things").glob("*.json")} == {
        r["id"] for r in state.rows if r["type"] == "things:index:Thing"}


def test_an_update_whose_state_folder_is_deleted_stops_and_keeps_its_journal(many):
    first = start_and_wait(many, 4)
    backend = many.backend.rename(many.root / "gone")
    for path in sorted(backend.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    out, _ = first.communicate(timeout=PATIENCE_S)
    assert first.returncode != 0
    kept = re.findall(r"kept in (\S+\.kept)", out)
    assert kept and Path(kept[0]).read_bytes().startswith(b"KPJRNL"), out
    made = {line.split()[1] for line in things_log(many)}
    assert len(made) < 40
    content = Path(kept[0]).read_text(errors="replace")
    assert all(id in content for id in made), "what was made is in the journal"


def test_a_recovered_journal_tells_the_state_nothing_twice(many):
    kill_alone(start_and_wait(many, 4), many.root)
    journal = next(many.backend.glob(".pulumi/journals/rules/dev.journal"))
    copy = many.root / "copy.journal"
    copy.write_bytes(journal.read_bytes())
    many.up("--parallel", "16")
    before = many.state()
    again = many.run("state", "recover", str(copy), "--stack", "dev")
    assert "removed" not in again.out and "added" not in again.out, again.out
    assert [r["id"] for r in many.state().rows if "id" in r] == [r["id"] for r in before.rows if "id" in r]


# ---- signals -----------------------------------------------------------------------------------


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self, ws: Workspace, *args: str, env: dict[str, str | None] | None = None):
        import pty

        environment = ws.environment({k: v for k, v in (env or {}).items() if v is not None})
        for name in [k for k, v in (env or {}).items() if v is None]:
            environment.pop(name, None)
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(ws.project)
            os.execve(ws.command.path, [str(ws.command.path), *args], environment | {"TERM": "xterm"})
        self.screen = b""

    def read_until(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while text.encode() not in self.screen:
            assert time.monotonic() < deadline, self.screen.decode()
            self.screen += os.read(self.master, 65536)

    def end(self) -> int:
        try:
            while chunk := os.read(self.master, 65536):
                self.screen += chunk
        except OSError:
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("prompt, args, env", [
    ("Do you want to perform this update?", ("up", "--stack", "dev"), {}),
    ("Type 'yes' to go on", ("state", "move", "--source", "dev", "--dest", "other", "URN"), {}),
    ("assphrase", ("up", "--yes", "--stack", "dev"), {"PULUMI_CONFIG_PASSPHRASE": None}),
], ids=["confirmation", "move", "passphrase"])
def test_a_signal_at_a_question_leaves_no_lock(many, number, prompt, args, env):
    if not prompt.startswith("Do you") and signals_wait_for_reads():  # the menu polls, the other two read
        pytest.skip("ThreadSanitizer keeps signals back from a thread that reads")
    if "URN" in args:
        configure(many, program="failing")
        many.up()
        many.run("stack", "init", "other", "--no-select")
        urn = next(r["urn"] for r in many.state().rows if r["type"] == "things:index:Thing")
        args = tuple(urn if a == "URN" else a for a in args)
    elif env:
        many.secret("hidden", "hunter2")
    before = many.state_file.read_bytes()
    terminal = Terminal(many, *args, env=env)
    terminal.read_until(prompt)
    assert locks(many), "the stack is held while the question waits"
    os.kill(terminal.pid, number)
    code = terminal.end()
    assert code == 1, terminal.screen.decode()
    assert "interrupted" in terminal.screen.decode()
    assert not locks(many)
    assert many.state_file.read_bytes() == before
    wait_until_nothing_runs(many.root)


def test_signals_at_any_time_leave_the_stack_unlocked_or_to_the_next_command(many):
    """Signals arrive at all times of a run, also while it loads and while it saves at the end."""
    configure(many, program="failing")
    for delay_ms in range(0, 1500, 150):
        process = many.start("up")
        time.sleep(delay_ms / 1000)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=PATIENCE_S)
        assert not locks(many), f"after {delay_ms} ms, exit {process.returncode}: {out}"
        assert not list(many.backend.glob(".pulumi/journals/**/*.journal")), out
        state = many.state()
        assert not state.pending
        made = {p.stem for p in (many.project / "things").glob("*.json")}
        assert made == {r["id"] for r in state.rows if r["type"] == "things:index:Thing"}
    assert many.up().code == 0


# ---- what only reads ---------------------------------------------------------------------------


def test_a_reading_command_recovers_in_memory(many):
    kill_alone(start_and_wait(many, 4), many.root)
    before = files_of(many.backend)
    exported = many.run("stack", "export", "--stack", "dev")
    ids = {r.get("id") for r in json.loads(exported.out)["deployment"]["resources"]}
    acked = acknowledged_things(many)
    assert acked and acked <= ids
    assert "recovered an interrupted update" in exported.err and "none of this is saved yet" in exported.err
    many.run("stack", "output", "--stack", "dev")
    many.run("stack", "--stack", "dev")
    preview = many.preview(check=False)
    assert preview.code == 0, preview.out + preview.err
    after = files_of(many.backend)
    new = [path for path in after if path not in before]
    assert [Path(path).name for path in new] == ["dev-preview.reasons.json"], "what `why` tells of the preview, and no more"
    assert {path: after[path] for path in before} == before, "what only reads changes nothing"
    assert many.up("--parallel", "16").code == 0


def test_a_program_that_is_stopped_ends_by_itself(many):
    """The program waits for answers that never come. After an interrupt it ends by itself, before it would be killed."""
    (many.project / "__main__.py").write_text(
        "import atexit\nimport thing\n"
        "atexit.register(lambda: open('ended', 'w').close())\n"
        "bad = thing.Thing('bad', 'value', fail='create')\n"
        "thing.Thing('after', bad.stamp)\n")
    failed = many.up(check=False)
    assert failed.code == 1 and "was told to fail" in failed.out + failed.err + failed.diagnostics
    assert (many.project / "ended").exists(), failed.out + failed.err


def test_an_empty_journal_is_told(many):
    configure(many, program="failing")
    folder = many.backend / ".pulumi" / "journals" / "rules"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dev.journal").write_bytes(b"\0" * 4096)
    assert "found an empty journal" in many.run("stack", "export", "--stack", "dev").err
    run = many.up()
    assert "found an empty journal" in run.err
    assert not (folder / "dev.journal").exists()


def test_an_early_interrupt_of_an_attached_program_does_not_hang(many):
    """The program's server runs before the command starts, as inline programs of the Automation API have it."""
    from harness.program_host import ProgramHost

    configure(many, program="failing")
    with ProgramHost() as host:
        for delay_ms in (0, 30, 60, 100, 150, 220, 300):
            process = many.start("up", f"--client=127.0.0.1:{host.port}")
            time.sleep(delay_ms / 1000)
            process.send_signal(signal.SIGINT)
            try:
                out, _ = process.communicate(timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                kill_group(process)
                raise AssertionError(f"it hangs after an interrupt at {delay_ms} ms") from None
            assert not locks(many), out


# ---- full disks, and the Python module -----------------------------------------------------------


def test_a_nearly_full_disk_is_enough_to_start_and_to_read(tmp_path):
    """First there is less room than the journal reserves. Then there is none, and the acknowledged records can be read."""
    backend = tmp_path / "backend"
    backend.mkdir()
    if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", backend],
                                          capture_output=True, check=False).returncode != 0:
        pytest.skip("needs the right to mount a small disk")
    try:
        ws = rules_workspace(tmp_path, Command.kingpost(), "many")
        configure(ws, step=1)
        process = start_and_wait(ws, 4)
        kill_alone(process, ws.root)
        ballast = backend / "ballast"
        with open(ballast, "wb", buffering=0) as file, pytest.raises(OSError):
            while True:
                file.write(b"x" * 4096)
        exported = ws.run("stack", "export", "--stack", "dev")
        ids = {r.get("id") for r in json.loads(exported.out)["deployment"]["resources"]}
        assert acknowledged_things(ws) <= ids
        refused = ws.up(check=False)
        assert refused.code != 0 and "No space left on device" in refused.err, refused.err
        ballast.unlink()
        assert ws.up("--parallel", "16").code == 0
        assert len(recorded_things(ws)) == 40
    finally:
        subprocess.run(["umount", backend], check=True)


def test_the_module_does_not_empty_the_settings(many):
    import kingpost

    (many.project / "__main__.py").write_text("")
    configure(many, colour="red")
    many.secret("rules:password", "hunter2")
    many.up()
    stack = kingpost.Stack("rules", "dev", lambda: None, backend=many.backend.as_uri(),
                           passphrase=many.environment()["PULUMI_CONFIG_PASSPHRASE"])
    stack.destroy()
    many.run("config", "refresh", "--force", "--stack", "dev")
    kept = json.loads(many.run("config", "--json", "--show-secrets", "--stack", "dev").out)
    assert kept["rules:colour"]["value"] == "red" and kept["rules:password"]["value"] == "hunter2"
