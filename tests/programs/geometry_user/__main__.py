# SPDX-License-Identifier: Apache-2.0
"""Uses all that the SDK of the package `shapes` has, and checks what it reads back."""

import warnings

import pulumi
import pulumi_shapes as shapes
from pulumi_shapes import enums, functions, nested

warnings.simplefilter("ignore")


def check(name: str, output: pulumi.Input, expected) -> None:
    """Exports that it is what it should be; a difference fails the program."""
    def compare(value):
        assert value == expected, f"{name}: {value!r} is not {expected!r}"
        return True
    pulumi.export(name, pulumi.Output.from_input(output).apply(compare))


provider = shapes.Provider("own", region="north", token="hidden word", retries=3,
                           endpoint=nested.EndpointArgs(host="h"))
own = pulumi.ResourceOptions(provider=provider)

empty = shapes.Empty("empty", opts=own)
check("there", shapes.Empty.exists(empty.id, own), True)
check("not_there", shapes.Empty.exists("nobody", own), False)
scalars = shapes.Scalars("scalars", text="t", flag=True, count=2, ratio=0.5, anything={"a": [1]}, json='{"b":1}')
check("arn", scalars.arn, "made up")
check("flag", scalars.flag, True)
lists = shapes.Lists("lists", texts=["a"], matrix=[[1, 2], [3]], by_name={"camelCase": "x"}, lists_by_name={"k": [1.5]},
                     free={"any": {"thing": 1}})
check("by_name", lists.by_name, {"camelCase": "x"})
rule: nested.RuleArgsDict = {"name": "dict", "by_zone": {"aZone": {"host": "z", "port_number": 1}}}
typed = shapes.Nested("nested", rule=nested.RuleArgs(name="r", ports=[1], endpoints=[nested.EndpointArgs(host="e")]),
                      rules=[rule], by_zone={"zone": rule}, root_thing=shapes.RootThingArgs(value="v", is_real=True))
check("port_of_default", typed.rule.apply(lambda r: r.endpoints[0].port_number), 443)
check("zone", typed.rules.apply(lambda rules: rules[0].by_zone["aZone"].port_number), 1)
check("root", typed.root_thing.apply(lambda thing: thing.is_real), True)
tree = shapes.Recursive("recursive", tree=nested.TreeArgs(label="a", left=nested.TreeArgs(label="b"),
                                                          children=[{"label": "c"}]))
check("tree", tree.tree.apply(lambda t: t.left.label + t.children[0].label), "bc")
secrets = shapes.Secrets("secrets", password="hidden word", keys={"k": "hidden too"},
                         nested={"hidden": "seen", "open": "o"})
pulumi.export("password", secrets.password)
picked = shapes.Enums("enums", kind=enums.Kind.VERY_FANCY, level=enums.Level.HIGH, ratio=enums.Ratio.HALF,
                      color=shapes.Color.DARK_BLUE, kinds=[enums.Kind.ASTERISK, "plain"], open="other")
check("kind", picked.kind, enums.Kind.VERY_FANCY)
check("level", picked.level, 10)
unions = shapes.Unions("unions", text_or_number=3, pet=nested.CatArgs(pet_type="cat", lives=9),
                       pets=[{"pet_type": "dog", "tricks": ["sit"]}])
check("pet", unions.pet.apply(lambda pet: pet["petType"] if "petType" in pet else pet["pet_type"]), "cat")
words = shapes.Keywords("keywords", from_="a", class_="b", import_=True, lambda_="c", opts_="d", resource_name_="e",
                        default=1, new="f", get="g", self="h", public_ips=["1.1.1.1"], enable_https_redirect=True)
check("from", words.from_, "a")
check("ips", words.public_ips, ["1.1.1.1"])
defaults = shapes.Defaults("defaults", nested={})
check("size", defaults.size, 4)
check("mode", defaults.mode, "slow")
check("nested_size", shapes.Defaults("more-defaults", nested=nested.DefaultsArgs()).nested.apply(lambda n: n.size), 7)
check("version", shapes.Constants("constants", api_version="v1").api_version, "v1")
shapes.Assets("assets", source=pulumi.StringAsset("s"), archive=pulumi.AssetArchive({"a": pulumi.StringAsset("b")}),
              files={"f": pulumi.StringAsset("g")})
inner = shapes.deep.er.Inner("inner", thing={"value": "x"}, color=shapes.Color.RED, kind="plain", peer=scalars)
refs = shapes.Refs("refs", scalars=scalars, others=[scalars], deep=inner)
check("ref", refs.scalars.apply(lambda s: s.arn), "made up")
shapes.Plain("plain", text="p", texts=["q"], rule=nested.RuleArgs(name="r"))
shapes.Deprecated("deprecated", old="o", fresh="f")
shapes.Renamed("renamed", name="n")
shapes.Replacing("replacing", zone="z", nested={"hidden": "seen"}, list=[{"open": "o"}], map={"m": {"open": "o"}})
check("found", shapes.LookedUp.get("looked-up", "an-id", name="n").size, 3)
methods = shapes.Methods("methods", prefix="p")
check("described", methods.describe(style="ink").text, "in ink")
check("counted", methods.count_all(filter={"name": "n", "values": ["a", "b"]}).total, 2)
methods.reset()
component = shapes.Component("component", title="T", rule={"name": "r"})
check("child", component.child.apply(lambda child: child.text), "T")
shapes.deep.er.HTTPServer("server", tls_config={"host": "h"}, max_iops=3)
shapes.my_mod.Dashed("dashed", value="d")
check("address", shapes.OutputsOnly("outputs-only").address, "made up")
shapes.InputsOnly("inputs-only", seed="s")
shapes.RequiredAll("required", name="n", rule={"name": "r"}, texts=[])
shapes.Urgent("urgent", type="t", parent="p", name="n")
check("total", shapes.Numbers("numbers", ints=[1], floats={"f": 0.5}).total, 1.5)
shapes.Docs("docs", text="d")

shape = functions.get_shape(name="s", filters=[functions.Filter(name="f", values=["v"])])
assert shape.size_in_bytes == 2.5 and shape.found[0].size_in_bytes == 1 and shape.tags == {"camelCase": "kept"}
later = functions.get_shape_output(name=scalars.arn, filters=[{"name": "f", "values": []}])
check("later", later.apply(lambda answer: (answer.name, answer.found[0].name)), ("made up", "f"))
pulumi.export("answered", later.password)
assert functions.get_all().names == ["a", "b"]
assert functions.get_text(name="x") == "text of x"
check("ordered", functions.get_ordered_output(b="b", a=1).result, "b 1")
functions.get_nothing(note="n")
check("region", shapes.config.region or "none", "south")
check("retries", shapes.config.retries, 3)


def refusal(make) -> str:
    try:
        make()
    except TypeError as error:
        return str(error)
    return ""


assert "Missing required property 'text'" in refusal(lambda: shapes.Scalars("missing"))
assert "Missing required property 'title'" in refusal(lambda: shapes.Component("missing"))
