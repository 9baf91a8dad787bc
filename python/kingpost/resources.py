# SPDX-License-Identifier: Apache-2.0
"""Resources as classes, for those who do not want to see the protocol.

    site = kingpost.Provider("site", version="1.0.0")

    @dataclass
    class PageInputs:
        path: Annotated[str, kingpost.replace_on_change]
        text: str = ""

    @site.resource("site:index:Page")
    class Page:
        inputs: PageInputs
        size: int                                   # an output

        def create(self) -> str:                    # the ID
            self.size = write(self.inputs.path, self.inputs.text)
            return self.inputs.path

        def update(self, old: "Page") -> None:      # without it every change replaces
            self.size = write(self.inputs.path, self.inputs.text)

        def read(self) -> bool:                     # False: it is gone
            return os.path.exists(self.id)

        def delete(self) -> None:                   # succeeds if it is gone
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.id)

Each method may be ``async def``. An instance has ``inputs``, ``id``, ``urn``, ``name``, ``timeout`` and the outputs; secrets
are plain values in it. ``check(self)`` may return what is wrong with inputs that fit their types: texts, or (property,
text) pairs. From the classes come checks (types, what is required, defaults), diffs, secrets and the package's schema.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from . import messages as api
from .errors import NO_REASON, InitializationFailed, WrongAnswer
from .property_schema import SchemaTypes
from .property_types import (
    Field,
    fields_of,
    is_object,
    object_problems,
    object_to_python,
    problems_of,
    to_python,
    to_wire,
    with_defaults,
)
from .values import (
    UNKNOWN,
    AssetArchive,
    FileArchive,
    FileAsset,
    RemoteArchive,
    RemoteAsset,
    Secret,
    TextAsset,
    contains_unknowns,
    unwrap,
)
from .words import ChangeKind, DetailedKind

T = TypeVar("T")
R = TypeVar("R")
MaybeLater = Union[T, Awaitable[T]]


if TYPE_CHECKING:
    import pulumi

    # A program holds the SDK's resource; ``declare`` has the type of the class that it declares.
    _InPrograms = pulumi.Resource
else:
    _InPrograms = object


class ManagedResource(_InPrograms):
    """A base for a class that ``provider.resource`` decorates, so that type checkers know the members of its instances.

    The class has these methods, each of which may be ``async def``. The engine calls no others.

        create(self) -> str      makes the resource, sets the outputs and returns the ID
        read(self)               sets self.inputs and the outputs to the present values; returns False if the resource is gone
        update(self, old)        changes the resource from old.inputs to self.inputs; without it every change replaces
        delete(self)             removes the resource, and succeeds if it is gone already
        check(self)              returns the faults of inputs whose types are right: texts, or (property, text) pairs

    There is no ``diff``: ``kingpost.replace_on_change`` says which changes replace the resource.

    In the class's own methods its attributes are plain values. In a program ``declare`` returns the SDK's resource, where
    ``page.size`` and ``page.inputs.path`` are ``pulumi.Output``s. ``pulumi.Output.from_input(page.size)`` is one for type
    checkers, too.
    """

    id: str  # type: ignore[assignment, unused-ignore]  # pyright: ignore  #: what ``create`` returned; "" before
    urn: str  # type: ignore[assignment, unused-ignore]  # pyright: ignore
    name: str  #: as the program calls it
    timeout: Optional[float]  #: seconds that the program allows for the call, if it says so


class Incomplete(Exception):
    """Raised by a resource class: the resource exists, as ``self`` says, but does not work yet. The next update goes on
    with it."""

    def __init__(self, *reasons: str) -> None:
        self.reasons: List[str] = [reason for reason in reasons if reason] or [NO_REASON]
        super().__init__("; ".join(self.reasons))


def then(result: MaybeLater[T], finish: Callable[[T], R]) -> MaybeLater[R]:
    """``finish`` of the result, now or when it is there."""
    if not inspect.isawaitable(result):
        return finish(result)

    async def later() -> R:
        return finish(await result)

    return later()


class DeclaredInputs:
    """The inputs of a resource in a program, each of them a ``pulumi.Output``."""

    def __init__(self, resource: Any, attributes: Sequence[str]) -> None:
        self.__dict__.update({attribute: getattr(resource, attribute) for attribute in attributes})


class ResourceClass:
    """The answers of a provider for resources of one class."""

    def __init__(
        self, type: str, cls: Type[Any], delete_before_replace: bool, config_class: Optional[Type[Any]] = None
    ) -> None:
        self.type = type
        self.cls = cls
        self.delete_before_replace = delete_before_replace
        self.config: Callable[[], Any] = lambda: None  # of the provider that is called
        self._in_programs: Optional[Tuple[Mapping[str, str], Type[Any]]] = None
        fields = {field.attribute: field for field in fields_of(cls)}
        if "inputs" not in fields:
            raise TypeError(f"{cls.__name__} must say what its inputs are: inputs: SomeDataclass")
        self.inputs_class: Type[Any] = fields.pop("inputs").type
        if not is_object(self.inputs_class):
            kind = getattr(self.inputs_class, "__name__", repr(self.inputs_class))
            raise TypeError(f"{cls.__name__}.inputs must be a dataclass, not {kind}")
        self.inputs: List[Field] = fields_of(self.inputs_class)
        self._config_names = [name for name, field in fields.items() if config_class and field.type is config_class]
        fields = {name: field for name, field in fields.items() if name not in self._config_names}
        self.outputs: List[Field] = [
            field for name, field in fields.items() if name not in ("id", "urn", "name", "timeout")
        ]
        if not callable(getattr(cls, "create", None)):
            raise TypeError(f"{cls.__name__} needs a method create(self), which returns the ID")
        refuse_mistaken_methods(cls)

    # --- answers ----------------------------------------------------------------------------------

    def check(self, request: api.CheckRequest) -> MaybeLater[api.CheckResponse]:
        inputs = with_defaults(self.inputs, request.new_inputs)
        failures = [api.CheckFailure(path, reason) for path, reason in object_problems(self.inputs_class, inputs)]
        own = getattr(self.cls, "check", None)
        if failures or contains_unknowns(inputs):
            return api.CheckResponse(self._with_secrets(inputs), failures)
        if own is None:
            object_to_python(self.inputs_class, inputs)  # what a __post_init__ refuses is refused here
            return api.CheckResponse(self._with_secrets(inputs), failures)
        found: MaybeLater[Any] = own(self._instance(request, inputs, {}))
        return then(found, lambda said: api.CheckResponse(self._with_secrets(inputs), self._failures(said)))

    def diff(self, request: api.DiffRequest) -> api.DiffResponse:
        detailed = differences(
            self.inputs,
            request.old_inputs,
            request.new_inputs,
            lambda field: field.options.replace_on_change or not self._can_update(),
        )
        if _INCOMPLETE in request.old_outputs and not self._can_update():
            detailed[_INCOMPLETE] = "delete-replace"
        replaces_by = [key for key, kind in detailed.items() if kind.endswith("-replace")]
        stables = [field.name for field in self.outputs if field.options.stable]
        return api.DiffResponse(
            changes=bool(detailed),
            replaces=replaces_by,
            delete_before_replace=bool(replaces_by) and self.delete_before_replace,
            detailed=detailed,
            stables=stables,
        )

    def create(self, request: api.CreateRequest) -> MaybeLater[api.CreateResponse]:
        if request.preview:
            return api.CreateResponse("", {**request.inputs, **{field.name: UNKNOWN for field in self.outputs}})
        instance = self._instance(request, request.inputs, {})

        def finish(id: Any) -> api.CreateResponse:
            if id is not None:
                instance.id = id
            elif instance.id == "":
                raise WrongAnswer(f"{self.cls.__name__}.create returned nothing; end it with `return ID`")
            if not isinstance(instance.id, str) or not instance.id:
                raise WrongAnswer(f"{self.cls.__name__}.create must return the ID, a text, not {instance.id!r}")
            return api.CreateResponse(instance.id, self._state(instance, request.inputs))

        return self._guarded(instance, request.inputs, lambda: then(instance.create(), finish))

    def read(self, request: api.ReadRequest) -> MaybeLater[api.ReadResponse]:
        instance = self._instance(request, request.inputs, request.outputs)
        if not hasattr(self.cls, "read"):
            outputs = {key: value for key, value in request.outputs.items() if key != _INCOMPLETE}
            return api.ReadResponse(request.id, request.inputs, outputs)

        def finish(exists: Any) -> api.ReadResponse:
            if exists is not None and not isinstance(exists, bool):
                raise WrongAnswer(
                    f"{self.cls.__name__}.read must return True, or False if the resource is gone, not {exists!r}; "
                    "it sets self.inputs and the outputs"
                )
            if exists is False:
                return api.ReadResponse("")
            inputs = self._remarked(to_wire(instance.inputs), request.inputs)
            return api.ReadResponse(instance.id, inputs, self._state(instance, inputs))

        return self._guarded(instance, request.inputs, lambda: then(instance.read(), finish))

    def update(self, request: api.UpdateRequest) -> MaybeLater[api.UpdateResponse]:
        if request.preview:
            return api.UpdateResponse({**request.new_inputs, **self._outputs_before_update(request.old_outputs)})
        instance = self._instance(request, request.new_inputs, request.old_outputs)
        old = self._instance(request, request.old_inputs, request.old_outputs)

        if not self._can_update():  # a provider in an earlier version recorded that it is incomplete
            raise TypeError(
                f"{self.cls.__name__} has no method update, which would complete the resource; add one, or replace the "
                f"resource: stack.up(replace=[{request.urn!r}])"
            )

        def finish(_: Any) -> api.UpdateResponse:
            return api.UpdateResponse(self._state(instance, request.new_inputs))

        return self._guarded(instance, request.new_inputs, lambda: then(instance.update(old), finish))

    def delete(self, request: api.DeleteRequest) -> MaybeLater[None]:
        instance = self._instance(request, request.inputs, request.outputs)
        if not hasattr(self.cls, "delete"):
            return None
        return then(instance.delete(), lambda _: None)

    def schema(self, types: SchemaTypes) -> Dict[str, Any]:
        inputs, required_inputs = types.properties(self.inputs)
        outputs, required = types.properties([*self.inputs, *self.outputs], with_defaults=False)
        return {
            "description": inspect.cleandoc(self.cls.__doc__ or ""),
            "inputProperties": inputs,
            "requiredInputs": required_inputs,
            "properties": outputs,
            "required": required,
        }

    def in_programs(self) -> Tuple[Mapping[str, str], Type[Any]]:
        """The properties by attribute, and the class of the SDK whose instances programs hold."""
        if self._in_programs is None:
            self._in_programs = self._make_in_programs()
        return self._in_programs

    def _make_in_programs(self) -> Tuple[Mapping[str, str], Type[Any]]:
        import pulumi

        every = [*self.inputs, *self.outputs]
        attributes = {field.name: field.attribute for field in every}
        wire_names = {field.attribute: field.name for field in every}

        declared_inputs = [field.attribute for field in self.inputs]

        class Declared(pulumi.CustomResource):
            """The SDK keeps outputs under the names before translation."""

            def translate_input_property(self, prop: str) -> str:
                return wire_names.get(prop, prop)

            def translate_output_property(self, prop: str) -> str:
                return attributes.get(prop, prop)

        # As the class has them for type checkers, unless a property has the name.
        if "inputs" not in wire_names:
            setattr(Declared, "inputs", property(lambda page: DeclaredInputs(page, declared_inputs)))  # noqa: B010
        if "name" not in wire_names:
            setattr(Declared, "name", property(lambda page: page._name))  # noqa: B010
        Declared.__name__ = Declared.__qualname__ = self.cls.__name__
        return wire_names, Declared

    # --- instances --------------------------------------------------------------------------------

    def _can_update(self) -> bool:
        return callable(getattr(self.cls, "update", None))

    def _instance(self, request: Any, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
        instance = object.__new__(self.cls)
        instance.urn, instance.name = request.urn, request.name
        instance.id = getattr(request, "id", "")
        instance.timeout = getattr(request, "timeout", None)
        for name in self._config_names:
            setattr(instance, name, self.config())
        instance.inputs = object_to_python(self.inputs_class, inputs)
        for field in self.outputs:
            if field.name in outputs:
                setattr(instance, field.attribute, to_python(field.type, outputs[field.name]))
        return instance

    def _state(self, instance: Any, inputs: Mapping[str, Any]) -> Dict[str, Any]:
        """The recorded outputs: the inputs as they were given, and the outputs that the instance has."""
        state = dict(inputs)
        for field in self.outputs:
            value = getattr(instance, field.attribute, None)
            if value is not None:
                state[field.name] = self._recorded(field, value)
            elif field.required and not hasattr(instance, field.attribute):
                raise WrongAnswer(f"{self.cls.__name__} did not set self.{field.attribute}")
            elif field.required:
                name = getattr(field.type, "__name__", repr(field.type))
                raise WrongAnswer(f"{self.cls.__name__}.{field.attribute} is None; declare it Optional[{name}], or set it")
        return state

    def _recorded(self, field: Field, value: Any) -> Any:
        """The form of an output in a state; a WrongAnswer if it does not fit the annotation."""
        where = f"{self.cls.__name__}.{field.attribute}"
        try:
            output = marked(field, to_wire(value))
            problems = problems_of(field.type, output, where)
            is_unknown = contains_unknowns(output)
        except RecursionError:
            raise WrongAnswer(f"{where} is nested too deeply, or holds itself") from None
        if problems:
            raise WrongAnswer(" ".join(problems[0]))
        if is_unknown:
            raise WrongAnswer(f"{where} is kingpost.UNKNOWN; only previews have unknown outputs")
        return output

    def _guarded(self, instance: Any, inputs: Mapping[str, Any], work: Callable[[], MaybeLater[R]]) -> MaybeLater[R]:
        """Incomplete becomes what the engine knows, with what the instance has by then. Without an ID the engine cannot record
        the resource, and the outcome is not known."""

        def failed(error: Incomplete) -> Exception:
            name = self.cls.__name__
            if not instance.id:
                return WrongAnswer(f"{name} raised Incomplete before its id was known: {error}; set self.id first")
            state, reasons = dict(inputs), list(error.reasons)
            for field in self.outputs:
                value = getattr(instance, field.attribute, None)
                if value is not None:
                    try:
                        state[field.name] = self._recorded(field, value)
                    except WrongAnswer as wrong:
                        reasons.append(str(wrong))
            if not self._can_update():
                state[_INCOMPLETE] = True
            return InitializationFailed(instance.id, state, reasons)

        async def later(result: Awaitable[R]) -> R:
            try:
                return await result
            except Incomplete as error:
                raise failed(error) from error

        try:
            result = work()
        except Incomplete as error:
            raise failed(error) from error
        return later(result) if inspect.isawaitable(result) else result

    # --- properties -------------------------------------------------------------------------------

    def _failures(self, said: Any) -> List[api.CheckFailure]:
        """The faults that the class's own check found."""
        found = [] if said is None else [said] if isinstance(said, (str, Mapping)) or not isinstance(said, Iterable) else list(said)
        pairs = [("", item) if isinstance(item, str) else item for item in found]
        for pair in pairs:
            if not isinstance(pair, tuple) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
                raise WrongAnswer(f"{self.cls.__name__}.check must return texts or (property, text) pairs, not {said!r}")
        return [api.CheckFailure(*pair) for pair in pairs]

    def _with_secrets(self, inputs: Mapping[str, Any]) -> Dict[str, Any]:
        fields = {field.name: field for field in self.inputs}
        return {key: marked(fields[key], value) if key in fields else value for key, value in inputs.items()}

    def _remarked(self, inputs: Mapping[str, Any], before: Mapping[str, Any]) -> Dict[str, Any]:
        """A read has no secrets in it; properties that were secret before stay secret."""
        kept = {key: Secret(value) if isinstance(before.get(key), Secret) else value for key, value in inputs.items()}
        for key, value in before.items():
            if key in kept and unwrap(value) == unwrap(kept[key]):
                kept[key] = value  # with secrets inside
        return self._with_secrets(kept)

    def _outputs_before_update(self, old: Mapping[str, Any]) -> Dict[str, Any]:
        return {
            field.name: old[field.name] if field.options.stable and field.name in old else UNKNOWN
            for field in self.outputs
        }


