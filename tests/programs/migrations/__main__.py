# SPDX-License-Identifier: Apache-2.0
"""A component whose thing gets another name, by a state migration.

    VERSION 1    site with the thing "old", a thing beside it that depends on it, and a component that refers to it
    VERSION 2    the same with "new", and one more thing at the end

With ASKED, a file, the migration writes that it was called, and never returns. With PLANNED, the program writes that
the component is registered, before it goes on.
"""

import os
import time
from pathlib import Path

import pulumi

VERSION = int(os.environ["VERSION"])


class Thing(pulumi.CustomResource):
    def __init__(self, name: str, value: object, opts: pulumi.ResourceOptions, **more: object) -> None:
        super().__init__("things:index:Thing", name, {"value": value, "stamp": None, **more}, opts)


def note(variable: str) -> bool:
    file = os.environ.get(variable)
    if file:
        Path(file).write_text(variable)
    return bool(file)


def rename(args: pulumi.StateMigrationArgs) -> pulumi.StateMigrationResult | None:
    if note("ASKED"):
        time.sleep(600)
    successors = {}
    for state in args.old_state:
        urn = state["urn"]
        if urn.endswith("::old"):
            state["urn"] = successors[urn] = urn.removesuffix("old") + "new"
    return pulumi.StateMigrationResult(args.old_state, successors) if successors else None


class Site(pulumi.ComponentResource):
    def __init__(self, name: str) -> None:
        migrations = [rename] if VERSION > 1 else None
        super().__init__("migrations:index:Site", name, opts=pulumi.ResourceOptions(state_migrations=migrations))
        child = pulumi.ResourceOptions(parent=self)
        self.thing = Thing("old" if VERSION == 1 else "new", "x", child, word=pulumi.Output.secret("hidden"))


class Holder(pulumi.ComponentResource):
    """Has the thing among its outputs, in clear and in a secret."""

    def __init__(self, thing: Thing) -> None:
        super().__init__("migrations:index:Holder", "holder")
        self.register_outputs({"thing": thing, "sealed": pulumi.Output.secret(thing)})


site = Site("site")
Holder(site.thing)
Thing("user", site.thing, pulumi.ResourceOptions(depends_on=[site.thing]))
if VERSION > 1:
    site.urn.apply(lambda _: note("PLANNED"))
    Thing("late", "x", pulumi.ResourceOptions(depends_on=[site]))
