# SPDX-License-Identifier: Apache-2.0
"""The module refuses a value that would corrupt a record or be taken for another, and says what it must be."""

import functools
import math
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar, Dict, List, Optional, Tuple

import kingpost
import pulumi
import pytest
from module_support import Thing, World


class Answering(kingpost.Provider):
    def __init__(self, **outputs):
        super().__init__()
        self.answer = outputs

    def create(self, request):
        return kingpost.CreateResponse(self.answer.pop("id", "one"), self.answer)


def one():
    pulumi.CustomResource("test:index:Thing", "a")


def stack_of(program=one, **options):
    return kingpost.Stack("proj", "dev", program, **{"providers": {"test": World()}, **options})


@pytest.mark.parametrize(("outputs", "message"), [
    ({"size": 2**53 + 1}, r"size: the whole number 9007199254740993 has more digits .* pass it as a text"),
    ({"deep": [{"size": 10**400}]}, r"deep\[0\].size: the whole number is too large"),
    ({"size": kingpost.UNKNOWN}, "Answering.create returned kingpost.UNKNOWN as size; only a preview may"),
    ({"deep": {"a": [kingpost.Secret(kingpost.UNKNOWN)]}}, "returned kingpost.UNKNOWN as deep"),
    ({"name": "\udce9"}, r"name: the text '\\udce9' has a lone surrogate"),
    ({"deep": {"\udce9": 1}}, "has a lone surrogate"),
    ({"deep": {1: 2}}, "deep: the keys of a resource's properties must be str, not int"),
    ({"when": [object()]}, r"when\[0\]: a value of type object cannot be a resource property"),
    ({"id": "\udce9"}, "CreateResponse.id must be Unicode"),
    ({"id": "x" * 1_000_000}, "CreateResponse.id must have 65536 characters at most, not 1000000"),
    ({"id": 7}, "CreateResponse.id must be a text, not int"),
])
def test_an_answer_that_cannot_be_recorded_names_the_property(outputs, message):
    stack = stack_of(providers={"test": Answering(**outputs)})
    with pytest.raises(kingpost.ResourceFailed, match=message):
        stack.up()
    assert [state.name for state in kingpost.Snapshot.of(stack).find("a")] == []
    # It may exist under an unknown ID.
    assert [pending.type for pending in kingpost.Snapshot.of(stack).pending_operations] == ["creating"]


def test_whole_numbers_that_a_double_holds_are_no_others():
    stack = stack_of(providers={"test": Answering(a=2**53, b=-(2**53) + 1, c=2**60)})
    assert stack.up().resources[-1].outputs == {"a": 2**53, "b": -(2**53) + 1, "c": 2**60}


def test_a_declared_input_keeps_its_digits_or_is_refused():
    site = kingpost.Provider("site")

    @dataclass
    class Inputs:
        size: int

    @site.resource("site:index:Page")
    class Page:
        inputs: Inputs

        def create(self):
            return "x"

    stack = kingpost.Stack("p", "s", lambda: site.declare(Page, "a", Inputs(2**53 + 1)), providers={"site": site})
    with pytest.raises(kingpost.ProgramFailed, match="9007199254740993 has more digits"):
        stack.up()


@pytest.mark.parametrize("value", [2**53 + 1, [{"deep": -(2**53) - 1}], 10**400])
def test_a_number_with_too_many_digits_is_refused(value):
    later = pulumi.Output.from_input
    for program in (
        lambda: pulumi.CustomResource("test:index:Thing", "a", {"size": value}),
        lambda: pulumi.CustomResource("test:index:Thing", "a", {"size": later(1).apply(lambda _: value)}),
        lambda: pulumi.export("size", value),
        lambda: pulumi.export("size", pulumi.Output.secret(value)),
        lambda: pulumi.runtime.invoke("test:index:ask", {"size": value}),
    ):
        with pytest.raises(kingpost.ProgramFailed, match="more digits than numbers of properties keep"):
            stack_of(program).up()
    well = stack_of(lambda: pulumi.export("size", [2**53, 2**60, 1e300])).up()
    assert well.outputs == {"size": [2**53, 2**60, 1e300]}


