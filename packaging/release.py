#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a release in build/dist from a build, for ./dev package.

usage: release.py BUILD OUT        SOURCE_DATE_EPOCH says how old everything is; two runs of it make the same bytes

    kingpost-VERSION-linux-ARCH.tar.gz    the command, man pages, licences: unpack it anywhere
    kingpost_VERSION_ARCH.deb             the same for Debian and Ubuntu
    Containerfile                         an image with that package
    kingpost-VERSION.spdx.json            every Debian and Python package of which something is in the command or the wheel
    SHA256SUMS                            of these, and of the wheel that ./dev wheel has put beside them
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import archives
import linked
import notices
import sbom
import tree

REPOSITORY = Path(__file__).resolve().parents[1]
GLIBC_OLDEST = "2.30"  # what packaging/README.md promises


def version() -> str:
    found = re.search(r"project\(kingpost VERSION ([0-9.]+)", (REPOSITORY / "CMakeLists.txt").read_text())
    if not found:
        sys.exit("package: CMakeLists.txt does not say which version this is")
    return found[1]


def epoch() -> int:
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not given.isdigit():
        sys.exit("package: SOURCE_DATE_EPOCH is to say how old the files are, in seconds; ./dev package sets it")
    return int(given)


def glibc_floor(command: Path) -> str:
    """The oldest glibc on which the command starts: the newest version among the symbols that it asks for."""
    told = subprocess.run(["objdump", "-T", str(command)], text=True, check=True, capture_output=True).stdout
    return max(re.findall(r"\(?GLIBC_([0-9.]+)\)?", told), key=_parts)


def _parts(number: str) -> list[int]:
    return [int(part) for part in number.split(".")]


def checksums(out: Path) -> None:
    names = sorted(path.name for path in out.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (out / "SHA256SUMS").write_text("".join(lines))


def main(build: Path, out: Path) -> None:
    name, when = version(), epoch()
    staged = build / "package" / "tree"
    shutil.rmtree(staged, ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    used = linked.packages(build)
    tree.stage(staged, build=build, version=name, third_party=notices.text(used))
    floor = glibc_floor(staged / "bin" / "kingpost")
    if platform.machine() == "x86_64" and _parts(floor) > _parts(GLIBC_OLDEST):
        sys.exit(f"package: the command needs glibc {floor}, not {GLIBC_OLDEST}: cmake/old_glibc.cc has to know what is new")
    archives.tarball(staged, out / f"kingpost-{name}-linux-{platform.machine()}.tar.gz", when)
    archives.debian_package(staged, out, name, floor, when)
    shutil.copy(REPOSITORY / "packaging" / "Containerfile", out / "Containerfile")
    wheels = sorted(out.glob(f"kingpost-{name}-*.whl"))
    (out / f"kingpost-{name}.spdx.json").write_text(sbom.document(staged / "bin" / "kingpost", wheels, used, name, when))
    checksums(out)
    size = (staged / "bin" / "kingpost").stat().st_size
    print(f"the command: {size / 1e6:.1f} MB, needs glibc {floor}; {len(used)} packages are in it")
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size:10}  {path.relative_to(REPOSITORY)}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