#: An output of a resource that is incomplete and whose class has no update: the next operation replaces it.
_INCOMPLETE = "__incomplete"
_EXACT_INTEGERS = 2**53
_REPLACING: Dict[ChangeKind, DetailedKind] = {
    "add": "add-replace",
    "delete": "delete-replace",
    "update": "update-replace",
}


def differences(
    fields: Sequence[Field], old: Mapping[str, Any], new: Mapping[str, Any], replaces: Callable[[Field], bool]
) -> Dict[str, DetailedKind]:
    """As DiffResponse.detailed has them. What is no field was one in an earlier version of the class."""
    known = {field.name: field for field in fields}
    detailed: Dict[str, DetailedKind] = {}
    for key in sorted({*old, *new}):
        if key.startswith("__") or (key in old and key in new and _same(old[key], new[key])):
            continue
        kind: ChangeKind = "update" if key in old and key in new else "add" if key in new else "delete"
        detailed[key] = _REPLACING[kind] if key in known and replaces(known[key]) else kind
    return detailed


def marked(field: Field, value: Any) -> Any:
    return Secret(value) if field.options.secret and not isinstance(value, Secret) and value is not None else value


def _same(old: Any, new: Any) -> bool:
    both_nan = isinstance(old, float) and isinstance(new, float) and old != old and new != new
    return (both_nan or bool(old == new)) and not contains_unknowns(new)