def holding_itself():
    value = {}
    value["a"] = [value]
    return value


class Level(IntEnum):
    LOW = 1


@pytest.mark.parametrize(("value", "message"), [
    ({"a": [{1: 2}]}, r"v.a\[0\]: the keys of a dict must be texts, not int"),
    ({None: 2}, "v: the keys of a dict must be texts, not NoneType"),
    ({"a": "\udce9"}, r"v.a: the text '\\udce9' has a lone surrogate"),
    ({"\udce9": 1}, r"the text '\\udce9' has a lone surrogate"),
    ([kingpost.Secret("hush hush")], r"v\[0\]: a kingpost.Secret is for settings .* pulumi.Output.secret"),
    ({"a": kingpost.UNKNOWN}, "v.a: kingpost.UNKNOWN is for results and providers"),
    (holding_itself(), "nested more than 300 levels deep, or holds itself"),
])
def test_a_value_that_properties_cannot_hold_is_named(value, message):
    for program in (
        lambda: pulumi.CustomResource("test:index:Thing", "a", {"v": value}),
        lambda: pulumi.runtime.invoke("test:index:ask", {"v": value}),
    ):
        with pytest.raises(kingpost.ProgramFailed, match=message) as caught:
            stack_of(program).up()
        assert "hush" not in str(caught.value)


@pytest.mark.parametrize(("value", "message"), [
    (Level.LOW, "a value of type Level cannot be exported; pass its .value"),
    ([{"a": type("Size", (float,), {})(1.5)}], "a value of type Size cannot be exported; pass int"),
    (kingpost.UNKNOWN, "kingpost.UNKNOWN is for results"),
    ([kingpost.Secret("hush hush")], "a kingpost.Secret is for settings"),
])
def test_an_output_that_the_sdk_would_empty_is_refused(value, message):
    with pytest.raises(kingpost.ProgramFailed, match=message):
        stack_of(lambda: pulumi.export("v", value)).up()
    assert stack_of(lambda: pulumi.export("v", {"a": [True, 1, 1.5, "x", None]})).up().outputs == {"v": {"a": [True, 1, 1.5, "x", None]}}


def test_an_answer_that_holds_itself_is_refused():
    for answer in (holding_itself(), {"deep": functools.reduce(lambda inner, _: [inner], range(2000), 1)}):
        with pytest.raises(kingpost.ResourceFailed, match="Answering.create returned outputs that are nested too deeply"):
            stack_of(providers={"test": Answering(**answer)}).up()


def test_settings_of_any_length_are_kept_and_those_that_hold_themselves_refused():
    text = "é" * 100_000
    assert stack_of(lambda: pulumi.export("v", pulumi.Config().get("v")), config={"v": text}).up().outputs == {"v": text}
    with pytest.raises(ValueError, match=r"config\['v'\] must be .* not hold itself"):
        stack_of(config={"v": holding_itself()}).up()


def test_a_number_that_is_none_is_no_change():
    site = kingpost.Provider("site")

    @dataclass
    class Inputs:
        size: float

    @site.resource("site:index:Page")
    class Page(kingpost.ManagedResource):
        inputs: Inputs

        def create(self) -> str:
            return "x"

    stack = kingpost.Stack("p", "s", lambda: site.declare(Page, "a", Inputs(math.nan)), providers={"site": site})
    stack.up()
    assert set(stack.preview().summary) == {"same"}


def makes_a_program():
    def program():
        pulumi.export("a", 1)

    return program


def test_a_function_that_makes_programs_is_no_program():
    stack = stack_of(makes_a_program())
    stack.up()
    stack.program = makes_a_program
    with pytest.raises(kingpost.ProgramFailed, match=r"returned a function and declared nothing, .* pass makes_a_program\(\)"):
        stack.up()
    stack.program = lambda: pulumi.export("b", 2) or one  # which has declared something
    assert stack.up().outputs == {"b": 2}


async def program_that_returns_a_generator():
    return program_with_yield()


