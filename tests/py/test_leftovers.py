# SPDX-License-Identifier: Apache-2.0
"""A command that has ended, or was killed at any moment, leaves no process and no file on the machine."""

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest

from harness import Command, Workspace, node_modules
from harness.processes import kill_alone, wait_for
from harness.rules import configure, rules_workspace
from harness.slow_update import many, start_and_wait  # noqa: F401 - a fixture

# From before the first child to the middle of the update; the last ones wait for creates that were acknowledged.
MOMENTS_S = (0.01, 0.03, 0.06, 0.1, 0.2, 0.4, 0.8)
ACKNOWLEDGED = (1, 5)

NODE_PROGRAM = """
const fs = require("fs"), { Thing } = require("./thing");
for (let i = 0; i < 12; i++)
    new Thing(`thing-${i}`).id.apply((id) => fs.appendFileSync("acked.log", id + "\\n"));
"""


@pytest.fixture
def temporary():
    """A folder for temporary files with a short name, as addresses of sockets need."""
    folder = Path(tempfile.mkdtemp(prefix="kp-"))
    yield folder
    shutil.rmtree(folder)


def use_node(ws: Workspace) -> None:
    for name in ("__main__.py", "thing.py"):
        (ws.project / name).unlink()
    node = Path(__file__).parents[1] / "programs" / "node"
    for name in ("thing.js", "package.json"):
        shutil.copy(node / name, ws.project)
    (ws.project / "index.js").write_text(NODE_PROGRAM)
    (ws.project / "node_modules").symlink_to(node_modules())
    settings = ws.project / "Pulumi.yaml"
    settings.write_text(settings.read_text().replace("runtime: python", "runtime: nodejs"))


def left_in(folder: Path) -> list[str]:
    """The files in the folder, without the cache of compiled programs that the npm SDK keeps for the next run."""
    return sorted(str(path) for path in folder.iterdir() if not path.name.startswith("ts-node-"))


@pytest.mark.parametrize("language", ["python", "nodejs"])
def test_a_kill_leaves_no_process_and_no_file(many, temporary, language):
    many.env["TMPDIR"] = str(temporary)
    if language == "nodejs":
        use_node(many)
    for moment in (*MOMENTS_S, *ACKNOWLEDGED):
        if moment in ACKNOWLEDGED:
            process = start_and_wait(many, moment)
            assert list(temporary.glob("kingpost-*")), "there is one while the command runs"
        else:
            process = many.start("up", env={"THINGS_DELAY_MS": "150"})
            time.sleep(moment)
        kill_alone(process, many.root)
        wait_for(lambda: not left_in(temporary), f"killed at {moment}: the end of {left_in(temporary)}")
        (many.project / "acked.log").unlink(missing_ok=True)


def test_a_command_that_ends_leaves_no_file(many, temporary):
    many.env["TMPDIR"] = str(temporary)
    configure(many, program="failing")
    for verb in ("up", "refresh", "preview", "destroy"):
        many.operate(verb)
        assert not left_in(temporary), verb


def test_forked_children_end_with_the_command(tmp_path):
    """The children belong to a program and to a provider. One has lost its parent and ignores signals."""
    marker = f"3{os.getpid() % 1000:03}.25"
    script = f'trap "" INT TERM HUP; (sleep {marker} &); sleep {marker}'
    fork = f"import subprocess; subprocess.Popen(['sh', '-c', {script!r}])"
    ws = rules_workspace(tmp_path, Command.kingpost(), "many")
    provider = ws.root / "plugins" / "things" / "__main__.py"
    provider.write_text(fork + "\n" + provider.read_text())
    (ws.project / "__main__.py").write_text(fork + "\nimport thing\nthing.Thing('one', 'value')\n")

    def left() -> list[str]:
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):  # it ended meanwhile
                if f"sleep\0{marker}\0".encode() in file.read_bytes():
                    found.append(file.parent.name)
        return found

    assert ws.up().code == 0
    assert not left()
    (ws.project / "__main__.py").write_text(fork + "\nimport time\ntime.sleep(600)\n")
    process = ws.start("up")
    wait_for(left, "the program's child")
    process.kill()
    process.wait()
    wait_for(lambda: not left(), "the end of the program's child")
