# SPDX-License-Identifier: Apache-2.0
"""The projects below a folder, and where their stacks are kept, as the command finds both."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

from .errors import Error

_PROJECT_FILES = ("Pulumi.yaml", "Pulumi.yml", "Pulumi.json")
_AT_ONCE = 500  # a command line has an end


def project_folders(folder: Path) -> List[Path]:
    """Every folder with a project file, sorted. What git ignores is passed over, as are node_modules, virtual
    environments and hidden folders."""
    if not folder.is_dir():
        raise Error(f"there are no projects in {folder}: no such folder")
    found: List[Path] = []
    for at, below, files in os.walk(folder):
        here = Path(at)
        below[:] = [name for name in below if not _is_passed_over(here / name)]
        if any(name in files for name in _PROJECT_FILES):
            found.append(here)
    ignored = _ignored(folder, found)
    return sorted(path for path in found if str(path) not in ignored)


def _is_passed_over(folder: Path) -> bool:
    return folder.name.startswith(".") or folder.name == "node_modules" or (folder / "pyvenv.cfg").exists()


def _ignored(folder: Path, found: List[Path]) -> Set[str]:
    """Where there is no repository, and no git, none are."""
    ignored: Set[str] = set()
    for begin in range(0, len(found), _AT_ONCE):
        command = ["git", "check-ignore", "-z", "--", *(str(path) for path in found[begin : begin + _AT_ONCE])]
        try:
            answer = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        except OSError:
            return set()
        ignored.update(os.fsdecode(path) for path in answer.stdout.split(b"\0") if path)
    return ignored


def project_file(folder: Path) -> Dict[str, Any]:
    """What the project file of the folder says."""
    path = next((folder / name for name in _PROJECT_FILES if (folder / name).is_file()), None)
    if path is None:
        raise Error(f"there is no project in {folder}: it has no Pulumi.yaml")
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        document = json.loads(text)
    else:
        try:
            import yaml
        except ImportError:
            raise Error(f"reading {path} needs the package PyYAML; install it with: pip install 'kingpost[program]'") from None
        try:
            document = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise Error(f"{path} is no YAML: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("name"), str):
        raise Error(f"{path} gives the project no name; add one, as in: name: network")
    return document


def has_settings(folder: Path, stack: str) -> bool:
    return any((folder / f"Pulumi.{stack}.{ending}").is_file() for ending in ("yaml", "yml", "json"))


def backend_of(project: Dict[str, Any]) -> str:
    """PULUMI_BACKEND_URL, that of the project, or the one that the user has logged in to."""
    backend = project.get("backend")
    own = backend.get("url") if isinstance(backend, dict) else None
    found = os.environ.get("PULUMI_BACKEND_URL") or own or _logged_in_to()
    if not found:
        raise Error("no store of states is chosen; pass backend=..., set PULUMI_BACKEND_URL, or run: kingpost login URL")
    return str(found)


def _logged_in_to() -> Optional[str]:
    home = os.environ.get("PULUMI_HOME") or os.path.join(os.path.expanduser("~"), ".pulumi")
    try:
        with open(os.path.join(home, "credentials.json"), encoding="utf-8") as file:
            current = json.load(file).get("current")
    except (OSError, ValueError, AttributeError):
        return None
    return current if isinstance(current, str) else None
