# SPDX-License-Identifier: Apache-2.0
"""A page in headless Chromium, driven over the pipes of its DevTools protocol: no driver, no port.

Names of hosts resolve to nothing in it, so that a page that needs a network fails.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from .patience import patience

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--disable-background-networking",
         "--no-first-run", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"]


def chromium_or_skip() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.skip("no Chromium is installed (Debian package chromium): pages are not looked at in a browser")


class Browser:
    """One page. `script` answers what an expression of its JavaScript is worth; clicks and keys are real events."""

    def __init__(self, program: str, profile: Path, width: int = 1200, height: int = 760):
        commands, self._out = os.pipe()
        self._in, replies = os.pipe()
        shell = f'exec "$0" "$@" 3<&{commands} 4>&{replies}'
        self._process = subprocess.Popen(
            ["bash", "-c", shell, program, *FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"],
            pass_fds=(commands, replies), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(replies)
        self._last, self._unread, self._session = 0, b"", None
        self.requests: list[str] = []  # addresses that the page asked for
        self.errors: list[str] = []    # exceptions that nothing caught
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def _next(self, seconds: float) -> dict:
        end = time.monotonic() + patience(seconds)
        while b"\0" not in self._unread:
            assert select.select([self._in], [], [], max(0, end - time.monotonic()))[0], "the browser does not answer"
            data = os.read(self._in, 1 << 20)
            assert data, "the browser has ended"
            self._unread += data
        message, self._unread = self._unread.split(b"\0", 1)
        return json.loads(message)

    def call(self, method: str, **parameters: object) -> dict:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._next(60)
            if reply.get("method") == "Network.requestWillBeSent":
                self.requests.append(reply["params"]["request"]["url"])
            if reply.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(reply["params"]["exceptionDetails"]))
            if reply.get("id") == self._last:
                assert "error" not in reply, f"{method}: {reply}"
                return reply["result"]

    def open(self, page: Path) -> None:
        self.call("Page.navigate", url=page.as_uri())
        end = time.monotonic() + patience(60)
        while self.script("document.readyState") != "complete":
            assert time.monotonic() < end, f"{page} does not load"
            time.sleep(0.05)

    def script(self, expression: str):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def click(self, selector: str, x: float | None = None, y: float | None = None) -> None:
        """In the middle of what a selector names, or so many pixels from its upper left corner."""
        box = self.script(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center"}}); const b = e.getBoundingClientRect();
            return [b.x, b.y, b.width, b.height]; }})()""")
        at = {"x": box[0] + (box[2] / 2 if x is None else x), "y": box[1] + (box[3] / 2 if y is None else y)}
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def screenshot(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
