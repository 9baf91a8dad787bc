# SPDX-License-Identifier: Apache-2.0
"""The Python module: the methods of a Stack beside deployments, and their refusals."""

import asyncio
import inspect
import json
import threading

import kingpost
import pulumi
import pytest
from harness.commands import node_modules
from module_support import TYPE, Thing, World, ops, resource


def stack_of(world=None, program=None, **options):
    providers = {"test": world or World()}
    return kingpost.Stack("proj", "dev", program or (lambda: Thing("a") and None), providers=providers, **options)


def urn(name):
    return f"urn:pulumi:dev::proj::{TYPE}::{name}"


# --- arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda s: s.up(targets=urn("a")), r"targets must be a list of texts, not the text .*write targets=\["),
        (lambda s: s.preview(excludes="*a"), "excludes must be a list of texts"),
        (lambda s: s.up(replace=[1]), "replace must hold texts, not int"),
        (lambda s: s.up(preview=True), r"no argument 'preview': call stack.preview\(\)"),
        (lambda s: s.up(target=["x"]), "no argument 'target': targets takes a list of URNs"),
        (lambda s: s.up(parallels=2), "did you mean 'parallel'"),
        (lambda s: s.up(refresh="yes"), "refresh must be True or False, not 'yes'"),
        (lambda s: s.up(parallel=1.5), "parallel must be a whole number"),
        (lambda _: stack_of(policies=kingpost.policy(print)), r"policies must be a list, not Policy; write policies=\[\.\.\.\]"),
        (lambda _: stack_of(transforms=print), "transforms must be a list, not builtin_function_or_method"),
        (lambda _: stack_of(config=["a"]), "config must be a dict of keys and values, not list"),
        (lambda _: kingpost.Stack("p", "s", providers=[World()]), "providers must be a dict of packages .*, not list"),
    ],
)
def test_wrong_arguments_are_refused_with_the_remedy(call, message):
    world = World()
    with pytest.raises(TypeError, match=message):
        call(stack_of(world))
    assert not world.requests


@pytest.mark.parametrize("name", [name for name in dir(kingpost.Stack) if name.endswith("_async")])
def test_the_twin_of_an_operation_shows_its_arguments_and_refuses_as_it_does(name):
    twin, operation = getattr(kingpost.Stack, name), getattr(kingpost.Stack, name[:-len("_async")])
    assert inspect.iscoroutinefunction(twin) and twin.__name__ == name and twin.__doc__
    assert inspect.signature(twin) == inspect.signature(operation)
    with pytest.raises(TypeError, match=r"no argument 'nonsense'|unexpected keyword argument 'nonsense'"):
        asyncio.run(getattr(stack_of(), name)(nonsense=1))


def test_values_that_cannot_be():
    with pytest.raises(ValueError, match="parallel must be at least 1 and at most .*, not 0"):
        stack_of().up(parallel=0)
    with pytest.raises(ValueError, match="there are no hooks 'before_lunch'; use one of before_create"):
        stack_of(hooks={"before_lunch": [print]})
    with pytest.raises(TypeError, match="hooks and transforms need a program that is a Python function"):
        kingpost.Stack("proj", "dev", "some/folder", transforms=[print])


# --- the record -----------------------------------------------------------------------------------


def test_outputs_and_history():
    def program():
        pulumi.export("size", Thing("a").size)
        pulumi.export("key", pulumi.Output.secret("hush"))

    stack = stack_of(program=program, config={"pin": kingpost.Secret("4711"), "plain": 7})
    assert stack.outputs() == {} and stack.history() == []
    stack.up(message="the first")
    stack.refresh()
    assert stack.outputs() == {"size": 1, "key": kingpost.Secret("hush")}
    newest, first = stack.history()
    assert (newest.kind, first.kind, first.message, first.result) == ("refresh", "update", "the first", "succeeded")
    assert (newest.version, first.version) == (2, 1) and first.changes == {"create": 2} and first.end >= first.start
    assert first.config["proj:plain"] == "7" and isinstance(first.config["proj:pin"], kingpost.Secret)
    assert "4711" not in repr(first) + str(first.config["proj:pin"].value)
    assert [(entry.kind, entry.version) for entry in stack.history(limit=1)] == [("refresh", 0)]


def test_a_state_moves_to_another_stack():
    world = World()
    first = stack_of(world, backend="mem://here", passphrase="one")
    first.up()
    document = first.export(show_secrets=True)
    other = kingpost.Stack("proj", "copy", lambda: Thing("a") and None, providers={"test": world}, passphrase="one")
    with pytest.raises(kingpost.Error, match="is from a different stack (?s:.*)pass force=True to proceed anyway"):
        other.import_state(document)
    renamed = json.loads(json.dumps(document).replace("urn:pulumi:dev::", "urn:pulumi:copy::"))
    assert other.import_state(renamed) == []
    assert ops(other.up()) == {"a": "same"} and len(world.things) == 1


