# SPDX-License-Identifier: Apache-2.0
"""The examples, each through up, no-op up, changed up, refresh and destroy, with the real SDKs and real effects."""

import subprocess
import sys
import urllib.request

import pytest

from harness import Command, REPOSITORY, Workspace, node_modules
from harness.patience import patience

EXAMPLES = REPOSITORY / "examples"


def kinds(run) -> dict[str, int]:
    """Operation → number of resources, without sames."""
    counts: dict[str, int] = {}
    for ops in run.changed().values():
        for op in ops:
            counts[op] = counts.get(op, 0) + 1
    return counts


def test_quickstart_serves_its_pages_and_leaves_nothing(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), EXAMPLES / "quickstart")
    try:
        assert kinds(ws.up()) == {"create": 9}
        url = ws.outputs()["url"]
        page = lambda: urllib.request.urlopen(url, timeout=patience(5)).read().decode()
        assert "The Harbour Library" in page()
        password = ws.outputs()["admin_password"]
        assert len(password) == 20 and password not in ws.state_file.read_text()
        assert ws.up("--expect-no-changes").changed() == {}
        assert ws.refresh().changed() == {}
        ws.config(title="Night Ferry")
        assert ws.preview().changed() == {"front": ["update"]}
        assert "The Harbour Library" in page(), "a preview must not change the world"
        assert ws.up().changed() == {"front": ["update"]}
        assert "Night Ferry" in page()
        (ws.project / "deployed/public/typee.html").unlink()
        ws.refresh()
        assert ws.up().ops("typee") == ["create"], "what vanished from the world is made again"
    finally:
        ws.destroy()
    with pytest.raises(OSError):
        urllib.request.urlopen(url, timeout=patience(5))
    assert not (ws.project / "deployed").exists()


@pytest.mark.slow
def test_the_demo_runs_to_its_end(tmp_path):
    command = Command.kingpost()
    env = command.environment(tmp_path) | {"KINGPOST_BIN": str(command.path), "PYTHON": sys.executable}
    done = subprocess.run([EXAMPLES / "quickstart" / "demo.sh"], env=env, capture_output=True, text=True,
                          timeout=patience(300))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("all is gone")


def test_components_protect_and_replace(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), EXAMPLES / "components")
    first = ws.up()
    assert kinds(first) == {"create": 12}
    keys = sorted(p.read_text() for p in ws.project.rglob("*.key"))
    assert len(keys) == 2 and not any(key in ws.state_file.read_text() for key in keys)
    assert ws.up("--expect-no-changes").changed() == {}
    assert ws.refresh().changed() == {}
    ws.config(release="2")
    changed = ws.up().changed()
    assert changed == {
        "pilots-key": ["create-replacement", "replace", "delete-replaced"],
        "tides-key": ["create-replacement", "replace", "delete-replaced"],
        "pilots-settings": ["update"], "tides-settings": ["update"],
        "pilots-log": ["delete-replaced", "replace", "create-replacement"],
        "tides-log": ["delete-replaced", "replace", "create-replacement"],
        "harbour-register": ["update"], "notice": ["update"],
    }
    assert sorted(p.name for p in ws.project.rglob("*.key")) == ["pilots-key-2.key", "tides-key-2.key"]
    refused = ws.destroy(check=False)
    assert refused.code == 1 and "protected" in refused.out + refused.err
    ws.config(guarded="false")
    ws.up()
    ws.destroy()
    assert ws.state().rows == [] and not [p for p in (ws.project / "world").rglob("*") if p.is_file()]


def test_node_program_keeps_notes(tmp_path):
    ws = Workspace(tmp_path, Command.kingpost(), EXAMPLES / "node", modules=node_modules())
    assert kinds(ws.up()) == {"create": 6}
    assert (ws.project / "notes/first.txt").read_text() == "Hello, reader\n"
    assert "spare key" not in ws.state_file.read_text()
    assert ws.up("--expect-no-changes").changed() == {}
    assert ws.refresh().changed() == {}
    ws.config(greeting="Good evening", folder="elsewhere")
    assert ws.up().changed() == {"first": ["update"], "index": ["create-replacement", "replace", "delete-replaced"]}
    assert (ws.project / "elsewhere/index.txt").exists() and not (ws.project / "notes/index.txt").exists()
    ws.destroy()
    assert not list((ws.project / "notes").iterdir())
