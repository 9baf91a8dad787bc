# SPDX-License-Identifier: Apache-2.0
"""kingpost.Fleet: operations on stacks that read each other."""

import asyncio
import threading
import uuid

import kingpost
import pulumi
import pytest
from kingpost.testing import StackUnderTest
from module_support import Thing, World

CIDR = "10.0.0.0/16"


class Estate:
    """Three stacks in one memory store: dns reads web, which reads network. The fleet gets them in the wrong order."""

    def __init__(self):
        self.cidr, self.port = CIDR, 80
        self.fails = set()
        self.began = []
        self.backend = f"mem://{uuid.uuid4()}"
        self.worlds = {name: World() for name in ("dns", "web", "network")}
        self.stacks = {name: self.stack(name, getattr(self, name)) for name in self.worlds}

    def stack(self, project, program, world=None):
        world = world or self.worlds.get(project) or World()
        return kingpost.Stack(project, "prod", program, providers={"test": world}, backend=self.backend)

    def fleet(self, *more, **options):
        return kingpost.Fleet([*self.stacks.values(), *more], **options)

    def _begin(self, name):
        self.began.append(name)
        if name in self.fails:
            raise RuntimeError(f"{name} is out of order")

    def network(self):
        self._begin("network")
        Thing("net", cidr=self.cidr)
        pulumi.export("cidr", self.cidr)

    def web(self):
        self._begin("web")
        cidr = pulumi.StackReference("organization/network/prod").get_output("cidr")
        Thing("server", cidr=cidr, port=self.port)
        pulumi.export("address", cidr.apply(lambda known: f"{known}:{self.port}"))

    def dns(self):
        self._begin("dns")
        Thing("entry", address=pulumi.StackReference("organization/web/prod").get_output("address"))


def inputs_of(result, name):
    return next(step.new.inputs for step in result.steps if step.name == name)


def test_a_new_fleet_is_previewed_whole():
    estate = Estate()
    result = estate.fleet().preview()
    assert list(result.results) == ["network/prod", "web/prod", "dns/prod"]
    assert inputs_of(result["dns/prod"], "entry")["address"] == CIDR + ":80"
    assert not any(world.things for world in estate.worlds.values())


def test_up_goes_in_the_order_of_reads():
    estate = Estate()
    result = estate.fleet().up()
    assert list(result.results) == result.changed == ["network/prod", "web/prod", "dns/prod"]
    assert result["web/prod"].outputs == {"address": CIDR + ":80"}
    assert result.summary["create"] >= 3
    assert repr(result) == "<kingpost.FleetResult 3 of 3 stacks changed>"
    assert "dns/prod" in result._repr_html_()
    estate.began.clear()
    assert not estate.fleet().up().has_changes
    assert estate.began == ["network", "web", "dns"]  # as the record says: none of them waited


def test_unchanged_stacks_are_left_out():
    estate = Estate()
    alone = estate.stack("alone", lambda: estate.began.append("alone"))
    estate.fleet(alone).up()
    estate.port = 443
    estate.began.clear()
    result = estate.fleet(alone).up()
    # All are previewed; those that change, and those that read them, run again.
    assert sorted(estate.began[:4]) == ["alone", "dns", "network", "web"]
    assert estate.began[4:] == ["web", "dns"]
    assert result.changed == ["web/prod", "dns/prod"] and len(result.results) == 4
    assert result["network/prod"].outputs == {"cidr": CIDR}
    assert len(estate.stacks["network"].history()) == 1 and len(estate.stacks["web"].history()) == 2
    estate.began.clear()
    estate.fleet(alone).up(skip_preview=True)
    assert sorted(estate.began) == ["alone", "dns", "network", "web"]
    assert len(estate.stacks["network"].history()) == 2


