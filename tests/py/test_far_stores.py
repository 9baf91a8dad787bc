# SPDX-License-Identifier: Apache-2.0
"""The cost of operations where each request to the store takes 40 ms more: requests and seconds, beside the real pulumi
where KINGPOST_PEER names it. The counts are held to; the table is for docs/backends.md (`pytest -m '' -s`)."""

import time
from pathlib import Path

import pytest

from harness import Command, Workspace, peer_or_skip
from harness.clouds import VERSITYGW_KEYS, versitygw
from harness.faulty_proxy import FaultyProxy

FAR_MS = 40
PROGRAM = """
import os, pulumi
before = "0"
for number in range(int(os.environ["WIDE"])):
    pulumi.Stash(f"wide-{number}", input=f"{number}")
for number in range(int(os.environ["LONG"])):
    before = pulumi.Stash(f"long-{number}", input=before).output
"""


class Bench:
    """One command on a bucket of its own root behind a slow network."""

    def __init__(self, root: Path, command: Command, proxy: FaultyProxy, address: str):
        self.name, self.proxy, self.shape = command.name, proxy, {"WIDE": "0", "LONG": "0"}
        project = root / command.name / "project"
        project.mkdir(parents=True)
        (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (project / "__main__.py").write_text(PROGRAM)
        url = f"s3://team/{command.name}?endpoint={address}&disableSSL=true&s3ForcePathStyle=true&region=us-east-1"
        self.ws = Workspace(root / command.name, command, env=VERSITYGW_KEYS | {"PULUMI_BACKEND_URL": url}, init=False)
        self.rows: dict[str, tuple[int, float]] = {}

    def measure(self, what: str, *args: str) -> None:
        requests, begin = self.proxy.requests, time.monotonic()
        self.ws.run(*args, env=self.shape, timeout=900)
        self.rows[what] = self.proxy.requests - requests, time.monotonic() - begin

    def life(self, shape: str, count: int) -> None:
        self.shape = {"WIDE": "0", "LONG": "0"} | {"wide": {"WIDE": str(count)}, "chain": {"LONG": str(count)}}[shape]
        self.measure(f"up, {count} {shape}", "up", "--yes", "--skip-preview")
        self.measure(f"up, no change of {count}", "up", "--yes", "--skip-preview")
        self.measure(f"destroy of {count}", "destroy", "--yes", "--skip-preview")

    def cell(self, what: str) -> str:
        requests, seconds = self.rows.get(what, (0, 0.0))
        return f"{requests}, {seconds:.1f} s" if requests else ""


@pytest.fixture
def far(tmp_path):
    with versitygw(tmp_path) as target:
        proxy = FaultyProxy(target, far_ms=FAR_MS)
        with proxy.serving() as address:
            yield proxy, address


@pytest.mark.slow
def test_few_requests_where_each_takes_its_time(far, tmp_path):
    proxy, address = far
    ours = Bench(tmp_path, Command.kingpost(), proxy, address)
    ours.measure("stack init", "stack", "init", "dev")
    ours.life("chain", 20)
    ours.life("wide", 1000)
    print("\n" + "\n".join(f"| {what} | {ours.cell(what)} |" for what in ours.rows))
    assert ours.rows["up, 20 chain"][0] <= 2 * 20 + 20  # a resource's beginning and its end are waited for
    assert ours.rows["up, 1000 wide"][0] <= 1000
    assert ours.rows["up, no change of 1000"][0] <= 16


@pytest.mark.slow
def test_requests_and_seconds_of_the_reference(far, tmp_path):
    proxy, address = far
    theirs = Bench(tmp_path, peer_or_skip(), proxy, address)
    theirs.measure("stack init", "stack", "init", "dev")
    theirs.life("chain", 20)
    print("\n" + "\n".join(f"| {what} | {theirs.cell(what)} |" for what in theirs.rows))
