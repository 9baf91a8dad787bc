# SPDX-License-Identifier: Apache-2.0
"""The test kit finds a real bug of each kind in a sample program, and says why it is one."""

import re
import subprocess
import sys

import kingpost
import pulumi
import pytest
from hypothesis import HealthCheck, given, settings
from kingpost.testing import (
    FakeProvider,
    Fault,
    PolicyWatch,
    SimulatedClock,
    StackUnderTest,
    assert_no_deletes,
    assert_no_leaks,
    assert_no_replacements,
    assert_refactoring,
    assert_secret,
    assert_steps,
    compare,
    steps_of,
)
from kingpost.testing.strategies import programs, stories

pytest_plugins = ("kingpost.testing.plugin",)
DATABASE, SERVER = "cloud:index:Database", "cloud:index:Server"


def declare(type, name, opts=None, **inputs):
    return pulumi.CustomResource(type, name, inputs, opts)


def shop(zone="a", size=1, name="db", parent=None):
    def program():
        database = declare(DATABASE, name, pulumi.ResourceOptions(parent=parent() if parent else None), zone=zone)
        declare(SERVER, "web", database=database.id, size=size)

    return program


@pytest.fixture
def shop_stack(kingpost_stack, fake_provider):
    fake_provider.replaces(DATABASE, "zone")
    stack = kingpost_stack(shop())
    stack.up()
    return stack


# --- a replacement that deletes a database --------------------------------------------------------


def test_finds_a_replacement_that_deletes_a_database(shop_stack):
    shop_stack.program = shop(zone="b")  # the bug: "only" another zone
    result = shop_stack.preview()
    with pytest.raises(AssertionError) as told:
        assert_no_replacements(result, protect="*db*")
    assert "db is replaced, and what it is now is deleted" in str(told.value) and "zone" in str(told.value)
    assert_no_replacements(result, protect="web*")

    shop_stack.program = shop(size=2)
    assert_no_replacements(shop_stack.preview())
    shop_stack.program = lambda: None
    with pytest.raises(AssertionError, match="db is deleted: the program no longer registers it|db is deleted"):
        assert_no_deletes(shop_stack.preview(), protect="db")


def test_steps_that_are_not_expected_are_told_with_their_reasons(shop_stack):
    shop_stack.program = shop(zone="b", size=2)
    result = shop_stack.preview()
    assert_steps(result, {"db": "replace", "web": "update"})
    assert_steps(result, {"d*": "replace", "gone": "none"}, others="any")
    assert_steps(result, {f"urn:pulumi:test::test::{DATABASE}::db": "replace"}, others="any")
    with pytest.raises(AssertionError) as told:
        assert_steps(result, {"db": "update", "cache": "create"})
    lines = str(told.value).splitlines()
    assert lines[1].startswith("  - db: expected update, got replace: ") and "zone" in lines[1]
    assert lines[2] == "  - cache: expected create, but there is no such resource"
    assert lines[3].startswith("  - web: not expected, got update: ")
    with pytest.raises(ValueError, match='"same" or "any"'):
        assert_steps(result, {}, others="none")


# --- a secret that leaks into an output -----------------------------------------------------------


@pytest.mark.parametrize("leaks", [True, False])
def test_finds_a_secret_that_leaks_into_an_output(kingpost_stack, leaks):
    def program():
        config = pulumi.Config()
        password = config.require_secret("password")
        declare(DATABASE, "db", password=password)
        if leaks:  # the bug: the plain text, and so no secret any more
            pulumi.export("url", f"postgres://admin:{config.require('password')}@db")
        else:
            pulumi.export("url", pulumi.Output.concat("postgres://admin:", password, "@db"))

    result = kingpost_stack(program, config={"password": kingpost.Secret("correct horse")}).up()
    if not leaks:
        assert_secret(result, "password")
        assert_secret(result, "url")
        return
    for check in (lambda: assert_secret(result, "password"), lambda: assert_no_leaks(result)):
        with pytest.raises(AssertionError, match="the stack output 'url' shows the text of a secret in clear") as told:
            check()
        assert "horse" not in str(told.value)
    with pytest.raises(AssertionError, match="the stack output 'url' is not a secret"):
        assert_secret(result, "url")
    with pytest.raises(AssertionError, match="nothing is called 'no_such_thing'"):
        assert_secret(result, "no_such_thing")


# --- a policy that is never reached ---------------------------------------------------------------


