#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy, with the checks of .clang-tidy, over what was changed since main; minutes, because each file costs 5 to 20 seconds.

usage: tidy.py [--newest N | --all | FILE...]     --newest: the N sources that were changed last, in commits or since
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD = REPOSITORY / "build" / "tidy"
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


def changed_last(count: int) -> list[str]:
    """Newest first: for a machine that sees main after the change."""
    names = told_by("git", "diff", "--name-only", "HEAD").split("\n") + new_files()
    commits = told_by("git", "log", "--no-merges", "--format=", "--name-only", "--", *_OURS)
    return sources_of([*names, *commits.split("\n")])[:count]


def new_files() -> list[str]:
    return told_by("git", "ls-files", "-o", "--exclude-standard").split("\n")


def sources_of(names: Iterable[str]) -> list[str]:
    """Each source once; of a header the source of the same name."""
    sources = dict.fromkeys(str(Path(name).with_suffix(".cc")) for name in names if name.endswith((".cc", ".h")))
    return [name for name in sources if name.startswith(_OURS) and (REPOSITORY / name).exists()]


def prepare() -> None:
    """How each file is compiled, without what only GCC understands, and the generated headers."""
    if subprocess.run(["cmake", "--preset", "release", "--no-warn-unused-cli", "-B", str(BUILD), "-DKINGPOST_TESTS=OFF", "-DKINGPOST_PYTHON=ON",
                       f"-DPython_EXECUTABLE={sys.executable}", "-DKINGPOST_BATCHES=OFF",
                       "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON"], cwd=REPOSITORY, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit("tidy: the configuration failed")
    targets = told_by("ninja", "-C", str(BUILD), "-t", "targets", "all").split("\n")
    headers = [line.split(":")[0] for line in targets if line.split(":")[0].endswith(".pb.h")]
    subprocess.run(["ninja", "-C", str(BUILD), "--quiet", *headers], check=True)


def complaints(name: str) -> str:
    """What clang-tidy says of one file; nothing if all is well."""
    done = subprocess.run(["clang-tidy", "-p", str(BUILD), "--quiet", name], cwd=REPOSITORY, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 0:
        return ""
    return done.stdout or done.stderr


def main() -> int:
    names = sys.argv[1:] or changed_since_main()
    if names[:1] == ["--newest"]:
        names = changed_last(int(names[1]))
    if names == ["--all"]:
        names = [name for name in told_by("git", "ls-files", "*.cc").split("\n") if name.startswith(_OURS[:2])]
    prepare()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = [text for text in pool.map(complaints, names) if text]
    print("\n".join(found) or f"{len(names)} files, nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