def program_with_yield():
    yield pulumi.CustomResource("test:index:Thing", "a")


async def async_program_with_yield():
    yield pulumi.CustomResource("test:index:Thing", "a")


@pytest.mark.parametrize("program", [program_with_yield, async_program_with_yield, lambda: program_with_yield(),
                                     program_that_returns_a_generator])
def test_a_generator_is_no_program(program):
    stack = stack_of()
    stack.up()
    with pytest.raises((TypeError, kingpost.ProgramFailed), match="the program is a generator"):
        stack.program = program
        stack.up()
    assert [state.name for state in kingpost.Snapshot.of(stack).find("a")] == ["a"]


@pytest.mark.parametrize(("document", "kind", "message"), [
    ({}, kingpost.StateDamaged, "no state of a stack"),
    ({"name": "my-app", "dependencies": {}}, kingpost.StateDamaged, "no state of a stack"),
    ({"version": 3}, kingpost.StateDamaged, "no state of a stack"),
    ({"version": 99, "deployment": {"resources": []}}, kingpost.StateDamaged, "too new"),
    (b"", kingpost.StateDamaged, "it is empty"),
    (b" \n", kingpost.StateDamaged, "it is empty"),
    (b"null", kingpost.StateDamaged, "no state of a stack"),
    (b"[]", kingpost.StateDamaged, "no state of a stack"),
    (7, TypeError, "loaded from a path, bytes or a JSON object, not int"),
    (None, TypeError, "loaded from a path, bytes or a JSON object, not NoneType"),
    (["a"], TypeError, "not list"),
    ({"deployment": {1, 2}}, TypeError, "must be JSON"),
])
def test_a_broken_document_is_not_loaded(document, kind, message):
    with pytest.raises(kind, match=message):
        kingpost.Snapshot.load(document)


