# SPDX-License-Identifier: Apache-2.0
"""Between the extension and the user's objects: dicts on one side, typed requests and responses on the other.

The extension calls ``submit(method, fields, answer)``, which returns at once; ``answer.set`` gets a dict, in which "error"
stands for an exception of the user's code.
"""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple, Type

from . import messages as api
from ._callback import Causes, clean, is_a, told, trace_of
from ._pool import CallbackPool
from .configuration import Slot, current_slot
from .errors import AwaitFailed, InitializationFailed, WrongAnswer
from .policies import PolicyCrashed, PolicyException, PolicyLike, PolicyPack
from .provider import Provider
from .resources import Incomplete
from .values import contains_unknowns

Message = Dict[str, Any]

_UNIMPLEMENTED, _INTERNAL = 12, 13  # as gRPC counts
_ID_LENGTH_MAX = 64 * 1024  # of an ID or a name: what is longer is something else, put into the wrong field


class Answer(Protocol):
    def begin(self) -> None: ...  # as soon as the user's code runs: its time is counted from there

    def set(self, answer: Message) -> None: ...


def failure(error: BaseException, debug: bool = False) -> Message:
    text = told(error)
    if debug:
        text += "\n" + trace_of(error)
    answer: Message = {"error": text}
    if is_a(error, NotImplementedError):
        answer["code"] = _UNIMPLEMENTED
    if is_a(error, WrongAnswer):
        answer["code"] = _INTERNAL
    if is_a(error, AwaitFailed):
        answer["awaits"] = True
    if is_a(error, InitializationFailed):
        assert isinstance(error, InitializationFailed)
        try:
            answer["init_failed"] = {
                "id": _text("InitializationFailed.id", error.id),
                "outputs": error.outputs,
                "inputs": error.inputs,
                "reasons": [clean(str(reason)) for reason in error.reasons],
            }
        except BaseException as wrong:  # noqa: BLE001 - of an attribute that is not what it should be
            return {"error": f"{text}; {told(wrong)}", "code": _INTERNAL}
    return answer


def _text(field: str, value: Any) -> str:
    """An identifier, which has to come back as it was."""
    if not isinstance(value, str):
        raise WrongAnswer(f"{field} must be a text, not {type(value).__name__}")
    if len(value) > _ID_LENGTH_MAX:
        raise WrongAnswer(f"{field} must have {_ID_LENGTH_MAX} characters at most, not {len(value)}; it is '{clean(value)[:60]}...'")
    if clean(value) != value:
        raise WrongAnswer(
            f"{field} must be Unicode, not '{clean(value)[:100]}'; a file name that is not UTF-8 may be given as "
            "os.fsencode(name).hex()"
        )
    return value


def failures_of(failures: api.Failures) -> List[Tuple[str, str]]:
    pairs = []
    if isinstance(failures, str) or not isinstance(failures, Iterable):
        raise WrongAnswer(f"failures must be a list of texts or kingpost.CheckFailures, not {failures!r}")
    for item in failures:
        if isinstance(item, str):
            pairs.append(("", clean(item)))
        elif isinstance(item, tuple) and len(item) == 2:
            pairs.append((clean(str(item[0])), clean(str(item[1]))))
        else:
            raise WrongAnswer(f"each of failures must be a text or a kingpost.CheckFailure, not {item!r}")
    return pairs


def _check(r: api.CheckResponse) -> Message:
    failures = failures_of(r.failures)
    if r.inputs is None and not failures:
        raise WrongAnswer("CheckResponse.inputs must be the inputs, a dict, not None")
    return {"inputs": r.inputs, "failures": failures}


