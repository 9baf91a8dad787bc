# SPDX-License-Identifier: Apache-2.0
"""The Python module: resource classes that make a mistake. The engine records what it does not know, and the error says what to
change."""

import asyncio
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any, Dict, List, Literal, Optional, TypedDict

import kingpost
import pulumi
import pytest
from module_support import deploy, ops, resource

TYPE = "x:index:R"
URN = f"urn:pulumi:dev::proj::{TYPE}::r"


@dataclass
class Inputs:
    a: str


def made_of(outputs=None, inputs=Inputs, **methods):
    """A provider with one class R of these methods, and the class."""
    provider = kingpost.Provider("x", version="1.0.0")
    body = {"__annotations__": {"inputs": inputs, **({"size": int} if outputs is None else outputs)}, "__module__": __name__}
    return provider, provider.resource(TYPE)(type("R", (kingpost.ManagedResource,), {**body, **methods}))


def stack_of(outputs=None, **methods):
    provider, cls = made_of(outputs, **methods)
    return deploy(provider, lambda: provider.declare(cls, "r", a="1") and None, "x")


def pending(stack):
    return [operation.type for operation in kingpost.Snapshot.of(stack).pending_operations]


def create(self):
    self.size = 1
    return "id-1"


def setting(**outputs):
    def create(self):
        for name, value in outputs.items():
            setattr(self, name, value)
        return "id-1"

    return create


async def forgets_to_return(self):
    self.size = 1


def loop():
    found: List[Any] = []
    found.append(found)
    return found


# --- results that are none --------------------------------------------------------------------------


@pytest.mark.parametrize(("outputs", "create", "message"), [
    (None, forgets_to_return, "R.create returned nothing; end it with `return ID`"),
    (None, lambda self: setattr(self, "size", 1) or 7, "R.create must return the ID, a text, not 7"),
    (None, lambda self: "", "R.create must return the ID, a text, not ''"),
    (None, lambda self: "id", "R did not set self.size"),
    (None, setting(size=None), "R.size is None; declare it Optional[int], or set it"),
    (None, setting(size={1}), "R.size must be a whole number, not set"),
    (None, setting(size="large"), "R.size must be a whole number, not a string"),
    (None, setting(size=1.5), "R.size must be a whole number, not 1.5"),
    (None, setting(size=True), "R.size must be a whole number, not a boolean"),
    (None, setting(size=float("inf")), "R.size must be a whole number, not inf"),
    (None, setting(size=kingpost.UNKNOWN), "R.size is kingpost.UNKNOWN; only previews have unknown outputs"),
    ({"parts": Dict[str, List[int]]}, setting(parts={"a": [1, "b"]}), "R.parts.a[1] must be a whole number, not a string"),
    ({"any": Any}, setting(any={"a": {1}}), "any.a: a value of type set cannot be a resource property"),
    ({"any": Any}, setting(any=loop()), "R.any is nested too deeply, or holds itself"),
])
def test_a_wrong_result_of_a_create_is_a_pending_operation(outputs, create, message):
    stack = stack_of(outputs, create=create)
    with pytest.raises(kingpost.ResourceFailed) as caught:
        stack.up()
    assert message in str(caught.value)
    assert pending(stack) == ["creating"] and kingpost.Snapshot.of(stack).find("**::r") == []
    assert any("stack.refresh(import_pending_creates={urn: id})" in note for note in caught.value.__notes__)
    assert any("stack.refresh(import_pending_creates={URN: ID})" in d.message for d in caught.value.result.diagnostics)
    assert not any("kingpost refresh" in d.message for d in caught.value.result.diagnostics)
    stack.refresh(import_pending_creates={URN: "id-1"})
    assert pending(stack) == [] and [state.id for state in kingpost.Snapshot.of(stack).find("**::r")] == ["id-1"]
    stack.destroy()


def test_results_that_fit_their_types_are_recorded():
    stack = stack_of({"size": int, "price": float, "note": Optional[str], "names": List[str]},
                     create=setting(size=2.0, price=3, note=None, names=("a", "b")))
    outputs = resource(stack.up(), "r").outputs
    assert outputs == {"a": "1", "size": 2, "price": 3, "names": ["a", "b"]}


def test_a_secret_output_that_does_not_fit_is_not_shown():
    stack = stack_of({"size": Annotated[int, kingpost.secret]}, create=setting(size=1234.5))
    with pytest.raises(kingpost.ResourceFailed, match=r"R.size must be a whole number, not \[secret\]"):
        stack.up()


@dataclass
class Card:
    number: Annotated[int, kingpost.secret]
    kind: Annotated[Literal["gold"], kingpost.secret] = "gold"


@dataclass
class Wallet:
    card: Card


