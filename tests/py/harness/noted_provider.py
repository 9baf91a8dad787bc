# SPDX-License-Identifier: Apache-2.0
"""A provider of things that says what happens to it, in the file `events` of the folder $EARLY_ROOT, and whose start lasts as
long as the file `hold-VERSION` is there."""

from __future__ import annotations

import sys
from pathlib import Path

from .commands import PROGRAMS
from .plugin_source import make_executable

_TEXT = f"""#!{sys.executable}
import importlib.util, os, sys, time
root = os.environ["EARLY_ROOT"]
version = os.path.basename(os.path.dirname(os.path.abspath(__file__))).rpartition("-v")[2]

def note(word):
    with open(os.path.join(root, "events"), "a") as file:
        file.write(word + " " + version + "\\n")

note("started")
while os.path.exists(os.path.join(root, "hold-" + version)):
    time.sleep(0.02)
spec = importlib.util.spec_from_file_location("things", {str(PROGRAMS / "things" / "__main__.py")!r})
things = importlib.util.module_from_spec(spec)
spec.loader.exec_module(things)
things.VERSION = version

def noted(word, call):
    def method(self, request, context):
        note(word)
        return call(self, request, context)
    return method

for word, name in (("greeted", "Handshake"), ("configured", "Configure")):
    setattr(things.Provider, name, noted(word, getattr(things.Provider, name)))
things.main()
"""


def install_noted_provider(home: Path, version: str, remark: str = "") -> Path:
    """Into the plugin cache; another remark makes another file of the same program."""
    folder = home / "plugins" / f"resource-things-v{version}"
    folder.mkdir(parents=True, exist_ok=True)
    fresh = make_executable(folder / "fresh", f"{_TEXT}# {remark}\n".encode())
    return fresh.replace(folder / "pulumi-resource-things")


def noted_events(root: Path) -> list[str]:
    file = root / "events"
    return file.read_text().splitlines() if file.exists() else []
