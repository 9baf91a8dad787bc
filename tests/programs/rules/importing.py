# SPDX-License-Identifier: Apache-2.0
"""1: a thing that exists already is imported with the values it has. 2: the option stays. 3: it goes."""

from pulumi import ResourceOptions

from thing import Thing


def program(step: int) -> None:
    opts = ResourceOptions(import_="found-1") if step < 3 else None
    Thing("adopted", "found" if step < 4 else "changed", opts)
    Thing("ordinary")
