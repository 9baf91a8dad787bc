# SPDX-License-Identifier: Apache-2.0
"""Terminals that are one column wide, change their size all the time, or show only ASCII. An update ends in each, and says
what it did."""

import fcntl
import os
import re
import struct
import subprocess
import termios
import threading

import pytest
from pulumi.runtime.proto import provider_pb2 as pb, resource_pb2 as rpb

from harness.odd_world import world, ws  # noqa: F401 - fixtures
from harness.patience import patience

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[=>78]")


class Terminal:
    """A pseudo-terminal, and all that was written to it."""

    def __init__(self, columns: int, rows: int):
        self._ours, self.theirs = os.openpty()
        self.resize(columns, rows)
        self._text = b""

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def run(self, argv, cwd, env) -> tuple[int, str]:
        def begin():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        with subprocess.Popen(argv, cwd=cwd, env=env, stdin=self.theirs, stdout=self.theirs, stderr=self.theirs,
                              start_new_session=True, preexec_fn=begin) as process:
            os.close(self.theirs)
            reading = threading.Thread(target=self._read)
            reading.start()
            try:
                process.wait(timeout=patience(120))
            finally:
                process.kill()
                reading.join()
                os.close(self._ours)
        return process.returncode, self._text.decode()  # whatever the locale, what is written is UTF-8

    def _read(self) -> None:
        try:
            while part := os.read(self._ours, 65536):
                self._text += part
        except OSError:
            pass  # the other end is closed


def up(world, ws, terminal, **env) -> str:
    """The output without escapes and line breaks; a terminal that knows no escapes gets none."""
    argv = [str(ws.command.path), "up", "--yes", "--skip-preview", "--stack", ws.stack]
    code, text = terminal.run(argv, ws.project, ws.environment({"TERM": "xterm-256color", **env}))
    world.settle()
    assert code == 0, (code, text[-4000:])
    assert "thing-1" in ws.state_file.read_text()
    assert env.get("TERM") != "dumb" or "\x1b" not in text, text
    return " ".join(ESCAPES.sub("", text).split())


@pytest.mark.parametrize("columns, rows", [(1, 1), (0, 0), (2, 1000), (65535, 1), (10, 2)])
def test_a_terminal_may_have_any_size(world, ws, columns, rows):
    shown = up(world, ws, Terminal(columns, rows))
    assert "2created" in shown.replace(" ", ""), shown


def test_a_terminal_may_change_its_size_at_any_time(world, ws):
    terminal = Terminal(80, 24)

    def create(request):
        for number in range(200):
            terminal.resize(*[(1, 1), (300, 100), (80, 1), (1, 200)][number % 4])
        return pb.CreateResponse(id="thing-1", properties=request.properties)

    world.create = create
    assert "2 created" in up(world, ws, terminal)


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"TERM": ""}, {"TERM": "nobody-made-this"}],
                         ids=["dumb", "empty", "unknown"])
def test_a_terminal_may_know_little(world, ws, env):
    assert "2 created" in up(world, ws, Terminal(80, 24), **env)


@pytest.mark.parametrize("locale", ["C", "POSIX", "de_DE.ISO-8859-1", "ja_JP.SJIS", "nobody.SPEAKS-IT"])
def test_names_are_shown_in_any_locale(world, ws, locale):
    def register(monitor, root):
        monitor.RegisterResource(
            rpb.RegisterResourceRequest(type="things:index:Group", name="größe-名前", custom=False, parent=root),
            timeout=patience(60))

    world.register = register
    shown = up(world, ws, Terminal(80, 24), LC_ALL=locale, LANG=locale)
    assert "3 created" in shown and "größe-名前" in shown