def _diff(r: api.DiffResponse) -> Message:
    detailed = None
    for name in ("changes", "delete_before_replace"):
        value = getattr(r, name)
        if not isinstance(value, bool) and (value is not None or name != "changes"):
            raise WrongAnswer(f"DiffResponse.{name} must be True or False, not {value!r}")
    if r.detailed is not None:
        if not isinstance(r.detailed, Mapping):
            raise WrongAnswer(f"DiffResponse.detailed must be a dict of paths and kinds, not {r.detailed!r}")
        detailed = {
            _text("a path in DiffResponse.detailed", path): (kind, False)
            if isinstance(kind, str)
            else (kind[0], bool(kind[1]))
            for path, kind in r.detailed.items()
        }
    return {
        "changes": None if r.changes is None else bool(r.changes),
        "replaces": _names("replaces", r.replaces),
        "stables": _names("stables", r.stables),
        "diffs": _names("diffs", r.diffs),
        "delete_before_replace": bool(r.delete_before_replace),
        "detailed": detailed,
    }


def _names(field: str, names: Any) -> List[str]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise WrongAnswer(f"DiffResponse.{field} must be a list of names of properties, not {names!r}")
    return [_text(f"a name in DiffResponse.{field}", name) for name in names]


def _create(r: api.CreateResponse) -> Message:
    return {
        "id": _text("CreateResponse.id", r.id or ""),
        "outputs": r.outputs,
        "refresh_before_update": bool(r.refresh_before_update),
    }


def _read(r: api.ReadResponse) -> Message:
    return {
        "id": _text("ReadResponse.id", r.id or ""),
        "inputs": r.inputs,
        "outputs": r.outputs if r.id else None,
        "refresh_before_update": bool(r.refresh_before_update),
    }


def _update(r: api.UpdateResponse) -> Message:
    return {"outputs": r.outputs, "refresh_before_update": bool(r.refresh_before_update)}


def _invoke(r: api.InvokeResponse) -> Message:
    if r.result is not None and not isinstance(r.result, dict):
        raise WrongAnswer(f"the result of a function must be a dict, not {type(r.result).__name__}; a list goes below a key of it")
    return {"result": r.result, "failures": failures_of(r.failures)}


def _schema(text: str) -> str:
    if text != text.encode("utf-8", "backslashreplace").decode():
        raise WrongAnswer("the schema must be Unicode; json.dumps makes it so")
    return text


def _nothing(_: Any) -> Message:
    return {}


class Method(NamedTuple):
    """The request and the response of a provider's method. No response: whatever it returns means nothing."""

    request: Optional[Type[Any]]
    response: Optional[Type[Any]]
    describe: Callable[[Any], Message]


METHODS: Mapping[str, Method] = {
    "parameterize": Method(
        api.ParameterizeRequest,
        api.ParameterizeResponse,
        lambda r: {
            "name": _text("ParameterizeResponse.name", r.name),
            "version": _text("ParameterizeResponse.version", r.version),
        },
    ),
    "get_schema": Method(api.SchemaRequest, str, lambda r: {"schema": _schema(r)}),
    "get_mapping": Method(
        api.MappingRequest,
        api.MappingResponse,
        lambda r: {"provider": _text("MappingResponse.provider", r.provider), "data": bytes(r.data)},
    ),
    "check_config": Method(api.CheckRequest, api.CheckResponse, _check),
    "diff_config": Method(api.DiffRequest, api.DiffResponse, _diff),
    "configure": Method(api.ConfigureRequest, None, _nothing),
    "check": Method(api.CheckRequest, api.CheckResponse, _check),
    "diff": Method(api.DiffRequest, api.DiffResponse, _diff),
    "create": Method(api.CreateRequest, api.CreateResponse, _create),
    "read": Method(api.ReadRequest, api.ReadResponse, _read),
    "update": Method(api.UpdateRequest, api.UpdateResponse, _update),
    "delete": Method(api.DeleteRequest, None, _nothing),
    "invoke": Method(api.InvokeRequest, api.InvokeResponse, _invoke),
    "cancel": Method(None, None, _nothing),
}


def request_of(method: Method, fields: Message) -> Any:
    assert method.request is not None
    if "status" in fields:
        address, token = fields.pop("status")
        fields["views"] = api.ViewPublisher(address, token)
        fields["old_views"] = [api.View(**view) for view in fields.pop("old_views", ())]
    return method.request(**fields)


class Call(NamedTuple):
    slot: Slot
    name: str
    request: Any  # None: the method has none
    work: Callable[[], Any]
    answer: Answer


