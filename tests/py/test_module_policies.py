# SPDX-License-Identifier: Apache-2.0
"""The Python module: policies, alone and in the process of a stack."""

import re

import kingpost
import pytest
from module_support import TYPE, Thing, World, deploy, resource


def fields(name="a", type=TYPE, **properties):
    return {"urn": f"urn:pulumi:dev::proj::{type}::{name}", "type": type, "name": name, "properties": properties}


def found(pack, given):
    return [(policy.name, violation.message, violation.advisory) for policy, violation in pack.analyze(given)]


@kingpost.policy(config={"most": 3})
def few(thing):
    """Not too many."""
    if thing.properties["n"] > thing.config["most"]:
        thing.violation(f"{thing.properties['n']} is more than {thing.config['most']}")


def test_violations_are_reported_returned_or_yielded():
    def reported(thing):
        thing.violation("one")
        thing.violation("two", advisory=True)

    def returned(thing):
        return "three"

    def listed(thing):
        return ["four", "five"]

    def yielded(thing):
        yield from ("six",) if thing.name == "a" else ()

    async def later(thing):
        return "seven"

    def silent(thing):
        return ""

    pack = kingpost.PolicyPack("p", [reported, returned, listed, yielded, later, silent, lambda thing: "eight"])
    assert found(pack, fields()) == [
        ("reported", "one", False), ("reported", "two", True), ("returned", "three", False), ("listed", "four", False),
        ("listed", "five", False), ("yielded", "six", False), ("later", "seven", False), ("<lambda>", "eight", False),
    ]


def test_a_decorator_needs_no_settings():
    @kingpost.policy
    def no_large_things(thing):
        """Small is cheap."""
        return "large" if thing.properties["n"] > 3 else None

    @kingpost.stack_policy
    async def few_things(stack):
        return "many" if len(stack.resources) > 1 else None

    assert (no_large_things.name, no_large_things.level) == ("no-large-things", "mandatory")
    assert no_large_things.description == "Small is cheap." and few_things.is_stack
    pack = kingpost.PolicyPack("p", [no_large_things, few_things])
    assert found(pack, fields(n=4)) == [("no-large-things", "large", False)]
    assert [violation.message for _, violation in pack.analyze_stack([fields(), fields("b")])] == ["many"]


def test_settings_of_a_decorator_need_their_names():
    with pytest.raises(TypeError, match="settings need their names: level='advisory'"):
        kingpost.policy("advisory")


def test_a_wrong_answer_of_a_policy_is_named():
    pack = kingpost.PolicyPack("p", [kingpost.policy(name="odd")(lambda thing: 7)])
    with pytest.raises(RuntimeError, match="policy odd: TypeError: it must return None, a text or texts of what it finds, not 7"):
        pack.analyze(fields())
    pack = kingpost.PolicyPack("p", [kingpost.policy(name="odd")(lambda thing: [7])])
    with pytest.raises(RuntimeError, match="policy odd: TypeError: it must return None, a text or texts"):
        pack.analyze(fields())
    pack = kingpost.PolicyPack("p", [kingpost.stack_policy(name="odd")(lambda stack: {"a": 1})])
    with pytest.raises(RuntimeError, match="only a policy for resources may return properties"):
        pack.analyze_stack([fields()])


def test_settings_are_checked():
    pack = kingpost.PolicyPack("p", [few], {"few": {"most": 5}})
    assert found(pack, fields(n=6)) == [("few", "6 is more than 5", False)] and found(pack, fields(n=5)) == []
    assert kingpost.PolicyPack("p", [few], {"all": {"level": "disabled"}}).analyze(fields(n=9)) == []
    for settings, message in (
        ({"nobody": {}}, "has no policy 'nobody'; it has: few"),
        ({"few": {"least": 1}}, "policy few has no setting 'least'; it has: most"),
        ({"few": {"most": "3"}}, "policy few: most must be of type int, not str"),
        ({"few": {"most": True}}, "policy few: most must be of type int, not bool"),
        ({"few": {"level": "strict"}}, "the level must be one of advisory, mandatory, disabled, remediate, not 'strict'"),
    ):
        with pytest.raises(ValueError, match=message):
            kingpost.Stack("proj", "dev", policies=[few], policy_config=settings)


def test_packs_that_cannot_be():
    with pytest.raises(ValueError, match="two policies are called few"):
        kingpost.PolicyPack("p", [few, few])
    with pytest.raises(ValueError, match="comes too late to remediate"):
        kingpost.stack_policy(level="remediate")(lambda stack: None)
    with pytest.raises(TypeError, match="must be a function or made by kingpost.policy, not str"):
        kingpost.PolicyPack("p", ["few"])
    assert [p.name for p in kingpost.PolicyPack("p", [lambda r: None, lambda r: None]).policies] == ["<lambda>", "<lambda>-2"]


def test_remediations_build_on_each_other():
    tag = kingpost.policy(level="remediate", name="tag")(lambda thing: {"tag": "x"})
    louder = kingpost.policy(level="remediate", name="louder")(lambda thing: {"tag": thing.properties["tag"].upper(), "old": None})
    content = kingpost.policy(level="remediate", name="content")(lambda thing: {"tag": thing.properties["tag"]})
    pack = kingpost.PolicyPack("p", [tag, louder, content])
    done = [(policy.name, properties, what) for policy, properties, what in pack.remediate(fields(old=1))]
    assert done == [("tag", {"old": 1, "tag": "x"}, "changed tag"), ("louder", {"tag": "X"}, "changed old, tag")]
    strict = kingpost.PolicyPack("p", [tag], {"tag": {"level": "mandatory"}})
    assert found(strict, fields()) == [("tag", "tag must be changed, which level 'remediate' does", False)]
    assert found(strict, fields(tag="x")) == [] and strict.remediate(fields()) == []


