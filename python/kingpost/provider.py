# SPDX-License-Identifier: Apache-2.0
"""Providers written in Python: subclass Provider and override what your resources need, or give its instance resources
as classes (kingpost/resources.py).

Each method may be ``async def``. Functions are called on worker threads, several at a time, coroutine functions on one
event loop; never on the engine's own thread. Properties are plain Python values; secret ones come as ``kingpost.Secret``
and unknown ones, in previews, as ``kingpost.UNKNOWN``.

An exception is the failure of that resource, with the exception's text. ``kingpost.InitializationFailed`` says that the
resource exists all the same, ``kingpost.AwaitFailed`` that nothing was done yet. NotImplementedError means that the
provider does not offer the method.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    ClassVar,
    Coroutine,
    Dict,
    FrozenSet,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
    overload,
)

from ._annotations import names_in, remember_names
from ._package_schema import PackageParts, construct, package_schema, require_component
from .configuration import Configuration, Slot, current_slot
from ._checked import text_argument
from .errors import AwaitFailed, InitializationFailed
from .functions import PackageFunction, args_of, ask
from .messages import (
    CallRequest,
    CallResponse,
    CheckFailure,
    CheckRequest,
    CheckResponse,
    ConfigureRequest,
    ConstructRequest,
    ConstructResponse,
    CreateRequest,
    CreateResponse,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    InvokeRequest,
    InvokeResponse,
    MappingRequest,
    MappingResponse,
    ParameterizeRequest,
    ParameterizeResponse,
    ReadRequest,
    ReadResponse,
    SchemaRequest,
    UpdateRequest,
    UpdateResponse,
    View,
    ViewPublisher,
    ViewStep,
)
from .property_types import Field, Property, replace_on_change, secret, stable
from .resources import Incomplete, ManagedResource, ResourceClass, declare, inputs_of

if TYPE_CHECKING:
    import pulumi

# One group of the names of ``kingpost``.
__all__ = [
    "AwaitFailed",
    "CallRequest",
    "CallResponse",
    "CheckFailure",
    "CheckRequest",
    "CheckResponse",
    "ConfigureRequest",
    "ConstructRequest",
    "ConstructResponse",
    "CreateRequest",
    "CreateResponse",
    "DeleteRequest",
    "DiffRequest",
    "DiffResponse",
    "Incomplete",
    "InitializationFailed",
    "InvokeRequest",
    "InvokeResponse",
    "ManagedResource",
    "MappingRequest",
    "MappingResponse",
    "ParameterizeRequest",
    "ParameterizeResponse",
    "Property",
    "Provider",
    "ReadRequest",
    "ReadResponse",
    "SchemaRequest",
    "UpdateRequest",
    "UpdateResponse",
    "View",
    "ViewPublisher",
    "ViewStep",
    "replace_on_change",
    "secret",
    "stable",
]

T = TypeVar("T")
R = TypeVar("R")
C = TypeVar("C", bound=Type[Any])
F = TypeVar("F", bound=Callable[..., Any])
#: What a method returns: the answer, or a coroutine that will.
Answer = Union[T, Awaitable[T]]


class DataclassInstance(Protocol):
    """Any instance of a dataclass."""

    __dataclass_fields__: ClassVar[Dict[str, Any]]


#: Methods that the engine asks for only if a provider has them.
_OPTIONAL = ("parameterize", "check_config", "diff_config", "construct", "call", "get_schema", "get_mapping")


class Provider:
    """The resources of one package.

    name, version: of the package; needed where the provider describes or serves itself
    """

    name: str = ""
    version: str = ""
    _classes: Mapping[str, ResourceClass] = MappingProxyType({})  # by type
    _components: Tuple[Type[Any], ...] = ()
    _functions: Mapping[str, PackageFunction] = MappingProxyType({})  # by token
    _configuration: Optional[Configuration] = None
    _slot: Optional[Slot] = None  # of a process that serves one provider resource

    def __init__(self, name: str = "", version: str = "") -> None:
        self.name = text_argument("name", name)
        self.version = text_argument("version", version)

    # --- resources and components as classes --------------------------------------------------------

    def resource(self, type: str, *, delete_before_replace: bool = False) -> Callable[[C], C]:
        """Makes the class that it decorates the resource ``type``, "package:module:Name"; see kingpost/resources.py.

        delete_before_replace: a replacement comes once the old one is gone
        """
        if not isinstance(type, str):
            raise TypeError(f"write @provider.resource('package:module:Name') above {_name_of(type)}: it takes the type of the resource")
        self._require_new("resource", type, self._classes, "site:index:Page")
        names = names_in(sys._getframe(1))

        def add(cls: C) -> C:
            remember_names(cls, names)
            added = ResourceClass(type, cls, delete_before_replace, self._config_class())
            added.config = lambda: self.config
            self._classes = {**self._classes, type: added}
            return cls

        return add

    def function(self, token: str) -> Callable[[F], F]:
        """Makes the function that it decorates the package's function ``token``, "package:module:name"; see
        kingpost/functions.py."""
        if not isinstance(token, str):
            raise TypeError(f"write @provider.function('package:module:name') above {_name_of(token)}: it takes the function's token")
        self._require_new("function", token, self._functions, "site:index:search")
        names = names_in(sys._getframe(1))

        def add(function: F) -> F:
            added = PackageFunction(token, function, self._config_class(), names)
            self._functions = {**self._functions, token: added}
            return function

        return add

    def configuration(self, cls: C) -> C:
        """Makes the dataclass that it decorates the provider's configuration; see kingpost/configuration.py. It comes
        before the classes and functions that use it."""
        if self._configuration is not None:
            raise ValueError(f"{self._label()} has a configuration already")
        if self._classes or self._functions:
            raise ValueError(f"the configuration of {self._label()} must come before its resources and functions")
        remember_names(cls, names_in(sys._getframe(1)))
        self._configuration = Configuration(cls)
        return cls

    @property
    def config(self) -> Any:
        """The configuration of the provider resource for which code is called now, as an instance of its dataclass."""
        slot = current_slot.get() or self._slot
        if slot is None or slot.config is None:
            raise RuntimeError(f"{self._label()} is not configured: it has a configuration while the engine calls it")
        return slot.config

    def component(self, cls: C) -> C:
        """Makes a ``pulumi.ComponentResource`` whose constructor is (self, name, args, opts), with annotated args, a
        component of the package: programs in any language may declare "package:index:ClassName"."""
        if not isinstance(cls, type):
            raise TypeError(f"write @provider.component alone, without ({cls!r}): the type of a component is package:index:ClassName")
        if not self.name:
            raise ValueError("a provider of components needs the package's name: kingpost.Provider('name')")
        require_component(cls)
        remember_names(cls, names_in(sys._getframe(1)))
        self._components = (*self._components, cls)
        return cls

    @overload
    def declare(
        self, cls: Type[R], name: str, opts: "Optional[pulumi.ResourceOptions]" = None, /, **inputs: Any
    ) -> R: ...

    @overload
    def declare(
        self, cls: Type[R], name: str, inputs: DataclassInstance, opts: "Optional[pulumi.ResourceOptions]" = None, /
    ) -> R: ...

    def declare(self, cls: Type[Any], name: str, /, *given: Any, **inputs: Any) -> Any:
        """A resource of a decorated class, in a program: ``site.declare(Page, "home", PageInputs("index.html"))``, or with the
        inputs by name, ``site.declare(Page, "home", path="index.html")``. The SDK's options are the last argument without a
        name.

        It is a ``pulumi.CustomResource`` with inputs and outputs as attributes, each of them a ``pulumi.Output``. The inputs are
        also attributes of its ``inputs``, as the class has them: ``page.inputs.path``.
        """
        for known in self._classes.values():
            if known.cls is cls:
                instance, options, by_name = _parted(f"the inputs of {cls.__name__}", known.inputs, given, inputs)
                return declare(known, name, options, by_name if instance is None else inputs_of(known, instance))
        label = getattr(cls, "__name__", repr(cls))
        raise TypeError(f"{label} is no resource of {self._label()}; decorate it with @provider.resource(type)")

    @overload
    def ask(
        self,
        function: Callable[..., Coroutine[Any, Any, T]],
        opts: "Optional[pulumi.InvokeOptions]" = None,
        /,
        **args: Any,
    ) -> "pulumi.Output[T]": ...

    @overload
    def ask(
        self, function: Callable[..., T], opts: "Optional[pulumi.InvokeOptions]" = None, /, **args: Any
    ) -> "pulumi.Output[T]": ...

    @overload
    def ask(
        self,
        function: Callable[..., Coroutine[Any, Any, T]],
        args: DataclassInstance,
        opts: "Optional[pulumi.InvokeOptions]" = None,
        /,
    ) -> "pulumi.Output[T]": ...

    @overload
    def ask(
        self,
        function: Callable[..., T],
        args: DataclassInstance,
        opts: "Optional[pulumi.InvokeOptions]" = None,
        /,
    ) -> "pulumi.Output[T]": ...

    def ask(self, function: Callable[..., Any], /, *given: Any, **args: Any) -> Any:
        """The result of a decorated function, in a program: a ``pulumi.Output`` of its dataclass. Arguments as of ``declare``:
        ``site.ask(search, SearchArgs("again"))`` or ``site.ask(search, text="again")``."""
        for known in self._functions.values():
            if known.function is function:
                instance, options, by_name = _parted(f"the arguments of {known.token}", known.args, given, args)
                return ask(known, options, by_name if instance is None else args_of(known, instance))
        name = getattr(function, "__name__", repr(function))
        raise TypeError(f"{name} is no function of {self._label()}; decorate it with @provider.function(token)")

    # --- the package ------------------------------------------------------------------------------

    def parameterize(self, request: ParameterizeRequest) -> Answer[ParameterizeResponse]:
        """Makes this provider that of another package, and answers its name and version."""
        raise NotImplementedError(f"{self._label()} cannot be parameterized")

    def get_schema(self, request: SchemaRequest) -> Answer[str]:
        """The package's schema, as JSON. By default that of its classes."""
        return self._schema_text()

    def _schema_text(self) -> str:
        if not self._describes_itself():
            raise NotImplementedError(f"{self._label()} has no schema")
        parts = PackageParts(self._classes.values(), self._functions.values(), self._components, self._configuration)
        return package_schema(self.name, self.version, parts)

    def schema(self) -> Dict[str, Any]:
        """The package's schema, made of its classes, functions and components, as a dict."""
        schema: Dict[str, Any] = json.loads(self._schema_text())
        return schema

    def get_mapping(self, request: MappingRequest) -> Answer[MappingResponse]:
        """Answers the question of a converter of programs about the package."""
        raise NotImplementedError(f"{self._label()} has no mapping for {request.key}")

    def check_config(self, request: CheckRequest) -> Answer[CheckResponse]:
        """Validates the configuration. By default against its dataclass; without one it is taken as it is."""
        if self._configuration is not None:
            return self._configuration.check(request)
        return CheckResponse(request.new_inputs)

    def diff_config(self, request: DiffRequest) -> Answer[DiffResponse]:
        """Says what a changed configuration means. By default it replaces what the provider made if a field of its
        dataclass says so, and else concerns no resource by itself."""
        if self._configuration is not None:
            return self._configuration.diff(request)
        return DiffResponse()

    def configure(self, request: ConfigureRequest) -> Answer[None]:
        """Called once per provider resource of the program, before anything else. By default keeps ``config``."""
        if self._configuration is not None:
            slot = current_slot.get()
            if slot is None:
                slot = self._slot = Slot()
            slot.config = self._configuration.of(request.inputs)
        return None

    # --- resources --------------------------------------------------------------------------------

    def check(self, request: CheckRequest) -> Answer[CheckResponse]:
        """Validates inputs and fills in defaults. By default they are taken as they are; if the provider has classes, types
        without one are refused."""
        if declared := self._declared(request.type):
            return declared.check(request)
        return CheckResponse(request.new_inputs)

    def diff(self, request: DiffRequest) -> Answer[DiffResponse]:
        """Says whether a resource must be updated or replaced. By default it is updated if an input changed."""
        if declared := self._declared(request.type):
            return declared.diff(request)
        return DiffResponse()

    def create(self, request: CreateRequest) -> Answer[CreateResponse]:
        """Makes the resource, unless ``request.preview``. By default there is nothing to make; its ID is its name."""
        if declared := self._declared(request.type):
            return declared.create(request)
        return CreateResponse(request.name, request.inputs)

    def read(self, request: ReadRequest) -> Answer[ReadResponse]:
        """Looks at the resource as it is. By default it is as recorded."""
        if declared := self._declared(request.type):
            return declared.read(request)
        return ReadResponse(request.id, request.inputs, request.outputs)

    def update(self, request: UpdateRequest) -> Answer[UpdateResponse]:
        """Changes the resource, unless ``request.preview``. By default the new inputs take the old ones' place
        among the outputs, and the other outputs stay."""
        if declared := self._declared(request.type):
            return declared.update(request)
        kept = {key: value for key, value in request.old_outputs.items() if key not in request.old_inputs}
        return UpdateResponse({**kept, **request.new_inputs})

    def delete(self, request: DeleteRequest) -> Answer[None]:
        """Removes the resource. By default there is nothing to remove."""
        if declared := self._declared(request.type):
            return declared.delete(request)
        return None

    # --- components and functions -----------------------------------------------------------------

    def construct(self, request: ConstructRequest) -> Answer[ConstructResponse]:
        """Constructs a component out of resources of the package ``pulumi``."""
        if any(request.type.endswith(f":{cls.__name__}") for cls in self._components):
            return construct(self.name, self._components, request)
        raise NotImplementedError(f"{self._label()} has no component {request.type}")

    def call(self, request: CallRequest) -> Answer[CallResponse]:
        """Calls a method of a component."""
        raise NotImplementedError(f"{self._label()} has no method {request.token}")

    def invoke(self, request: InvokeRequest) -> Answer[InvokeResponse]:
        """Calls a function of the package."""
        if request.token in self._functions:
            return self._functions[request.token].invoke(request, lambda: self.config)
        raise NotImplementedError(f"unknown function {request.token}")

    def cancel(self) -> Answer[None]:
        """The operation is being cancelled: let waiting calls return soon. Comes on a thread of its own."""
        return None

    def _declared(self, token: str) -> "Optional[ResourceClass]":
        """The class of a type. Without one the type is that of the subclass's own methods, if it has any."""
        found = self._classes.get(token)
        if found is None and self._classes and type(self).create is Provider.create:
            raise NotImplementedError(f"{self._label()} has no resource {token}; it has {', '.join(sorted(self._classes))}")
        return found

    # --- for kingpost itself ----------------------------------------------------------------------

    def _label(self) -> str:
        return f"package {self.name}" if self.name else f"provider {type(self).__name__}"

    def _offers(self) -> FrozenSet[str]:
        """Which of the methods that not every provider has, this one has."""
        offered = {name for name in _OPTIONAL if getattr(type(self), name) is not getattr(Provider, name)}
        if self._describes_itself():
            offered.add("get_schema")
        if self._configuration is not None:
            offered |= {"check_config", "diff_config"}
        if self._components:
            offered.add("construct")
        return frozenset(offered)

    def _describes_itself(self) -> bool:
        return bool(self.name and (self._classes or self._functions or self._components))

    def _config_class(self) -> Optional[Type[Any]]:
        return self._configuration.cls if self._configuration is not None else None

    def _require_new(self, what: str, token: str, known: Mapping[str, Any], example: str) -> None:
        parts = token.split(":")
        if len(parts) != 3 or not all(parts):
            shape = "package:module:Name" if what == "resource" else "package:module:name"
            kind = "type of a resource" if what == "resource" else "token of a function"
            raise ValueError(f"{token!r} is no {kind}; write {shape}, as {example}")
        if self.name and parts[0] != self.name:
            raise ValueError(f"{token!r} is not of package {self.name!r}")
        if token in known:
            raise ValueError(f"{self._label()} has a {what} {token} already")


def _name_of(decorated: Any) -> str:
    return str(getattr(decorated, "__name__", repr(decorated)))


def _parted(
    what: str, fields: Sequence[Field], given: Tuple[Any, ...], by_name: Mapping[str, Any]
) -> Tuple[Any, Any, Mapping[str, Any]]:
    """An instance that holds everything, or None; the SDK's options; what was given by name."""
    instance, rest = None, list(given)
    if rest and dataclasses.is_dataclass(rest[0]) and not isinstance(rest[0], type):
        instance = rest.pop(0)
    options = rest.pop(0) if rest else None
    if rest:
        raise TypeError(f"{what} must be one dataclass, or have names; only options of pulumi may follow")
    if "opts" in by_name and all(field.attribute != "opts" for field in fields):
        by_name = dict(by_name)
        options = by_name.pop("opts")
    if instance is not None and by_name:
        raise TypeError(f"{what} must be one dataclass, or have names, not both: {', '.join(by_name)}")
    if options is not None and type(options).__module__.partition(".")[0] != "pulumi":
        raise TypeError(f"{what} must be one dataclass, or have names, not a {type(options).__name__}")
    return instance, options, by_name
