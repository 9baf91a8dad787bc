# SPDX-License-Identifier: Apache-2.0
"""The functions of an SDK that the accelerators know by their texts: those that have become others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .followed import REPOSITORY
from .registries import NotAtHand
from .rows import Row

_AREA = "accelerators"
_NODE_MEASURES = ("lazy_stack", "log_messages", "lazy_modules")
# Prints the names of the measures that do not know the file they change.
_NODE_PROGRAM = """
const [package_, folder, ...names] = process.argv.slice(1);
const fs = require("fs"), path = require("path");
const unknown = [];
for (const measure of names.flatMap(name => require(path.join(folder, name)))) {
    const file = path.join(package_, measure.file);
    const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
    if (text === null || measure.changeText(text) === null) unknown.push(measure.name + " " + measure.file);
}
console.log(JSON.stringify(unknown));
"""


def python_rows(sdk: Path, version: str) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        # Under the name that it has in a launched program: the package around it needs the engine.
        (Path(folder) / "kingpost_accelerate").symlink_to(REPOSITORY / "python" / "kingpost" / "accelerate")
        env = os.environ | {"PYTHONPATH": os.pathsep.join([str(sdk), folder]), "PYTHONDONTWRITEBYTECODE": "1"}
        ran = subprocess.run([sys.executable, "-m", "kingpost_accelerate.hashes"], env=env, capture_output=True, text=True,
                             check=False)
    if ran.returncode != 0:
        raise NotAtHand(f"the SDK {version} cannot be imported here: {ran.stderr.strip().splitlines()[-1]}")
    lines = [line.split() for line in ran.stdout.splitlines()]
    return [Row(_AREA, "changed", f"Python {version}: `{name}` of {measure}, now {found}", "off")
            for measure, name, found, known in lines if known != "known"]


def node_rows(package: Path, version: str) -> list[Row]:
    try:
        ran = subprocess.run(["node", "-e", _NODE_PROGRAM, str(package), str(REPOSITORY / "node" / "accelerate"),
                              *_NODE_MEASURES], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise NotAtHand("node is not on PATH") from None
    return [Row(_AREA, "changed", f"Node.js {version}: {name}", "off") for name in json.loads(ran.stdout)]
