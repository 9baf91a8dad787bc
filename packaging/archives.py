# SPDX-License-Identifier: Apache-2.0
"""Archives whose bytes depend on nothing but the files in them and the given time."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

_DESCRIPTION = """\
deployment engine for Pulumi programs
 Kingpost runs programs that declare resources with the Pulumi SDKs, and creates,
 changes and deletes what they ask for through Pulumi's provider plugins. It keeps
 the state files and the command line of Pulumi, so that unmodified programs,
 providers and policy packs run on it.
"""


def tarball(root: Path, target: Path, epoch: int) -> None:
    """All below `root`, in a folder of the archive's own name."""
    top = target.name.removesuffix(".tar.gz")

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "root", "root"
        member.mode = _mode(root / Path(member.name).relative_to(top))
        return member

    with target.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=epoch) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in [root, *sorted(root.rglob("*"))]:
            archive.add(path, str(Path(top) / path.relative_to(root)), recursive=False, filter=plain)


def debian_package(root: Path, folder: Path, version: str, glibc: str, epoch: int) -> Path:
    """Below /usr what is below `root`; made by dpkg-deb, which takes no file for younger than SOURCE_DATE_EPOCH."""
    architecture = _told("dpkg", "--print-architecture")
    staged = root.parent / "deb"
    shutil.rmtree(staged, ignore_errors=True)
    shutil.copytree(root, staged / "usr", symlinks=True)
    (staged / "usr/share/doc/kingpost/LICENSE").unlink()  # Debian has it in /usr/share/common-licenses
    size = sum(path.lstat().st_size for path in (staged / "usr").rglob("*") if not path.is_dir())
    control = staged / "DEBIAN" / "control"
    control.parent.mkdir()
    control.write_text(_control(version, architecture, glibc, size // 1024))
    sums = [f"{_told('md5sum', str(path)).split()[0]}  {path.relative_to(staged)}\n"
            for path in sorted((staged / "usr").rglob("*")) if path.is_file() and not path.is_symlink()]
    (control.parent / "md5sums").write_text("".join(sums))
    for path in [staged, *staged.rglob("*")]:
        if not path.is_symlink():
            path.chmod(_mode(path))
        os.utime(path, (epoch, epoch), follow_symlinks=False)
    target = folder / f"kingpost_{version}_{architecture}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(staged), str(target)], check=True,
                   env=os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}, stdout=subprocess.DEVNULL)
    return target


def _control(version: str, architecture: str, glibc: str, kilobytes: int) -> str:
    """libcurl is loaded when a plugin has to be downloaded, and never otherwise; each language comes with its own programs."""
    return (f"Package: kingpost\nVersion: {version}\nArchitecture: {architecture}\nSection: admin\nPriority: optional\n"
            "Maintainer: The Kingpost maintainers <maintainers@kingpost.invalid>\n"
            f"Installed-Size: {kilobytes}\nDepends: libc6 (>= {glibc})\nRecommends: ca-certificates, libcurl4\n"
            "Suggests: libpq5, libgvc6, python3-venv, nodejs, npm, golang-go\n"
            f"Description: {_DESCRIPTION}")


def _mode(path: Path) -> int:
    """Whatever the umask of who builds."""
    if path.is_symlink():
        return 0o777
    return 0o755 if path.is_dir() or os.access(path, os.X_OK) and path.lstat().st_mode & 0o100 else 0o644


def _told(*command: str) -> str:
    return subprocess.run(command, text=True, check=True, capture_output=True).stdout.strip()
