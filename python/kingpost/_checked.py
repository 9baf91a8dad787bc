# SPDX-License-Identifier: Apache-2.0
"""Arguments that are refused with the remedy, for those who have no type checker."""

from __future__ import annotations

import functools
import inspect
from difflib import get_close_matches
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, Mapping, Optional, Set, Tuple, TypeVar, Union

#: Several texts. A single str is none: it would be taken apart letter by letter.
Texts = Union[List[str], Tuple[str, ...], Set[str], FrozenSet[str]]

F = TypeVar("F", bound=Callable[..., Any])


def spelled(**remedies: str) -> Callable[[F], F]:
    """A method that tells what to do instead of a keyword that it does not have."""

    def decorate(method: F) -> F:
        known = inspect.signature(method).parameters

        @functools.wraps(method)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for keyword in kwargs:
                if keyword not in known:
                    raise TypeError(_unknown(method.__name__, keyword, known, remedies))
            return method(*args, **kwargs)

        return checked  # type: ignore[return-value]

    return decorate


def _unknown(method: str, keyword: str, known: Iterable[str], remedies: Mapping[str, str]) -> str:
    if keyword in remedies:
        return f"{method}() has no argument {keyword!r}: {remedies[keyword]}"
    close = get_close_matches(keyword, [name for name in known if name != "self"], 1)
    return f"{method}() has no argument {keyword!r}" + (f"; did you mean {close[0]!r}?" if close else "")


def texts(argument: str, given: Any) -> List[str]:
    if isinstance(given, (str, bytes)):
        raise TypeError(f"{argument} must be a list of texts, not the text {given!r}; write {argument}=[{given!r}]")
    items = list(given)
    for item in items:
        if not isinstance(item, str):
            raise TypeError(f"{argument} must hold texts, not {type(item).__name__}")
    return items


def listed(argument: str, given: Iterable[Any]) -> List[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"{argument} must be a list, not {type(given).__name__}; write {argument}=[...]")
    return list(given)


def mapped(argument: str, of_what: str, given: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{argument} must be a dict of {of_what}, not {type(given).__name__}")
    return dict(given or {})


def flag(argument: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise TypeError(f"{argument} must be True or False, not {given!r}")
    return given


def steps(argument: str, given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise TypeError(f"{argument} must be a whole number, not {given!r}")
    if given < 1:
        raise ValueError(f"{argument} must be at least 1, not {given}")
    return given
