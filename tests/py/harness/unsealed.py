# SPDX-License-Identifier: Apache-2.0
"""Shows secrets of Kingpost as the peer records them, which loses their secrecy in a remediation."""

from __future__ import annotations

import json
import re

from .compare import SECRET_KEY
from .fake_pack import ADDED, REMEDIATED


_VALUE = re.compile(re.escape(REMEDIATED) + r"\w+")


def _sealed(value) -> bool:
    """A secret, as a state has it after normalization, or as it is sent to a plugin."""
    return isinstance(value, dict) and (value.keys() == {"secret"} or SECRET_KEY in value)


def unsealed(mine, theirs):
    """Ours, with the values that a remediation made plain in the peer's as they are there; the rest as it is."""
    if isinstance(theirs, str) and (theirs.startswith(REMEDIATED) or theirs == ADDED) and _sealed(mine) and \
            mine.get("value", theirs) == theirs:
        return theirs
    if mine == "Output" and (theirs == ADDED or REMEDIATED in json.dumps(theirs)):  # what a hook of the program sees of a secret
        return theirs
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return {key: unsealed(value, theirs.get(key)) for key, value in mine.items()}
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        return [unsealed(*pair) for pair in zip(mine, theirs, strict=True)]
    if isinstance(mine, str) and isinstance(theirs, str) and mine != theirs:
        return theirs if mine == _VALUE.sub("[secret]", theirs) else _unsealed_text(mine, theirs)
    return mine


def unsealed_events(mine: list[str], theirs: list[str]) -> list[str]:
    """The same for events of policies, whose order goes by their texts."""
    told, left = [], [event for event in theirs if event not in mine]
    for event in mine:
        twin = next((other for other in left if event not in theirs and _unsealed_event(event, other) == other), event)
        told.append(twin)
        left = [other for other in left if other != twin]
    return sorted(told)


def _unsealed_event(mine: str, theirs: str) -> str:
    """An event is its kind and a text of JSON."""
    (kind, told), (other, their_told) = json.loads(mine), json.loads(theirs)
    plain = unsealed(json.loads(told), json.loads(their_told))
    return json.dumps([kind, json.dumps(plain, sort_keys=True)]) if kind == other else mine


def _unsealed_text(mine: str, theirs: str) -> str:
    """The same for a call, which is a word and JSON."""
    (word, _, inner), (other, _, their_inner) = mine.partition("{"), theirs.partition("{")
    try:
        told, their_told = json.loads("{" + inner), json.loads("{" + their_inner)
    except ValueError:
        return mine
    return word + json.dumps(unsealed(told, their_told), sort_keys=True) if word == other else mine
