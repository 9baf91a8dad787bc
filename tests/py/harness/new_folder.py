# SPDX-License-Identifier: Apache-2.0
"""A folder in which `new` makes projects of templates."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from . import Command
from .patience import patience

MANIFEST = """\
name: ${PROJECT}
description: ${DESCRIPTION}
# what runs it
runtime: python
template:
  description: Shops
  quickstart: Read the manual.
  config:
    size:
      description: How many
      default: 2
    token:
      secret: true
      default: hunter22
    aws:region:
      description: Where
"""


class Folder:
    """A folder that holds only a state and a home."""

    def __init__(self, root: Path, command: Command | None = None):
        self.command = command or Command.kingpost()
        self.root = root
        (root / "state").mkdir()
        self.env = self.command.environment(root) | {
            "PULUMI_HOME": str(root / "home"), "PULUMI_BACKEND_URL": f"file://{root / 'state'}",
            "PULUMI_TEMPLATE_GIT_REPOSITORY": str(root / "no-repository"), "GIT_CONFIG_GLOBAL": "/dev/null"}

    def __call__(self, *args, cwd=None, code=0, **env):
        run = subprocess.run([self.command.path, *args], cwd=cwd or self.root, env=self.env | env, text=True,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=patience(300))
        assert run.returncode == code, f"{args}: {run.stdout}{run.stderr}"
        return run

    def template(self, name="tpl", manifest=MANIFEST, **files):
        folder = self.root / name
        folder.mkdir(parents=True)
        (folder / "Pulumi.yaml").write_text(manifest)
        (folder / "__main__.py").write_text('import pulumi\npulumi.export("of", "${PROJECT}")\n')
        for path, text in files.items():
            (folder / path).write_text(text)
        return folder


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


def contents(root: Path) -> dict:
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}
