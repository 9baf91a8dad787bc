# SPDX-License-Identifier: Apache-2.0
"""``python -m kingpost._cluster_start tcp://HOST:8786``: a worker of Dask's, as ``kingpost fleet worker`` starts it.

Also what Dask loads into the process of the worker, which is a child of this one.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import Any, List

INSTALL = "pip install 'kingpost[fleet]'"


def dask_setup(worker: Any) -> None:
    """In the worker: each message to and from a stack would be a line of its log."""
    logging.getLogger("distributed.worker").setLevel(logging.WARNING)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("scheduler")
    parser.add_argument("--stacks", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--name", default="")
    given = parser.parse_args()
    try:
        from distributed.cli.dask_worker import main as dask_worker
    except ImportError as error:
        sys.exit(f"error: {sys.executable} has no dask.distributed ({error}); install it with: {INSTALL}")
    # The commands that deploy are processes of their own: what they need is not the worker's to limit.
    arguments: List[str] = [given.scheduler, f"--nthreads={given.stacks}", "--nworkers=1", "--memory-limit=0"]
    arguments += ["--no-dashboard", "--preload=kingpost._cluster_start"]
    if given.name:
        arguments.append(f"--name={given.name}")
    dask_worker(arguments)


if __name__ == "__main__":
    main()