class ProviderBridge:
    """A kingpost.Provider as the extension calls it."""

    def __init__(
        self, provider: Provider, pool: CallbackPool, debug: bool = False, causes: Optional[Causes] = None
    ) -> None:
        self._provider = provider
        self._pool = pool
        self._debug = debug
        self._causes = causes or Causes()
        self._slots: Dict[int, Slot] = {}  # by instance: each provider resource has a configuration of its own

    def submit(self, name: str, fields: Message, answer: Answer) -> None:
        if name == "lost":
            self._pool.lose_one()
            return
        slot = self._slots.setdefault(fields.pop("instance", 0), Slot())
        if name in ("construct", "call"):
            from ._components import answer_component

            def component() -> None:
                answer.begin()
                current_slot.set(slot)
                answer.set(answer_component(self._provider, name, fields, self._debug, self._causes))

            self._pool.run_apart(component)
            return
        method, function = METHODS[name], getattr(self._provider, name)
        request = None if method.request is None else request_of(method, fields)
        work = function if request is None else partial(function, request)
        call = Call(slot, name, request, work, answer)
        if inspect.iscoroutinefunction(function):
            self._pool.run_async(lambda: self._answer_later(call, work))
            return
        if name == "cancel":  # must not wait for those that it is to end
            self._pool.run_apart(lambda: self._answer_now(call))
        else:
            self._pool.run(lambda: self._answer_now(call))

    def _answer_now(self, call: Call) -> None:
        call.answer.begin()
        current_slot.set(call.slot)
        try:
            response = call.work()
            if inspect.isawaitable(response):  # of a function that returns what another one will answer
                self._pool.run_async(lambda: self._answer_later(call, lambda: response))
                return
            message = described(self._provider, call.name, response, call.request)
        except BaseException as error:  # noqa: BLE001 - whatever the user's code raises is the operation's error
            message = self._failure(error, call)
        call.answer.set(message)

    async def _answer_later(self, call: Call, begin: Callable[[], Any]) -> None:
        call.answer.begin()
        current_slot.set(call.slot)
        try:
            message = described(self._provider, call.name, await begin(), call.request)
        except BaseException as error:  # noqa: BLE001
            message = self._failure(error, call)
        call.answer.set(message)

    def _failure(self, error: BaseException, call: Call) -> Message:
        error = refused(self._provider, call.name, error)
        self._causes.note(raised_by_class(error), "provider", getattr(call.request, "urn", ""))
        return failure(error, self._debug)


def refused(provider: Provider, name: str, error: BaseException) -> BaseException:
    """The exception, or a WrongAnswer in place of one with which the engine would record a resource without an ID."""
    if name == "create" and is_a(error, InitializationFailed) and getattr(error, "id", None) == "":
        wrong = WrongAnswer(f"{type(provider).__name__}.create raised InitializationFailed without an ID: {told(error)}")
        wrong.__cause__ = error
        return wrong
    return error


def raised_by_class(error: BaseException) -> BaseException:
    """The Incomplete of a resource class, where the error only stands for it."""
    cause = error.__cause__ if is_a(error, InitializationFailed, WrongAnswer) else None
    return cause if cause is not None and is_a(cause, Incomplete, InitializationFailed) else error


# A real operation answers known values. Previews and checks may answer UNKNOWN, and so may a function with unknown
# arguments.
_KNOWN = ("create", "read", "update", "invoke")


def described(provider: Provider, name: str, response: Any, request: Any) -> Message:
    """The answer as a dict; a WrongAnswer if it is none."""
    method = METHODS[name]
    declared = provider._classes.get(getattr(request, "type", ""))
    where = f"{type(provider).__name__ if declared is None else declared.cls.__name__}.{name}"
    if method.response is not None and not isinstance(response, method.response):
        expected = "str" if method.response is str else f"kingpost.{method.response.__name__}"
        raise WrongAnswer(f"{where} must return a {expected}, not {type(response).__name__}")
    try:
        message = method.describe(response)
    except WrongAnswer:
        raise
    except Exception as error:
        raise WrongAnswer(f"{where} returned an unreadable value: {told(error)}") from error
    if name in _KNOWN and not getattr(request, "preview", False) and not contains_unknowns(getattr(request, "args", None)):
        for part in ("inputs", "outputs", "result"):
            try:
                key = unknown_in(message.get(part))
            except RecursionError:
                raise WrongAnswer(f"{where} returned {part} that are nested too deeply, or hold themselves") from None
            if key is not None:
                raise WrongAnswer(f"{where} returned kingpost.UNKNOWN as {key}; only a preview may")
    return message


