# SPDX-License-Identifier: Apache-2.0
"""The plugin of a language that Kingpost does not know, on PATH."""

import sys
from pathlib import Path

from .workspace import Workspace


def with_cobol(site: Workspace) -> None:
    plugin = site.root / "bin" / "pulumi-language-cobol"
    plugin.parent.mkdir()
    plugin.write_text(f'#!/bin/sh\nexec {sys.executable} {Path(__file__).with_name("language_plugin.py")} "$@"\n')
    plugin.chmod(0o755)
    site.env["PATH"] = f"{plugin.parent}:{site.environment()['PATH']}"