# --- methods ----------------------------------------------------------------------------------------

METHODS = ("create", "read", "update", "delete", "check")


def refuse_mistaken_methods(cls: Type[Any]) -> None:
    """Methods that nobody would call, because their names are almost those of others."""
    own = {name for base in cls.__mro__ for name, value in vars(base).items() if inspect.isfunction(value)}
    if "diff" in own:
        raise TypeError(
            f"{cls.__name__}.diff would never be called: annotations say what replaces, as kingpost.replace_on_change; for a "
            "diff of your own, subclass kingpost.Provider"
        )
    for method in METHODS:
        if method not in own:
            mistaken = next((name for name in sorted(own) if not name.startswith("_") and _is_slip(name, method)), None)
            if mistaken is not None:
                raise TypeError(f"{cls.__name__}.{mistaken} would never be called; did you mean {method}?")
        elif method != "check" and inspect.isgeneratorfunction(getattr(cls, method)):
            raise TypeError(f"{cls.__name__}.{method} must be a function or a coroutine function, not a generator")


def _is_slip(name: str, method: str) -> bool:
    """Two letters exchanged, or, in words that have few neighbours, one letter missing, doubled or wrong."""
    name = name.lower()
    swapped = (method[:i] + method[i + 1] + method[i] + method[i + 2 :] for i in range(len(method) - 1))
    if name == method or name in swapped:
        return True
    if method == "read":
        return False
    shorter, longer = sorted((name, method), key=len)
    if len(shorter) == len(longer):
        return sum(a != b for a, b in zip(name, method)) == 1
    without = (longer[:i] + longer[i + 1 :] for i in range(len(longer)))
    return shorter in without and not name.startswith(method)  # "updated" and "deletes" are words


