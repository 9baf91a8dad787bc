# SPDX-License-Identifier: Apache-2.0
"""The output of help() for the Python module: each class of requests, responses and results describes its fields."""

import dataclasses
import inspect
import re

import kingpost
import kingpost.policy
import kingpost.provider
import kingpost.state
import pytest
from kingpost.resources import METHODS

RECORDS = [
    value
    for name in kingpost.__all__
    for value in [getattr(kingpost, name)]
    if inspect.isclass(value)
    and (dataclasses.is_dataclass(value) or hasattr(value, "_fields"))
    and value.__module__ in ("kingpost.messages", "kingpost.result", "kingpost.events", "kingpost.state_store",
                             "kingpost.difference", "kingpost.policies", "kingpost.snapshot", "kingpost.graph",
                             "kingpost.importing", "kingpost.property_types")
]


@pytest.mark.parametrize("cls", RECORDS, ids=lambda cls: cls.__name__)
def test_every_field_is_explained(cls):
    fields = [field.name for field in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else cls._fields
    told = set(re.findall(r"[a-z_]+", inspect.getdoc(cls)))
    source = inspect.getsource(cls)
    missing = [name for name in fields if name not in told and not re.search(rf"^    {name}\b.*#:", source, re.M)]
    assert not missing


def test_the_groups_hold_what_the_flat_names_are():
    for group in (kingpost.provider, kingpost.state, kingpost.policy):
        for name in group.__all__:
            value = getattr(group, name)
            assert getattr(kingpost, name, value) is value or name == "policy", name
            assert inspect.getdoc(value) or not callable(value) or value.__module__ == "kingpost._kingpost", name


def test_the_group_of_policies_is_the_decorator_too():
    @kingpost.policy
    def named_by_its_function(resource):
        return None

    @kingpost.policy(level="advisory")
    def told(resource):
        return None

    assert (named_by_its_function.name, told.level) == ("named-by-its-function", "advisory")


def test_the_base_of_resource_classes_lists_their_methods():
    told = inspect.getdoc(kingpost.ManagedResource)
    assert all(re.search(rf"^ +{method}\(self", told, re.M) for method in METHODS)
