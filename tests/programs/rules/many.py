"""Forty independent things, for the tests that kill the command in the middle."""

from thing import Thing


def program(step: int) -> None:
    for i in range(40):
        Thing(f"thing-{i:02}", f"step {step}")
