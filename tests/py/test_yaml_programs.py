# SPDX-License-Identifier: Apache-2.0
"""Programs and components in YAML, run by the command itself, and beside the reference and its language plugin."""

import json
import shutil

import pytest

from harness import Command, PROGRAMS, Workspace, differences, normalize, peer_or_skip

PLUGINS = {"providers": [{"name": "things", "path": str(PROGRAMS / "things")},
                         {"name": "boxes", "path": "./boxes"}]}
HEAD = f"name: yard\nruntime: yaml\nplugins: {json.dumps(PLUGINS)}\n"

PROGRAM = HEAD + """\
config:
  word: {type: string, secret: true}
  size: {type: integer, default: 3}
  parts: {type: array, items: {type: string}}
variables:
  all: {value: "${size}", more: [1, 2.5, true, null, "$${x}"]}
  greeting:
    fn::invoke:
      function: things:greet
      arguments: {greeting: Hello, name: "${first.stamp}"}
      return: text
  upper: {"fn::join": ["-", {"fn::split": [",", "a,b"]}]}
resources:
  second:
    type: things:Thing
    properties:
      value: ${greeting}
      key: ${first.id}
      parts:
        - partName: ${upper}
          size: ${size}
    options:
      dependsOn: ["${own}"]
      ignoreChanges: [word]
      additionalSecretOutputs: [stamp]
  first:
    type: things:index:Thing
    properties:
      value: ${all}
      word: plain
  own:
    type: pulumi:providers:things
    properties: {region: west}
  child:
    type: things:Thing
    name: a-child
    properties:
      value: {"fn::toJSON": {size: "${size}"}}
      word: <${word}>
      deleteFirst: true
    options: {parent: "${first}", provider: "${own}", protect: true, retainOnDelete: true}
  file:
    type: things:Thing
    properties:
      value: {"fn::assetArchive": {one.txt: {"fn::fileAsset": ./Pulumi.yaml}, two: {"fn::stringAsset": "${upper}"}}}
  data:
    type: things:Thing
    properties: {value: {"fn::readFile": note.txt}}
  box:
    type: boxes:Box
    properties: {label: "${first.stamp}", count: 2}
outputs:
  word: ${word}
  greeting: ${greeting}
  stamp: "stamp ${second.stamp}"
  parts: ${second.parts[0].partName}
  select: {"fn::select": [1, "${parts}"]}
  where: ${pulumi.project}/${pulumi.stack}
  base: {"fn::toBase64": "${data.value}"}
  number: "n ${size}"
  inside: ${box.inside}
  counted: ${box.count}
"""

BOXES = """\
name: boxes
version: 1.2.3
runtime: yaml
components:
  Box:
    description: A thing in a box
    inputs:
      label: {type: string}
      count: {type: integer, default: 1}
    variables:
      text: <${label}>
    resources:
      inner:
        type: things:index:Thing
        properties: {value: "${text}", key: k}
    outputs:
      inside: ${inner.stamp}
      count: ${count}
"""


def yard(folder, command=None, program=PROGRAM, env=None) -> Workspace:
    ws = Workspace(folder, command or Command.kingpost(), env=env or {}, init=False)
    (ws.project / "boxes").mkdir()
    (ws.project / "boxes" / "PulumiPlugin.yaml").write_text(BOXES)
    (ws.project / "note.txt").write_text("a note\n")
    (ws.project / "Pulumi.yaml").write_text(program)
    ws.run("stack", "init", "dev")
    if "word:" in program:
        ws.secret("word", "canary")
        ws.run("config", "set", "--path", "parts[0]", "p", "--stack", "dev")
        ws.run("config", "set", "--path", "parts[1]", "q", "--stack", "dev")
    return ws


def test_a_program_runs_and_then_changes_nothing(tmp_path):
    ws = yard(tmp_path)
    preview = ws.preview()
    assert preview.ops("a-child") == ["create"] and "canary" not in preview.out + preview.err
    up = ws.up()
    assert "canary" not in up.out + up.err + up.event_file.read_text() + ws.state_file.read_text()
    assert ws.outputs() == {
        "word": "canary", "greeting": ws.outputs()["greeting"], "stamp": "stamp second-1/" + ws.outputs()["greeting"],
        "parts": "a-b", "select": "q", "where": "yard/dev", "base": "YSBub3RlCg==", "number": "n 3",
        "inside": "box-inner-1/<" + ws.outputs()["greeting"].removeprefix("Hello, ") + ">", "counted": 2}
    assert ws.outputs()["greeting"].startswith("Hello, first-1/")
    state = ws.state()
    assert state.named("box-inner")["parent"] == state.named("box")["urn"]
    assert state.named("second")["propertyDependencies"]["key"] == [state.named("first")["urn"]]
    assert state.named("a-child")["sourcePosition"] == "project:///Pulumi.yaml#37,3"
    assert state.named("a-child")["provider"].startswith(state.named("own")["urn"])
    ws.preview("--expect-no-changes")


