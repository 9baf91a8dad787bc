# SPDX-License-Identifier: Apache-2.0
"""The command starts where packaging/README.md promises it: a function that is newer there is found here, not at a release."""

import platform
import subprocess
import sys

import pytest
from harness import REPOSITORY, Command

sys.path.append(str(REPOSITORY / "packaging"))

import release


@pytest.mark.skipif(platform.machine() != "x86_64", reason="old machines are looked after on x86-64 alone (cmake/old_glibc.cc)")
def test_the_command_asks_for_nothing_that_old_machines_lack():
    command = Command.kingpost().path
    if "libprotobuf" in subprocess.run(["ldd", command], text=True, check=True, capture_output=True).stdout:
        pytest.skip(f"{command} is linked with shared libraries: no release is made of it")
    newest, promised = release.glibc_floor(command), release.GLIBC_OLDEST
    assert [int(part) for part in newest.split(".")] <= [int(part) for part in promised.split(".")], (
        "the command needs a newer glibc: `objdump -T` tells which function; give it its old version in cmake/old_glibc.cc")
