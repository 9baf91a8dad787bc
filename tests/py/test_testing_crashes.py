# SPDX-License-Identifier: Apache-2.0
"""The test kit: programs that die anywhere, and the repairs of the next run."""

import kingpost
import pulumi
import pytest
from kingpost.testing import FakeProvider, crash_anywhere
from module_support import Thing


def pair():
    first = Thing("a", kind="x")
    Thing("b", pulumi.ResourceOptions(parent=first), of=first.id)


def grown():
    first = Thing("a", kind="y")  # replaced
    Thing("b", pulumi.ResourceOptions(parent=first), of=first.id, color="red")
    Thing("c")


def fakes(**options):
    return lambda: {"test": FakeProvider(**options).replaces("test:*", "kind")}


def test_a_provider_that_finds_what_it_made_survives_every_crash():
    report = crash_anywhere(pair)
    wheres = [point.where for point in report.points]
    assert {"before create a", "after create a", "before create b", "after create b", "at the end",
            "when the state was saved and the journal not yet removed"} == set(wheres)
    assert not report.problems and len(report.points) >= 8
    assert len(set(report.points)) == len(report.points)


def test_the_kit_finds_a_create_that_is_not_repaired():
    with pytest.raises(AssertionError, match="a-1 exists and is not recorded: the create of it was not repaired") as told:
        crash_anywhere(pair, providers=fakes(idempotent=False))
    assert "at 2 the next run did not repair all" in str(told.value)
    assert "the process dies after create b, with" in str(told.value)


class Later(FakeProvider):
    """A provider that answers with coroutines."""

    async def create(self, request):
        return super().create(request)

    async def update(self, request):
        return super().update(request)

    async def delete(self, request):
        return super().delete(request)


def test_a_provider_of_coroutine_functions_survives_every_crash():
    report = crash_anywhere(pair, providers=lambda: {"test": Later()})
    assert not report.problems and {"before create a", "after create b"} <= {point.where for point in report.points}


class Amnesiac(FakeProvider):
    """A provider with a bug: a repeated delete fails, because the thing is gone."""

    def delete(self, request):
        if request.id not in self.things:
            raise LookupError(f"{request.id} does not exist")
        super().delete(request)


def test_the_kit_finds_a_delete_that_cannot_be_asked_for_again():
    report = crash_anywhere(lambda: None, before=lambda: Thing("a") and None, providers=lambda: {"test": Amnesiac()},
                            check=False)
    ((point, problems),) = report.problems.items()
    assert point.where == "after delete a" and problems == ["the next run failed: error in a (test:index:Thing): LookupError: a-1 does not exist"]


def test_a_program_that_fails_without_a_crash_is_told_as_such():
    def program():
        raise ValueError("no")

    with pytest.raises(kingpost.Error, match="ValueError: no"):
        crash_anywhere(program)


def test_a_change_that_is_interrupted_is_finished_by_the_next_run():
    report = crash_anywhere(grown, before=pair, providers=fakes())
    wheres = {point.where for point in report.points}
    assert {"after create a", "after update b", "after create c", "before delete a", "after delete a"} <= wheres


def test_a_destroy_is_finished_by_the_next_one():
    report = crash_anywhere(pair, operation="destroy")
    wheres = {point.where for point in report.points}
    assert {"before delete b", "after delete b", "before delete a", "after delete a", "at the end"} <= wheres
    assert not report.problems


def test_the_kit_finds_a_delete_that_a_second_destroy_cannot_ask_for():
    with pytest.raises(AssertionError, match="the next run failed: .*LookupError: b-1 does not exist") as told:
        crash_anywhere(pair, operation="destroy", providers=lambda: {"test": Amnesiac()})
    assert "the process dies after delete b" in str(told.value)


def grow_behind_the_back(providers):
    for thing in providers["test"].things.values():
        thing.outputs["size"] = 7


def test_a_refresh_is_finished_by_the_next_one():
    report = crash_anywhere(pair, operation="refresh", providers=fakes(), drift=grow_behind_the_back)
    wheres = {point.where for point in report.points}
    assert {"before read a", "after read a", "before read b", "after read b", "at the end"} <= wheres
    assert not report.problems


class Restless(FakeProvider):
    """A provider with a bug: each read finds another thing."""

    reads = 0

    def read(self, request):
        self.reads += 1
        response = super().read(request)
        return kingpost.ReadResponse(response.id, response.inputs, {**response.outputs, "reads": self.reads})


def test_the_kit_finds_a_read_that_never_settles():
    report = crash_anywhere(pair, operation="refresh", providers=lambda: {"test": Restless()}, check=False)
    assert len(report.problems) == len(report.points)
    assert any("there is still something to do" in text for text in report.problems[report.points[0]])


def test_an_operation_that_there_is_not():
    with pytest.raises(ValueError, match="must be one of up, refresh, destroy, not 'import'"):
        crash_anywhere(pair, operation="import")
    with pytest.raises(TypeError, match="before is for up"):
        crash_anywhere(pair, operation="destroy", before=pair)