def test_a_preview_in_json_has_what_the_program_reads(tmp_path):
    ws = yard(tmp_path, program=HEAD + "resources:\n  made: {type: 'things:Thing'}\n")
    ws.up()
    found = HEAD + "resources:\n  found: {type: 'things:Thing', get: {id: made-1}}\n"
    (ws.project / "Pulumi.yaml").write_text(found)
    steps = json.loads(ws.run("preview", "--json", "--stack", "dev").out)["steps"]
    assert {(s["op"], s["urn"].rsplit("::", 1)[1]) for s in steps if s["op"] != "same"} == {("read", "found"), ("delete", "made")}


def test_a_setting_with_the_name_of_a_resource_does_not_replace_it(tmp_path):
    ws = yard(tmp_path, program=HEAD + "resources:\n  made: {type: 'things:Thing'}\noutputs:\n  stamp: ${made.stamp}\n")
    ws.up()
    ws.run("config", "set", "made", "true", "--stack", "dev")
    ws.preview("--expect-no-changes")


def test_a_change_is_an_update(tmp_path):
    ws = yard(tmp_path)
    ws.up()
    (ws.project / "note.txt").write_text("another note\n")
    assert ws.preview().changed() == {"data": ["update"]}


def test_mistakes_are_told_where_they_are(tmp_path):
    ws = yard(tmp_path, program=HEAD + "outputs:\n  x: ${nothing}\n")
    run = ws.preview(check=False)
    assert run.code == 1
    assert 'resource, variable, or config value "nothing" not found' in run.out + run.err
    assert "on Pulumi.yaml line 5, column 6:" in run.out + run.err and "   5:   x: ${nothing}" in run.out + run.err


def test_mistakes_in_components_are_told_with_the_component(tmp_path):
    ws = yard(tmp_path, program=HEAD + "resources:\n  box: {type: 'boxes:Box', properties: {label: a}}\n")
    plugin = ws.project / "boxes" / "PulumiPlugin.yaml"
    plugin.write_text(BOXES.replace("${inner.stamp}", "${inner.stmap}"))
    run = ws.preview(check=False)
    assert run.code == 1
    assert "boxes:index:Box resource 'box' has a problem" in run.out + run.err
    assert "stmap does not exist on inner" in run.out + run.err


def test_a_failed_resource_ends_the_run_once(tmp_path):
    program = HEAD + """\
resources:
  bad: {type: 'things:Thing', properties: {fail: create}}
  after: {type: 'things:Thing', properties: {key: '${bad.stamp}'}}
outputs: {x: '${after.id}'}
"""
    ws = yard(tmp_path, program=program)
    run = ws.up(check=False)
    assert run.code == 1 and "create of bad was told to fail" in run.diagnostics
    assert "after" not in ws.state().names and ws.outputs() == {}


def test_a_run_that_continues_past_a_failed_resource_deletes_nothing_and_keeps_the_outputs(tmp_path):
    ws = yard(tmp_path, program=HEAD + "resources:\n  old: {type: 'things:Thing'}\noutputs: {x: before}\n")
    ws.up()
    (ws.project / "Pulumi.yaml").write_text(HEAD + """\
resources:
  bad: {type: 'things:Thing', properties: {fail: create}}
  after: {type: 'things:Thing', properties: {key: '${bad.stamp}'}}
  other: {type: 'things:Thing'}
outputs: {x: after}
""")
    run = ws.up("--continue-on-error", check=False)
    assert run.code == 1
    assert ("an unhandled error occurred: waiting for RPCs: resource bad [things:index:Thing] failed to register"
            in run.diagnostics)
    assert {"old", "other"} <= set(ws.state().names) and "after" not in ws.state().names and ws.outputs() == {"x": "before"}


def test_the_program_may_come_from_a_compiler(tmp_path):
    program = HEAD.replace("runtime: yaml", "runtime: {name: yaml, options: {compiler: sh make.sh}}")
    ws = yard(tmp_path, program=program)
    (ws.project / "make.sh").write_text('echo "outputs: {stack: $PULUMI_STACK}"\n')
    ws.up()
    assert ws.outputs() == {"stack": "dev"}
    (ws.project / "make.sh").write_text("echo no >&2; exit 3\n")
    run = ws.preview(check=False)
    assert "error running compiler sh make.sh" in run.out + run.err and "no" in run.out + run.err


