# SPDX-License-Identifier: Apache-2.0
"""A Node.js process that started before its run was known runs the program as a new process would."""

import json

import pytest

from harness import Command, Workspace, node_modules
from harness.processes import processes_in, wait_for
from harness.watching import Watching

PROGRAM = """
const fs = require("fs");
const { fork } = require("child_process");
const { isMainThread, Worker } = require("worker_threads");
const pulumi = require("@pulumi/pulumi");

async function answers() {
    if (process.send) return;
    const seen = {
        input: fs.readFileSync(0, "utf8"), terminal: process.stdin.isTTY === true, arguments: process.argv.slice(2),
        flags: process.execArgv.filter((flag) => flag.endsWith("standby.js")), word: new pulumi.Config().get("word") ?? null,
        forked: await new Promise((done) => fork("forked.js").on("exit", done)),
        worker: await new Promise((done) => new Worker("./forked.js").on("exit", done)),
    };
    fs.appendFileSync(process.env.NOTES + "/seen", JSON.stringify(seen) + "\\n");
    fs.appendFileSync(process.env.NOTES + "/began", `${Date.now() / 1000 - process.uptime()} ${process.pid}\\n`);
}
answers();
"""
FORKED = 'process.exitCode = require("fs").readFileSync("Pulumi.yaml").length > 0 ? 7 : 8;\n'


@pytest.fixture
def ws(tmp_path):
    (tmp_path / "notes").mkdir()  # outside of the project, which `watch` looks at
    made = Workspace(tmp_path, Command.kingpost(), env={"NOTES": str(tmp_path / "notes")}, init=False)
    (made.project / "node_modules").mkdir()
    for package in node_modules().iterdir():
        (made.project / "node_modules" / package.name).symlink_to(package)
    (made.project / "node_modules" / ".package-lock.json").unlink(missing_ok=True)
    (made.project / "Pulumi.yaml").write_text("name: waiting\nruntime: {name: nodejs, options: {typescript: false}}\n")
    (made.project / "index.js").write_text(PROGRAM)
    (made.project / "package.json").write_text('{"name": "waiting"}')
    (made.project / "forked.js").write_text(FORKED)
    made.run("stack", "init", "dev")
    made.config(word="told later")
    return made


def seen(ws: Workspace) -> list[dict]:
    return [json.loads(line) for line in (ws.root / "notes" / "seen").read_text().splitlines()]


def test_a_program_sees_no_difference(ws):
    ws.run("preview")
    ws.run("preview", env={"KINGPOST_ACCELERATE": "0"})
    early, usual = seen(ws)
    assert early == usual
    assert early == {"input": "", "terminal": False, "arguments": [], "flags": [], "word": "told later", "forked": 7, "worker": 7}


def test_below_watch_it_waits_for_the_program_unless_packages_were_installed_meanwhile(ws, tmp_path):
    def began() -> tuple[float, int]:
        time, pid = (ws.root / "notes" / "began").read_text().splitlines()[-1].split()
        return float(time), int(pid)

    def is_waiting() -> bool:
        _, last = began()
        return any("standby.js" in command for pid, command in processes_in(tmp_path).items() if pid != last)

    def save(text: str) -> tuple[float, float]:
        """When it was saved, and when the process began that ran it."""
        wait_for(is_waiting, "the next interpreter")
        (ws.project / "index.js").write_text(text)
        saved = (ws.project / "index.js").stat().st_mtime
        watching.plan()
        return saved, began()[0]

    with Watching(ws, "--json") as watching:
        watching.plan()
        saved, began_at = save(f"{PROGRAM}// 1\n")
        assert began_at < saved, "an interpreter was waiting"
        wait_for(is_waiting, "the next interpreter")
        (ws.project / "node_modules" / ".package-lock.json").write_text("{}")
        saved, began_at = save(f"{PROGRAM}// 2\n")
        assert began_at > saved, "the one that was waiting may have loaded another SDK"
        assert watching.end() == 0
    assert len(seen(ws)) == 3