def test_finds_a_policy_that_is_never_reached(kingpost_stack):
    def databases_are_encrypted(resource):
        if resource.type == "cloud:Database":  # the bug: the type is cloud:index:Database
            if not resource.properties.get("encrypted"):
                resource.violation("must be encrypted")

    def servers_are_small(resource):
        if resource.type == SERVER and resource.properties["size"] > 3:
            resource.violation("too large")

    stack = kingpost_stack(shop(), policies=[databases_are_encrypted, servers_are_small])
    stack.up()
    stack.assert_policies_reached("servers_are_small")
    with pytest.raises(AssertionError, match="databases_are_encrypted has looked at no resource: .*cloud:index:Database"):
        stack.assert_policies_reached()
    with pytest.raises(ValueError, match="there is no policy 'other'"):
        stack.assert_policies_reached("other")
    stack.program = shop(size=9)
    with pytest.raises(kingpost.Error, match="too large"):
        stack.up()
    assert PolicyWatch([]).reached == {}


def test_a_coroutine_that_never_looks_is_not_reached_and_one_that_reports_is(kingpost_stack):
    async def blind(resource):
        return None

    async def watchful(resource):
        if resource.type == SERVER:
            resource.violation("is a server", advisory=True)

    stack = kingpost_stack(shop(), policies=[blind, watchful])
    stack.up()
    stack.assert_policies_reached("watchful")
    with pytest.raises(AssertionError, match="blind has looked at no resource"):
        stack.assert_policies_reached()


# --- an alias that was forgotten in a refactoring -------------------------------------------------


class Backend(pulumi.ComponentResource):
    def __init__(self):
        super().__init__("shop:index:Backend", "backend")


def test_finds_an_alias_that_was_forgotten_in_a_refactoring(shop_stack):
    with pytest.raises(AssertionError) as told:
        assert_refactoring(shop_stack, shop(name="database"))
    assert "::db is deleted, and urn:pulumi:test::test::cloud:index:Database::database is created" in str(told.value)
    assert "lacks an alias" in str(told.value)

    def renamed():
        old = pulumi.Alias(name="db")
        database = declare(DATABASE, "database", pulumi.ResourceOptions(aliases=[old]), zone="a")
        declare(SERVER, "web", database=database.id, size=1)

    assert_steps(assert_refactoring(shop_stack, renamed), {})
    with pytest.raises(AssertionError, match=r"Backend\$cloud:index:Database::db is created in its place"):
        assert_refactoring(shop_stack, shop(parent=Backend))
    with pytest.raises(AssertionError, match="db is replaced"):
        assert_refactoring(shop_stack, shop(zone="b"))
    assert {step.op for step in shop_stack.preview().steps} == {"same"}, "the stack still has its program"


# --- the fake cloud -------------------------------------------------------------------------------


def one(**inputs):
    return lambda: pulumi.export("address", declare(DATABASE, "db", zone="a", **inputs).id)


@pytest.mark.parametrize("break_it, error, exists", [
    (lambda fake: fake.fail("db", message="quota exceeded"), "quota exceeded", 0),
    (lambda fake: fake.die("db"), "died before it answered", 1),
    (lambda fake: fake.partial("db", "not ready"), "not ready", 1),
    (lambda fake: fake.fault(Fault("fail", "d?")), "it failed", 0),
])
def test_a_fault_breaks_one_call_and_the_next_run_goes_on(kingpost_stack, fake_provider, break_it, error, exists):
    break_it(fake_provider)
    stack = kingpost_stack(one())
    with pytest.raises(kingpost.Error, match=error):
        stack.up()
    assert len(fake_provider.named("db")) == exists and error in fake_provider.calls_of("create")[0].error
    fake_provider.restart()
    stack.up()
    assert [thing.id for thing in fake_provider.named("db")] == ["db-1"], "nothing is left behind"
    assert {step.op for step in stack.preview().steps} == {"same"}


def test_delays_take_simulated_time_and_reach_timeouts(kingpost_stack):
    clock = SimulatedClock()
    fake = FakeProvider(clock=clock).delay("slow", 3600)
    timeouts = pulumi.CustomTimeouts(create="10m")
    kingpost_stack(lambda: declare(SERVER, "slow") and None, provider=fake).up()
    assert clock.now() == 3600
    impatient = lambda: declare(SERVER, "slow", pulumi.ResourceOptions(custom_timeouts=timeouts)) and None
    with pytest.raises(kingpost.Error, match="timed out after 600 seconds"):
        kingpost_stack(impatient, provider=fake, name="other").up()
    assert clock.now() == 4200 and len(fake.named("slow")) == 1


