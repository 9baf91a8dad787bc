"""Secrets of ours, shown as the peer records them that lost their secrecy to a remediation."""

from __future__ import annotations

import json

from .compare import SECRET_KEY
from .fake_pack import REMEDIATED


def _sealed(value) -> bool:
    """A secret, as a state has it after normalization, or as it is sent to a plugin."""
    return isinstance(value, dict) and (value.keys() == {"secret"} or SECRET_KEY in value)


def unsealed(mine, theirs):
    """Ours, with the values that a remediation made plain in the peer's as they are there; the rest as it is."""
    if isinstance(theirs, str) and theirs.startswith(REMEDIATED) and _sealed(mine) and \
            mine.get("value", theirs) == theirs:
        return theirs
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return {key: unsealed(value, theirs.get(key)) for key, value in mine.items()}
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        return [unsealed(*pair) for pair in zip(mine, theirs, strict=True)]
    if isinstance(mine, str) and isinstance(theirs, str) and mine != theirs and "{" in mine and "{" in theirs:
        return _unsealed_text(mine, theirs)
    return mine


def _unsealed_text(mine: str, theirs: str) -> str:
    """The same for a call, which is a word and JSON."""
    (word, _, inner), (other, _, their_inner) = mine.partition("{"), theirs.partition("{")
    try:
        told, their_told = json.loads("{" + inner), json.loads("{" + their_inner)
    except ValueError:
        return mine
    return word + json.dumps(unsealed(told, their_told), sort_keys=True) if word == other else mine