@pytest.mark.parametrize(("call", "kind", "message"), [
    (lambda: stack_of(config={"a": None}).up(), TypeError, r"config\['a'\] must be .*not None; leave the key out"),
    (lambda: stack_of(config={"a": object()}).up(), TypeError, r"config\['a'\] must be"),
    (lambda: stack_of(config={"a": math.nan}).up(), TypeError, r"config\['a'\] must be"),
    (lambda: stack_of(config={"a": [math.nan]}).up(), TypeError, r"config\['a'\] must hold what JSON can hold"),
    (lambda: stack_of(config={1: "a"}).up(), TypeError, "a key of config must be a text"),
    (lambda: stack_of(config={"a": "\udce9"}).up(), ValueError, r"config\['a'\] must be Unicode"),
    (lambda: stack_of(callback_timeout=math.nan), ValueError, "callback_timeout must be a number of seconds from 0 on, not nan"),
    (lambda: stack_of(callback_timeout=-1), ValueError, "callback_timeout must be"),
    (lambda: stack_of(callback_timeout="5"), TypeError, "callback_timeout must be a number of seconds, not '5'"),
    (lambda: stack_of(parallel=10**12), ValueError, "parallel must be at least 1 and at most"),
    (lambda: stack_of(analyzers=[print]), TypeError, r"Stack\(\) has no argument 'analyzers': its name is policies"),
    (lambda: stack_of(hooks=[print]), TypeError, "hooks must be a dict of times and functions"),
    (lambda: stack_of(hooks={"before_create": 7}), TypeError, r"hooks\['before_create'\] must be a list"),
    (lambda: stack_of(transforms=[7]), TypeError, "a transform must be a function, not int"),
    (lambda: stack_of(program=""), ValueError, "a program is a function, or the folder of a project, not the empty text"),
    (lambda: stack_of(callback_timeout=1e300), ValueError, "callback_timeout must be 1000000000 seconds at most"),
    (lambda: stack_of(callback_timeout=""), TypeError, "callback_timeout must be a number of seconds, not ''"),
    (lambda: stack_of(policies=[print], policy_config={"all": {"max": 5}}), ValueError, "'all' has a level alone"),
    (lambda: stack_of(policies=[kingpost.policy(name="a")(print)],
                      policy_config={"a": {"level": "advisory", "enforcementLevel": "mandatory"}}),
     ValueError, "level and enforcementLevel mean the same"),
    (lambda: stack_of().up(plan=5), TypeError, "plan must be a path or a kingpost.UpdatePlan, not int"),
    (lambda: stack_of().up(on_event=5), TypeError, "on_event must be a function, not int"),
    (lambda: stack_of().up(on_event=async_program_with_yield), TypeError, "on_event must be a plain function"),
    (lambda: stack_of().refresh(import_pending_creates=5), TypeError, "import_pending_creates must be a dict of URNs and IDs"),
    (lambda: stack_of().import_resources(5), TypeError, "resources must be a list, not int"),
    (lambda: stack_of().import_resources([kingpost.ImportResource("a:b:C", "x", 5)]), TypeError, "ImportResource.id must be a text"),
    (lambda: stack_of().import_state({"name": "my-app"}), kingpost.StateDamaged, "no state of a stack"),
    (lambda: kingpost.Snapshot.of(stack_of()).save(None), TypeError, "path must be a path, not NoneType"),
    (lambda: kingpost.dependency_graph(5), TypeError, "a graph is made of a kingpost.Snapshot, not int"),
    (lambda: kingpost.plan(5, []), TypeError, "a kingpost.Snapshot, or None for a new stack, not int"),
    (lambda: kingpost.plan(None, [5]), TypeError, "each of goals must be a kingpost.Goal, not int"),
    (lambda: kingpost.plan(None, [], 5), TypeError, "provider must be a dict of packages and their providers"),
    (lambda: kingpost.Goal(5, "name"), TypeError, "the type of a Goal must be a text"),
    (lambda: kingpost.Provider(5), TypeError, "name must be a text, not 5"),
    (lambda: kingpost.policy(types=5)(print), TypeError, "types must be a list of texts"),
    (lambda: kingpost.policy(config=5)(print), TypeError, "config must be a dict of settings"),
    (lambda: stack_of(program=7), TypeError, "a program is a function, or the folder of a project, not int"),
    (lambda: stack_of(providers={5: World()}), TypeError, "a package in providers must be a text, not 5"),
    (lambda: stack_of(backend=7), TypeError, "the backend of a stack is a URL or a kingpost.StateStore, not int"),
    (lambda: stack_of(passphrase=b"x"), TypeError, "passphrase must be a text"),
    (lambda: stack_of(organization=None), TypeError, "organization must be a text"),
    (lambda: kingpost.Stack(5, "d"), TypeError, "project must be a text, not 5"),
    (lambda: kingpost.Stack("p", None), TypeError, "name must be a text, not None"),
    (lambda: stack_of().up(message=5), TypeError, "message must be a text, not 5"),
    (lambda: stack_of().up(targets=7), TypeError, "targets must be a list of texts"),
    (lambda: stack_of().refresh(import_pending_creates={"a": 1}), TypeError, "an ID in import_pending_creates must be a text"),
    (lambda: stack_of().rename(5), TypeError, "name must be a text, not 5"),
    (lambda: stack_of().remove(force="yes"), TypeError, "force must be True or False"),
    (lambda: stack_of().history(limit=0), ValueError, "limit must be at least 1"),
    (lambda: stack_of().import_state([1]), TypeError, "the document must be a dict"),
    (lambda: stack_of().change_secrets_provider(1), TypeError, "provider must be a text"),
    (lambda: kingpost.Snapshot.of("dev"), TypeError, "the stack must be a kingpost.Stack, not str"),
    (lambda: kingpost.Snapshot.of(stack_of())[0], TypeError, "found by its URN, not by 0"),
    (lambda: kingpost.Snapshot.of(stack_of()).find(7), TypeError, "pattern must be a text"),
    (lambda: kingpost.Snapshot.of(stack_of()).dependents(7), TypeError, "a resource is given as a kingpost.Resource or by its URN"),
    (lambda: kingpost.Snapshot.of(stack_of()).rename("urn", 7), TypeError, "name must be a text"),
    (lambda: kingpost.Snapshot.of(stack_of()).move("urn", to=7), TypeError, "moved to a kingpost.Snapshot, not to int"),
    (lambda: kingpost.Journal.load(7), TypeError, "a journal is loaded from a path or bytes, not int"),
    (lambda: kingpost.policy(severity="hihg")(print), ValueError, "the severity must be one of low, medium, high, critical"),
    (lambda: stack_of().up().steps_of("updated"), ValueError, "there are no steps 'updated'"),
])
def test_wrong_arguments_get_a_sentence_of_ours(call, kind, message):
    with pytest.raises(kind, match=message) as caught:
        call()
    assert "C++" not in str(caught.value) and "incompatible" not in str(caught.value)


