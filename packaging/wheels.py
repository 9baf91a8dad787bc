#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wheels that need none of Debian's libraries: the package, the module and the command.

usage: wheels.py BUILD OUT PYTHON...

A wheel is for one version of Python. That of .venv takes what ./dev build has compiled; another interpreter compiles for
itself, in BUILD/wheel-VERSION, with its own headers and packages from PyPI. The module links the shared gRPC of Debian
(cmake/PythonModule.cmake says why), so auditwheel puts those libraries into the wheel, under names of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def pip_wheel(python: str, build: Path, into: Path) -> Path:
    """The wheel as the machine that builds can use it."""
    shutil.rmtree(into, ignore_errors=True)
    settings = ["-C", f"cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR={os.environ.get('KINGPOST_WERROR', 'OFF')}"]
    if Path(python).parent == Path(sys.executable).parent:
        settings += ["--no-build-isolation", "-C", f"build-dir={build}", "-C", f"cmake.define.Python_EXECUTABLE={python}"]
    else:
        version = _told(python, "-c", "import sys; print('{}.{}'.format(*sys.version_info))")
        settings += ["-C", f"build-dir={build / f'wheel-{version}'}"]
    subprocess.run([python, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "-w", str(into), *settings,
                    str(REPOSITORY)], check=True)
    return next(into.glob("*.whl"))


def repaired(wheel: Path, out: Path) -> Path:
    """The same with its libraries in it; its name tells the oldest glibc that they want."""
    into = wheel.parent / "repaired"
    subprocess.run([sys.executable, "-m", "auditwheel", "repair", "-w", str(into), str(wheel)], check=True,
                   stdout=subprocess.DEVNULL, env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"})
    out.mkdir(parents=True, exist_ok=True)
    return Path(shutil.move(next(into.glob("*.whl")), out))


def _told(*command: str) -> str:
    return subprocess.run(command, text=True, check=True, capture_output=True).stdout.strip()


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    build, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    for python in sys.argv[3:]:
        done = repaired(pip_wheel(python, build, build / "package" / "wheel"), out)
        print(f"{done.stat().st_size:10}  {done.relative_to(REPOSITORY)}")