@pytest.mark.parametrize(("card", "path"), [({"number": 4111.5}, "card.number"), ({"number": 1, "kind": "s3same"}, "card.kind")])
def test_a_secret_input_that_does_not_fit_is_not_shown(card, path):
    provider, cls = made_of(outputs={}, inputs=Wallet, create=lambda self: "id")
    with pytest.raises(kingpost.ResourceFailed, match=rf"{path}.* not \[secret\]") as caught:
        deploy(provider, lambda: provider.declare(cls, "r", card=card) and None, "x").up()
    assert "4111.5" not in str(caught.value) and "s3same" not in str(caught.value)


@pytest.mark.parametrize("operation", ["up", "refresh"])
def test_a_wrong_result_of_an_update_or_a_read_is_none(operation):
    def wrong(self, old=None):
        self.size = "large"

    provider, cls = made_of(create=create, update=wrong, read=wrong)
    a = "1"
    stack = deploy(provider, lambda: provider.declare(cls, "r", a=a) and None, "x")
    stack.up()
    a = "2"
    with pytest.raises(kingpost.ResourceFailed, match="R.size must be a whole number, not a string"):
        getattr(stack, operation)()
    (state,) = kingpost.Snapshot.of(stack).find("**::r")
    assert state.outputs["size"] == 1 and pending(stack) == []


def test_a_read_that_returns_values_is_named():
    stack = stack_of(create=create, read=lambda self: {"size": 1})
    stack.up()
    with pytest.raises(kingpost.ResourceFailed, match=r"R.read must return True, or False if .* not {'size': 1}; it sets self.inputs"):
        stack.refresh()


def test_an_unknown_input_of_a_read_names_the_class():
    stack = stack_of(create=create, read=lambda self: setattr(self.inputs, "a", kingpost.UNKNOWN))
    stack.up()
    with pytest.raises(kingpost.ResourceFailed, match="R.read returned kingpost.UNKNOWN as a; only a preview may"):
        stack.refresh()


@pytest.mark.parametrize("said", [True, [("a",)], [("a", 1)], {"a": "is odd"}, 7, [["a", "b"]]])
def test_a_check_that_returns_no_faults_is_named(said):
    with pytest.raises(kingpost.ResourceFailed, match=r"R.check must return texts or \(property, text\) pairs, not "):
        stack_of(create=create, check=lambda self: said).preview()


def test_a_recorded_number_that_is_not_finite_stops_no_refresh_and_no_destroy():
    class Raw(kingpost.Provider):
        def create(self, request):
            return kingpost.CreateResponse("id-1", {**request.inputs, "size": float("inf")})

    seen = []
    provider, cls = made_of(create=create, read=lambda self: seen.append(self.size), delete=lambda self: seen.append(self.size))
    stack = deploy(Raw(), lambda: pulumi.CustomResource(TYPE, "r", {"a": "1"}), "x")
    stack.up()
    stack.providers = {"x": provider}
    with pytest.raises(kingpost.ResourceFailed, match="R.size must be a whole number, not inf"):
        stack.refresh()
    stack.destroy()
    assert seen == [float("inf")] * 2


# --- incomplete resources ---------------------------------------------------------------------------


def test_incomplete_before_there_is_an_id_leaves_a_stack_that_goes_on():
    def halfway(self):
        self.size = 1
        raise kingpost.Incomplete("it has no address")

    stack = stack_of(create=halfway)
    with pytest.raises(kingpost.ResourceFailed, match="R raised Incomplete before its id was known: it has no address; set self.id") as caught:
        stack.up()
    assert isinstance(caught.value.__cause__, kingpost.Incomplete)
    assert pending(stack) == ["creating"]
    stack.refresh()
    assert set(stack.preview().summary) == {"create", "same"}
    stack.refresh(clear_pending_creates=True)
    assert pending(stack) == []
    assert stack.destroy().resources == []


def test_a_provider_cannot_fail_to_initialize_without_an_id():
    class Raw(kingpost.Provider):
        def create(self, request):
            raise kingpost.InitializationFailed("", {}, ["it has no address"])

    stack = deploy(Raw(), lambda: pulumi.CustomResource(TYPE, "r", {}), "x")
    with pytest.raises(kingpost.ResourceFailed, match="Raw.create raised InitializationFailed without an ID: it has no address") as caught:
        stack.up()
    assert isinstance(caught.value.__cause__, kingpost.InitializationFailed)
    assert pending(stack) == ["creating"]
    stack.destroy()


@pytest.mark.parametrize("raised", [kingpost.Incomplete, kingpost.Incomplete(), kingpost.Incomplete(""),
                                    kingpost.InitializationFailed("id-1", {"size": 1}, [])])
