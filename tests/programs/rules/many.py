# SPDX-License-Identifier: Apache-2.0
"""Forty independent things, for the tests that kill the command in the middle. What the engine acknowledged is in acked.log."""

from thing import Thing


def program(step: int) -> None:
    def acknowledged(id: str) -> None:
        with open("acked.log", "a", encoding="utf-8") as file:
            file.write(id + "\n")

    for i in range(40):
        Thing(f"thing-{i:02}", f"step {step}").id.apply(acknowledged)