def test_a_refresh_finds_forgotten_resources_and_wrong_answers(kingpost_stack, fake_provider):
    fake_provider.outputs(DATABASE, address="10.0.0.1").forget("gone").lie("db", address="10.0.0.9")
    stack = kingpost_stack(lambda: (declare(DATABASE, "db"), declare(DATABASE, "gone")) and None)
    result = stack.up()
    assert next(state for state in result.resources if state.name == "db").outputs["address"] == "10.0.0.9"
    assert_steps(stack.refresh(), {"gone": "delete"}, others="any")
    result = stack.up(refresh=True)
    assert_steps(result, {"gone": "create"}, others="any")
    assert next(state for state in result.resources if state.name == "db").outputs["address"] == "10.0.0.1"


def test_outputs_checks_and_functions_go_by_rules(kingpost_stack, fake_provider):
    fake_provider.outputs("cloud:*", address=lambda thing: f"{thing.name}.example.com")
    fake_provider.checks(DATABASE, lambda inputs: [] if "zone" in inputs else ["it needs a zone"])
    fake_provider.function("cloud:index:double", lambda args: {"value": args["value"] * 2})

    def program():
        four = pulumi.runtime.invoke("cloud:index:double", {"value": 2}).value["value"]
        declare(DATABASE, "db", zone="a", size=four)

    stack = kingpost_stack(program)
    assert stack.preview().steps[-1].new.outputs["address"] == kingpost.UNKNOWN
    stack.up()
    (thing,) = fake_provider.named("db")
    assert thing.outputs == {"zone": "a", "size": 4, "address": "db.example.com"} and thing.id == "db-1"
    stack.program = lambda: declare(DATABASE, "db") and None
    with pytest.raises(kingpost.Error, match="it needs a zone"):
        stack.preview()
    assert [str(call) for call in fake_provider.calls_of("create")] == ["create db"]


@pytest.mark.parametrize("kind, method", [("explode", ""), ("partial", "delete"), ("lie", "delete")])
def test_faults_that_there_are_not_are_refused(kind, method):
    with pytest.raises(ValueError, match=kind):
        FakeProvider().fault(Fault(kind, method=method))


@pytest.mark.parametrize("seed", range(4))
def test_after_faults_by_a_seed_the_next_run_repairs_all(seed):
    def program():
        things = [declare(SERVER, f"s{number}", n=number) for number in range(4)]
        declare(DATABASE, "db", pulumi.ResourceOptions(depends_on=things), zone="a")

    def first_failures():
        fake = FakeProvider().faults_by_seed(seed, rate=0.5, kinds=("fail", "partial", "delay"))
        stack = StackUnderTest(program, provider=fake)
        try:
            stack.up(continue_on_error=True)
        except kingpost.Error:
            pass
        return stack, sorted(str(call) for call in fake.calls if call.error)

    stack, failures = first_failures()
    assert failures == first_failures()[1], "a seed repeats"
    stack.fake.heal()
    stack.up()
    assert sorted(thing.name for thing in stack.fake.things.values()) == ["db", "s0", "s1", "s2", "s3"]
    assert {step.op for step in stack.preview().steps} == {"same"}


# --- programs made by chance ----------------------------------------------------------------------

QUICK = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@QUICK
@given(programs())
def test_any_program_is_deployed_and_leaves_nothing_behind(program):
    stack = StackUnderTest(program)
    result = stack.up()
    made = {thing.name for thing in stack.fake.things.values()}
    assert made == {resource.name for resource in program.resources if not resource.component}
    assert {op for urn, op in steps_of(stack.preview()).items()} <= {"same"}
    assert_no_leaks(result)
    stack.destroy()
    assert not stack.fake.things


@QUICK
@given(stories())
def test_any_story_ends_as_its_last_program_says(story):
    fake = FakeProvider().replaces("test:*", "a")
    stack = StackUnderTest(provider=fake)
    for program in story:
        stack.program = program
        stack.up()
    custom = sorted(resource.name for resource in story[-1].resources if not resource.component)
    assert sorted(thing.name for thing in fake.things.values()) == custom
    assert kingpost.Snapshot.of(stack).problem is None


# --- the plugin -----------------------------------------------------------------------------------

SAMPLE = '''
import kingpost.testing
import pulumi

def test_shop(kingpost_stack, kingpost_snapshot, fake_provider):
    fake_provider.outputs("cloud:*", token=__import__("kingpost").Secret("hush hush"))
    stack = kingpost_stack(lambda: pulumi.CustomResource("cloud:index:Server", "web", {"size": SIZE}) and None)
    kingpost_snapshot(stack.preview(), "preview")
    kingpost_snapshot(stack.up())
'''


