# SPDX-License-Identifier: Apache-2.0
"""Every command and flag of the real command is here, or tests/data/missing_commands.txt says why it is not."""

import sys

from harness import Command, REPOSITORY, peer_or_skip

sys.path.insert(0, str(REPOSITORY / "tests" / "checks"))
import help_table


def test_each_reason_is_a_sentence():
    for path, reason in help_table.reasons().items():
        assert len(reason.split()) > 3, f"{path}: {reason}"


def test_missing_commands_and_flags_are_listed_with_their_reason():
    peer = peer_or_skip()
    lines = help_table.differences(str(Command.kingpost().path), str(peer.path))
    assert not lines, "\n".join(lines)