def test_plans_are_kept_for_each_stack_and_held_to(tmp_path):
    estate = Estate()
    preview = estate.fleet().preview(save_plan=True)
    assert list(preview.plans) == ["network/prod", "web/prod", "dns/prod"]
    preview.save_plans(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dns.prod.json", "network.prod.json", "web.prod.json"]
    estate.port = 443  # other than planned
    with pytest.raises(kingpost.FleetFailed) as failed:
        estate.fleet().up(plan=tmp_path)
    assert set(failed.value.fleet.errors) == {"web/prod"} and "dns/prod" in failed.value.fleet.skipped
    assert not estate.worlds["web"].things
    estate.port = 80
    assert estate.fleet().up(plan=estate.fleet().preview(save_plan=True)).changed == ["web/prod", "dns/prod"]
    with pytest.raises(kingpost.Error, match="there is no plan for dns/prod"):
        estate.fleet().up(plan={name: plan for name, plan in preview.plans.items() if name != "dns/prod"})


def test_targets_name_their_stack():
    estate = Estate()
    estate.fleet().up()
    estate.port, estate.cidr = 443, "10.1.0.0/16"
    result = estate.fleet().up(targets=["web/prod::**server"])
    assert list(result.results) == result.changed == ["web/prod"]
    assert [thing["cidr"] for thing in estate.worlds["network"].things.values()] == [CIDR]
    assert estate.fleet().preview(replace=["network::**net"]).changed == ["network/prod"]
    with pytest.raises(kingpost.Error, match="'\\*\\*server' belongs to none of these stacks"):
        estate.fleet().up(targets=["**server"])
    with pytest.raises(TypeError, match="targets takes a list"):
        estate.fleet().up(target="web/prod::**server")


def test_a_change_in_the_middle_reaches_what_is_downstream():
    estate = Estate()
    estate.fleet().up()
    estate.port = 443
    preview = estate.fleet().preview()
    assert preview.changed == ["web/prod", "dns/prod"]
    assert inputs_of(preview["dns/prod"], "entry")["address"] == CIDR + ":443"
    assert estate.fleet().up().changed == ["web/prod", "dns/prod"]
    assert [thing["address"] for thing in estate.worlds["dns"].things.values()] == [CIDR + ":443"]


@pytest.mark.parametrize("deployed", [False, True])
def test_dependents_of_a_failure_are_skipped_and_other_stacks_run(deployed):
    estate = Estate()
    alone = estate.stack("alone", lambda: pulumi.export("it", "is"))
    if deployed:
        estate.fleet(alone).up()
    estate.fails = {"web"}
    with pytest.raises(kingpost.FleetFailed, match="web is out of order.*dns/prod was skipped, because web/prod failed") as failed:
        estate.fleet(alone).up()
    fleet = failed.value.fleet
    assert set(fleet.results) == {"network/prod", "alone/prod"}
    assert isinstance(fleet.errors["web/prod"], kingpost.ProgramFailed)
    assert failed.value.__cause__ is fleet.errors["web/prod"], "a traceback leads on to the user's line"
    assert fleet.skipped == {"dns/prod": "web/prod failed"}
    assert not estate.worlds["dns"].things or deployed
    with pytest.raises(kingpost.ProgramFailed):
        fleet["web/prod"]
    assert "1 failed, 1 skipped" in repr(fleet)


@pytest.mark.parametrize("skip_preview", [False, True])
def test_with_fail_fast_no_other_stack_begins_after_a_failure(skip_preview):
    estate = Estate()
    estate.fails = {"network"}
    zone = estate.stack("zone", lambda: estate.began.append("zone"))
    slow = dict(parallel_stacks=1, after={"zone": "network"})
    for fail_fast in (True, False):
        estate.began.clear()
        with pytest.raises(kingpost.FleetFailed) as failed:
            estate.fleet(zone, fail_fast=fail_fast, **slow).up(skip_preview=skip_preview)
        fleet = failed.value.fleet
        assert set(fleet.errors) == {"network/prod"} and set(fleet.skipped) == {"web/prod", "dns/prod", "zone/prod"}
        assert "zone" not in estate.began
    alone = estate.stack("alone", lambda: estate.began.append("alone"))
    for fail_fast, began, skipped in ((True, 0, {"alone/prod": "fail_fast: network/prod failed"}), (False, 1, {})):
        estate.began.clear()
        fleet = kingpost.Fleet([estate.stacks["network"], alone], parallel_stacks=1, fail_fast=fail_fast)
        with pytest.raises(kingpost.FleetFailed) as failed:
            fleet.up(skip_preview=skip_preview)
        assert bool(estate.began.count("alone")) == bool(began) and failed.value.fleet.skipped == skipped


def test_a_stack_that_waits_is_no_failure_that_stops_others():
    class Waiting(World):
        def create(self, request):
            raise kingpost.AwaitFailed("later") if not request.preview else AssertionError

    estate = Estate()
    waits = estate.stack("a-waits", lambda: Thing("late") and None, Waiting())
    fleet = kingpost.Fleet([waits, estate.stack("alone", lambda: None)], parallel_stacks=1, fail_fast=True)
    with pytest.raises(kingpost.FleetFailed) as failed:
        fleet.up(skip_preview=True)
    assert isinstance(failed.value.fleet.errors["a-waits/prod"], kingpost.Awaiting)
    assert set(failed.value.fleet.results) == {"alone/prod"} and not failed.value.fleet.skipped


def test_after_holds_beyond_what_is_read():
    estate = Estate()
    first = estate.stack("zone", lambda: estate.began.append("zone"))
    estate.fleet(first, after={"network": ["zone"]}).up()
    assert estate.began.index("zone") < estate.began.index("network")
    with pytest.raises(ValueError, match="no member is called 'mail'"):
        estate.fleet(after={"mail": "network"})


def test_a_circle_is_named_before_anything_runs():
    estate = Estate()
    with pytest.raises(kingpost.Error, match="cycle.*(network/prod → web/prod|web/prod → network/prod)"):
        estate.fleet(after={"network": "web", "web": "network"}).up()
    assert estate.began == []


def test_a_circle_of_reads_is_named_when_it_closes():
    estate = Estate()

    def reads(other):
        return lambda: pulumi.export("it", pulumi.StackReference(f"organization/{other}/prod").get_output("it"))

    fleet = kingpost.Fleet([estate.stack("hen", reads("egg")), estate.stack("egg", reads("hen"))])
    with pytest.raises(kingpost.FleetFailed, match="cycle: (hen/prod → egg/prod → hen|egg/prod → hen/prod → egg)/prod"):
        fleet.up()


def test_destroy_goes_the_other_way_round():
    estate = Estate()
    estate.fleet().up()
    result = kingpost.Fleet(list(estate.stacks.values())[::-1]).destroy()
    assert list(result.results) == ["dns/prod", "web/prod", "network/prod"]
    assert not any(world.things for world in estate.worlds.values())


def test_one_at_a_time_is_enough():
    estate = Estate()
    assert len(estate.fleet(parallel_stacks=1).up().results) == 3
    assert not estate.fleet(parallel_stacks=1).refresh().errors


def test_as_a_coroutine_and_with_events():
    estate = Estate()
    heard = set()
    result = asyncio.run(estate.fleet().up_async(on_event=lambda stack, event: heard.add(stack)))
    assert heard == set(result) == {"network/prod", "web/prod", "dns/prod"}


def test_a_cancelled_task_stops_the_fleet():
    estate = Estate()
    reached, go_on = threading.Event(), threading.Event()

    def slow():
        reached.set()
        go_on.wait()
        estate.network()

    estate.stacks["network"].program = slow
    fleet = estate.fleet()
    stop = fleet._interrupt
    fleet._interrupt = lambda: (stop(), go_on.set())  # the program goes on when the fleet is stopped

    async def cancel():
        task = asyncio.ensure_future(fleet.up_async())
        await asyncio.get_running_loop().run_in_executor(None, reached.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert not estate.worlds["dns"].things


def test_an_exception_of_a_listener_stops_the_fleet():
    estate = Estate()

    def listen(stack, event):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        estate.fleet().up(on_event=listen)
    assert not estate.worlds["dns"].things


def test_members_are_checked():
    estate = Estate()
    with pytest.raises(ValueError, match="two members are called dns/prod"):
        estate.fleet(estate.stacks["dns"])
    with pytest.raises(TypeError, match="a member is a kingpost.Stack or a folder, not int"):
        kingpost.Fleet([3])
    with pytest.raises(ValueError, match='stack="prod"'):
        kingpost.Fleet(["somewhere"])


def project(folder, name, text, stack="prod"):
    folder.mkdir(parents=True)
    (folder / "Pulumi.yaml").write_text(f"name: {name}\nruntime: yaml\n{text}")
    (folder / f"Pulumi.{stack}.yaml").write_text("config: {}\n")


def test_projects_are_found_below_a_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "")
    monkeypatch.setenv("PULUMI_BACKEND_URL", f"file://{tmp_path}/state")
    (tmp_path / "state").mkdir()
    home = tmp_path / "all"
    read = "resources:\n  other:\n    type: pulumi:pulumi:StackReference\n    properties: {name: organization/network/prod}\n"
    project(home / "app" / "web", "web", read + 'outputs:\n  address: ${other.outputs["cidr"]}:80\n')
    project(home / "network", "network", f"outputs:\n  cidr: {CIDR}\n")
    project(home / "mail", "mail", "outputs: {}\n", stack="dev")
    project(home / "node_modules" / "x", "x", "outputs: {}\n")
    fleet = kingpost.Fleet.find(home, stack="prod")
    assert list(fleet.stacks) == ["web/prod", "network/prod"]
    assert fleet.preview()["web/prod"].outputs == {"address": CIDR + ":80"}
    assert fleet.up()["web/prod"].outputs == {"address": CIDR + ":80"}
    with pytest.raises(kingpost.Error, match="has a stack 'blue'"):
        kingpost.Fleet.find(home, stack="blue")


@pytest.fixture
def four(tmp_path, monkeypatch):
    """Four projects that read no other, with states in a folder."""
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "")
    monkeypatch.setenv("PULUMI_BACKEND_URL", f"file://{tmp_path}/state")
    (tmp_path / "state").mkdir()
    home = tmp_path / "all"
    for folder in ("one", "two", "services/three", "services/four"):
        project(home / folder, folder.rpartition("/")[2], "config: {region: {type: string}}\noutputs: {where: '${region}'}\n")
    return home