def test_types_choose_resources():
    some = kingpost.policy(types=["test:*", "other:index:Exact"])(lambda thing: "seen")
    pack = kingpost.PolicyPack("p", [some])
    assert [bool(found(pack, fields(type=type))) for type in (TYPE, "other:index:Exact", "other:index:Else")] == [True, True, False]


def test_a_stack_is_looked_at_as_a_whole():
    seen = []

    @kingpost.stack_policy()
    def no_twins(stack):
        things = stack.of_type("test:*")
        seen.append([(thing.name, thing.properties.get("size"), bool(thing.dependencies)) for thing in things])
        colors = [thing.properties["color"] for thing in things]
        if len(set(colors)) < len(colors):
            stack.violation("two of the same colour", things[-1])

    second = "green"

    def program():
        first = Thing("a", color="red")
        Thing("b", color=second, of=first.size)

    stack = kingpost.Stack("proj", "dev", program, providers={"test": World()}, policies=[no_twins])
    stack.up()
    assert seen[-1] == [("a", 1, False), ("b", 2, True)]
    second = "red"
    with pytest.raises(kingpost.PolicyViolation, match="two of the same colour") as caught:
        stack.up()
    assert caught.value.policy == "no-twins" and caught.value.urn.endswith("::b")


def test_a_remediated_resource_reaches_its_provider_as_it_was_changed():
    world = World()
    paint = kingpost.policy(level="remediate", types=TYPE, name="paint")(
        lambda thing: {"color": "white", "secret": kingpost.Secret("s3cret")} if thing.properties.get("color") != "white" else None
    )
    stack = kingpost.Stack("proj", "dev", lambda: Thing("a", color="red") and None, providers={"test": world}, policies=[paint])
    result = stack.up()
    assert resource(result, "a").inputs["color"] == "white" and not [d for d in result.diagnostics if d.policy]
    assert world.seen("create")[0].inputs["secret"] == kingpost.Secret("s3cret")


def test_a_policy_that_raises_is_named():
    def broken(thing):
        raise KeyError("oops")

    with pytest.raises(kingpost.Error, match="policy broken: KeyError: 'oops'"):
        kingpost.Stack("proj", "dev", lambda: Thing("a") and None, providers={"test": World()}, policies=[broken]).up()


def test_an_exception_allows_a_violation_which_is_told_all_the_same():
    @kingpost.policy(types=TYPE)
    def never(thing):
        return "not so"

    urn = f"urn:pulumi:dev::proj::{TYPE}::a"

    def stack_of(*exceptions):
        return kingpost.Stack("proj", "dev", lambda: Thing("a") and None, providers={"test": World()}, policies=[never],
                              policy_exceptions=list(exceptions))

    def exception(policy, target):
        return kingpost.PolicyException("EXC-1", "until the audit", policies=[policy], targets=[target])

    result = stack_of(exception("never", urn)).up()
    assert [(d.severity, d.message) for d in result.diagnostics if d.policy == "never"] == [("warning", "not so")]
    for other in (exception("never", urn + "b"), exception("always", urn)):
        with pytest.raises(kingpost.PolicyViolation):
            stack_of(other).up()
    with pytest.raises(kingpost.PolicyViolation) as caught:
        stack_of(exception("always", urn)).preview()
    told = [d.message for d in caught.value.result.diagnostics if d.severity == "warning"]
    assert told == ['policy exception "EXC-1" for policy pack "policies" names policy "always", which isn\'t in the pack']


@pytest.mark.parametrize(("wrong", "text"), [
    ({"id": "a b"}, "must consist of letters"), ({"id": ""}, "must consist of letters"),
    ({"reason": " "}, "needs a reason"), ({"policies": []}, "policies must name at least one"),
    ({"policies": ["all"]}, "'all' is not allowed"), ({"targets": []}, "targets must name at least one"),
    ({"targets": ["site"]}, "is not a URN"),
])
def test_an_exception_that_says_too_little_is_refused(wrong, text):
    given = {"id": "E", "reason": "r", "policies": ["p"], "targets": ["urn:pulumi:dev::proj::t:t:T::a"]}
    with pytest.raises(ValueError, match=text):
        kingpost.PolicyException(**{**given, **wrong})


def loop():
    found = {}
    found["itself"] = found
    return found


@pytest.mark.parametrize(("answer", "message"), [
    ({"tags": {"a"}}, "it returned tags with a value of type set, which cannot be a property"),
    ({"tags": [{"a": object()}]}, "it returned tags with a value of type object, which cannot be a property"),
    ({7: "a"}, "it must return properties by their names, not 7"),
    ({"tags": loop()}, "it returned tags that is nested too deeply, or holds itself"),
])
def test_a_remediation_that_is_no_property_names_its_policy(answer, message):
    @kingpost.policy(level="remediate", types="test:*")
    def tagged(resource):
        return answer

    with pytest.raises(kingpost.PolicyFailed, match=re.escape(f"policy tagged: {message}")) as caught:
        deploy(World(), lambda: Thing("a") and None, policies=[tagged]).up()
    assert caught.value.policy == "tagged" and caught.value.urn.endswith("::a")
