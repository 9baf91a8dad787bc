# SPDX-License-Identifier: Apache-2.0
"""The promises of packaging/: bytes that depend on nothing but the content, and a bill without loose ends."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

import pytest
from stages import REPOSITORY

sys.path.append(str(REPOSITORY / "packaging"))

import archives
import linked
import notices
import release
import sbom
import wheels

EPOCH = 1_700_000_000
ZLIB = linked.Package("zlib1g-dev", "1:1.2.13.dfsg-1+b1", "amd64", "zlib", archives=True)
JSON = linked.Package("nlohmann-json3-dev", "3.11.2-2", "all", "nlohmann-json3", archives=False)


def tree(folder, umask: int):
    """A prefix with the usual kinds of files, as a user with that umask makes it."""
    before = os.umask(umask)
    try:
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "kingpost").write_text("#!/bin/sh\n")
        (folder / "bin" / "kingpost").chmod(0o777 & ~umask)
        (folder / "share/doc/kingpost").mkdir(parents=True)
        (folder / "share/doc/kingpost/LICENSE").write_text("free\n")
        (folder / "share/doc/kingpost/copyright").write_text("ours\n")
        (folder / "share" / "link").symlink_to("../bin/kingpost")
    finally:
        os.umask(before)
    return folder


@pytest.mark.parametrize("make", [
    lambda root, out: archives.tarball(root, out / "kingpost-1.tar.gz", EPOCH) or out / "kingpost-1.tar.gz",
    lambda root, out: archives.debian_package(root, out, "1", "2.30", EPOCH),
], ids=["tarball", "deb"])
def test_an_archive_does_not_tell_who_made_it_when(make, tmp_path):
    made = []
    for name, umask in (("one", 0o022), ("two", 0o077)):
        root = tree(tmp_path / name / "prefix", umask)
        os.utime(root / "bin" / "kingpost", (EPOCH + len(made) + 1, EPOCH + len(made) + 1))
        made.append(make(root, tmp_path / name).read_bytes())
    assert made[0] == made[1]


def test_the_tarball_has_one_folder_at_its_top_and_keeps_modes_and_links(tmp_path):
    archives.tarball(tree(tmp_path / "prefix", 0o077), tmp_path / "kingpost-1.tar.gz", EPOCH)
    with tarfile.open(tmp_path / "kingpost-1.tar.gz") as archive:
        members = {member.name: member for member in archive}
    assert {name.split("/")[0] for name in members} == {"kingpost-1"}
    assert members["kingpost-1/bin/kingpost"].mode == 0o755
    assert members["kingpost-1/share/doc/kingpost/copyright"].mode == 0o644
    assert members["kingpost-1/share/link"].linkname == "../bin/kingpost"
    assert {(member.mtime, member.uname) for member in members.values()} == {(EPOCH, "root")}


def test_the_debian_package_says_what_it_needs(tmp_path):
    package = archives.debian_package(tree(tmp_path / "prefix", 0o022), tmp_path, "1.2", "2.30", EPOCH)
    fields = subprocess.run(["dpkg-deb", "--field", str(package)], text=True, capture_output=True, check=True).stdout
    assert "Version: 1.2\n" in fields
    assert "Depends: libc6 (>= 2.30)\n" in fields


def test_a_wheel_for_another_python_differs_in_its_extension_and_its_tags_alone(tmp_path):
    tree = tmp_path / "kingpost-1"
    (tree / "kingpost").mkdir(parents=True)
    (tree / "kingpost" / "__init__.py").write_text("")
    (tree / "kingpost" / "_kingpost.cpython-39-x86_64-linux-gnu.so").write_text("first")
    (tree / "kingpost-1.dist-info").mkdir()
    (tree / "kingpost-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: kingpost\nVersion: 1\n")
    (tree / "kingpost-1.dist-info" / "WHEEL").write_text(
        "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: cp39-cp39-linux_x86_64\n")
    subprocess.run([sys.executable, "-m", "wheel", "pack", "-d", tmp_path, tree], check=True, capture_output=True)
    extension = tmp_path / f"_kingpost{sysconfig.get_config_var('EXT_SUFFIX')}"
    extension.write_text("second")

    made = wheels.with_extension(tmp_path / "kingpost-1-cp39-cp39-linux_x86_64.whl", extension, sys.executable)
    tag = "cp{0}{1}-cp{0}{1}-linux_x86_64".format(*sys.version_info)
    assert made.name == f"kingpost-1-{tag}.whl"
    with zipfile.ZipFile(made) as archive:
        assert {name for name in archive.namelist() if name.startswith("kingpost/")} == {
            "kingpost/__init__.py", f"kingpost/{extension.name}"}
        assert archive.read(f"kingpost/{extension.name}") == b"second"
        assert f"Tag: {tag}\n" in archive.read("kingpost-1.dist-info/WHEEL").decode()
        record = archive.read("kingpost-1.dist-info/RECORD").decode()
    assert f"kingpost/{extension.name},sha256=" in record and "cpython-39-x86" not in record


def test_the_floor_is_the_newest_version_by_number(monkeypatch):
    told = " (GLIBC_2.9) a\n (GLIBC_2.30) b\n (GLIBC_2.2.5) c\n"
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, stdout=told))
    assert release.glibc_floor("command") == "2.30"


def test_the_bill_names_each_package_once_and_how_it_got_in(tmp_path):
    command = tmp_path / "kingpost"
    command.write_text("x")
    bill = json.loads(sbom.document(command, [], [ZLIB, JSON], "1", EPOCH))
    ids = [item["SPDXID"] for item in bill["packages"]]
    assert len(ids) == len(set(ids)) == 3
    related = {(r["relationshipType"], r["relatedSpdxElement"]) for r in bill["relationships"]}
    assert related == {("DESCRIBES", "SPDXRef-kingpost"), ("STATIC_LINK", "SPDXRef-zlib1g-dev"),
                       ("CONTAINS", "SPDXRef-nlohmann-json3-dev")}
    place = bill["packages"][1]["externalRefs"][0]["referenceLocator"]
    assert place == "pkg:deb/debian/zlib1g-dev@1%3A1.2.13.dfsg-1%2Bb1?arch=amd64"


def test_licences_that_are_only_referred_to_are_told_in_full(monkeypatch):
    monkeypatch.setattr(notices, "copyright_of", lambda _: "see /usr/share/common-licenses/Apache-2.0.\n")
    text = notices.text([ZLIB])
    assert "zlib (zlib1g-dev 1:1.2.13.dfsg-1+b1)" in text
    assert re.search(r"^\s+Version 2\.0, January 2004$", text, re.MULTILINE)
