# SPDX-License-Identifier: Apache-2.0
"""Which Debian and Python packages have something in the command.

The linker's map tells which archives gave a section that was kept, and what the compiler read tells whose headers are in
it; dpkg knows the packages of both. For the Python packages with headers (pybind11) .venv does.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

_ARCHIVE = re.compile(r"(/\S+\.a)\(")


@dataclass(frozen=True, order=True)
class Package:
    name: str
    version: str
    architecture: str
    source: str  # the Debian source package
    archives: bool  # code from its archives, or from its headers alone


def packages(build: Path) -> list[Package]:
    from_archives = _owners(_archives(build))
    from_headers = _owners(_headers(build))
    shown = "${Package}\t${Version}\t${Architecture}\t${source:Package}\n"
    told = _told("dpkg-query", "-W", "-f", shown, *sorted(from_archives | from_headers))
    return sorted(Package(*line.split("\t"), line.split("\t")[0] in from_archives) for line in told.splitlines())


def _archives(build: Path) -> set[str]:
    """Links the command once more, for the map."""
    steps = _told("ninja", "-C", str(build), "-t", "commands", "kingpost").splitlines()[-1].split(" && ")
    link = next(step for step in steps if " -o bin/kingpost " in step)
    scratch = build / "package"
    scratch.mkdir(exist_ok=True)
    subprocess.run(link.replace(" -o bin/kingpost ", " -o package/mapped -Wl,-Map=package/map "), shell=True, cwd=build,
                   check=True)
    text = (scratch / "map").read_text(errors="replace")
    for name in ("mapped", "map"):
        (scratch / name).unlink()
    return set(_ARCHIVE.findall(text))


def _headers(build: Path) -> set[str]:
    objects = set(_told("ninja", "-C", str(build), "-t", "inputs", "kingpost").split())
    found: set[str] = set()
    read = False
    for line in _told("ninja", "-C", str(build), "-t", "deps").splitlines():
        if line and not line.startswith(" "):
            read = line.split(":")[0] in objects
        elif read and line.startswith("    /usr/"):
            found.add(line.strip())
    return found


def _owners(files: set[str]) -> set[str]:
    """Packages of the files, each as NAME:ARCHITECTURE or NAME."""
    real = sorted({str(Path(file).resolve()) for file in files})
    if not real:
        return set()
    told = subprocess.run(["dpkg-query", "-S", *real], text=True, check=False, capture_output=True).stdout
    return {line.rsplit(": ", 1)[0].split(":")[0] for line in told.splitlines() if not line.startswith("diversion")}


def _told(*command: str) -> str:
    return subprocess.run(command, text=True, check=True, capture_output=True).stdout