def test_incomplete_without_a_reason_is_updated_as_well(raised):
    def halfway(self):
        self.id = "id-1"
        raise raised

    stack = stack_of(create=halfway, update=lambda self, old: setattr(self, "size", 1))
    with pytest.raises(kingpost.ResourceFailed, match="the resource did not initialize") as caught:
        stack.up()
    assert resource(caught.value.result, "r").init_errors == ["the resource did not initialize"]
    assert ops(stack.up(), TYPE) == {"r": "update"}


def test_an_incomplete_resource_without_update_is_replaced():
    ids = []

    def halfway(self):
        ids.append(f"id-{len(ids)}")
        self.id, self.size = ids[-1], 1
        if len(ids) < 3:
            raise kingpost.Incomplete("not yet")
        return self.id

    stack = stack_of(create=halfway)
    for _ in range(2):
        with pytest.raises(kingpost.ResourceFailed, match="not yet"):
            stack.up()
    result = stack.up()
    assert ops(result, TYPE)["r"][:2] == ["create-replacement", "replace"]
    assert resource(result, "r").id == "id-2" and resource(result, "r").outputs == {"a": "1", "size": 1}
    assert ops(stack.up(), TYPE) == {"r": "same"}


def test_a_refresh_completes_a_resource_without_update():
    def halfway(self):
        self.id, self.size = "id-1", 1
        raise kingpost.Incomplete("not yet")

    stack = stack_of(create=halfway)
    with pytest.raises(kingpost.ResourceFailed):
        stack.up()
    stack.refresh()
    assert ops(stack.up(), TYPE) == {"r": "same"}


def test_a_class_that_lost_its_update_says_what_to_do():
    def halfway(self):
        self.id = "id-1"
        raise kingpost.Incomplete("not yet")

    stack = stack_of(create=halfway, update=lambda self, old: None)
    with pytest.raises(kingpost.ResourceFailed):
        stack.up()
    provider, cls = made_of(create=create)
    stack.program, stack.providers = (lambda: provider.declare(cls, "r", a="1") and None), {"x": provider}
    with pytest.raises(kingpost.ResourceFailed, match=r"R has no method update, .* stack.up\(replace=\['urn:.*::r'\]\)"):
        stack.up()
    assert "replace" in stack.up(replace=[URN]).summary


def test_outputs_of_an_incomplete_resource_that_do_not_fit_are_left_out():
    def halfway(self):
        self.id, self.size = "id-1", "large"
        raise kingpost.Incomplete("not yet")

    stack = stack_of(create=halfway, update=lambda self, old: setattr(self, "size", 1))
    with pytest.raises(kingpost.ResourceFailed) as caught:
        stack.up()
    state = resource(caught.value.result, "r")
    assert state.id == "id-1" and "size" not in state.outputs
    assert state.init_errors == ["not yet", "R.size must be a whole number, not a string"]


@pytest.mark.parametrize("is_async", [False, True])
def test_the_cause_of_an_incomplete_resource_is_the_user_s_own_exception(is_async):
    def halfway(self):
        self.id = "id-1"
        try:
            return {}["certificate"]
        except KeyError as error:
            raise kingpost.Incomplete("not yet") from error

    async def later(self):
        await asyncio.sleep(0)
        return halfway(self)

    with pytest.raises(kingpost.ResourceFailed) as caught:
        stack_of(create=later if is_async else halfway).up()
    cause = caught.value.__cause__
    assert type(cause) is kingpost.Incomplete and type(cause.__cause__) is KeyError
    for error in (cause, cause.__cause__):
        assert {frame.filename for frame in traceback.extract_tb(error.__traceback__)} == {__file__}


# --- mistakes in declarations -----------------------------------------------------------------------


@pytest.mark.parametrize(("methods", "message"), [
    ({"updaet": lambda self, old: None}, "R.updaet would never be called; did you mean update?"),
    ({"Delete": lambda self: None}, "R.Delete would never be called; did you mean delete?"),
    ({"chwck": lambda self: None}, "R.chwck would never be called; did you mean check?"),
    ({"erad": lambda self: None}, "R.erad would never be called; did you mean read?"),
    ({"diff": lambda self, old: None}, "R.diff would never be called: annotations say what replaces.*subclass kingpost.Provider"),
])
def test_a_method_that_nobody_would_call_is_refused(methods, message):
    with pytest.raises(TypeError, match=message):
        made_of(create=create, **methods)


def test_helpers_may_have_names_of_their_own():
    def helper(self):
        return None

    made_of(create=create, **dict.fromkeys(("ready", "road", "updated", "deletes", "create_all", "checks", "_updaet", "write"), helper))
    made_of(create=create, update=lambda self, old: None, updaate=helper)


def test_a_generator_makes_no_resource():
    def create(self):
        yield "id-1"

    with pytest.raises(TypeError, match="R.create must be a function or a coroutine function, not a generator"):
        made_of(create=create)


class Typed(TypedDict):
    a: str


