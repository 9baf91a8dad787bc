# SPDX-License-Identifier: Apache-2.0
"""Makes the harness of tests/py importable here, and says at the head of the report what the stories run with."""

import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "py")]
os.environ["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"] = "true"


def pytest_report_header():
    from runner import providers

    found = ", ".join(f"{name} {version}" for name, version in sorted(providers.versions().items()))
    return [f"real providers: {found or 'none (KINGPOST_REAL_PROVIDERS names a folder of them)'}",
            f"compared with: {os.environ.get('KINGPOST_PEER') or 'nothing (KINGPOST_PEER names a pulumi)'}"]
