# SPDX-License-Identifier: Apache-2.0
"""Deploys or destroys the stacks of the fleet, wherever Dask has workers. See README.md."""

import argparse
import os
import time
from typing import Any, Optional

from distributed import Client, LocalCluster, as_completed

import kingpost
from sites import PROJECT, program_of, sites

BELOW = 8  # sites that hang on each
LOCKED_SECONDS = 90  # longer than the lease of a dead owner


def name_of(number: int) -> str:
    return f"site-{number:03d}"


def above(number: int) -> Optional[int]:
    return (number - 1) // BELOW if number else None


def deploy(verb: str, number: int, *_after: Any) -> tuple[str, dict[str, Any]]:
    """On some worker: an ordinary stack. Whoever finds it locked by a worker that has just died waits for that to show."""
    upper = above(number)
    stack = kingpost.Stack(PROJECT, name_of(number), program_of(name_of(number), name_of(upper) if upper is not None else None),
                           providers={"sites": sites}, backend=os.environ["FLEET_BACKEND"])
    deadline = time.monotonic() + LOCKED_SECONDS
    while True:
        try:
            result = stack.up() if verb == "up" else stack.destroy()
            return stack.name, dict(result.outputs)
        except kingpost.StackLocked:
            if time.monotonic() > deadline:
                raise
            time.sleep(1)


def order(verb: str, count: int) -> list[tuple[int, list[int]]]:
    """Each stack with those it comes after: what it reads of, or, to be destroyed, what reads of it."""
    if verb == "up":
        return [(number, [] if number == 0 else [(number - 1) // BELOW]) for number in range(count)]
    return [(number, [n for n in range(number * BELOW + 1, number * BELOW + BELOW + 1) if n < count])
            for number in reversed(range(count))]


def run(client: Client, verb: str, count: int) -> dict[str, dict[str, Any]]:
    futures: dict[int, Any] = {}
    for number, after in order(verb, count):
        futures[number] = client.submit(deploy, verb, number, *[futures[n] for n in after], retries=5, pure=False,
                                        key=f"{verb}-{name_of(number)}")
    return dict(future.result() for future in as_completed(list(futures.values())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verb", choices=["up", "destroy"])
    parser.add_argument("--stacks", type=int, default=200)
    parser.add_argument("--workers", type=int, default=4, help="on this machine, without --scheduler")
    parser.add_argument("--scheduler", help="the address of a Dask cluster")
    args = parser.parse_args()
    # A process each: a worker that is killed takes one deployment with it.
    cluster = None if args.scheduler else LocalCluster(n_workers=args.workers, threads_per_worker=1, dashboard_address=None)
    with Client(args.scheduler or cluster) as client:
        client.upload_file(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sites.py"))
        for name, outputs in sorted(run(client, args.verb, args.stacks).items()):
            print(name, outputs.get("address", "gone"))


if __name__ == "__main__":
    main()
