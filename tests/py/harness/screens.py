# SPDX-License-Identifier: Apache-2.0
"""The command in a terminal of a given size, and what a person sees there.

`Screen` runs a command behind a pseudo-terminal that a terminal emulator (pyte) draws. `piped` runs it without a terminal.
Both answer texts without what differs from run to run. `check` compares a text with its file in tests/data/screens; with
KINGPOST_ACCEPT=1 it writes the file instead, for the author to read.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pyte

from .patience import patience

RECORDED = Path(__file__).resolve().parents[2] / "data" / "screens"

UP, DOWN, ENTER, CTRL_C = "\x1b[A", "\x1b[B", "\r", "\x03"


def normalised(text: str, *folders: Path) -> str:
    """Durations, times, users and folders of one run as those of all runs."""
    for folder in folders:
        text = text.replace(str(folder), "FOLDER")
    text = re.sub(r"\(\d+(\.\d+)?s\)", "(Ns)", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)
    text = re.sub(r"\d{4}-\d\d-\d\d [\d:]+ UTC", "TIME", text)
    text = re.sub(r"(Duration: ).*", r"\1Ns", text)
    text = re.sub(r"(\bnow\b|\d+ (second|minute)s? ago)", "AGO", text)
    text = re.sub(r"(AGO|LAST UPDATE) {2,}", r"\1  ", text)  # a column as wide as the words in it
    text = re.sub(r"(Managed by ).*", r"\1USER", text)
    text = re.sub(r"(Pulumi version used: ).*", r"\1VERSION", text)
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


def check(name: str, text: str) -> None:
    """Compares with the recorded screen of this name."""
    file = RECORDED / f"{name}.txt"
    if os.environ.get("KINGPOST_ACCEPT"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return
    assert file.exists(), f"no screen is recorded as {file}; run with KINGPOST_ACCEPT=1 and read it:\n{text}"
    assert text == file.read_text(), f"{file} says otherwise; if this is meant, run with KINGPOST_ACCEPT=1"


def piped(argv: list[str], cwd: Path, env: dict[str, str], code: int = 0) -> str:
    """The output without a terminal, standard error after standard output."""
    done = subprocess.run(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=patience(120))
    assert done.returncode == code, f"{argv} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


class Screen:
    """A command in a terminal."""

    def __init__(self, argv: list[str], cwd: Path, env: dict[str, str], columns: int = 80, rows: int = 40):
        self.raw = b""
        self._screen = pyte.HistoryScreen(columns, rows, history=20_000, ratio=0.1)
        self._stream = pyte.ByteStream(self._screen)
        pid, self._fd = pty.fork()
        if pid == 0:
            os.chdir(cwd)
            os.execve(argv[0], argv, {**env, "TERM": "xterm-256color"})
        self.pid = pid
        self.code: int | None = None
        self.modes = self._modes_now()  # of the terminal: when the command began, and when it was last read
        self.last_modes = self.modes
        self.resize(columns, rows)

    def resize(self, columns: int, rows: int = 40) -> None:
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if (self._screen.columns, self._screen.lines) != (columns, rows):
            self._screen.resize(rows, columns)

    def _modes_now(self) -> list:
        return termios.tcgetattr(self._fd)

    def send(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def interrupt(self) -> None:
        os.kill(self.pid, signal.SIGINT)

    def read(self, seconds: float) -> bool:
        """Takes in what comes within that time; False at the end."""
        ready, _, _ = select.select([self._fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            data = b""
        self.raw += data
        self._stream.feed(data)
        if data:
            self.last_modes = self._modes_now()
        return bool(data)

    def wait_for(self, text: str, seconds: float = 60) -> None:
        self.wait_until(lambda: text in self.text(), repr(text), seconds)

    def wait_until(self, holds: Callable[[], bool], what: str, seconds: float = 60) -> None:
        end = time.monotonic() + patience(seconds)
        while not holds():
            assert self.read(0.1) and time.monotonic() < end, f"{what} did not appear on\n{self.text()}"

    def finish(self, seconds: float = 120) -> int:
        end = time.monotonic() + patience(seconds)
        while self.read(0.5):
            assert time.monotonic() < end, f"still running:\n{self.text()}"
        _, status = os.waitpid(self.pid, 0)
        os.close(self._fd)
        self.code = os.waitstatus_to_exitcode(status)
        return self.code

    def text(self) -> str:
        """The lines that scrolled away, and the screen below them."""
        width = self._screen.columns
        above = ["".join(line[x].data for x in range(width)) for line in self._screen.history.top]
        return "\n".join(line.rstrip() for line in [*above, *self._screen.display]).rstrip("\n") + "\n"
