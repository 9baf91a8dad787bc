# SPDX-License-Identifier: Apache-2.0
"""A store of an old Pulumi, without projects, and the result that `state upgrade` must have."""

import json
import re
from collections.abc import Callable

from .workspace import Workspace

# The reference writes that layout only with the first variable, and reads it only with the second.
LEGACY = {"PULUMI_DIY_BACKEND_LEGACY_LAYOUT": "true", "PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR": "true"}


def make_legacy(ws: Workspace) -> None:
    """A stack `dev` with two updates, and one that was never deployed. For a program with PARTS parts."""
    ws.env |= LEGACY
    ws.run("stack", "init", "dev")
    for parts in ("1", "2"):
        ws.up(env={"PARTS": parts})
    ws.run("stack", "init", "empty", "--no-select")


def timeless(keys: list[str]) -> set[str]:
    """Without what differs from one run to the next, and what only one of the two commands keeps."""
    return {re.sub(r"\d{19}", "TIME", key) for key in keys if not re.search(r"reasons|/journals/|/empty\.json\.bak", key)}


def check_keys(keys: list[str], expected: set[str]) -> None:
    seen = timeless(keys)
    assert seen == expected, f"surplus: {sorted(seen - expected)}, missing: {sorted(expected - seen)}"


def check_legacy(keys: list[str]) -> None:
    history = [f".pulumi/history/dev/dev-TIME.{kind}.json" for kind in ("checkpoint", "history")]
    check_keys(keys, {".pulumi/stacks/dev.json", ".pulumi/stacks/dev.json.bak", ".pulumi/stacks/empty.json",
                      ".pulumi/backups/dev/dev.TIME.json", *history})


def check_upgraded(keys: list[str], project: str) -> None:
    history = [f".pulumi/history/{project}/dev/dev-TIME.{kind}.json" for kind in ("checkpoint", "history")]
    check_keys(keys, {".pulumi/meta.yaml", f".pulumi/stacks/{project}/dev.json", ".pulumi/stacks/dev.json.bak",
                      ".pulumi/stacks/empty.json", ".pulumi/backups/dev/dev.TIME.json", *history})


def check_upgrade(ws: Workspace, keys: Callable[[], list[str]], project: str) -> None:
    """The facts of a store that make_legacy has made."""
    check_legacy(keys())
    done = ws.run("state", "upgrade", "--yes")
    assert "Upgraded 1 stack(s) to project mode" in done.err
    assert 'Skipping stack "empty": no project name found' in done.err
    check_upgraded(keys(), project)
    check_usable(ws, project)
    assert "Upgraded 0 stack(s)" in ws.run("state", "upgrade", "--yes").err


def check_usable(ws: Workspace, project: str) -> None:
    listed = json.loads(ws.run("stack", "ls", "--all", "--json").out)
    assert [row["name"].rpartition("/")[2] for row in listed] == ["dev"], listed
    assert len(json.loads(ws.run("stack", "history", "--json", "--stack", f"organization/{project}/dev").out)) == 2
    assert ws.preview(env={"PARTS": "2"}).summary == {"same": 3}
