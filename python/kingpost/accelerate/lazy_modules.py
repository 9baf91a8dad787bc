# SPDX-License-Identifier: Apache-2.0
"""Parts of the SDK that most programs never use are loaded when they are first used.

``import pulumi`` imports ``pulumi.automation``, with a YAML parser and hundreds of dataclasses; ``dill``, which only dynamic
providers need; tracing, which needs ``TRACEPARENT``; and parts of ``grpc`` and ``protobuf`` for servers and for texts of messages.
Together they are nearly half of its time. Here a stand-in takes their places while ``pulumi`` is imported, and the first look at
one of its names imports the module.

Equal because nothing in ``pulumi`` looks at them while it is imported. A stand-in has every name that the module
has, and passes assignments on. Other code that imports the module gets the module, or its names. It has to be in place
before ``pulumi`` is imported, so it is no measure that is put into place later.
"""

from __future__ import annotations

import importlib
import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any, List, Optional, Sequence, Set, Tuple

_LAZY = (
    "pulumi.automation",
    "dill",
    "google.protobuf.text_format",
    "grpc.aio",
    "opentelemetry.propagate",
    "opentelemetry.sdk.trace",
)
# Who takes a class out of such a module while it is imported, to use it later: module and name -> the file that does.
_LAZY_CLASSES = {("opentelemetry.sdk.trace", "TracerProvider"): "pulumi.runtime._instrumentation"}


class _StandInClass:
    """Calls, attributes, subclasses and checks are those of the class itself, from the first of them on."""

    def __init__(self, module: str, name: str) -> None:
        self._place = module, name

    def _class(self) -> Any:
        module, name = self._place
        return getattr(importlib.import_module(module), name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._class()(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._class(), name)

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, self._class())

    def __subclasscheck__(self, subclass: type) -> bool:
        return issubclass(subclass, self._class())

    def __mro_entries__(self, bases: Any) -> Tuple[Any, ...]:
        return (self._class(),)


class _StandIn(types.ModuleType):
    """In ``sys.modules`` until the first access."""

    def __getattr__(self, name: str) -> Any:
        if "__loaded__" not in self.__dict__:  # the import system is still making it
            raise AttributeError(name)
        asking = str(sys._getframe(1).f_globals.get("__name__", ""))
        # "from module import name" asks whether it is a package. The import system itself asks for a module below it.
        if name == "__path__" and _is_being_imported("pulumi") and not asking.startswith("importlib."):
            raise AttributeError(name)
        if _LAZY_CLASSES.get((self.__name__, name)) == asking:
            return _StandInClass(self.__name__, name)
        return getattr(_module(self), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _OWN:
            super().__setattr__(name, value)
        else:
            setattr(_module(self), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_module(self), name)

    def __dir__(self) -> List[str]:
        return dir(_module(self))


# The names that the import system sets while it makes a module.
_OWN = ("__name__", "__loader__", "__package__", "__spec__", "__file__", "__cached__")


def _module(stand_in: _StandIn) -> Any:
    """The module itself. The import system sees to it that it is loaded once, whatever threads ask."""
    name = stand_in.__name__
    if sys.modules.get(name) is stand_in:
        sys.modules.pop(name, None)
    return importlib.import_module(name)


class _StandInLoader(Loader):
    def __init__(self, file: Optional[str]) -> None:
        self._file = file

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        made = _StandIn(spec.name)
        if self._file:  # `inspect` looks through sys.modules for files: that alone must not load the module
            made.__dict__["__file__"] = self._file
        return made

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__["__loaded__"] = False


class _Finder(MetaPathFinder):
    """Finds stand-ins while ``pulumi`` is imported, each once."""

    def __init__(self) -> None:
        self._left: Set[str] = set(_LAZY)

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[types.ModuleType] = None
    ) -> Optional[ModuleSpec]:
        if fullname not in self._left or not _is_being_imported("pulumi"):
            return None
        self._left.discard(fullname)
        found = PathFinder.find_spec(fullname, path, target)
        return ModuleSpec(fullname, _StandInLoader(found.origin if found else None), origin="loaded when it is used")


def _is_being_imported(name: str) -> bool:
    module = sys.modules.get(name)
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


def prepare() -> bool:
    """For an SDK that is imported after this. False where the environment says no, or it is imported already."""
    wanted = os.environ.get("KINGPOST_ACCELERATE") not in ("0", "false")
    without = os.environ.get("KINGPOST_ACCELERATE_WITHOUT", "").split(",")
    if not wanted or "lazy_modules" in without or "pulumi" in sys.modules:
        return False
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    return True