@pytest.mark.parametrize("answer", [True, False, 7, [7], b"text"])
def test_a_policy_that_answers_something_else_has_failed(answer):
    def checks(resource):
        return answer

    with pytest.raises(kingpost.PolicyFailed, match="policy checks: TypeError: it must return None, a text or texts") as caught:
        stack_of(policies=[checks]).up()
    assert caught.value.policy == "checks"


@dataclass
class Port:
    number: int
    protocol: str = "tcp"


@dataclass
class Server:
    ports: List[Port] = field(default_factory=lambda: [Port(80)])
    by_name: Dict[str, Port] = field(default_factory=dict)
    admin: Optional[Port] = None


@dataclass
class ClusterInputs:
    servers: List[Server] = field(default_factory=list)


def test_defaults_at_any_depth_are_no_drift():
    package = kingpost.Provider("cloud")
    kept = {}

    @package.resource("cloud:index:Cluster")
    class Cluster:
        inputs: ClusterInputs

        def create(self):
            kept["x"] = self.inputs
            return "x"

        def read(self):
            self.inputs = kept["x"]

        def update(self, old):
            kept["x"] = self.inputs

    servers = [{"byName": {"a": {"number": 1}}, "admin": {"number": 2}}, {"ports": [{"number": 3}]}]
    stack = kingpost.Stack("p", "s", lambda: package.declare(Cluster, "c", servers=servers), providers={"cloud": package})
    assert stack.up().resources[-1].inputs == {"servers": [
        {"ports": [{"number": 80, "protocol": "tcp"}], "byName": {"a": {"number": 1, "protocol": "tcp"}},
         "admin": {"number": 2, "protocol": "tcp"}},
        {"ports": [{"number": 3, "protocol": "tcp"}], "byName": {}},
    ]}
    for operation in (stack.refresh, stack.up, stack.refresh):
        assert set(operation().summary) == {"same"}


def test_inputs_may_have_any_name():
    package = kingpost.Provider("cloud")

    @dataclass
    class Inputs:
        name: str
        opts: str
        cls: str

    @package.resource("cloud:index:Any")
    class Any:
        inputs: Inputs

        def create(self):
            return f"{self.name} {self.inputs.name} {self.inputs.opts} {self.inputs.cls}"

    stack = kingpost.Stack("p", "s", lambda: package.declare(Any, "x", name="a", opts="b", cls="c"), providers={"cloud": package})
    assert stack.up().resources[-1].id == "x a b c"


