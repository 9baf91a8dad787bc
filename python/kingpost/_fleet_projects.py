# SPDX-License-Identifier: Apache-2.0
"""The projects below a folder, and where their stacks are kept, as the command finds both."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

from ._fleet_file import load_yaml
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


def project_path(folder: Path) -> Optional[Path]:
    return next((folder / name for name in _PROJECT_FILES if (folder / name).is_file()), None)


def has_project(folder: Path) -> bool:
    return project_path(folder) is not None


def project_file(folder: Path) -> Dict[str, Any]:
    """Reads the project file of the folder."""
    path = project_path(folder)
    if path is None:
        raise Error(f"there is no project in {folder}: it has no Pulumi.yaml")
    document = _document_of(path)
    if not isinstance(document, dict) or not isinstance(document.get("name"), str) or not document["name"]:
        raise Error(f"{path} gives the project no name; add one, as in: name: network")
    return document


def _document_of(path: Path) -> Any:
    if path.suffix != ".json":
        return load_yaml(path)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Error(f"{path} is no JSON: {error}") from error


def settings_file(folder: Path, project: Dict[str, Any], stack: str) -> Optional[Path]:
    """The settings file of the stack, in the folder where the project keeps those; None if there is none."""
    own = project.get("stackConfigDir")
    place = folder / own if isinstance(own, str) else folder
    names = (f"Pulumi.{stack}.{ending}" for ending in ("yaml", "yml", "json"))
    return next((place / name for name in names if (place / name).is_file()), None)


def own_settings(folder: Path, project: Dict[str, Any], stack: str) -> Dict[str, Any]:
    """The settings of the stack by full key."""
    path = settings_file(folder, project, stack)
    document = _document_of(path) if path is not None else None
    config = document.get("config") if isinstance(document, dict) else None
    return dict(config) if isinstance(config, dict) else {}


def backend_of(project: Dict[str, Any], folder: Path) -> str:
    """PULUMI_BACKEND_URL, that of the project, which may be relative to it, or the one that the user has logged in to."""
    from_environment = os.environ.get("PULUMI_BACKEND_URL")
    if from_environment:
        return from_environment
    backend = project.get("backend")
    own = backend.get("url") if isinstance(backend, dict) else None
    if isinstance(own, str) and own:
        scheme, _, path = own.partition("://")
        is_relative = scheme == "file" and not path.startswith(("/", "~"))
        return f"file://{os.path.normpath(folder / path)}" if is_relative else own
    found = _logged_in_to()
    if not found:
        raise Error("no store of states is chosen; pass backend=..., set PULUMI_BACKEND_URL, or run: kingpost login URL")
    return found


def _logged_in_to() -> Optional[str]:
    home = os.environ.get("PULUMI_HOME") or os.path.join(os.path.expanduser("~"), ".pulumi")
    try:
        with open(os.path.join(home, "credentials.json"), encoding="utf-8") as file:
            current = json.load(file).get("current")
    except (OSError, ValueError, AttributeError):
        return None
    return current if isinstance(current, str) else None