def test_kingpost_yaml_says_who_belongs_together(four):
    (four / "kingpost.yaml").write_text("""
stack: prod
config: {region: west}
members:
  - two
  - {folder: "services/*", after: [two], groups: [late]}
groups: {early: [two]}
""")
    (four / "services" / "four" / "Pulumi.prod.yaml").write_text("config: {four:region: south}\n")
    fleet = kingpost.Fleet.find(four)
    assert list(fleet.stacks) == ["two/prod", "four/prod", "three/prod"]
    result = fleet.up()
    assert next(iter(result)) == "two/prod"
    assert {name: result[name].outputs["where"] for name in result} == {
        "two/prod": "west", "four/prod": "south", "three/prod": "west"}
    assert list(kingpost.Fleet.find(four, only=["late"]).stacks) == ["four/prod", "three/prod"]
    assert list(kingpost.Fleet.find(four, only=["early", "thr*"]).stacks) == ["two/prod", "three/prod"]
    with pytest.raises(kingpost.Error, match="only nobody: no stack, project, folder or group has this name"):
        kingpost.Fleet.find(four, only=["nobody"])


@pytest.mark.parametrize(("text", "why"), [
    ("members: [nowhere]", "the member nowhere has no Pulumi.yaml"),
    ("members: ['x*']", "the member x\\* matches no folder with a project"),
    ("members: [{folder: one, after: [five]}]", "one comes after five, which is no folder, project or stack"),
    ("members: [{folder: one, stack: blue}]", "the member one has no stack 'blue'"),
    ("members: [{stack: prod}]", "a member needs a folder"),
    ("members: one", "kingpost.yaml:1: has to be a list of folders"),
    ("projects: []", "unknown key 'projects'"),
    ("config: {a: [1]}", "kingpost.yaml:1: has to be a text, a number, true or false"),
    ("groups: [a]", "kingpost.yaml:1: has to be a map of lists"),
    ("stack: 3", "kingpost.yaml:1: has to be a text"),
    ("- one", "kingpost.yaml:1: has to be a map with stack, config, members and groups"),
    ("a: [", "kingpost.yaml:2: not valid YAML"),
])
def test_mistakes_in_kingpost_yaml_are_reported(four, text, why):
    (four / "kingpost.yaml").write_text(text)
    with pytest.raises(kingpost.Error, match=why):
        kingpost.Fleet.find(four, stack="prod")


def test_stacks_under_test_are_members():
    memory = f"mem://{uuid.uuid4()}"
    network = StackUnderTest(lambda: pulumi.export("cidr", CIDR), project="network", backend=memory)
    reads = lambda: Thing("server", cidr=pulumi.StackReference("organization/network/test").get_output("cidr"))
    web = StackUnderTest(reads, project="web", backend=memory)
    result = kingpost.Fleet([web, network]).up()
    assert inputs_of(result["web/test"], "server")["cidr"] == CIDR
