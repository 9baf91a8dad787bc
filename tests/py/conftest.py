# SPDX-License-Identifier: Apache-2.0
"""The parts that every Python test shares: the head of the report names the tested command and its tools."""

import importlib.metadata
import os
import pathlib
import signal

from harness.automation import site  # noqa: F401 - a fixture of several files

# A plugin that a test misses is not to be looked for on the network.
os.environ["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"] = "true"

# Else half of what the tests cost would be to derive the keys of passphrases, again for each command.
os.environ["KINGPOST_KEEP_KEYS"] = "900"

# A shell starts what runs in its background deaf to Ctrl-C, and what that starts in turn; many tests press it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header():
    command = os.environ.get("KINGPOST_BIN") or pathlib.Path(__file__).parents[2] / "build" / "bin" / "kingpost"
    return [f"command under test: {command}", f"pulumi SDK: {importlib.metadata.version('pulumi')}"]