@pytest.mark.parametrize("inputs", [dict, Dict[str, str], Any, str, List[Inputs], Typed])
def test_inputs_that_are_no_dataclass_are_refused(inputs):
    with pytest.raises(TypeError, match="R.inputs(:| must be a dataclass, not )"):
        made_of(inputs=inputs, create=create)


def test_decorators_in_the_wrong_form_say_the_right_one():
    provider = kingpost.Provider("x")

    class R(kingpost.ManagedResource):
        inputs: Inputs

        def create(self) -> str:
            return "id"

    with pytest.raises(TypeError, match=r"write @provider.resource\('package:module:Name'\) above R"):
        provider.resource(R)
    with pytest.raises(TypeError, match=r"write @provider.function\('package:module:name'\) above create"):
        provider.function(R.create)
    with pytest.raises(TypeError, match=r"write @provider.component alone, without \('x:index:C'\)"):
        provider.component("x:index:C")


@pytest.mark.parametrize("annotation", [dict, Dict[str, Any], Any, "dict", "Dict[str, Any]"])
def test_a_component_must_name_its_arguments(annotation):
    class Section(pulumi.ComponentResource):
        def __init__(self, name: str, args, opts: Optional[pulumi.ResourceOptions] = None) -> None:
            super().__init__("x:index:Section", name, {}, opts)

    Section.__init__.__annotations__["args"] = annotation
    with pytest.raises(TypeError, match="Section.__init__ must be .* names no argument"):
        kingpost.Provider("x").component(Section)


def test_a_component_that_calls_itself_otherwise_is_refused():
    provider = kingpost.Provider("x")

    @provider.component
    class Section(pulumi.ComponentResource):
        def __init__(self, name: str, args: Typed, opts: Optional[pulumi.ResourceOptions] = None) -> None:
            super().__init__("x:index:Sect", name, {}, opts)

    class Remote(pulumi.ComponentResource):
        def __init__(self, name):
            super().__init__("x:index:Section", name, {"a": "1"}, None, True)

    with pytest.raises(kingpost.Error, match="calls super.* with the type 'x:index:Sect'; it must be 'x:index:Section'"):
        deploy(provider, lambda: Remote("s") and None, "x").up()


def test_providers_are_given_by_package():
    with pytest.raises(ValueError, match="write 'x' for the type 'x:index:R'"):
        deploy(kingpost.Provider("x"), lambda: None, "x:index:R")


def test_a_type_that_the_provider_does_not_have_is_not_imported():
    provider, _ = made_of(create=create)
    stack = deploy(provider, lambda: None, "x")
    with pytest.raises(kingpost.Error, match="package x has no resource x:index:Q; it has x:index:R"):
        stack.import_resources([kingpost.ImportResource("x:index:Q", "q", "id-1")])


# --- programs ---------------------------------------------------------------------------------------


def test_a_declared_resource_has_its_inputs_and_its_name_as_type_checkers_see_them():
    provider, cls = made_of(create=create)

    def program():
        page = provider.declare(cls, "r", a="1")
        assert isinstance(page.inputs.a, pulumi.Output)
        pulumi.export("same", pulumi.Output.all(page.inputs.a, page.a, page.size))
        pulumi.export("name", page.name)
        with pytest.raises(AttributeError):
            page.inputs.no_input.apply(print)

    assert deploy(provider, program, "x").up().outputs == {"same": ["1", "1", 1], "name": "r"}


def test_properties_called_inputs_and_name_are_those_of_the_resource():
    @dataclass
    class Named:
        inputs: str
        name: str

    provider, cls = made_of(outputs={}, inputs=Named, create=lambda self: "id")

    def program():
        page = provider.declare(cls, "r", Named("i", "n"))
        pulumi.export("both", pulumi.Output.all(page.inputs, page.name))

    assert deploy(provider, program, "x").up().outputs == {"both": ["i", "n"]}


def test_a_resource_is_declared_in_a_program():
    provider, cls = made_of(create=create)

    def attempt():
        with pytest.raises(RuntimeError, match="declare is for programs: pass the function itself to kingpost.Stack"):
            provider.declare(cls, "r", a="1")
        return True

    assert attempt()
    with ThreadPoolExecutor(1) as apart:
        assert apart.submit(attempt).result()


def test_hints_speak_of_the_module_s_own_arguments():
    provider, cls = made_of(create=create)
    stack = deploy(provider, lambda: provider.declare(cls, "r", pulumi.ResourceOptions(protect=True), a="1") and None, "x")
    stack.up()
    for operation, note in ((stack.destroy, "stack.destroy(exclude_protected=True)"),
                            (lambda: stack.up(replace=[URN]), "remove protect=True"),
                            (lambda: stack.up(targets=["r"]), "'**::NAME'")):
        with pytest.raises(kingpost.Error) as caught:
            operation()
        assert any(note in one for one in caught.value.__notes__)