def test_annotations_may_be_texts_and_local(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent("""
        from __future__ import annotations
        from dataclasses import dataclass
        from typing import List, Optional, TypedDict
        import kingpost, pulumi

        class PartArgs(TypedDict):
            size: pulumi.Input[int]

        class SectionArgs:
            title: pulumi.Input[str]
            parts: Optional[pulumi.Input[List[pulumi.Input[PartArgs]]]]

        def made():
            site = kingpost.Provider("site", version="1.0.0")

            @dataclass
            class Line:
                text: str = "empty"

            @dataclass
            class Inputs:
                lines: List[Line]

            @dataclass
            class Found:
                lines: List[Line]

            @site.resource("site:index:Page")
            class Page:
                inputs: Inputs
                first: Optional[str]
                def create(self) -> str:
                    self.first = self.inputs.lines[0].text
                    return self.name

            @site.function("site:index:search")
            def search(args: Inputs) -> Found:
                return Found(args.lines)

            @site.component
            class Section(pulumi.ComponentResource):
                title: pulumi.Output[str]
                def __init__(self, name: str, args: SectionArgs, opts: Optional[pulumi.ResourceOptions] = None) -> None:
                    super().__init__("site:index:Section", name, {}, opts)
                    self.title = pulumi.Output.from_input(args["title"])
                    self.register_outputs({"title": self.title})

            return site, Page, search

        class Remote(pulumi.ComponentResource):
            title: pulumi.Output[str]
            def __init__(self, name):
                super().__init__("site:index:Section", name, {"title": "T"}, None, remote=True)

        site, Page, search = made()
        def program():
            pulumi.export("first", site.declare(Page, "p", lines=[{}]).first)
            pulumi.export("found", site.ask(search, lines=[{}]).apply(lambda found: found.lines[0].text))
            pulumi.export("title", Remote("r").title)
        stack = kingpost.Stack("p", "s", program, providers={"site": site})
        print(stack.up().outputs)
        assert site.schema()["resources"]["site:index:Section"]["requiredInputs"] == ["title"]
        """))
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == "{'first': 'empty', 'found': 'empty', 'title': 'T'}", done.stderr


def test_an_export_that_is_edited_can_be_written_back_and_no_later_one():
    stack = stack_of(lambda: Thing("a", token=pulumi.Output.secret("swordfish")) and None)
    stack.up()
    loaded = kingpost.Snapshot.load(stack.export())
    loaded.mark(loaded.find("a")[0], protect=True).write(stack)
    assert kingpost.Snapshot.of(stack).find("a")[0].protect
    with pytest.raises(kingpost.Error, match="is not the one that this snapshot was made from"):
        loaded.rename(loaded.find("a")[0], "b").write(stack)


def test_a_fault_that_nothing_came_to_is_told(pytestconfig):
    from kingpost.testing import FakeProvider, StackUnderTest

    fake = FakeProvider().fail("wbe").fail("web")
    stack = StackUnderTest(lambda: pulumi.CustomResource("cloud:index:Server", "web") and None, provider=fake)
    with pytest.raises(kingpost.ResourceFailed):
        stack.up()
    assert [fault.name for fault in fake.unused_faults] == ["wbe"]
    with pytest.raises(AssertionError, match="no call came to the faults fail of 'wbe'; asked for were web"):
        fake.assert_faults_used()


@dataclass
class Span:
    KIND: ClassVar[str] = "span"
    first: int
    last: int = 9

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError(f"first {self.first} comes after last {self.last}")


@dataclass
class Ruler:
    spans: List[Span] = field(default_factory=list)


def ruler(**inputs):
    site = kingpost.Provider("test")

    @site.resource("test:index:Ruler")
    class RulerThing:
        inputs: Ruler

        def create(self):
            return ",".join(f"{span.first}-{span.last}" for span in self.inputs.spans)

    return stack_of(lambda: pulumi.CustomResource("test:index:Ruler", "a", inputs), providers={"test": site})


def test_a_post_init_of_inputs_refuses_before_anything_is_made():
    assert ruler(spans=[{"first": 1}, {"first": 2, "last": 3}]).up().resources[-1].id == "1-9,2-3"
    for operation in ("preview", "up"):
        with pytest.raises(kingpost.ResourceFailed, match="error in a .*ValueError: first 5 comes after last 3") as caught:
            getattr(ruler(spans=[{"first": 1}, {"first": 5, "last": 3}]), operation)()
        assert isinstance(caught.value.__cause__, ValueError)


def test_a_tuple_is_no_type_of_a_property():
    site = kingpost.Provider("test")
    with pytest.raises(TypeError, match="sizes: a property cannot be of type"):

        @site.resource("test:index:Pair")
        class Pair:
            inputs: PairInputs

            def create(self):
                return "x"


@dataclass
class PairInputs:
    sizes: Tuple[int, str]
