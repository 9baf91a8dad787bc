#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wheels that need none of Debian's libraries: the package, the module and the command.

usage: wheels.py BUILD OUT PYTHON...

A wheel is for one version of Python: that of .venv is made by the package's own build. For another interpreter only the
extension is compiled, with its headers, and takes the place of the first one in a copy of that wheel. Nothing else in
it depends on the version. The module links the shared gRPC of Debian (cmake/PythonModule.cmake says why), so auditwheel
puts those libraries into the wheel, under names of their own. """

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def own_wheel(build: Path, into: Path) -> Path:
    """That of the interpreter that runs this, as the machine that builds can use it."""
    shutil.rmtree(into, ignore_errors=True)
    settings = [f"cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR={os.environ.get('KINGPOST_WERROR', 'OFF')}",
                f"cmake.define.Python_EXECUTABLE={sys.executable}", f"build-dir={build}"]
    _python("pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "-w", into,
            *(f"-C{setting}" for setting in settings), REPOSITORY)
    return next(into.glob("*.whl"))


def extensions(pythons: list[str], build: Path) -> dict[str, Path]:
    """The extension of each of these interpreters."""
    if pythons:
        subprocess.run(["cmake", build, f"-DKINGPOST_OTHER_PYTHONS={';'.join(pythons)}"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", build, "--target", "kingpost_extensions"], check=True, stdout=sys.stderr)
    return {python: build / "python-others" / f"_kingpost{_asked(python, 'EXT_SUFFIX')}" for python in pythons}


def with_extension(wheel: Path, extension: Path, python: str) -> Path:
    """A copy of the wheel for that interpreter."""
    into = wheel.parent / f"with-{extension.name}"
    _python("wheel", "unpack", "-d", into, wheel)
    tree = next(into.iterdir())
    for other in (tree / "kingpost").glob("_kingpost.*.so"):
        other.unlink()
    shutil.copy2(extension, tree / "kingpost")
    copy = into / wheel.name
    _python("wheel", "pack", "-d", into, tree)
    version = "cp" + _asked(python, "py_version_nodot")
    _python("wheel", "tags", "--remove", "--python-tag", version, "--abi-tag", f"{version}{_asked(python, 'abiflags')}", copy)
    return next(into.glob("*.whl"))


def repaired(wheel: Path, out: Path) -> Path:
    """The same with its libraries in it; its name tells the oldest glibc that they want."""
    into = wheel.parent / "repaired"
    _python("auditwheel", "repair", "-w", into, wheel)
    done = next(into.glob("*.whl"))
    out.mkdir(parents=True, exist_ok=True)
    return done.replace(out / done.name)


def _python(module: str, *arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"})


def _asked(python: str, variable: str) -> str:
    """One of the variables of that interpreter's configuration."""
    return subprocess.run([python, "-c", f"import sysconfig; print(sysconfig.get_config_var({variable!r}))"], text=True,
                          check=True, capture_output=True).stdout.strip()


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    build, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    own_suffix = _asked(sys.executable, "EXT_SUFFIX")
    made = own_wheel(build, build / "package" / "wheel")
    others = extensions([python for python in sys.argv[3:] if _asked(python, "EXT_SUFFIX") != own_suffix], build)
    for python in sys.argv[3:]:
        done = repaired(with_extension(made, others[python], python) if python in others else made, out)
        print(f"{done.stat().st_size:10}  {done.relative_to(REPOSITORY)}")
