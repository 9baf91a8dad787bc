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
    fs.appendFileSync(process.env.NOTES + "/ran", `${process.pid}\\n`);
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
    def last_to_run() -> int:
        return int((ws.root / "notes" / "ran").read_text().split()[-1])

    def waiting() -> int | None:
        """The interpreter that waits for its program."""
        standing_by = (pid for pid, command in processes_in(tmp_path).items() if "standby.js" in command)
        return next((pid for pid in standing_by if pid != last_to_run()), None)

    def save(text: str) -> bool:
        """Whether the process that was waiting ran it."""
        waited = wait_for(waiting, "the next interpreter")
        (ws.project / "index.js").write_text(text)
        watching.plan()
        return last_to_run() == waited

    with Watching(ws, "--json") as watching:
        watching.plan()
        assert save(f"{PROGRAM}// 1\n")
        wait_for(waiting, "the next interpreter")
        (ws.project / "node_modules" / ".package-lock.json").write_text("{}")
        assert not save(f"{PROGRAM}// 2\n"), "the one that was waiting may have loaded another SDK"
        assert watching.end() == 0
    assert len(seen(ws)) == 3