def inputs_of(resource: ResourceClass, given: Any) -> Dict[str, Any]:
    """By attribute, of an instance of the class's inputs."""
    if not isinstance(given, resource.inputs_class):
        raise TypeError(
            f"the inputs of {resource.cls.__name__} must be a {resource.inputs_class.__name__}, not {type(given).__name__}"
        )
    every = {field.attribute: getattr(given, field.attribute, None) for field in resource.inputs}
    return {attribute: value for attribute, value in every.items() if value is not None}


def declare(resource: ResourceClass, name: str, options: Any, inputs: Mapping[str, Any]) -> Any:
    """The resource in a program of this process."""
    names = {field.attribute: field.name for field in resource.inputs}
    unknown: Optional[str] = next((key for key in inputs if key not in names), None)
    if unknown is not None:
        raise TypeError(f"{resource.cls.__name__} has no input {unknown!r}; it has: {', '.join(sorted(names))}")
    require_program("declare")
    given = {key: for_sdk(to_wire(value)) for key, value in inputs.items()}
    wire_names, declared = resource.in_programs()
    return declared(resource.type, name, {**dict.fromkeys(wire_names), **given}, options)


def require_program(method: str) -> None:
    """Raises if no program runs on this thread, where the SDK would fail late and in riddles, or not at all."""
    import pulumi.runtime.settings

    try:
        runs = pulumi.runtime.settings.get_monitor() is not None
        asyncio.Future()  # as the SDK makes one
    except RuntimeError:  # the thread has no event loop
        runs = False
    if not runs:
        raise RuntimeError(f"{method} is for programs: pass the function itself to kingpost.Stack, which calls it")


def for_sdk(value: Any) -> Any:
    """Values of kingpost as values of ``pulumi``; the latter pass."""
    import pulumi

    if isinstance(value, Secret):
        return pulumi.Output.secret(for_sdk(value.value))
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT_INTEGERS:
        if abs(value) >= _EXACT_INTEGERS**2 or int(float(value)) != value:
            raise ValueError(f"the whole number {value} has more digits than numbers of properties keep (2**53); pass a text")
    if isinstance(value, dict):
        return {key: for_sdk(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [for_sdk(item) for item in value]
    if isinstance(value, AssetArchive):
        return pulumi.AssetArchive(for_sdk(value.assets))
    names: Dict[Type[Any], str] = {TextAsset: "StringAsset", FileAsset: "FileAsset", RemoteAsset: "RemoteAsset"}
    names.update({FileArchive: "FileArchive", RemoteArchive: "RemoteArchive"})
    for cls, name in names.items():
        if isinstance(value, cls):
            content = next(getattr(value, part) for part in ("text", "path", "uri") if hasattr(value, part))
            return getattr(pulumi, name)(content)
    return value
