# SPDX-License-Identifier: Apache-2.0
"""A value that a policy puts in place of a secret is a secret, and no message of another policy shows it."""

import json

import pytest

from harness import Command
from harness.duel import Side, template
from harness.fake_pack import REMEDIATED
from harness.program_host import ProgramHost
from harness.random_acts import Act


@pytest.fixture
def side(tmp_path):
    command = Command.kingpost()
    with ProgramHost() as host, Side(command, host.port) as side:
        side.begin(tmp_path / "side", template(tmp_path / "template", command))
        yield side


def test_a_remediated_secret_shows_nowhere(side):
    thing = {"label": "a", "name": "a", "kind": "thing", "type": "things:index:Thing", "opts": {},
             "inputs": {"value": {"$secret": "one"}}}
    rules = [{"name": "mend", "kind": "remediation", "level": 3, "word": "one"},
             {"name": "object", "kind": "resource", "level": 0, "word": REMEDIATED + "one"}]
    seen = side.play(Act("up", {"serial": True, "fails": False, "resources": [thing], "exports": {}}, rules=rules))
    assert seen["code"] == 0
    events = [e for e in side.last.events if any(kind.startswith("policy") for kind in e)]
    told = side.last.out + side.last.err + json.dumps(events)
    assert "the value [secret] is not liked" in told
    assert REMEDIATED + "one" not in told
    [row] = [row for urn, row in seen["state"]["deployment"]["resources"].items() if urn.endswith("::a")]
    assert row["inputs"]["value"] == row["outputs"]["value"] == {"secret": "<ciphertext>"}