def test_rename_and_remove():
    world = World()
    stack = stack_of(world)
    stack.up()
    stack.rename("prod")
    assert stack.name == "prod"
    assert resource(stack.up(), "a").urn == f"urn:pulumi:prod::proj::{TYPE}::a" and len(world.things) == 1
    with pytest.raises(kingpost.Error, match="still has 3 resources; destroy them first, or pass force=True"):
        stack.remove()
    stack.destroy()
    stack.remove()
    for call in (stack.remove, stack.cancel, lambda: stack.rename("x")):
        with pytest.raises(kingpost.UnknownStack, match="no stack named 'prod' of project 'proj' found"):
            call()


def test_resources_are_imported():
    world = World()
    world.things["thing-7"] = {"color": "red"}
    stack = stack_of(world, lambda: Thing("old", pulumi.ResourceOptions(protect=True), color="red") and None)
    result = stack.import_resources([kingpost.ImportResource(TYPE, "old", "thing-7")])
    assert ops(result) == {"old": "import"} and resource(result, "old").protect
    stack.up()
    assert list(world.things) == ["thing-7"]
    with pytest.raises(TypeError, match="what is imported must be kingpost.ImportResource, not tuple"):
        stack.import_resources([(TYPE, "x", "y")])


def test_a_plan_is_held_to(tmp_path):
    color = "red"
    stack = stack_of(program=lambda: Thing("a", color=color) and None)
    plan = stack.preview(save_plan=True).plan
    plan.save(tmp_path / "plan.json")
    color = "green"
    with pytest.raises(kingpost.Error, match="violates plan"):
        stack.up(plan=plan)
    color = "red"
    assert ops(stack.up(plan=tmp_path / "plan.json")) == {"a": "create"}
    assert stack.preview().plan is None


# --- kinds of failures ----------------------------------------------------------------------------


def test_kinds_of_failures(tmp_path):
    class Broken(World):
        def create(self, request):
            raise OSError("no space")

    def forbid(resource):
        return "no" if resource.type == TYPE else None

    def raises():
        raise RuntimeError("a bad day")

    with pytest.raises(kingpost.ResourceFailed, match="no space") as caught:
        stack_of(Broken()).up()
    assert caught.value.urn == urn("a") and caught.value.result.steps_of("create")
    with pytest.raises(kingpost.ResourceFailed, match="must not be negative") as caught:
        stack_of(program=lambda: Thing("a", size_wanted=-1) and None).preview()
    assert caught.value.urn == urn("a")
    with pytest.raises(kingpost.PolicyViolation, match="no") as caught:
        stack_of(policies=[forbid]).up()
    assert (caught.value.urn, caught.value.policy) == (urn("a"), "forbid")
    with pytest.raises(kingpost.ProgramFailed, match="a bad day"):
        stack_of(program=raises).up()

    url = f"file://{tmp_path}"
    stack_of(backend=url, passphrase="right", program=lambda: pulumi.export("s", pulumi.Output.secret("x"))).up()
    for call in ("up", "export", "outputs"):
        with pytest.raises(kingpost.WrongPassphrase, match="incorrect passphrase"):
            getattr(stack_of(backend=url, passphrase="wrong"), call)()
    file = tmp_path / ".pulumi" / "stacks" / "proj" / "dev.json"
    file.write_text("{ not json")
    for call in ("up", "preview", "export"):
        with pytest.raises(kingpost.StateDamaged, match="dev.json"):
            getattr(stack_of(backend=url, passphrase="right"), call)()


def test_a_held_stack_is_locked_and_can_be_freed():
    inside, leave = threading.Event(), threading.Event()

    def program():
        inside.set()
        leave.wait(10)

    holder = kingpost.Stack("proj", "dev", program, backend="mem://locked")
    other = stack_of(backend="mem://locked")
    thread = threading.Thread(target=lambda: pytest.raises(kingpost.Error, holder.up))
    thread.start()
    inside.wait(10)
    with pytest.raises(kingpost.StackLocked, match="currently locked by 1 lock"):
        other.up()
    with pytest.raises(kingpost.StackLocked, match="is running already"):
        holder.rename("x")
    holder.cancel()
    leave.set()
    thread.join()
    assert ops(other.up()) == {"a": "create"}


# --- events, event loops --------------------------------------------------------------------------


def test_events_are_heard_in_order():
    heard = []
    stack = stack_of()
    stack.up(on_event=heard.append)
    steps = [(event.kind, event.step.op) for event in heard if event.urn == urn("a")]
    assert steps == [("begin", "create"), ("end", "create")]
    assert heard[-1].kind == "summary" and heard[-1].changes == {"create": 2}
    quiet = []
    stack.up()
    assert quiet == []


def test_events_can_be_asked_for_in_the_middle():
    inside, go_on = threading.Event(), threading.Event()

    class Slow(World):
        def create(self, request):
            inside.set()
            go_on.wait(30)
            return super().create(request)

    async def main():
        stack = stack_of(Slow())
        update = asyncio.create_task(stack.up_async())
        await asyncio.to_thread(inside.wait, 30)
        events = stack.events()
        go_on.set()
        heard = [(event.kind, event.urn) async for event in events]
        await update
        return heard

    heard = asyncio.run(main())
    assert ("end", urn("a")) in heard and ("begin", urn("a")) not in heard and heard[-1][0] == "summary"