def unknown_in(properties: Any) -> Optional[str]:
    """The first property that is or holds UNKNOWN."""
    if not isinstance(properties, dict):
        return None  # refused elsewhere
    return next((clean(str(key)) for key, value in properties.items() if contains_unknowns(value)), None)


class PolicyBridge:
    """A pack of policies as the extension calls it."""

    def __init__(
        self, pack: PolicyPack, pool: CallbackPool, debug: bool = False, causes: Optional[Causes] = None
    ) -> None:
        self._pack = pack
        self._pool = pool
        self._debug = debug
        self._causes = causes or Causes()

    def submit(self, method: str, fields: Message, answer: Answer) -> None:
        if method == "lost":
            self._pool.lose_one()
            return

        def work() -> None:
            answer.begin()
            answer.set(self._answered(method, fields))

        self._pool.run(work)

    def _answered(self, method: str, fields: Message) -> Message:
        try:
            return getattr(self, "_" + method)(fields)  # type: ignore[no-any-return]
        except PolicyCrashed as error:
            cause = error if error.__cause__ is None else error.__cause__
            self._causes.note(cause, "policy", str(fields.get("urn", "")), error.policy)
            return failure(error, self._debug)
        except BaseException as error:  # noqa: BLE001
            return failure(error, self._debug)

    def _info(self, _: Message) -> Message:
        return {
            "policies": [
                {"name": p.name, "description": p.description, "level": p.level, "stack": p.is_stack}
                for p in self._pack.policies
            ],
            "exceptions": [
                {"id": e.id, "reason": e.reason, "policies": list(e.policies), "targets": list(e.targets)}
                for e in self._pack.exceptions
            ],
        }

    def _analyze(self, fields: Message) -> Message:
        return {"violations": violations_of(self._pack.analyze(fields))}

    def _analyze_stack(self, fields: Message) -> Message:
        return {"violations": violations_of(self._pack.analyze_stack(fields["resources"]))}

    def _remediate(self, fields: Message) -> Message:
        return {
            "remediations": [
                {"policy": p.name, "description": p.description, "message": "", "properties": properties}
                for p, properties, _ in self._pack.remediate(fields)
            ]
        }


def violations_of(found: List[Tuple[Any, Any]]) -> List[Message]:
    return [
        {
            "policy": policy.name,
            "description": policy.description,
            "message": clean(violation.message) or policy.description or f"policy {policy.name} is violated",
            "level": "advisory" if violation.advisory else policy.level,
            "severity": clean(violation.severity or policy.severity),
            "urn": clean(violation.urn),
        }
        for policy, violation in found
    ]


# --- what a run is given ----------------------------------------------------------------------------


def provider_parts(
    providers: Mapping[str, Provider], pool: CallbackPool, debug: bool, causes: Optional[Causes] = None
) -> Dict[str, Tuple[ProviderBridge, List[str], str]]:
    return {
        package: (ProviderBridge(provider, pool, debug, causes), sorted(provider._offers()), str(provider.version))
        for package, provider in providers.items()
    }


def policy_parts(
    policies: Sequence[PolicyLike],
    config: Mapping[str, Mapping[str, Any]],
    exceptions: Sequence[PolicyException],
    pool: CallbackPool,
    debug: bool,
    causes: Optional[Causes] = None,
) -> List[Tuple[str, PolicyBridge]]:
    if not policies:
        return []
    pack = PolicyPack("policies", policies, config, exceptions=exceptions)
    return [(pack.name, PolicyBridge(pack, pool, debug, causes))]
