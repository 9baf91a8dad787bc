#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Buckets against servers that are none of ours: versitygw for S3, azurite for Azure, fake-gcs-server for Google. They come
from the registries of Go and npm, once, into build/servers, where tests/py/harness/clouds.py finds them.

usage: servers.py                 brings what is missing and runs the tests of buckets with all of them
       servers.py --install       brings them alone
       servers.py ARGUMENT...     and hands these to pytest in place of the tests
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from stages import REPOSITORY, SKIPPED

FOLDER = REPOSITORY / "build" / "servers"
MODULES = {"versitygw": "github.com/versity/versitygw/cmd/versitygw@v1.8.0",
           "fake-gcs-server": "github.com/fsouza/fake-gcs-server@v1.56.1"}
PACKAGES = {"azurite-blob": "azurite@3.35.0"}
TESTS = ["tests/py/test_buckets.py", "tests/py/test_cloud_stores.py", "tests/py/test_cuts.py", "tests/py/test_races.py"]
NOT_HERE = "not beside and not both_tools and not locks_keep and not kills"  # they have stages of their own


def install() -> list[str]:
    """The tools that are missing for it."""
    lacking = [tool for tool in ("go", "npm") if not shutil.which(tool)]
    if lacking:
        return lacking
    for name, module in MODULES.items():
        if not (FOLDER / "bin" / name).exists():
            subprocess.run(["go", "install", module], env=os.environ | {"GOBIN": str(FOLDER / "bin")}, check=True)
    for name, package in PACKAGES.items():
        if not (FOLDER / "node_modules" / ".bin" / name).exists():
            subprocess.run(["npm", "install", "--prefix", str(FOLDER), "--no-audit", "--no-fund", package], check=True)
    return []


def main(arguments: list[str]) -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    if lacking := install():
        print(f"{' and '.join(lacking)} cannot be found, which would bring the servers", file=sys.stderr)
        return SKIPPED
    if arguments == ["--install"]:
        return 0
    tests = arguments or ["-rs", "-m", "", "-k", NOT_HERE, *TESTS]
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *tests], cwd=REPOSITORY, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
