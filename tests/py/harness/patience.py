# SPDX-License-Identifier: Apache-2.0
"""How long tests wait for what should happen, all of them: KINGPOST_PATIENCE=8 is eight times as long, for a command that
was built with sanitizers, or a machine that is busy otherwise."""

import os

_FACTOR = float(os.environ.get("KINGPOST_PATIENCE") or 1)


def patience(seconds: float) -> float:
    return seconds * _FACTOR
