#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy, with the checks of .clang-tidy, over what was changed since main: 5 to 20 seconds of each file.

usage: tidy.py [--all | FILE...]     --all: in the batches in which a build of everything compiles them, a sixth of the time
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD, BATCHES = REPOSITORY / "build" / "tidy", REPOSITORY / "build" / "tidy-all"
_OURS = ("cpp/", "python/bindings/", "benchmarks/")


def told_by(*command: str) -> str:
    return subprocess.run(command, cwd=REPOSITORY, text=True, check=True, capture_output=True).stdout


def changed_since_main() -> list[str]:
    """Sources that differ from main or are new."""
    for main in ("origin/main", "main"):
        found = subprocess.run(["git", "merge-base", "HEAD", main], cwd=REPOSITORY, text=True, capture_output=True,
                               check=False)
        if found.returncode == 0:
            break
    else:
        sys.exit("tidy: there is no main to compare with; name files, or --all")
    names = told_by("git", "diff", "--name-only", found.stdout.strip()).split("\n")
    return sources_of([*names, *new_files()])


def new_files() -> list[str]:
    return told_by("git", "ls-files", "-o", "--exclude-standard").split("\n")


def sources_of(names: Iterable[str]) -> list[str]:
    """Each source once; of a header the source of the same name."""
    sources = dict.fromkeys(str(Path(name).with_suffix(".cc")) for name in names if name.endswith((".cc", ".h")))
    return [name for name in sources if name.startswith(_OURS) and (REPOSITORY / name).exists()]


def prepare(folder: Path, batches: bool) -> None:
    """How each file is compiled, and the generated headers."""
    if subprocess.run(["cmake", "--preset", "release", "--no-warn-unused-cli", "-B", str(folder), "-DKINGPOST_TESTS=OFF", "-DKINGPOST_PYTHON=ON",
                       f"-DPython_EXECUTABLE={sys.executable}", f"-DKINGPOST_BATCHES={'ON' if batches else 'OFF'}"],
                      cwd=REPOSITORY, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit("tidy: the configuration failed")
    targets = told_by("ninja", "-C", str(folder), "-t", "targets", "all").split("\n")
    headers = [line.split(":")[0] for line in targets if line.split(":")[0].endswith(".pb.h")]
    subprocess.run(["ninja", "-C", str(folder), "--quiet", *headers], check=True)


def compiled_in(folder: Path) -> list[str]:
    """Our files that a build compiles: batches, and what stands alone. Those of most files first: no core waits at the end."""
    ours = tuple(str(place) for place in (folder / "batches", *map(REPOSITORY.joinpath, _OURS)))
    commands = json.loads((folder / "compile_commands.json").read_text())
    found: dict[str, int] = {}
    for name in (command["file"] for command in commands if command["file"].startswith(ours)):
        batched = re.findall(r'#include "(.*)\.cc"', Path(name).read_text())
        if not any(source.endswith(".pb") for source in batched):
            found[name] = len(batched)
    return sorted(found, key=lambda name: -found[name])


def complaints(folder: Path, name: str) -> str:
    """What clang-tidy says of one file or batch; nothing if all is well."""
    # The file of the checks is named, because the filter for headers is lost where it is only found.
    command = ["clang-tidy", "-p", str(folder), "--quiet", "--config-file=.clang-tidy", "--checks=-bugprone-suspicious-include",
               "--extra-arg=-Wno-unused-command-line-argument", "--extra-arg=-Wno-deprecated-declarations", name]
    done = subprocess.run(command, cwd=REPOSITORY, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 0:
        return ""
    return done.stdout or done.stderr


def main() -> int:
    everything = sys.argv[1:] == ["--all"]
    folder = BATCHES if everything else BUILD
    names = [] if everything else sys.argv[1:] or changed_since_main()
    prepare(folder, batches=everything)
    if everything:
        names = compiled_in(folder)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = [text for text in pool.map(lambda name: complaints(folder, name), names) if text]
    print("\n".join(found) or f"{len(names)} files, nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