def run_sample(tmp_path, more=""):
    (tmp_path / "test_sample.py").write_text(SAMPLE.replace("SIZE", "1") + more)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:kingpost", "-p", "kingpost.testing.plugin",
               "--rootdir", str(tmp_path), "-c", "/dev/null", str(tmp_path), "--kingpost-accept"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)


def test_the_plugin_brings_its_fixtures(tmp_path):
    done = run_sample(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    files = sorted(path.name for path in (tmp_path / "__kingpost__" / "test_sample").iterdir())
    assert files == ["test_shop-preview.json", "test_shop.json"]
    accepted = (tmp_path / "__kingpost__" / "test_sample" / "test_shop.json").read_text()
    assert '"[secret]"' in accepted and "hush" not in accepted and '"size": 1' in accepted


def test_classes_of_tests_have_accepted_results_of_their_own(tmp_path):
    done = run_sample(tmp_path, """
class TestOne:
    def test_shop(self, kingpost_stack, kingpost_snapshot):
        kingpost_snapshot(kingpost_stack(lambda: pulumi.export("a", 1)).up())
""")
    assert done.returncode == 0, done.stdout + done.stderr
    files = sorted(path.name for path in (tmp_path / "__kingpost__" / "test_sample").iterdir())
    assert files == ["TestOne.test_shop.json", "test_shop-preview.json", "test_shop.json"]


FAILING = """
import kingpost, pulumi

class Cloud(kingpost.Provider):
    def create(self, request):
        return {}["size"]

def test_shop(kingpost_stack):
    kingpost_stack(lambda: pulumi.CustomResource("cloud:index:Server", "web"), provider=Cloud()).up()

def test_fleet():
    from kingpost.testing import FleetUnderTest
    FleetUnderTest({"shop": lambda: {}["place"]}).up()

def test_crashes():
    from kingpost.testing import crash_anywhere
    crash_anywhere(lambda: {}["crash"])

def test_quota(kingpost_stack, fake_provider):
    fake_provider.fail("web", message="quota")
    kingpost_stack(lambda: pulumi.CustomResource("cloud:index:Server", "web")).up()
"""


def run_failing(tmp_path, *options, keys=""):
    (tmp_path / "test_failing.py").write_text(FAILING)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:kingpost", "-p", "kingpost.testing.plugin",
               "--rootdir", str(tmp_path), "-c", "/dev/null", str(tmp_path), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, input=keys).stdout


def test_a_failed_operation_shows_the_users_lines_alone(tmp_path):
    shown = run_failing(tmp_path)
    assert "4 failed" in shown and "fleet.py" not in shown, shown
    assert not re.search(r"(operations|fleet|_fleet_pass|crashes|stack_under_test|fleet_under_test).py:\d+", shown), shown


@pytest.mark.parametrize(("test", "line"), [
    ("test_shop", 'return {}["size"]'),
    ("test_fleet", 'FleetUnderTest({"shop": lambda: {}["place"]})'),
    ("test_crashes", 'crash_anywhere(lambda: {}["crash"])'),
    ("test_quota", '"web")).up()'),
])
def test_a_debugger_opens_where_the_users_code_failed(tmp_path, test, line):
    shown = run_failing(tmp_path, "--pdb", "-k", test, keys="q\n")
    _, _, debugger = shown.partition("PDB post_mortem")
    arrow = next(said for said in debugger.splitlines() if said.startswith("-> "))
    assert line in arrow, shown


def test_a_step_that_there_is_not_is_refused(shop_stack):
    with pytest.raises(ValueError, match="there is no step 'created'; db may be expected to take: same, create"):
        kingpost.testing.assert_steps(shop_stack.preview(), {"db": "created"})


def test_a_failed_assertion_shows_the_test_and_not_its_own_code(tmp_path):
    done = run_sample(tmp_path, "    kingpost.testing.assert_steps(stack.preview(), {'web': 'delete'})\n")
    assert "web: expected delete, got same" in done.stdout and "assertions.py" not in done.stdout, done.stdout


def test_results_are_compared_with_what_was_accepted(kingpost_stack, tmp_path):
    path = tmp_path / "folder" / "shop.json"
    stack = kingpost_stack(shop())
    result = stack.up()
    with pytest.raises(AssertionError, match="is not there yet: run pytest with --kingpost-accept"):
        compare(result, path, accept=False)
    compare(result, path, accept=True)
    compare(result, path, accept=False)
    stack.program = shop(size=2)
    with pytest.raises(AssertionError, match=r'(?s)if it is right.*-        "size": 1.*\+        "size": 2'):
        compare(stack.up(), path, accept=False)