def test_a_program_in_another_file_or_in_json(tmp_path):
    ws = yard(tmp_path, program=HEAD + "main: sub\n")
    (ws.project / "sub").mkdir()
    (ws.project / "sub" / "Main.json").write_text('{"outputs": {"where": "${pulumi.cwd}", "root": "${pulumi.rootDirectory}"}}')
    ws.up()
    assert ws.outputs() == {"where": str(ws.project / "sub"), "root": str(ws.project)}


def test_a_plugin_is_started_once_for_its_schema_and_its_resources(tmp_path):
    ws = yard(tmp_path, program=HEAD.replace(str(PROGRAMS / "things"), "./counted") +
              "resources: {a: {type: 'things:Thing', properties: {value: v}}, b: {type: 'things:Thing'}}\n")
    shutil.copytree(PROGRAMS / "things", ws.project / "counted")
    main = ws.project / "counted" / "__main__.py"
    main.write_text('with open("starts", "a") as file:\n    file.write("x")\n' + main.read_text())
    ws.preview()
    assert (ws.project / "starts").read_text() == "x"


def test_policies_see_what_a_program_and_its_components_register(tmp_path):
    program = HEAD + "resources:\n  plain: {type: 'things:Thing', properties: {value: something}}\n" \
        "  box: {type: 'boxes:Box', properties: {label: ''}}\n"
    ws = yard(tmp_path, program=program)
    pack = ("--policy-pack", str(PROGRAMS / "policies"))
    up = ws.up(*pack)
    told = {(e["policyName"], e["resourceUrn"].rsplit("::", 1)[1]) for e in up.policies if e["policyName"] == "no-short"}
    assert told == {("no-short", "box-inner")}
    assert {ws.state().named(name)["inputs"]["owner"] for name in ("plain", "box-inner")} == {"nobody"}
    (ws.project / "Pulumi.yaml").write_text(program.replace("something", "forbidden"))
    refused = ws.preview(*pack, check=False)
    assert refused.code == 1 and "the value 'forbidden' must not be used" in refused.out + refused.err


USER_OF_BOXES = """\
import pulumi
from pulumi import ResourceHook, ResourceHookBinding, ResourceOptions, ResourceTransformResult


class Box(pulumi.ComponentResource):
    def __init__(self, name, label, opts):
        super().__init__("boxes:index:Box", name, {"label": label, "inside": None}, opts, remote=True)


def inside(args):
    if args.type_ != "things:index:Thing":
        return None
    return ResourceTransformResult({**args.props, "value": f"boxed {args.props['value']}"}, args.opts)


def everything(args):
    if args.type_ != "things:index:Thing":
        return None
    noted = ResourceHookBinding(after_create=[hook])
    return ResourceTransformResult({**args.props, "word": "seen"}, ResourceOptions.merge(args.opts, ResourceOptions(hooks=noted)))


def note(args):
    with open("hooks.log", "a", encoding="utf-8") as file:
        file.write(f"{args.name} {args.new_inputs['value']}\\n")


hook = ResourceHook("note", note)
pulumi.runtime.register_resource_transform(everything)
box = Box("box", "x", ResourceOptions(transforms=[inside]))
pulumi.export("inside", box.inside)
"""


def test_transforms_and_hooks_of_a_program_reach_into_a_component(tmp_path):
    ws = yard(tmp_path, program=HEAD.replace("runtime: yaml", "runtime: python"))
    (ws.project / "__main__.py").write_text(USER_OF_BOXES)
    ws.up()
    inner = ws.state().named("box-inner")
    assert inner["inputs"]["value"] == "boxed <x>" and "word" in inner["inputs"]
    assert (ws.project / "hooks.log").read_text() == "box-inner boxed <x>\n"
    assert ws.outputs() == {"inside": "box-inner-1/boxed <x>"}
    ws.preview("--expect-no-changes")


def compared(ws: Workspace) -> dict:
    seen = {}
    for number in (1, 2):
        run = ws.up()
        seen[f"{number}. steps"] = run.steps
        seen[f"{number}. state"] = normalize(json.loads(ws.run("stack", "export").out))
        for urn, state in seen[f"{number}. state"]["deployment"]["resources"].items():
            if urn.endswith("::file"):
                state["outputs"].pop("stamp")  # the provider's text of a map, whose order is by chance
        seen[f"{number}. outputs"] = ws.outputs()
    return seen


@pytest.mark.slow
def test_the_reference_makes_the_same_of_it(tmp_path):
    peer = peer_or_skip()
    if not shutil.which("pulumi-language-yaml"):
        pytest.skip("pulumi-language-yaml is not on PATH")
    theirs = compared(yard(tmp_path / "peer", peer))
    ours = compared(yard(tmp_path / "ours"))
    assert differences(ours, theirs) == []
