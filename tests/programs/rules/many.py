# SPDX-License-Identifier: Apache-2.0
"""Forty independent things, for tests that kill the command in the middle. acked.log lists the acknowledged IDs."""

from thing import Thing


def program(step: int) -> None:
    def acknowledged(id: str) -> None:
        with open("acked.log", "a", encoding="utf-8") as file:
            file.write(id + "\n")

    for i in range(40):
        Thing(f"thing-{i:02}", f"step {step}").id.apply(acknowledged)
