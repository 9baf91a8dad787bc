# SPDX-License-Identifier: Apache-2.0
"""FakeProvider: a cloud in a dict. It records what it is asked, answers by rules, and fails when it is told to.

    fake = FakeProvider()
    fake.replaces("aws:rds*", "engine")              # a change of engine needs a new database
    fake.outputs("aws:rds*", address=lambda thing: f"{thing.name}.example.com")
    fake.fail("db", message="quota exceeded")        # the first call for db
    stack = kingpost.Stack("shop", "dev", program, providers={"*": fake})
"""

from __future__ import annotations

import fnmatch
import threading
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from .. import messages as api
from ..errors import InitializationFailed
from ..provider import Answer, Provider
from ..values import UNKNOWN
from .clock import SimulatedClock
from .faults import KINDS, Fault, Faults


@dataclass
class Thing:
    """A resource in the fake cloud."""

    id: str
    urn: str
    type: str
    name: str
    inputs: Dict[str, Any]
    outputs: Dict[str, Any]
    confirmed: bool = False  #: a request has named its ID since it was made


@dataclass(frozen=True)
class Call:
    """One call of the engine, and the error it was answered with, or ""."""

    method: str
    name: str
    request: Any
    error: str = ""

    def __str__(self) -> str:
        return f"{self.method} {self.name}" + (f" ({self.error})" if self.error else "")


class ProviderDied(Exception):
    """The provider ended before it answered, or before it was asked."""


Output = Union[Any, Callable[[Thing], Any]]
Checker = Callable[[Dict[str, Any]], Iterable[Union[api.CheckFailure, str]]]


class _Gone(Exception):
    """The thing of a request is not there."""


