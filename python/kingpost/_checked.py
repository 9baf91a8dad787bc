# SPDX-License-Identifier: Apache-2.0
"""Arguments that are refused with the remedy, for those who have no type checker."""

from __future__ import annotations

import functools
import inspect
import os
from difflib import get_close_matches
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, Mapping, Optional, Set, Tuple, TypeVar, Union

from ._callback import clean

#: Several texts. A single str is none: it would be taken apart letter by letter.
Texts = Union[List[str], Tuple[str, ...], Set[str], FrozenSet[str]]

F = TypeVar("F", bound=Callable[..., Any])
K = TypeVar("K")
V = TypeVar("V")


def spelled(**remedies: str) -> Callable[[F], F]:
    """A method that tells what to do instead of a keyword that it does not have."""

    def decorate(method: F) -> F:
        known = inspect.signature(method).parameters

        @functools.wraps(method)
        def checked(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            for keyword in kwargs:
                if keyword not in known:
                    name = "Stack" if method.__name__ == "__init__" else method.__name__
                    raise TypeError(_unknown(name, keyword, known, remedies))
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
    if not isinstance(given, Iterable):
        raise TypeError(f"{argument} must be a list of texts, not {given!r}")
    items = list(given)
    for item in items:
        if not isinstance(item, str):
            raise TypeError(f"{argument} must hold texts, not {type(item).__name__}")
        text_argument(f"each of {argument}", item)
    return items


def listed(argument: str, given: Iterable[Any]) -> List[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        remedy = f"; write {argument}=[...]" if argument.isidentifier() else ""
        raise TypeError(f"{argument} must be a list, not {type(given).__name__}{remedy}")
    return list(given)


def mapped(argument: str, of_what: str, given: Optional[Mapping[K, V]]) -> Dict[K, V]:
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{argument} must be a dict of {of_what}, not {type(given).__name__}")
    return dict(given or {})


def flag(argument: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise TypeError(f"{argument} must be True or False, not {given!r}")
    return given


def listener(argument: str, given: Any) -> None:
    """A coroutine function would be called, and never run."""
    if given is not None and not callable(given):
        raise TypeError(f"{argument} must be a function, not {type(given).__name__}")
    if inspect.iscoroutinefunction(given) or inspect.isgeneratorfunction(given) or inspect.isasyncgenfunction(given):
        raise TypeError(f"{argument} must be a plain function, not a coroutine function or a generator; for event loops there is "
                        "stack.events()")


_MOST = 2**31 - 1


def whole(argument: str, given: Any, least: int = 1) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise TypeError(f"{argument} must be a whole number, not {given!r}")
    if not least <= given <= _MOST:
        raise ValueError(f"{argument} must be at least {least} and at most {_MOST}, not {given}")
    return given


def seconds(argument: str, given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise TypeError(f"{argument} must be a number of seconds, not {given!r}")
    if not 0 <= given < float("inf"):
        raise ValueError(f"{argument} must be a number of seconds from 0 on, not {given!r}")
    if given > _SECONDS_MOST:
        raise ValueError(f"{argument} must be {_SECONDS_MOST:.0f} seconds at most, not {given!r}")
    return float(given)


_SECONDS_MOST = 1e9  # some thirty years


def path_argument(argument: str, given: Any, otherwise: str = "") -> str:
    """``otherwise``: what it may be beside a path."""
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"{argument} must be a path{otherwise}, not {type(given).__name__}")
    return os.fspath(given)


def text_argument(argument: str, given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{argument} must be a text, not {given!r}")
    if clean(given, len(given)) != given:
        raise ValueError(f"{argument} must be Unicode, not '{clean(given)[:100]}'")
    return given


def optional_text(argument: str, given: Any) -> Optional[str]:
    return None if given is None else text_argument(argument, given)