def test_a_listener_that_raises_cancels():
    def program():
        Thing("b", of=Thing("a").size)

    def refuse(event):
        if event.kind == "end" and event.urn == urn("a"):
            raise LookupError("enough")

    world = World()
    stack = stack_of(world, program)
    with pytest.raises(LookupError, match="enough"):
        stack.up(on_event=refuse)
    assert ops(stack.destroy()).get("a") == "delete"


def test_operations_of_two_stacks_share_an_event_loop():
    async def main():
        stacks = [kingpost.Stack("proj", f"s{i}", lambda: Thing("a") and None, providers={"test": World()}) for i in (0, 1)]
        events = stacks[0].events()
        working = asyncio.gather(*(stack.up_async() for stack in stacks))
        heard = [event.kind async for event in events]
        results = await working
        return heard, [ops(result) for result in results], await stacks[1].outputs_async()

    heard, found, outputs = asyncio.run(main())
    assert heard[-1] == "summary" and heard.count("begin") == 2 and found == [{"a": "create"}] * 2 and outputs == {}


def test_a_cancelled_task_cancels_its_operation():
    inside = threading.Event()

    class Slow(World):
        def create(self, request):
            inside.set()
            leave.wait(10)
            return super().create(request)

    leave = threading.Event()
    world = Slow()

    def program():
        Thing("b", of=Thing("a").size)

    async def main():
        async with stack_of(world, program) as stack:
            task = asyncio.create_task(stack.up_async())
            await asyncio.to_thread(inside.wait, 10)
            task.cancel()
            leave.set()
            with pytest.raises(asyncio.CancelledError):
                await task
            return ops(await stack.destroy_async())

    assert asyncio.run(main()) == {"a": "delete"} and not world.things


# --- programs -------------------------------------------------------------------------------------


def test_hooks_and_transforms_reach_every_resource():
    called = []

    def paint(args):
        if args.type_ != TYPE:
            return None
        return pulumi.ResourceTransformResult(props={**args.props, "color": "gold"}, opts=args.opts)

    def note(args):
        called.append((args.name, args.new_inputs["color"]))

    world = World()
    stack = stack_of(world, hooks={"before_create": [note], "after_create": note}, transforms=[paint])
    assert resource(stack.up(), "a").inputs["color"] == "gold"
    assert called == [("a", "gold")] * 2
    assert ops(stack.up()) == {"a": "same"} and len(called) == 2


def test_a_hook_that_raises_stops_its_resource():
    def refuse(args):
        raise RuntimeError("not on a Friday")

    world = World()
    with pytest.raises(kingpost.Error, match="not on a Friday"):
        stack_of(world, hooks={"before_create": [refuse]}).up()
    assert not world.things


@pytest.mark.parametrize("language", ["python", "nodejs"])
def test_the_program_may_be_a_project_in_a_folder(tmp_path, language):
    if language == "nodejs":
        node_project(tmp_path)
    else:
        (tmp_path / "Pulumi.yaml").write_text("name: site\nruntime: python\nconfig:\n  greeting: {type: string, default: hello}\n")
        (tmp_path / "__main__.py").write_text(
            "import pulumi\n"
            "config = pulumi.Config()\n"
            "pulumi.export('said', config.require('greeting') + ' ' + config.require('name'))\n"
        )
    (tmp_path / "Pulumi.dev.yaml").write_text("config:\n  site:name: settings\n  site:greeting: hi\n")
    stack = kingpost.Stack("site", "dev", tmp_path, config={"name": "argument"})
    assert stack.up().outputs == {"said": "hi argument"}
    with pytest.raises(kingpost.ProgramFailed, match="is called 'site', and the stack is of project 'other'"):
        kingpost.Stack("other", "dev", tmp_path).up()
    with pytest.raises(kingpost.ProgramFailed, match="no such folder"):
        kingpost.Stack("site", "dev", tmp_path / "nowhere").up()


def node_project(folder):
    (folder / "node_modules").symlink_to(node_modules())
    (folder / "Pulumi.yaml").write_text("name: site\nruntime: nodejs\n")
    (folder / "package.json").write_text('{"name": "site", "main": "index.js"}')
    (folder / "index.js").write_text(
        'const pulumi = require("@pulumi/pulumi");\n'
        "const config = new pulumi.Config();\n"
        'exports.said = config.require("greeting") + " " + config.require("name");\n'
    )


def test_a_folder_program_that_fails(tmp_path):
    (tmp_path / "Pulumi.yaml").write_text("name: site\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("raise RuntimeError('broken at home')\n")
    with pytest.raises(kingpost.ProgramFailed, match="broken at home"):
        kingpost.Stack("site", "dev", tmp_path).up()
