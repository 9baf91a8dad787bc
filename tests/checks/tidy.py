#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy, with the checks of .clang-tidy, over the last changes: five to ten seconds of a core for each batch.

usage: tidy.py [--all | FILE...]     --all: over everything, in five minutes on two cores; FILE: over that file alone

The script checks files in the batches in which a build of everything compiles them, because most of the time goes into headers.
On a branch, the last changes are all since it left main. On main, in continuous integration, they are all since the commit that
passed here last; the folder of the compiler cache keeps its hash. Without that record they are all since the last merge, or the
last 20 commits.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD, BATCHES = REPOSITORY / "build" / "tidy", REPOSITORY / "build" / "tidy-all"
_OURS = ("cpp/", "python/bindings/", "benchmarks/")
RECENT = 20  # commits, where there was no merge among them
KEPT = 50


def told_by(*command: str) -> str:
    return subprocess.run(command, cwd=REPOSITORY, text=True, check=True, capture_output=True).stdout


def commit_of(*command: str) -> str:
    """Git's answer, or nothing."""
    found = subprocess.run(["git", *command], cwd=REPOSITORY, text=True, capture_output=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else ""


def memory() -> Path:
    """The commits that passed, a line each, the newest last."""
    ccache = shutil.which("ccache")
    folder = told_by(ccache, "--get-config", "cache_dir").strip() if ccache else ""
    return (Path(folder) if folder else REPOSITORY / "build") / "kingpost-tidy-passed"


def landing() -> str:
    """The commit since which everything counts as changed; nothing if that is the beginning of all."""
    for main in ("origin/main", "main"):
        base = commit_of("merge-base", "HEAD", main)
        if base and base != commit_of("rev-parse", "HEAD"):
            return base
    passed = memory().read_text().split() if memory().exists() else []
    for commit in reversed(passed):
        if commit_of("merge-base", "HEAD", commit) == commit:
            return commit
    recent = told_by("git", "rev-list", "--first-parent", f"--max-count={RECENT}", "HEAD").split()
    merges = told_by("git", "rev-list", "--first-parent", "--merges", "--max-count=1", "HEAD").split()
    last = merges[0] if merges and merges[0] in recent else recent[-1]
    return commit_of("rev-parse", "--verify", "--quiet", f"{last}^1")


def remember_pass() -> None:
    """Only for committed files; with other changes the result is unclear."""
    if told_by("git", "status", "--porcelain").strip():
        return
    passed = memory().read_text().split() if memory().exists() else []
    memory().parent.mkdir(parents=True, exist_ok=True)
    memory().write_text("\n".join([*passed[-KEPT:], commit_of("rev-parse", "HEAD")]) + "\n")


def changed_last() -> list[str]:
    """Sources and headers that were changed since the landing or are new, and are still there."""
    since = landing()
    names = told_by("git", "diff", "--name-only", since) if since else told_by("git", "ls-files")
    changed = dict.fromkeys(name for name in [*names.split("\n"), *new_files()] if name.endswith((".cc", ".h")))
    return [name for name in changed if name.startswith(_OURS) and (REPOSITORY / name).exists()]


def new_files() -> list[str]:
    return told_by("git", "ls-files", "-o", "--exclude-standard").split("\n")


def sources_of(names: Iterable[str]) -> list[str]:
    """Each source once; of a header the source of the same name, or else the first that includes it."""
    sources: dict[str, None] = {}
    for name in names:
        own = Path(name).with_suffix(".cc")
        if (REPOSITORY / own).exists():
            sources[str(own)] = None
        elif user := first_that_includes(name):
            sources[user] = None
    return list(sources)


def first_that_includes(header: str) -> str:
    included = re.sub(r"^(cpp/include|cpp|tests/cpp|python)/", "", header)
    found = told_by("git", "ls-files", "-co", "--exclude-standard", "--", "*.cc").split("\n")
    for name in found:
        if name.startswith(_OURS) and f'#include "{included}"' in (REPOSITORY / name).read_text(errors="replace"):
            return name
    return ""


def prepare(folder: Path, batches: bool) -> None:
    """Writes the compile commands and the generated headers."""
    if subprocess.run(["cmake", "--preset", "release", "--no-warn-unused-cli", "-B", str(folder), "-DKINGPOST_TESTS=OFF", "-DKINGPOST_PYTHON=ON",
                       f"-DPython_EXECUTABLE={sys.executable}", f"-DKINGPOST_BATCHES={'ON' if batches else 'OFF'}"],
                      cwd=REPOSITORY, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit("tidy: the configuration failed")
    targets = told_by("ninja", "-C", str(folder), "-t", "targets", "all").split("\n")
    headers = [line.split(":")[0] for line in targets if line.split(":")[0].endswith(".pb.h")]
    subprocess.run(["ninja", "-C", str(folder), "--quiet", *headers], check=True)


def compiled_in(folder: Path, wanted: Iterable[str] | None = None) -> list[str]:
    """Our files that a build compiles: batches, and what stands alone; with `wanted` those with any of these sources in them.
    Those of most files first: no core waits at the end."""
    chosen = None if wanted is None else set(wanted)
    ours = tuple(str(place) for place in (folder / "batches", *map(REPOSITORY.joinpath, _OURS)))
    commands = json.loads((folder / "compile_commands.json").read_text())
    found: dict[str, int] = {}
    for name in (command["file"] for command in commands if command["file"].startswith(ours)):
        batched = re.findall(r'#include "(.*\.cc)"', Path(name).read_text())
        sources = {str(Path(name).relative_to(REPOSITORY)), *(root + source for root in ("", "cpp/", "python/") for source in batched)}
        if any(source.endswith(".pb.cc") for source in batched) or (chosen is not None and not chosen & sources):
            continue
        found[name] = len(batched)
    return sorted(found, key=lambda name: -found[name])


def complaints(folder: Path, name: str) -> str:
    """The output of clang-tidy for one file or batch; nothing if all is well."""
    # The file of the checks is named, because the filter for headers is lost where it is only found.
    command = ["clang-tidy", "-p", str(folder), "--quiet", "--config-file=.clang-tidy", "--checks=-bugprone-suspicious-include",
               "--extra-arg=-Wno-unused-command-line-argument", "--extra-arg=-Wno-deprecated-declarations", name]
    done = subprocess.run(command, cwd=REPOSITORY, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 0:
        return ""
    return done.stdout or done.stderr


def main() -> int:
    everything, named = sys.argv[1:] == ["--all"], [name for name in sys.argv[1:] if name != "--all"]
    changed = [] if everything or named else sources_of(changed_last())
    if not (everything or named or changed):
        print("nothing was changed")
        return 0
    folder = BUILD if named else BATCHES
    prepare(folder, batches=not named)
    names = named or compiled_in(folder, None if everything else changed)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = [text for text in pool.map(lambda name: complaints(folder, name), names) if text]
    if not found and not named:
        remember_pass()
    print("\n".join(found) or f"{len(names)} {'files' if named else 'batches'}, nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
