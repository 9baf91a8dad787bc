# SPDX-License-Identifier: Apache-2.0
"""Fleets in the test kit: in memory, and with crashes anywhere."""

import pulumi
import pytest
from kingpost.testing import FleetUnderTest, crash_fleet_anywhere
from module_support import Thing, World

CIDR = "10.0.0.0/16"


def network(cidr=CIDR):
    Thing("net", cidr=cidr)
    pulumi.export("cidr", cidr)


def shop():
    cidr = pulumi.StackReference("organization/network/test").get_output("cidr")
    Thing("site", cidr=cidr)
    Thing("shelf")
    pulumi.export("cidr", cidr)


def mail():
    Thing("box", cidr=pulumi.StackReference("organization/shop/test").get_output("cidr"))


PROGRAMS = {"mail": mail, "shop": shop, "network": network}


def things_of(fake):
    return {thing.name: thing.inputs.get("cidr") for thing in fake.things.values()}


def test_a_fleet_in_memory_has_a_cloud_for_each_stack():
    fleet = FleetUnderTest(PROGRAMS)
    assert fleet.preview().changed == ["network/test", "shop/test", "mail/test"]
    fleet.up()
    assert things_of(fleet.fakes["shop"]) == {"site": CIDR, "shelf": None}
    assert things_of(fleet.fakes["mail"]) == {"box": CIDR}
    with pytest.raises(ValueError, match="config is for post, which is no project"):
        FleetUnderTest(PROGRAMS, config={"post": {"size": 1}})


def test_a_crash_anywhere_is_repaired_in_all_stacks():
    report = crash_fleet_anywhere(PROGRAMS)
    assert "before create net of network" in report.points and "after create box of mail" in report.points
    assert len(report.points) == 8  # four things, before and after
    assert str(report) == "8 points were tried; the next run repaired all of them"


def test_a_crash_in_the_middle_of_a_change_or_a_destroy_is_repaired():
    before = {"network": lambda: network("9.0.0.0/8"), "shop": shop}
    report = crash_fleet_anywhere(PROGRAMS, before=before)
    assert "after update site of shop" in report.points and "before create box of mail" in report.points
    report = crash_fleet_anywhere(PROGRAMS, operation="destroy")
    assert [point.split()[-1] for point in report.points] == ["mail"] * 2 + ["shop"] * 4 + ["network"] * 2


def test_a_resource_created_twice_is_reported_with_its_stack():
    """The provider does not check whether an interrupted create made the thing."""
    with pytest.raises(AssertionError, match="after create net of network:\n    - network: net: .* exists and is not recorded"):
        crash_fleet_anywhere({"network": network}, providers=lambda: {"test": World()})
