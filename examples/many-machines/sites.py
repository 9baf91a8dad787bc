# SPDX-License-Identifier: Apache-2.0
"""One stack of the fleet: a site, whose address is made of that of the site above it."""

import json
import os
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

import pulumi

import kingpost

PROJECT = "fleet"
sites = kingpost.Provider("sites", version="1.0.0")


@dataclass
class SiteInputs:
    address: str


@sites.resource("sites:index:Site")
class Site:
    """A site is a file below FLEET_SITES, a folder that all machines share."""

    inputs: SiteInputs
    file: str

    def create(self) -> str:
        place = pathlib.Path(os.environ["FLEET_SITES"]) / self.name
        with open(place, "w") as file:  # a worker may have died between this and the record of it
            json.dump({"address": self.inputs.address}, file)
        self.file = str(place)
        return self.name

    def delete(self) -> None:
        pathlib.Path(self.file).unlink(missing_ok=True)


def program_of(name: str, above: Optional[str]) -> Callable[[], None]:
    def program() -> None:
        address: pulumi.Input[str] = name
        if above:
            upper = pulumi.StackReference(f"organization/{PROJECT}/{above}")
            address = upper.get_output("address").apply(lambda there: f"{there}/{name}")
        sites.declare(Site, name, address=address)
        pulumi.export("address", address)

    return program
