#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy, with the checks of .clang-tidy, over all that has not passed before.

usage: tidy.py [FILE...]     FILE: over that file alone, whether it passed before or not

The script checks files in the batches in which a build of everything compiles them, because most of the time goes into headers:
four seconds of a core for each batch, two minutes on two cores for everything. A batch that passed passes again without
clang-tidy as long as its text is the same after the preprocessor, comments included (they silence checks): half a second each.
The folder of the compiler cache keeps the hashes.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD, BATCHES = REPOSITORY / "build" / "tidy", REPOSITORY / "build" / "tidy-all"
_OURS = ("cpp/", "python/bindings/", "benchmarks/")
KEPT = 5000  # hashes, some eighty runs in which everything was changed
# The file of the checks is named, because the filter for headers is lost where it is only found.
CLANG_TIDY = ["clang-tidy", "--quiet", "--config-file=.clang-tidy", "--checks=-bugprone-suspicious-include",
              "--extra-arg=-Wno-unused-command-line-argument", "--extra-arg=-Wno-deprecated-declarations"]


def told_by(*command: str) -> str:
    return subprocess.run(command, cwd=REPOSITORY, text=True, check=True, capture_output=True).stdout


def memory() -> Path:
    """The hashes of what passed, a line each, the newest last."""
    ccache = shutil.which("ccache")
    folder = told_by(ccache, "--get-config", "cache_dir").strip() if ccache else ""
    return (Path(folder) if folder else REPOSITORY / "build") / "kingpost-tidy-passed"


def passed_before() -> list[str]:
    return memory().read_text().split() if memory().exists() else []


def remember(hashes: list[str]) -> None:
    known = list(dict.fromkeys([*passed_before(), *hashes]))
    memory().parent.mkdir(parents=True, exist_ok=True)
    memory().write_text("".join(f"{known_hash}\n" for known_hash in known[-KEPT:]))


def prepare(folder: Path, batches: bool) -> None:
    """Writes the compile commands and the generated headers."""
    if subprocess.run(["cmake", "--preset", "release", "--no-warn-unused-cli", "-B", str(folder), "-DKINGPOST_TESTS=OFF", "-DKINGPOST_PYTHON=ON",
                       f"-DPython_EXECUTABLE={sys.executable}", f"-DKINGPOST_BATCHES={'ON' if batches else 'OFF'}"],
                      cwd=REPOSITORY, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit("tidy: the configuration failed")
    targets = told_by("ninja", "-C", str(folder), "-t", "targets", "all").split("\n")
    headers = [line.split(":")[0] for line in targets if line.split(":")[0].endswith(".pb.h")]
    subprocess.run(["ninja", "-C", str(folder), "--quiet", *headers], check=True)


def compiled_in(folder: Path) -> dict[str, list[str]]:
    """Our files that a build compiles, batches and what stands alone, with the command for each. Those of most files first: no
    core waits at the end."""
    ours = tuple(str(place) for place in (folder / "batches", *map(REPOSITORY.joinpath, _OURS)))
    commands = {entry["file"]: shlex.split(entry["command"]) for entry in json.loads((folder / "compile_commands.json").read_text())
                if entry["file"].startswith(ours)}
    members = {name: re.findall(r'#include "(.*\.cc)"', Path(name).read_text()) for name in commands}
    chosen = [name for name in commands if not any(member.endswith(".pb.cc") for member in members[name])]
    return {name: commands[name] for name in sorted(chosen, key=lambda name: -len(members[name]))}


@functools.cache
def checker() -> bytes:
    """The program and the checks: what a result depends on beside the text."""
    return told_by("clang-tidy", "--version").encode() + (REPOSITORY / ".clang-tidy").read_bytes() + " ".join(CLANG_TIDY).encode()


def hash_of(compile_command: list[str]) -> str:
    """Of the text after the preprocessor, wherever the repository is; "" for a file that does not come that far."""
    without_output = compile_command[:compile_command.index("-o")] + compile_command[compile_command.index("-o") + 2:]
    text = subprocess.run([*without_output, "-E", "-C"], cwd=REPOSITORY, check=False, capture_output=True)
    if text.returncode != 0:
        return ""
    whole = b"\0".join([checker(), *(argument.encode() for argument in without_output), text.stdout])
    return hashlib.sha256(whole.replace(os.fsencode(REPOSITORY), b"")).hexdigest()


def complaints(folder: Path, name: str) -> str:
    """The output of clang-tidy for one file or batch; nothing if all is well."""
    done = subprocess.run([*CLANG_TIDY, "-p", str(folder), name], cwd=REPOSITORY, text=True, check=False, capture_output=True)
    if done.returncode == 0:
        return ""
    return done.stdout or done.stderr


def check_files(names: list[str]) -> list[str]:
    prepare(BUILD, batches=False)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return [text for text in pool.map(lambda name: complaints(BUILD, name), names) if text]


def check_batches() -> list[str]:
    prepare(BATCHES, batches=True)
    commands, known = compiled_in(BATCHES), set(passed_before())
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        hashes = dict(zip(commands, pool.map(hash_of, commands.values()), strict=True))
        unknown = [name for name in commands if hashes[name] not in known]
        found = dict(zip(unknown, pool.map(lambda name: complaints(BATCHES, name), unknown), strict=True))
    remember([hashes[name] for name in commands if hashes[name] and not found.get(name)])
    print(f"{len(commands)} batches, {len(unknown)} of them new or changed")
    return [text for text in found.values() if text]


def main() -> int:
    found = check_files(sys.argv[1:]) if sys.argv[1:] else check_batches()
    print("\n".join(found) or "nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
