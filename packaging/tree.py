# SPDX-License-Identifier: Apache-2.0
"""The files of a release as they lie below /usr, /usr/local or any other prefix."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
MAN_PAGES = REPOSITORY / "docs" / "site" / "generate.py"


def stage(root: Path, build: Path, version: str, third_party: str) -> None:
    """
    bin/kingpost                 stripped
    lib/kingpost/bin/pulumi      a link to it, for programs of the Automation API: a folder of its own to put on PATH
    share/man/man1               what --help says
    share/doc/kingpost           licences, changes
    """
    command = root / "bin" / "kingpost"
    command.parent.mkdir(parents=True)
    subprocess.run(["strip", "--strip-all", "-o", str(command), str(build / "bin" / "kingpost")], check=True)
    pulumi = root / "lib" / "kingpost" / "bin" / "pulumi"
    pulumi.parent.mkdir(parents=True)
    pulumi.symlink_to("../../../bin/kingpost")
    _man_pages(root / "share" / "man" / "man1", command)
    _documents(root / "share" / "doc" / "kingpost", version, third_party)


def _man_pages(folder: Path, command: Path) -> None:
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["python3", str(MAN_PAGES), str(command), scratch, f"{scratch}/man"], check=True,
                       stdout=subprocess.DEVNULL)
        for page in sorted(Path(scratch, "man").glob("*.1")):
            (folder / f"{page.name}.gz").write_bytes(compressed(page.read_bytes()))


def _documents(folder: Path, version: str, third_party: str) -> None:
    folder.mkdir(parents=True)
    shutil.copyfile(REPOSITORY / "LICENSE", folder / "LICENSE")
    (folder / "changelog.gz").write_bytes(compressed((REPOSITORY / "CHANGELOG.md").read_bytes()))
    (folder / "third-party.gz").write_bytes(compressed(third_party.encode()))
    (folder / "copyright").write_text(
        f"Kingpost {version}, a deployment engine, under the Apache License, Version 2.0: see LICENSE beside this file, or\n"
        "/usr/share/common-licenses/Apache-2.0 on Debian.\n\n"
        "The command also holds parts of other projects, linked in from the packages of Debian. Their copyrights and\n"
        "licences are in third-party.gz; with the sources of Kingpost the command can be linked anew with others of them.\n")


def compressed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)