class FakeProvider(Provider):
    """Serves any package. IDs are "NAME-1", "NAME-2" and so on, however threads run.

    idempotent: a create that is asked for again, because its answer was lost, finds what the first one made. Providers
                that do not leave orphans behind; ``idempotent=False`` plays one of those
    clock:      what a ``delay`` is taken from
    """

    def __init__(self, *, idempotent: bool = True, clock: Optional[SimulatedClock] = None) -> None:
        self.idempotent = idempotent
        self.clock: SimulatedClock = clock or SimulatedClock()
        self.things: Dict[str, Thing] = {}
        self.calls: List[Call] = []
        self.alive: bool = True
        self._lock = threading.RLock()
        self._made: Dict[str, int] = {}
        self._faults = Faults()
        self._replaces: List[Tuple[str, str, bool]] = []
        self._outputs: List[Tuple[str, str, Output]] = []
        self._checks: List[Tuple[str, Checker]] = []
        self._answers: Dict[str, Callable[[Dict[str, Any]], Dict[str, Any]]] = {}

    # --- rules --------------------------------------------------------------------------------------

    def replaces(self, type: str, *properties: str, delete_first: bool = False) -> "FakeProvider":
        """A change of these inputs of types like ``type`` needs a new resource."""
        self._replaces += [(type, name, delete_first) for name in properties]
        return self

    def outputs(self, type: str, **outputs: Output) -> "FakeProvider":
        """Outputs beside the inputs: values, or functions of the Thing. They are unknown until it exists."""
        self._outputs += [(type, name, value) for name, value in outputs.items()]
        return self

    def checks(self, type: str, check: Checker) -> "FakeProvider":
        """A function of the new inputs that yields what is wrong with them: texts or CheckFailures."""
        self._checks.append((type, check))
        return self

    def function(  # type: ignore[override]  # told, where a real provider is decorated
        self, token: str, answer: Callable[[Dict[str, Any]], Dict[str, Any]]
    ) -> "FakeProvider":
        """Sets the answer to an invoke of ``token``."""
        self._answers[token] = answer
        return self

    # --- faults -------------------------------------------------------------------------------------

    def fail(
        self, name: str = "*", *, method: str = "", message: str = "it failed", times: Optional[int] = 1
    ) -> "FakeProvider":
        return self.fault(Fault("fail", name, method, times, message))

    def delay(self, name: str, seconds: float, *, method: str = "", times: Optional[int] = None) -> "FakeProvider":
        return self.fault(Fault("delay", name, method, times, seconds=seconds))

    def die(self, name: str = "*", *, method: str = "") -> "FakeProvider":
        return self.fault(Fault("die", name, method))

    def partial(self, name: str = "*", *reasons: str, method: str = "", times: Optional[int] = 1) -> "FakeProvider":
        return self.fault(Fault("partial", name, method, times, "; ".join(reasons)))

    def lie(self, name: str = "*", *, method: str = "", times: Optional[int] = 1, **outputs: Any) -> "FakeProvider":
        return self.fault(Fault("lie", name, method, times, outputs=outputs))

    def forget(self, name: str = "*", *, method: str = "", times: Optional[int] = 1) -> "FakeProvider":
        return self.fault(Fault("forget", name, method, times))

    def fault(self, fault: Fault) -> "FakeProvider":
        self._faults.add(fault)
        return self

    def faults_by_seed(self, seed: int, *, rate: float = 0.2, kinds: Sequence[str] = KINDS) -> "FakeProvider":
        """Faults by chance: the same seed breaks the same calls, whatever the order of threads. (After a ``die`` all fail, so
        what it breaks depends on what came before it.)"""
        self._faults.by_seed(seed, rate, kinds)
        return self

    def heal(self) -> "FakeProvider":
        """No faults from here on, and alive."""
        self._faults.clear()
        return self.restart()

    def restart(self) -> "FakeProvider":
        """After a death: what exists still does."""
        self.alive = True
        return self

    @property
    def unused_faults(self) -> List[Fault]:
        """Those that no call has come to: of a resource that does not exist, by a typo, or that was never changed. The fixture
        ``fake_provider`` warns of them at the end of a test; ``assert_faults_used`` fails."""
        return self._faults.unused()

    def assert_faults_used(self) -> None:
        """Every planned fault has happened: a test that passes without is no test of it."""
        __tracebackhide__ = True
        unused = [f"{fault.kind} of {fault.name!r}" for fault in self.unused_faults]
        if unused:
            names = sorted({call.name for call in self.calls}) or ["nothing"]
            raise AssertionError(f"no call came to the faults {', '.join(unused)}; asked for were {', '.join(names)}")

    # --- what a test asks ---------------------------------------------------------------------------

    def calls_of(self, method: str, name: str = "*") -> List[Call]:
        return [call for call in self.calls if call.method == method and fnmatch.fnmatchcase(call.name, name)]

    def named(self, name: str) -> List[Thing]:
        """The things under that name: none, one, or more if something was left behind."""
        return [thing for thing in self.things.values() if thing.name == name]

    # --- the provider -------------------------------------------------------------------------------

    def check(self, request: api.CheckRequest) -> api.CheckResponse:
        failures: List[Union[api.CheckFailure, str]] = []
        for pattern, check in self._checks:
            if fnmatch.fnmatchcase(request.type, pattern):
                failures += check(request.new_inputs)
        self._note("check", request, "; ".join(str(failure) for failure in failures))
        return api.CheckResponse(request.new_inputs, failures)

    def diff(self, request: api.DiffRequest) -> api.DiffResponse:
        self._confirm(request.id)
        changed = [
            name
            for name in sorted({**request.old_inputs, **request.new_inputs})
            if name not in request.ignore_changes and request.old_inputs.get(name) != request.new_inputs.get(name)
        ]
        forcing = [
            (name, first)
            for pattern, name, first in self._replaces
            if name in changed and fnmatch.fnmatchcase(request.type, pattern)
        ]
        self._note("diff", request)
        return api.DiffResponse(
            bool(changed), [name for name, _ in forcing], any(first for _, first in forcing), diffs=changed
        )

    def create(self, request: api.CreateRequest) -> api.CreateResponse:
        if request.preview:
            return api.CreateResponse("", {**request.inputs, **self._unknown_outputs(request.type)})

        def make() -> Thing:
            return self._left_behind(request) or self._new_thing(request)

        thing, outputs = self._change("create", request, make)
        return api.CreateResponse(thing.id, outputs)

    def update(self, request: api.UpdateRequest) -> api.UpdateResponse:
        if request.preview:
            kept = {name: value for name, value in request.old_outputs.items() if name not in request.old_inputs}
            return api.UpdateResponse({**kept, **request.new_inputs})
        self._confirm(request.id)

        def change() -> Thing:
            thing = self.things.get(request.id)
            if thing is None:
                raise _Gone(f"{request.name} ({request.id}) does not exist")
            thing.inputs = dict(request.new_inputs)
            thing.outputs = self._outputs_of(thing)
            return thing

        _, outputs = self._change("update", request, change)
        return api.UpdateResponse(outputs)

    def read(self, request: api.ReadRequest) -> api.ReadResponse:
        self._confirm(request.id)
        fault = self._begin("read", request)
        thing = self.things.get(request.id)
        self._note("read", request)
        if thing is None:
            return api.ReadResponse("")
        lies = fault.outputs if fault is not None and fault.kind == "lie" else {}
        return api.ReadResponse(thing.id, dict(thing.inputs), {**thing.outputs, **lies})

    def delete(self, request: api.DeleteRequest) -> None:
        fault = self._begin("delete", request)
        with self._lock:
            self.things.pop(request.id, None)
        self._end("delete", request, fault)
        self._note("delete", request)

    def invoke(self, request: api.InvokeRequest) -> Answer[api.InvokeResponse]:
        self.calls.append(Call("invoke", request.token, request))
        answer = self._answers.get(request.token)
        if answer is None:
            raise NotImplementedError(
                f"the fake provider has no answer to {request.token}; "
                f"give it one: fake_provider.function({request.token!r}, lambda args: {{...}})"
            )
        return api.InvokeResponse(answer(request.args))

    # --- how it is done -----------------------------------------------------------------------------

    def _change(self, method: str, request: Any, act: Callable[[], Thing]) -> Tuple[Thing, Dict[str, Any]]:
        """The thing, and the outputs that are answered: those of a lie are others."""
        fault = self._begin(method, request)
        try:
            with self._lock:
                thing = act()
        except _Gone as error:
            raise self._failed(method, request, Exception(str(error))) from None
        self._end(method, request, fault)
        kind = fault.kind if fault is not None else ""
        if fault is not None and kind == "partial":
            reasons = [fault.message or "it does not work yet"]
            raise self._failed(method, request, InitializationFailed(thing.id, dict(thing.outputs), reasons))
        outputs = dict(thing.outputs)
        if fault is not None and kind == "lie":
            outputs.update(fault.outputs or {name: None for name in outputs if name not in thing.inputs})
        if kind == "forget":
            self.things.pop(thing.id, None)
        self._note(method, request)
        return thing, outputs

    def _begin(self, method: str, request: Any) -> Optional[Fault]:
        """The fault of the call, after those that end it before it begins."""
        if not self.alive:
            raise self._failed(method, request, ProviderDied("the provider is not running"))
        fault = self._faults.take(method, request.name)
        if fault is None:
            return None
        if fault.kind == "fail":
            raise self._failed(method, request, Exception(fault.message or "it failed"))
        if fault.kind == "delay":
            timeout = getattr(request, "timeout", None)
            self.clock.sleep(fault.seconds if timeout is None else min(fault.seconds, timeout))
            if timeout is not None and fault.seconds > timeout:
                raise self._failed(method, request, TimeoutError(f"timed out after {timeout:g} seconds"))
        return fault

    def _end(self, method: str, request: Any, fault: Optional[Fault]) -> None:
        if fault is not None and fault.kind == "die":
            self.alive = False
            raise self._failed(method, request, ProviderDied("the provider died before it answered"))

    def _failed(self, method: str, request: Any, error: Exception) -> Exception:
        self._note(method, request, str(error))
        return error

    def _note(self, method: str, request: Any, error: str = "") -> None:
        self.calls.append(Call(method, request.name, request, error))

    def _confirm(self, id: str) -> None:
        thing = self.things.get(id)
        if thing is not None:
            thing.confirmed = True

    def _left_behind(self, request: api.CreateRequest) -> Optional[Thing]:
        """The thing that an earlier create of this resource made, and whose answer was lost."""
        if not self.idempotent:
            return None
        for thing in self.things.values():
            if thing.urn == request.urn and not thing.confirmed:
                thing.inputs = dict(request.inputs)
                thing.outputs = self._outputs_of(thing)
                return thing
        return None

    def _new_thing(self, request: api.CreateRequest) -> Thing:
        number = self._made[request.name] = self._made.get(request.name, 0) + 1
        thing = Thing(f"{request.name}-{number}", request.urn, request.type, request.name, dict(request.inputs), {})
        thing.outputs = self._outputs_of(thing)
        self.things[thing.id] = thing
        return thing

    def _outputs_of(self, thing: Thing) -> Dict[str, Any]:
        outputs = dict(thing.inputs)
        for pattern, name, value in self._outputs:
            if fnmatch.fnmatchcase(thing.type, pattern):
                outputs[name] = value(thing) if callable(value) else value
        return outputs

    def _unknown_outputs(self, type: str) -> Dict[str, Any]:
        return {name: UNKNOWN for pattern, name, _ in self._outputs if fnmatch.fnmatchcase(type, pattern)}
